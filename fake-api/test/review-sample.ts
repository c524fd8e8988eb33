/**
 * Draws operations and answers of one platform for an engineer to judge: 20 operations with their descriptions, and the answers to 12 reads.
 *
 *     node run.mjs fake-api/test/review-sample.ts --platform nac --seed 77
 *
 * `--platform` names the platform, `--seed` the draw (default 1); `--json` prints one object.
 */
import { parseArgs } from 'node:util';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { Dice } from '../engine/state/determinism.ts';
import { fixtureCall } from './fixture-call.ts';
import { shippedInstallation } from './full-installation.ts';
import { PlatformClient, servedOperations } from './platform-client.ts';

const OPERATIONS = 20;
const ANSWERS = 12;
/** Characters of an answer that are shown: enough for the first objects of a list. */
const SHOWN = 1500;

const { values } = parseArgs({
  options: {
    platform: { type: 'string', default: 'mgmt' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const installation = await shippedInstallation([values.platform]);
const client = new PlatformClient(installation, values.platform);
const dice = new Dice('review', values.platform, Number(values.seed));

/** Different entries, in the order in which they are drawn. */
function drawn<T>(from: readonly T[], count: number): T[] {
  const left = [...from];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(dice.int(0, left.length - 1), 1)[0] as T,
  );
}

function described({ id, method, template }: Operation): string {
  for (const document of installation.documents.get(values.platform)?.values() ?? []) {
    const path = Object.values(document.paths ?? {}) as Record<
      string,
      { operationId?: string; description?: string }
    >[];
    const found = path.flatMap((item) => Object.values(item)).find(({ operationId }) => operationId === id);
    if (found !== undefined) return `${method} ${template} · ${id}: ${found.description ?? ''}`;
  }
  return `${method} ${template} · ${id}`;
}

function answerTo(operation: Operation): string | null {
  const call =
    fixtureCall(client.platform, client.state, operation, dice.int(0, 3)) ??
    fixtureCall(client.platform, client.state, operation, 0);
  if (call === null) return null;
  const query = requiredQuery(operation, call.query);
  const { status, body } = client.send({ ...call, query, method: operation.method });
  const address = query === '' ? call.path : `${call.path}?${query}`;
  return status < 300 ? `GET ${address} · ${operation.id}: ${body.slice(0, SHOWN)}` : null;
}

/** What the operation asks for; optional filters would empty most lists. */
function requiredQuery({ parameters }: Operation, query: string): string {
  const required = new Set(
    parameters.filter((entry) => entry.in === 'query' && entry.required).map(({ name }) => name),
  );
  return new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => required.has(name))).toString();
}

const operations = servedOperations(client.platform);
const reads = operations.filter(({ method, isPoll }) => method === 'GET' && !isPoll);
const sample = {
  platform: values.platform,
  seed: Number(values.seed),
  operations: drawn(operations, OPERATIONS).map(described),
  answers: drawn(reads, ANSWERS * 3)
    .flatMap((operation) => answerTo(operation) ?? [])
    .slice(0, ANSWERS),
};
if (values.json) console.log(JSON.stringify(sample));
else
  console.log([`# ${sample.platform}, seed ${sample.seed}`, ...sample.operations, '', ...sample.answers].join('\n\n'));
