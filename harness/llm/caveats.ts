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
  const honoured = asked.every((transcript) => transcript.seed_honoured === 'yes') ? 'yes' : 'unknown';
  const { model, temperature } = first.request;
  return [
    `model ${model}, answered as ${all('models').join(', ') || 'nothing'}, fingerprint ${all('fingerprints').join(', ') || 'none given'}; temperature ${temperature}; seed sent, honoured: ${honoured}; ${sum('requests')} requests, ${sum('retries')} retries, ${sum('prompt_tokens')} tokens read, ${sum('completion_tokens')} written (${first.source})`,
    ...divergenceCaveats(recordings),
  ];
}

function divergenceCaveats(recordings: readonly Recording[]): string[] {
  const diverged = recordings.filter(({ model }) => (model?.divergences.length ?? 0) > 0);
  return diverged.map(({ agent, transport, task, run, model }) => {
    const all = model?.divergences ?? [];
    const more = all.length > 1 ? `, and ${all.length - 1} more` : '';
    return `${agent}/${transport}/${task.id} run ${run} diverged from the stored run: ${all[0]}${more}`;
  });
}
