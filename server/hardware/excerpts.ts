/** Models that a question names, as excerpts with a citation. */
import { type HardwareModel, modelNamed } from './models.ts';

export function hardwareExcerpts(question: string, limit: number) {
  const names = question.match(/\b[A-Za-z]{1,5}-?\d[A-Za-z0-9-]*\b|\b[A-Za-z]{2,5}-[A-Z]{1,2}\b/g) ?? [];
  const models = [...new Set(names.map(modelNamed).filter((model) => model !== undefined))];
  return models.slice(0, limit).map((model) => ({
    text: sentence(model),
    file_path: `hardware-catalogue#${model.model}`,
    source: 'hardware catalogue',
    doc_type: 'hardware',
    score: 100,
  }));
}

function sentence({ model, vendor, summary, specs, lifecycle }: HardwareModel): string {
  const facts = Object.entries({ ...specs, ...lifecycle }).map(
    ([name, value]) => `${name.replaceAll('_', ' ')} ${value}`,
  );
  return `${model} (${vendor}): ${summary}. ${facts.join('; ')}.`;
}
