/** No answer of any platform contradicts itself: five seeds, before and after 5,000 writes. */
import { describe, expect, it } from 'vitest';
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { contradictionsIn } from '../engine/semantics/contradictions.ts';
import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { fixtureCall } from './fixture-call.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { PlatformClient, servedOperations } from './platform-client.ts';

const SEEDS = [undefined, 7, 11, 23, 42];
const WRITES = 500;
const LEAST_ACCEPTED = 0.8;
/** Rows of the fixture that writes are drawn for. */
const ROWS = 13;
/** Coprime to every number of operations there is, so that all of them are called. */
const STRIDE = 7919;

const ids = await listPlatforms();
const installations = new Map<number | undefined, Installation>();
for (const seed of SEEDS) installations.set(seed, await shippedInstallation(undefined, 'small-campus', seed));

/** Contradictions in the answers to every GET, with where they stand. */
function contradictions(client: PlatformClient, row: number): string[] {
  const reads = servedOperations(client.platform).filter(({ method, isPoll }) => method === 'GET' && !isPoll);
  return reads.flatMap((operation) => {
    const { platform, state } = client;
    const call = fixtureCall(platform, state, operation, row) ?? fixtureCall(platform, state, operation, 0);
    const schema = successOf(operation).schema;
    const answer = call === null ? null : client.send({ ...call, method: operation.method });
    if (schema === null || answer === null || answer.status >= 300) return [];
    return contradictionsIn(operation.document, schema, answer.json, { nowMs: state.clock.ms }).map(
      ({ rule, path, fields }) => `${operation.id} /${path.join('/')} ${rule.id}: ${JSON.stringify(fields)}`,
    );
  });
}

/** Share of the writes that were accepted. */
function writeMany(client: PlatformClient): number {
  const writes = servedOperations(client.platform).filter(({ method }) => !['GET', 'HEAD'].includes(method));
  let [accepted, sent] = [0, 0];
  for (let at = 0; at < WRITES; at += 1) {
    const operation = writes[(at * STRIDE) % writes.length] as (typeof writes)[number];
    const call = fixtureCall(client.platform, client.state, operation, at % ROWS);
    if (call === null) continue;
    sent += 1;
    if (client.send({ ...call, method: operation.method }).status < 300) accepted += 1;
  }
  return accepted / sent;
}

describe.each(SEEDS)('seed %s', (seed) => {
  it.each(ids)('%s', (id) => {
    const client = new PlatformClient(installations.get(seed) as Installation, id);
    expect(contradictions(client, 0), 'before').toEqual([]);
    expect(writeMany(client)).toBeGreaterThanOrEqual(LEAST_ACCEPTED);
    expect(contradictions(client, 1), 'after').toEqual([]);
  });
});
