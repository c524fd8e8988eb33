/**
 * Start time, memory and the time of one read, always beside this router at the same moment: what the machine does meanwhile
 * strikes both, so their ratio says more than either number.
 */
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { loadSubject, type Subject } from '../subject/subject.ts';
import { matchTools, namedTools } from './compare-operations.ts';
import { mergedOperations, PATIENCE_MS } from './measure.ts';
import type { Timings } from './row.ts';
import { platformsOf, type Size } from './size.ts';
import { connectAgent, instanceOf, openWithPublicDocument, type SubjectInstance } from './subject-instance.ts';

const STARTS = 3;
/** A slow subject starts fewer times. */
const STARTS_WITHIN_MS = 20_000;
const WARM_UPS = 3;
const ROUNDS = 40;
/** A read that needs no argument. */
const READ = 'GET /mgmt/network-notifications/v1/alerts';
const ROUTER = 'router';

export interface TimingOptions {
  root: string;
  subject: Subject;
  size: Size;
  signal: AbortSignal;
}

interface Starter extends AsyncDisposable {
  start: () => Promise<SubjectInstance>;
}

export async function measureTimings({ root, subject, size, signal }: TimingOptions): Promise<Timings> {
  const router = await loadSubject(ROUTER);
  await using own = await starterOf(subject, size, root);
  await using other = await starterOf(router, size, root);
  const timings: Timings = { startMs: [], routerStartMs: [], memoryBytes: 0, memoryCounted: 'unknown', call: [] };
  const begun = performance.now();
  for (let i = 0; i < STARTS && (i === 0 || performance.now() - begun < STARTS_WITHIN_MS); i++) {
    if (signal.aborted) return timings;
    await using stand = await own.start();
    await using beside = await other.start();
    timings.startMs.push(rounded(stand.startMs));
    timings.routerStartMs.push(rounded(beside.startMs));
    if (stand.memory.bytes > timings.memoryBytes) {
      timings.memoryBytes = stand.memory.bytes;
      timings.memoryCounted = stand.memory.counted;
    }
    if (i === 0 && size !== 'github')
      timings.call = await alternate(
        await readOf(subject, stand, root, size),
        await readOf(router, beside, root, size),
      );
  }
  return timings;
}

async function starterOf(subject: Subject, size: Size, root: string): Promise<Starter> {
  if (size === 'github') return openWithPublicDocument(subject, root);
  const sandbox: Sandbox = await openSandbox({ root, subject, platforms: platformsOf(size), patienceMs: PATIENCE_MS });
  let n = 0;
  return {
    start: async () => {
      const lane = await sandbox.openLane(`start-${++n}`, 'stdio', 'open');
      return instanceOf(await lane.connect());
    },
    [Symbol.asyncDispose]: sandbox.close,
  };
}

/** The read through one subject, in milliseconds. */
async function readOf(
  subject: Subject,
  instance: SubjectInstance,
  root: string,
  size: Exclude<Size, 'github'>,
): Promise<() => Promise<number>> {
  const operations = await mergedOperations(root, size);
  const listed = namedTools(subject, instance.list, operations);
  const own = subject.expected_as === ROUTER || subject.name === ROUTER ? 'mgmt_list_alerts' : undefined;
  const name = own ?? matchTools(operations, listed, subject.surface?.prefix).toolOf(READ) ?? READ;
  const { mcp, roles } = connectAgent(subject, instance);
  return async () => {
    const started = performance.now();
    await mcp.callTool(roles.dispatch_read, { name, arguments: {} });
    return performance.now() - started;
  };
}

/** One after the other, and who is first changes. */
async function alternate(one: () => Promise<number>, other: () => Promise<number>): Promise<[number, number][]> {
  const pairs: [number, number][] = [];
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    const first = round % 2 === 0;
    const a = first ? await one() : await other();
    const b = first ? await other() : await one();
    if (round >= WARM_UPS) pairs.push(first ? [rounded(a), rounded(b)] : [rounded(b), rounded(a)]);
  }
  return pairs;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
