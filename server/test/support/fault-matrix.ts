/**
 * Every way in which a platform goes wrong, against every kind of call: fault × capability × style of platform. Each cell is
 * one call; it must end in one of the outcomes that are true for it, in time, and what may write must arrive at most once.
 */
import type { InstallationTestbed, TestbedCall } from './installation-testbed.ts';

export const CAPABILITIES = ['read', 'diagnostic', 'write', 'destructive'] as const;
type Capability = (typeof CAPABILITIES)[number];

interface Trouble {
  name: string;
  /** Planned at the fake for this operation alone. */
  fault?: object;
  /** How often it strikes; for ever when left out. */
  times?: number;
  /** Or the platform is somewhere else. */
  at?: string;
  read: readonly string[];
  diagnostic: readonly string[];
  write: readonly string[];
}

const FAILED = ['upstream_error'];
/** Of a read that is retried: on a slow machine the deadline may come during a pause or the last attempt. */
const RETRIES_FAILED = [...FAILED, 'timeout'];
const UNKNOWN = ['outcome_unknown'];
/** The address of the platform is another one than at the preview. */
const STALE = ['plan_stale'];
/** A write of which the platform did nothing, or everything: read back or, where nothing reads it, unknown. */
const NOT_DONE = ['not_applied', 'outcome_unknown'];
const DONE_AFTER_ALL = ['done', 'outcome_unknown'];
/** An answer without a body cannot have a damaged body. */
const DAMAGED = ['done', 'outcome_unknown'];

const both = (name: string, fault: object, read: readonly string[], diagnostic: readonly string[]): Trouble[] => [
  { name: `${name}, nothing done`, fault: { ...fault, effect: 'before' }, read, diagnostic, write: NOT_DONE },
  { name: `${name}, all done`, fault: { ...fault, effect: 'after' }, read, diagnostic, write: DONE_AFTER_ALL },
];
const body = (name: string, fault: object, read = RETRIES_FAILED): Trouble => ({
  name,
  fault,
  read,
  diagnostic: DAMAGED,
  write: DAMAGED,
});
const refused = (name: string, fault: object, outcome: readonly string[], write = outcome): Trouble => ({
  name,
  fault,
  read: outcome,
  diagnostic: outcome,
  write,
});

export const TROUBLES: readonly Trouble[] = [
  ...both('500', { kind: 'status', status: 500 }, FAILED, FAILED),
  ...both('502', { kind: 'status', status: 502 }, RETRIES_FAILED, FAILED),
  ...both('503', { kind: 'status', status: 503 }, RETRIES_FAILED, FAILED),
  ...both('503 with Retry-After', { kind: 'status', status: 503, retryAfter: '0' }, RETRIES_FAILED, FAILED),
  ...both('504', { kind: 'status', status: 504 }, ['timeout'], ['timeout']),
  ...both('408', { kind: 'status', status: 408 }, ['timeout'], ['timeout']),
  ...both('421', { kind: 'status', status: 421 }, ['upstream_rejected'], UNKNOWN),
  refused('400', { kind: 'status', status: 400 }, ['upstream_rejected']),
  refused('401', { kind: 'status', status: 401 }, ['forbidden']),
  refused('403', { kind: 'status', status: 403 }, ['forbidden']),
  refused('409', { kind: 'status', status: 409 }, ['upstream_rejected']),
  refused('429', { kind: 'status', status: 429 }, ['rate_limited']),
  refused('429 with Retry-After', { kind: 'status', status: 429, retryAfter: '0' }, ['rate_limited']),
  refused('429 with a date', { kind: 'status', status: 429, retryAfter: 'Mon, 02 Mar 2026 09:00:00 GMT' }, [
    'rate_limited',
  ]),
  refused('429 with nonsense', { kind: 'status', status: 429, retryAfter: 'soon' }, ['rate_limited']),
  {
    name: 'a login that was forgotten',
    fault: { kind: 'expire' },
    times: 1,
    read: ['done', 'forbidden'],
    diagnostic: ['forbidden'],
    write: ['forbidden'],
  },
  { name: 'a late answer', fault: { kind: 'delay', ms: 150 }, read: ['done'], diagnostic: ['done'], write: ['done'] },
  ...both('no answer', { kind: 'hang' }, ['timeout'], UNKNOWN),
  ...both('a reset', { kind: 'reset' }, RETRIES_FAILED, UNKNOWN),
  ...both('a redirect', { kind: 'redirect', to: 'http://elsewhere.invalid/steal' }, FAILED, UNKNOWN),
  ...both(
    'a redirect that keeps the method',
    { kind: 'redirect', to: 'http://elsewhere.invalid/', status: 307 },
    FAILED,
    UNKNOWN,
  ),
  body('cut before the body', { kind: 'cut', at: 'before' }),
  body('cut within the body', { kind: 'cut', at: 'within' }),
  body('cut at the end of the body', { kind: 'cut', at: 'after' }),
  body('a length too long', { kind: 'length', by: 50 }),
  body('a length too short', { kind: 'length', by: -3 }),
  body('broken JSON', { kind: 'broken-json' }),
  body('a page of HTML', { kind: 'content-type', value: 'text/html', body: '<!doctype html><title>Log in</title>' }),
  body('another type', { kind: 'content-type', value: 'text/plain' }, ['done']),
  body('no type', { kind: 'content-type', value: '' }, ['done']),
  body('a huge body', { kind: 'huge', bytes: 10_000_000 }),
  body('a gzip bomb', { kind: 'gzip-bomb', bytes: 32_000_000 }),
  body('a drip', { kind: 'drip', bytes: 1, everyMs: 300 }, ['timeout']),
  {
    name: 'a port that is forbidden',
    at: 'http://127.0.0.1:9',
    read: RETRIES_FAILED,
    diagnostic: FAILED,
    write: STALE,
  },
  { name: 'nobody listens', at: 'http://127.0.0.1:2', read: RETRIES_FAILED, diagnostic: FAILED, write: STALE },
  {
    name: 'nobody knows the name',
    at: 'http://platform.invalid',
    read: RETRIES_FAILED,
    diagnostic: ['upstream_error', 'timeout', 'outcome_unknown'],
    write: STALE,
  },
];

export interface Cell {
  platform: string;
  capability: Capability;
  trouble: string;
  outcome: string;
  /** Requests of this operation that the fake counted. */
  arrived: number;
  ms: number;
  violations: string[];
}

export interface MatrixOptions {
  platform: string;
  timeoutMs: number;
  troubles?: readonly Trouble[];
  capabilities?: readonly Capability[];
}

/** Time beyond the deadline that a busy machine may need to say so. */
const SLACK_MS = 2_500;

export async function playMatrix(testbed: InstallationTestbed, options: MatrixOptions): Promise<Cell[]> {
  const { platform, troubles = TROUBLES, capabilities = CAPABILITIES } = options;
  const cells: Cell[] = [];
  for (const capability of capabilities) {
    const call = await sound(testbed, platform, capability);
    if (call === undefined) continue;
    for (const trouble of troubles) cells.push(await playCell(testbed, call, capability, trouble, options));
  }
  return cells;
}

/** The first call of a kind that a well platform carries out, one whose object can be read back before others. */
async function sound(
  testbed: InstallationTestbed,
  platform: string,
  capability: Capability,
): Promise<TestbedCall | undefined> {
  const calls = (testbed.calls.get(platform) ?? []).filter(({ tool }) => tool.capability === capability && !tool.list);
  const readable = ({ tool }: TestbedCall) => tool.reader !== undefined && !testbed.catalog.tool(tool.reader)?.list;
  for (const call of [...calls.filter(readable), ...calls].slice(0, 40)) {
    const before = await shown(testbed, call);
    const { isError, text, isObject } = await testbed.carryOut(call);
    const isChanged = (await shown(testbed, call)) !== before && !holds(before, call.args['body']);
    await testbed.rewind();
    // Half of a very short body may still be one, and a write of what is there already cannot be told from one that was lost.
    const isTelling = capability === 'read' ? isObject && text.length > 500 : capability === 'diagnostic' || isChanged;
    if (!isError && isTelling) return call;
  }
  return undefined;
}

/** What a read shows of the object of a write; the whole state where nothing reads it. */
async function shown(testbed: InstallationTestbed, call: TestbedCall): Promise<string> {
  const reader = call.tool.reader === undefined ? undefined : testbed.catalog.tool(call.tool.reader);
  const names = [...(reader?.path ?? '').matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] as string);
  if (reader === undefined || names.some((name) => call.args[name] === undefined)) return await testbed.stateHash();
  return (await testbed.read({ tool: reader, args: Object.fromEntries(names.map((name) => [name, call.args[name]])) }))
    .text;
}

/** Whether what was shown already has each value that a write sends, so that a lost write looks like one that was done. */
function holds(shownBefore: string, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const text = shownBefore.replaceAll('\\"', '"');
  return Object.entries(body).every(([name, value]) => text.includes(`"${name}":${JSON.stringify(value)}`));
}

async function playCell(
  testbed: InstallationTestbed,
  call: TestbedCall,
  capability: Capability,
  trouble: Trouble,
  { platform, timeoutMs }: MatrixOptions,
): Promise<Cell> {
  const { method, path } = call.tool;
  await testbed.plan([]);
  await testbed.rewind();
  let before = '';
  let seq = 0;
  let since = 0;
  const answer = await testbed.carryOut(call, async () => {
    before = await testbed.stateHash();
    seq = (await testbed.ledger()).length;
    if (trouble.at) testbed.moveTo(platform, trouble.at);
    else
      await testbed.plan([
        { platform, operation: `${method} ${path}`, times: trouble.times ?? 0, fault: trouble.fault },
      ]);
    since = performance.now();
  });
  const ms = performance.now() - since;
  testbed.moveTo(platform, undefined);
  const outcome = answer.isError ? String(answer.value['code']) : 'done';
  const arrived = (await testbed.ledger(seq)).filter((line) => line.method === method && line.template === path).length;
  const changed = (await testbed.stateHash()) !== before;
  const cell: Cell = { platform, capability, trouble: trouble.name, outcome, arrived, ms, violations: [] };
  const expected = capability === 'read' || capability === 'diagnostic' ? trouble[capability] : trouble.write;
  const wrong = (what: boolean, why: string) => what && cell.violations.push(why);
  wrong(!expected.includes(outcome), `outcome should be ${expected.join(' or ')}, got ${outcome}`);
  wrong(ms > timeoutMs + SLACK_MS, `should end within ${timeoutMs} ms, took ${Math.round(ms)}`);
  wrong(capability !== 'read' && arrived > 1, `should be sent once, arrived ${arrived} times`);
  if (capability === 'write' || capability === 'destructive') {
    wrong(outcome === 'done' && !changed, 'said to be done, and nothing changed');
    wrong(outcome !== 'done' && outcome !== 'outcome_unknown' && changed, `said ${outcome}, and it was done`);
  }
  return cell;
}

/** The faults, one line a cell. */
export function violationsOf(cells: readonly Cell[]): string[] {
  return cells.flatMap(({ platform, capability, trouble, violations }) =>
    violations.map((violation) => `${platform} ${capability}, ${trouble}: ${violation}`),
  );
}
