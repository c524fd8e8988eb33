/** A day of work over all platforms, and what it was answered, as one text: the same day must read the same each time. */
import { createHash } from 'node:crypto';
import type { Kind } from '../engine/openapi/served-operation.ts';
import { Dice } from '../engine/state/determinism.ts';
import { fixtureCall } from './fixture-call.ts';
import type { Installation } from './full-installation.ts';
import { type Asked, PlatformClient, servedOperations } from './platform-client.ts';

/** Operations of each kind that a day has of each platform. */
const OF_A_KIND = 3;
/** Kinds in the order of a day's work: look, change, look again, start something and ask for it. */
const ORDER: Kind[] = [
  'list',
  'get',
  'create',
  'replace',
  'patch',
  'set',
  'singleton-put',
  'action',
  'diagnostic',
  'async-result',
  'search',
  'count',
  'top',
  'trend',
  'delete',
];

export interface DayCall {
  platform: string;
  asked: Asked;
}

/** The calls of a day, platform after platform within each kind, drawn from a fresh start. */
export function mixedDay(installation: Installation): DayCall[] {
  const clients = clientsOf(installation);
  const calls: DayCall[] = [];
  for (const kind of ORDER) for (const [id, client] of clients) addCalls(calls, id, client, kind);
  return calls;
}

function addCalls(calls: DayCall[], id: string, client: PlatformClient, kind: Kind): void {
  const drawn = servedOperations(client.platform)
    .filter((operation) => operation.kind === kind)
    .map((operation) => ({ operation, rank: new Dice('day', id, operation.id).unit() }))
    .sort((left, right) => left.rank - right.rank)
    .slice(0, OF_A_KIND);
  for (const { operation } of drawn) {
    const call = fixtureCall(client.platform, client.state, operation, 0);
    if (call === null) continue;
    const { method, path, query, body, media } = call;
    const asked = { method, path, query, body, media };
    const { location } = client.send(asked).headers;
    calls.push({ platform: id, asked });
    if (location?.startsWith('/') !== true) continue;
    // What was created or started is looked at twice, as one does who waits for it.
    const look = { method: 'GET', path: location.split('?')[0] as string };
    calls.push({ platform: id, asked: look }, { platform: id, asked: { ...look } });
  }
}

export interface PlayedDay {
  digest: string;
  statuses: number[];
  /** Hash over everything that is kept, per platform; only where asked for, it makes every row there is. */
  states: string[];
}

/** Plays a day from the start: a digest over every byte of answers, headers and ledgers. */
export function playDay(installation: Installation, day: readonly DayCall[], withStates = false): PlayedDay {
  const clients = clientsOf(installation);
  const hash = createHash('sha256');
  const statuses = day.map(({ platform, asked }) => {
    const answer = (clients.get(platform) as PlatformClient).send(asked);
    hash.update(`${answer.status} ${JSON.stringify(answer.headers)} ${answer.body}\n`);
    return answer.status;
  });
  for (const client of clients.values()) hash.update(JSON.stringify(client.records));
  const states = withStates ? [...clients.values()].map(({ state }) => state.hash()) : [];
  return { digest: hash.digest('hex'), statuses, states };
}

function clientsOf(installation: Installation): Map<string, PlatformClient> {
  return new Map(installation.ids.map((id) => [id, new PlatformClient(installation, id)]));
}
