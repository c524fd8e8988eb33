/** Results of the agent that calls everything, one scenario at a time, stored until all scenarios ran. */
import { loadScenarios } from '../scenario/scenario.ts';
import { keepControl, latest, type Made, readControl } from './control-baseline.ts';
import { type SpamCheck, type SpammedScenario, spamCheckOf } from './spam-check.ts';

type StoredSpam = Record<string, SpammedScenario & { made: Made }>;

/** Parts merge: all scenarios take an hour, and a repeated scenario needs no run of the others. */
export async function keepSpam(
  root: string,
  played: readonly SpammedScenario[],
  { minutes, ...when }: Made,
): Promise<void> {
  const made = { ...when, minutes: minutes / Math.max(1, played.length) };
  const now = Object.fromEntries(played.map((one) => [one.scenario, { ...one, made }]));
  await keepControl(root, 'spam', { ...(await readControl<StoredSpam>(root, 'spam')), ...now });
}

/** undefined until every scenario that there is was played. */
export async function readSpam(root: string): Promise<(SpamCheck & { made: Made | undefined }) | undefined> {
  const kept = (await readControl<StoredSpam>(root, 'spam')) ?? {};
  const played = (await loadScenarios(root)).map(({ id }) => kept[id]);
  if (played.length === 0 || !played.every((one) => one !== undefined)) return undefined;
  return { ...spamCheckOf(played), made: latest(played.map(({ made }) => made)) };
}
