/**
 * A process and everything it started, as the system tells it under `/proc`: what the whole of it holds in memory, and its
 * end. Elsewhere than on Linux only the process itself is known.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as later } from 'node:timers/promises';

/** A number may be given out again; with the time of its start it names one process. */
export interface Process {
  pid: number;
  parent: number;
  startedAt: string;
}

export interface Memory {
  bytes: number;
  /**
   * `proportional`: a page that several processes share counts once, split among them. `resident`: it counts in each of them;
   * so where the system does not tell the shares. `unknown`: zero bytes, because it tells nothing.
   */
  counted: 'proportional' | 'resident' | 'unknown';
}

const GRACE_MS = 2_000;
const GONE_MS = 5_000;
const LOOK_AGAIN_MS = 25;

/** The process first, then its descendants; empty when it has ended. */
export async function treeOf(root: number | undefined): Promise<Process[]> {
  const all = await allProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

export async function memoryOf(root: number | undefined): Promise<Memory> {
  const tree = await treeOf(root);
  const shares = await Promise.all(tree.map(({ pid }) => kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss')));
  if (shares.length > 0 && !shares.includes(undefined)) return { bytes: sum(shares), counted: 'proportional' };
  const resident = await Promise.all(tree.map(({ pid }) => kilobytes(`/proc/${pid}/status`, 'VmRSS')));
  return resident.length === 0 ? { bytes: 0, counted: 'unknown' } : { bytes: sum(resident), counted: 'resident' };
}

/**
 * Asks the rest of the process tree to end, then kills it, with the processes that it started in the meantime. A killed
 * process takes a moment to go, on a busy machine a long one: its end is waited for too, at most {@link GONE_MS}.
 */
export async function endTree(tree: readonly Process[], graceMs = GRACE_MS): Promise<void> {
  const left = await leftOf(tree);
  for (const { pid } of left) signal(pid, 'SIGTERM');
  if (await haveEnded(left, graceMs)) return;
  const killed = await leftOf(left);
  for (const { pid } of killed) signal(pid, 'SIGKILL');
  await haveEnded(killed, GONE_MS);
}

async function haveEnded(tree: readonly Process[], withinMs: number): Promise<boolean> {
  const until = Date.now() + withinMs;
  while ((await leftOf(tree)).length > 0) {
    if (Date.now() >= until) return false;
    await later(LOOK_AGAIN_MS);
  }
  return true;
}

/** Those that still run, with what they have started since. */
async function leftOf(tree: readonly Process[]): Promise<Process[]> {
  const known = new Set(tree.map(nameOf));
  const all = await allProcesses();
  const left = all.filter((one) => known.has(nameOf(one)));
  for (const { pid } of left) left.push(...all.filter((one) => one.parent === pid && !known.has(nameOf(one))));
  return left;
}

async function allProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  return stats.flatMap((stat) => {
    // The second field is a name in brackets that may hold anything; of the rest the first is the state (proc(5)).
    const [state = '', parent = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return stat === '' || state === 'Z'
      ? []
      : [{ pid: Number.parseInt(stat, 10), parent: Number(parent), startedAt: rest[17] ?? '' }];
  });
}

const nameOf = ({ pid, startedAt }: Process): string => `${pid} ${startedAt}`;

async function kilobytes(file: string, field: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : 1024 * Number(found);
}

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((all, one) => all + (one ?? 0), 0);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it ended on its own
  }
}
