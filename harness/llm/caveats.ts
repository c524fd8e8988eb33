/** Caveats of a report that depend on its models. */
import type { Recording } from '../recording/recording.ts';
import { useOf } from '../recording/transcript.ts';

export function modelCaveats(recordings: readonly Recording[]): string[] {
  const asked = recordings.flatMap(({ model }) => model ?? []);
  const [first] = asked;
  if (first === undefined) return [];
  const uses = asked.map(useOf);
  const all = (field: 'models' | 'fingerprints') => [...new Set(uses.flatMap((use) => use[field]))].sort();
  const sum = (field: 'requests' | 'retries' | 'prompt_tokens' | 'completion_tokens') =>
    uses.reduce((total, use) => total + use[field], 0);
  const { model, temperature, seed } = first.request;
  const honoured = asked.every((transcript) => transcript.seed_honoured === 'yes') ? 'yes' : 'unknown';
  const seeds = seed === undefined ? 'no seed sent' : `seed sent, honoured: ${honoured}`;
  const extra = first.extra_body === undefined ? '' : `; added to each request: ${JSON.stringify(first.extra_body)}`;
  return [
    `model ${model}, answered as ${all('models').join(', ') || 'nothing'}, fingerprint ${all('fingerprints').join(', ') || 'none given'}; system prompt ${first.prompt ?? 'coaching'}; temperature ${temperature ?? 'not sent'}; ${seeds}${extra}; ${sum('requests')} requests, ${sum('retries')} retries, ${sum('prompt_tokens')} tokens read, ${sum('completion_tokens')} written (${first.source})`,
    ...limitCaveats(recordings),
    ...divergenceCaveats(recordings),
  ];
}

/** Which budgets ended runs, and how many each. */
function limitCaveats(recordings: readonly Recording[]): string[] {
  const limits = recordings.flatMap(({ model }) => model?.limit ?? []);
  const kinds = Map.groupBy(limits, (limit) => limit.replace(/^[\d.]+ of /, ''));
  return [...kinds].map(([limit, own]) => `${own.length} runs are in no score: their budget was spent (${limit})`);
}

function divergenceCaveats(recordings: readonly Recording[]): string[] {
  const diverged = recordings.filter(({ model }) => (model?.divergences.length ?? 0) > 0);
  return diverged.map(({ agent, transport, task, run, model }) => {
    const all = model?.divergences ?? [];
    const more = all.length > 1 ? `, and ${all.length - 1} more` : '';
    return `${agent}/${transport}/${task.id} run ${run} diverged from the stored run: ${all[0]}${more}`;
  });
}
