/**
 * Proofs about the harness itself, by running it: the same campaign in one piece, in shards, and killed and resumed gives
 * the same bytes; and an unchanged tree stays green however often it is asked.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../exit-codes.ts';
import { HarnessError } from '../harness-errors.ts';
import { partialOf, RECORDINGS_FILE } from '../recording/run-folder.ts';
import { startProcess } from '../running-process.ts';

export interface ProveOptions {
  root: string;
  /** Where the campaigns go. */
  folder: string;
  /** Options of `run` that every campaign gets. */
  words: readonly string[];
  signal: AbortSignal;
  note: (text: string) => void;
}

export interface IdentityResult {
  /** Ways of making the campaign → bytes that differ from making it in one piece. */
  differing: Record<string, number>;
  runs: number;
  /** How many recordings there were when the killed one was killed. */
  killedAfter: number;
}

export interface RepeatResult {
  times: number;
  /** Campaigns whose exit code was not that of the first. */
  red: number;
  /** Campaigns whose evidence differed from the first's, times aside. */
  differing: number;
  exits: (number | null)[];
}

/** One piece against 2 and 4 shards, and against one that is killed when about half is measured and then resumed. */
export async function proveIdentity(options: ProveOptions): Promise<IdentityResult> {
  const at = (name: string) => join(options.folder, name);
  await campaign(options, ['run', ...options.words, '--out', at('whole')]);
  const whole = await evidence(at('whole'));
  const runs = whole.recordings.length;
  const differing: Record<string, number> = {};
  for (const count of [2, 4]) {
    const shards = Array.from({ length: count }, (_, i) => at(`shard-${i + 1}-of-${count}`));
    for (const [i, out] of shards.entries()) {
      await campaign(options, ['run', ...options.words, '--shard', `${i + 1}/${count}`, '--out', out]);
    }
    await campaign(options, ['merge', ...shards, '--out', at(`merged-${count}`)]);
    differing[`${count} shards`] = differingBytes(whole, await evidence(at(`merged-${count}`)));
  }
  const killedAfter = await killed(options, at('killed'), Math.max(1, Math.floor(runs / 2)));
  await campaign(options, ['run', '--resume', at('killed')]);
  differing['killed and resumed'] = differingBytes(whole, await evidence(at('killed')));
  return { differing, runs, killedAfter };
}

export async function proveRepeats(options: ProveOptions, times: number): Promise<RepeatResult> {
  const exits: (number | null)[] = [];
  let first: Evidence | undefined;
  let differing = 0;
  for (let i = 1; i <= times; i++) {
    const out = join(options.folder, `repeat-${String(i).padStart(2, '0')}`);
    exits.push(await campaign(options, ['run', ...options.words, '--out', out]));
    const made = await evidence(out);
    first ??= made;
    if (differingBytes(first, made) > 0) differing++;
  }
  return { times, red: exits.filter((exit) => exit !== EXIT.pass).length, differing, exits };
}

/** What a campaign leaves behind, without the timings. */
interface Evidence {
  recordings: string[];
  report: string;
}

async function evidence(folder: string): Promise<Evidence> {
  const lines = (await readFile(join(folder, RECORDINGS_FILE), 'utf8')).split('\n').filter((line) => line !== '');
  return {
    recordings: lines.map(withoutTimings),
    report: withoutTimings(await readFile(join(folder, 'report.json'), 'utf8')),
  };
}

export function withoutTimings(json: string): string {
  const { timings: _timings, ...rest } = JSON.parse(json) as { timings: unknown };
  return JSON.stringify(rest);
}

/** Bytes at which two pieces of evidence differ; what one of them lacks counts whole. */
export function differingBytes(a: Evidence, b: Evidence): number {
  const [left, right] = [[...a.recordings, a.report].join('\n'), [...b.recordings, b.report].join('\n')];
  const shorter = Math.min(left.length, right.length);
  let count = Math.abs(left.length - right.length);
  for (let i = 0; i < shorter; i++) if (left.charCodeAt(i) !== right.charCodeAt(i)) count++;
  return count;
}

/** Runs the harness to its end. A verdict is an outcome; that nothing was measured is none. */
async function campaign(options: ProveOptions, argv: readonly string[]): Promise<number | null> {
  const { code: exit, stderr } = await start(options, argv).ended;
  options.note(`${argv.slice(0, 1).join(' ')} → ${argv.at(-1)}: exit ${exit}`);
  if (options.signal.aborted)
    throw new HarnessError('PROCESS_DIED', 'the proof should run to its end, got interrupted');
  if (exit === EXIT.pass || exit === EXIT.verdict || exit === EXIT.baseline) return exit;
  throw new HarnessError(
    'PROCESS_DIED',
    `harness ${argv.join(' ')} should end with a verdict, got exit ${exit}: ${stderr}`,
  );
}

/** Starts a campaign and kills it, without warning, once so many recordings are on disk. */
async function killed(options: ProveOptions, out: string, after: number): Promise<number> {
  const child = start(options, ['run', ...options.words, '--out', out]);
  const journal = join(partialOf(out), RECORDINGS_FILE);
  for (;;) {
    const lines = (await readFile(journal, 'utf8').catch(() => '')).split('\n').length - 1;
    if (lines >= after || !child.isRunning()) {
      child.process.kill('SIGKILL');
      await child.ended;
      options.note(`killed after ${lines} recordings`);
      return lines;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const start = ({ root, signal }: ProveOptions, argv: readonly string[]) =>
  startProcess(process.execPath, [join(root, 'harness', 'cli', 'harness.ts'), ...argv], {
    cwd: root,
    signal,
    killSignal: 'SIGINT',
    kept: 2_000,
  });
