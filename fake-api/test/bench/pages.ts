/**
 * `npm run bench:pages`: how long a page of each list takes at forty sites and two thousand devices. Every list of every
 * platform, its first page and one deep inside; the median of five counts, so that the first look at a collection, which
 * makes its rows, does not; `--cold` makes them again before each. `--fixture` is the starting state, `--json` prints one object.
 */
import { parseArgs } from 'node:util';
import { median } from 'simple-statistics';
import { firstOf, parameterNamed } from '../../engine/http/list-page.ts';
import type { Operation } from '../../engine/openapi/served-operation.ts';
import { fixtureCall } from '../fixture-call.ts';
import { shippedInstallation } from '../full-installation.ts';
import { PlatformClient, servedOperations } from '../platform-client.ts';
import { entriesIn } from '../whole-list.ts';

const GOAL_MS = 20;
const ROUNDS = 5;
const SLOWEST = 10;
/** Pages to go deep: where there are fewer, the page is past the end and as quick as it gets. */
const DEEP = 20;

interface Timed {
  platform: string;
  operation: string;
  page: 'first' | 'deep';
  target: string;
  status: number;
  entries: number;
  ms: number;
}

const { values } = parseArgs({
  options: {
    fixture: { type: 'string', default: 'multi-region' },
    json: { type: 'boolean', default: false },
    /** As after a write: what was worked out from other rows is worked out again for each page. */
    cold: { type: 'boolean', default: false },
  },
});
const installation = await shippedInstallation(undefined, values.fixture);
const timed: Timed[] = [];
const untried: string[] = [];
for (const id of installation.ids) {
  const client = new PlatformClient(installation, id);
  for (const operation of servedOperations(client.platform)) {
    if (operation.kind !== 'list' || operation.method !== 'GET') continue;
    const call = fixtureCall(client.platform, client.state, operation, 0);
    if (call === null) {
      untried.push(`${id} ${operation.id}`);
      continue;
    }
    timed.push(timePage(client, operation, 'first', call.path, call.query));
    const deep = deepQuery(client, operation, call.path, call.query);
    if (deep !== null) timed.push(timePage(client, operation, 'deep', call.path, deep));
  }
}
timed.sort((left, right) => right.ms - left.ms);
const slow = timed.filter(({ ms }) => ms > GOAL_MS);
const failed = timed.filter(({ status }) => status !== 200);
const result = {
  bench: 'fake-pages',
  cold: values.cold,
  fixture: values.fixture,
  lists: timed.filter(({ page }) => page === 'first').length,
  pages: timed.length,
  goalMs: GOAL_MS,
  slowestMs: timed[0]?.ms ?? 0,
  slow: slow.length,
  failed: failed.length,
  untried: untried.length,
  passed: slow.length === 0 && failed.length === 0 && timed.length > 0,
};
if (values.json) console.log(JSON.stringify({ ...result, slowest: timed.slice(0, SLOWEST) }));
else {
  for (const each of timed.slice(0, SLOWEST))
    console.log(
      `${each.ms.toFixed(1).padStart(7)} ms  ${each.platform} ${each.operation}, ${each.page} page, ${each.entries} entries`,
    );
  for (const each of failed)
    console.log(`${each.status}  ${each.platform} ${each.operation}, ${each.page} page: ${each.target}`);
  for (const name of untried) console.log(`nothing to ask for: ${name}`);
  console.log(`${result.pages} pages of ${result.lists} lists, ${result.slow} above ${GOAL_MS} ms`);
}
process.exitCode = result.passed ? 0 : 1;

function timePage(
  client: PlatformClient,
  operation: Operation,
  page: Timed['page'],
  path: string,
  query: string,
): Timed {
  const durations: number[] = [];
  let answer = client.send({ method: 'GET', path, query });
  for (let round = 0; round < ROUNDS; round += 1) {
    if (values.cold) client.state.touch();
    const from = performance.now();
    answer = client.send({ method: 'GET', path, query });
    durations.push(performance.now() - from);
  }
  const entries = operation.list === null ? [] : entriesIn(operation.list, answer.json);
  return {
    platform: client.platform.id,
    operation: operation.id,
    page,
    target: `${path}?${query}`,
    status: answer.status,
    entries: entries.length,
    ms: median(durations),
  };
}

/** The query of a page far inside; a cursor has to be walked to. Null where everything comes at once. */
function deepQuery(client: PlatformClient, operation: Operation, path: string, query: string): string | null {
  const style = operation.list;
  if (style === null || style.paging === 'none') return null;
  const pair = (name: string, value: string | number) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  const joined = (...pairs: string[]) => [query, ...pairs].filter((part) => part !== '').join('&');
  const limit = Math.min(style.default, style.max);
  if (style.paging === 'page') return joined(pair(parameterNamed(style, 'page'), DEEP + firstOf(style)));
  if (style.paging === 'offset') return joined(pair(parameterNamed(style, 'offset'), DEEP * limit + firstOf(style)));
  const name = Object.entries(style.meanings ?? {}).find(([, meaning]) => meaning === 'next')?.[0] ?? 'next';
  let cursor: string | null = null;
  for (let at = 0; at < DEEP; at += 1) {
    const asked: string = cursor === null ? query : joined(pair(parameterNamed(style, 'cursor'), cursor));
    const next: unknown = (
      client.send({ method: 'GET', path, query: asked }).json as Record<string, unknown> | undefined
    )?.[name];
    if (typeof next !== 'string') break;
    cursor = next;
  }
  return cursor === null ? null : joined(pair(parameterNamed(style, 'cursor'), cursor));
}
