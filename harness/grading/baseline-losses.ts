/**
 * What a bless would give up: successes of the old baseline that the new one does not have, and seeds, agents, transports and
 * scenarios that it does not hold at all. Each needs a stated reason. Values in, values out.
 */
import type { Baseline, BaselineEntry } from './baseline.ts';
import { isControl } from './control-agents.ts';
import type { PublishedResults } from './published-results.ts';
import { comparableScenarios } from './published-results.ts';

export interface Loss {
  /** What `--accept-loss` names: a scenario, or `seed 3`, `agent retrieval`, `transport stdio`. */
  name: string;
  kind: 'lost' | 'gone';
  /** Where it was had: the old baseline, or a published version. */
  since: string;
  /** Of a lost success. */
  agent?: string;
  transport?: string;
  seed?: number;
}

export function lossesSince(before: Baseline, after: Baseline): Loss[] {
  const since = `the baseline of ${before.blessed.at.slice(0, 10)}`;
  const gone = [
    ...missing(before.seeds, after.seeds).map((seed) => `seed ${seed}`),
    ...missing(partsOf(before, 0), partsOf(after, 0)).map((agent) => `agent ${agent}`),
    ...missing(partsOf(before, 1), partsOf(after, 1)).map((transport) => `transport ${transport}`),
    ...missing(partsOf(before, 2), partsOf(after, 2)),
  ].map((name): Loss => ({ name, kind: 'gone', since }));
  const names = new Set(gone.map(({ name }) => name));
  const isGone = ({ name, agent, transport, seed }: Loss) =>
    [name, `seed ${seed}`, `agent ${agent}`, `transport ${transport}`].some((part) => names.has(part));
  return [...gone, ...lostSuccesses(before, after, since).filter((loss) => !isGone(loss))];
}

/** Of scenarios that are as they were published; seeds that either side lacks are not compared. */
export function lossesSincePublished(published: PublishedResults, after: Baseline, digests: DigestsByScenario): Loss[] {
  const { comparable } = comparableScenarios(published, digests);
  const known = new Set(comparable);
  const lost = lostSuccesses(published, after, `version ${published.version}`);
  return lost.filter(({ name, seed }) => known.has(name) && after.seeds.includes(seed ?? -1));
}

export type DigestsByScenario = Parameters<typeof comparableScenarios>[1];

/** Of contestants: what a control solves is no merit of the server. A success is `passed` or, where another check failed before too, `task_success`. */
function lostSuccesses(before: Pick<Baseline, 'seeds' | 'entries'>, after: Baseline, since: string): Loss[] {
  return Object.entries(before.entries).flatMap(([key, entry]) => {
    const [agent = '', transport = '', ...scenario] = key.split('/');
    if (isControl(agent)) return [];
    return before.seeds.flatMap((seed, at): Loss[] => {
      const now = valuesAt(after.entries[key], after.seeds.indexOf(seed));
      const was = valuesAt(entry, at);
      if (!was.some((value, i) => value === 1 && now[i] !== 1)) return [];
      return [{ name: scenario.join('/'), kind: 'lost', since, agent, transport, seed }];
    });
  });
}

const valuesAt = (entry: BaselineEntry | undefined, at: number): (number | undefined)[] => [
  entry?.passed[at],
  entry?.task_success[at],
];

const missing = <Value>(before: readonly Value[], after: readonly Value[]): Value[] =>
  before.filter((value) => !after.includes(value));

/** 0: agents, 1: transports, 2: scenarios of the entries. */
function partsOf({ entries }: Baseline, part: 0 | 1 | 2): string[] {
  const names = Object.keys(entries).map((key) => {
    const [agent = '', transport = '', ...scenario] = key.split('/');
    return [agent, transport, scenario.join('/')][part] ?? '';
  });
  return [...new Set(names)].sort();
}

/** One line for each name: who lost it, over what, with which seeds. */
export function lossLines(losses: readonly Loss[]): string[] {
  return [...Map.groupBy(losses, ({ name, since }) => `${name}\u0000${since}`)].map(([text, own]) => {
    const [name, since] = text.split('\u0000');
    if (own[0]?.kind === 'gone') return `${name}: in ${since}, and not in this run`;
    const runs = [...Map.groupBy(own, ({ agent, transport }) => `${agent} over ${transport}`)].map(
      ([who, lost]) => `${who}, seed ${lost.map(({ seed }) => seed).join(', ')}`,
    );
    return `${name}: solved in ${since}, and not in this run (${runs.join('; ')})`;
  });
}
