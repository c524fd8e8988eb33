/**
 * The requests that the blessed runs made at the platform, kept in the baseline so that a worse run can be shown beside them.
 * Of agents that are compared only: what a control requests decides nothing.
 */
import { countedCalls } from '../recording/call-class.ts';
import type { LedgerEntry, Recording } from '../recording/recording.ts';
import type { Baseline } from './baseline.ts';
import { isControl } from './control-agents.ts';

/** What decides whether two requests are equal: `METHOD /path?query`, and the start of the hash of the body. */
export function requestLine({ method, path, query, bodyHash }: LedgerEntry): string {
  const body = bodyHash === null ? '' : ` body ${bodyHash.replace(/^sha256:/, '').slice(0, 12)}`;
  return `${method} ${path}${query === '' ? '' : `?${query}`}${body}`;
}

export const requestsOf = (recording: Recording): string[] => countedCalls(recording).map(requestLine);

/** Key → one list per seed; both transports share a key where their requests are equal. */
export function blessedRequests(
  recordings: readonly Recording[],
  seeds: readonly number[],
): NonNullable<Baseline['requests']> {
  const contestants = recordings.filter(({ agent, outcome }) => !isControl(agent) && outcome !== 'absent');
  const groups = Map.groupBy(contestants, ({ agent, task }) => `${agent}/${task.id}`);
  const kept = [...groups].flatMap(([key, own]): [string, string[][]][] => {
    const byTransport = [...Map.groupBy(own, ({ transport }) => transport)].map(([transport, runs]) => {
      const lists = seeds.map((seed) => runs.find((run) => run.seed === seed)).map((run) => run && requestsOf(run));
      return { transport, lists: lists.map((list) => list ?? []) };
    });
    const [first] = byTransport;
    if (first === undefined) return [];
    const text = JSON.stringify(first.lists);
    if (byTransport.every(({ lists }) => JSON.stringify(lists) === text)) return [[key, first.lists]];
    const [agent = '', ...scenario] = key.split('/');
    return byTransport.map(({ transport, lists }) => [`${agent}/${transport}/${scenario.join('/')}`, lists]);
  });
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Undefined where the baseline does not hold the run or keeps no requests. */
export function requestsBefore({ requests, seeds }: Baseline, key: string, seed: number): string[] | undefined {
  const [agent, , ...scenario] = key.split('/');
  const lists = requests?.[key] ?? requests?.[`${agent}/${scenario.join('/')}`];
  return lists?.[seeds.indexOf(seed)];
}

/** A request that is made twice counts twice. */
export function differingRequests(
  before: readonly string[],
  now: readonly string[],
): { gone: string[]; added: string[] } {
  const without = (list: readonly string[], others: readonly string[]) => {
    const rest = [...others];
    return list.filter((line) => {
      const at = rest.indexOf(line);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
  };
  return { gone: without(before, now), added: without(now, before) };
}
