/**
 * R11: the disk of the router's state is full, read-only or out of inodes, the audit log cannot grow, and no more
 * files can be opened. If the router cannot record an intent, it sends nothing. Every acknowledged write was done
 * once. `/livez` and reads go on. When there is room again, writes go on too. The check needs the right to mount;
 * without it nothing runs.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouterProcess } from '../../support/child-process.ts';
import { Wire } from '../../support/mcp-wire.ts';
import { operations } from '../tool-names.ts';
import { Writes } from './acknowledged-writes.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext } from './robust-check.ts';
import { isAnswerTo, nonceCall } from './router-calls.ts';

const TRIES = 20;
/** In a short run still enough for the audit log to use up the page it has begun. */
const FEWEST_TRIES = 12;

interface Trouble {
  name: string;
  /** Options of the file system that the state is on. */
  mount: string;
  env: Record<string, string>;
  begin: (folder: string, router: RouterProcess) => void;
  end: (folder: string, router: RouterProcess) => void;
  /** Writes that may still be noted: none, as many as fit into what was begun, or any. */
  may: 'none' | 'some' | 'any';
  /** Played in a short run as well. */
  short?: true;
}

const remounted = (mode: string) => (folder: string) => must('mount', '-o', `remount,${mode}`, folder);
const filled = (folder: string) => fill(join(folder, 'filler'));
const emptied = (folder: string) => truncateSync(join(folder, 'filler'));
const AUDIT = { SVC_MCP_AUDIT_LOG: '1' };

const TROUBLES: readonly Trouble[] = [
  { name: 'full', mount: 'size=64k', env: {}, begin: filled, end: emptied, may: 'any' },
  {
    name: 'full, with the audit log on it',
    mount: 'size=64k',
    env: AUDIT,
    begin: filled,
    end: emptied,
    may: 'some',
    short: true,
  },
  {
    name: 'read-only',
    mount: 'size=1m',
    env: {},
    begin: remounted('ro'),
    end: remounted('rw'),
    may: 'none',
    short: true,
  },
  {
    name: 'out of inodes',
    mount: 'size=1m,nr_inodes=64',
    env: {},
    begin: (folder) => exhaust(join(folder, 'inodes')),
    end: (folder) => rmSync(join(folder, 'inodes'), { recursive: true }),
    may: 'none',
  },
  {
    name: 'out of file descriptors',
    mount: 'size=1m',
    env: {},
    begin: (_, router) => descriptors(router, 24),
    end: (_, router) => descriptors(router, 1024),
    may: 'any',
  },
];

async function run({ router: start, scale }: RobustContext): Promise<Finding> {
  const troubles = TROUBLES.filter(({ short }) => scale >= 1 || short);
  const tries = Math.max(FEWEST_TRIES, Math.ceil(TRIES * scale));
  const failures = new Failures();
  const figures: Record<string, number> = { refused: 0, acknowledged: 0, lost: 0, doubled: 0, untold: 0 };
  for (const trouble of troubles) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-disk-'));
    try {
      must('mount', '-t', 'tmpfs', '-o', `mode=0700,${trouble.mount}`, 'tmpfs', folder);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      return { figures, failures: [], notRun: (error as Error).message };
    }
    try {
      await suffered({ ...trouble, tries }, folder, start, failures, figures);
    } finally {
      must('umount', '-l', folder);
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { figures: { troubles: troubles.length, ...figures }, failures: failures.all() };
}

async function suffered(
  trouble: Trouble & { tries: number },
  folder: string,
  start: RobustContext['router'],
  failures: Failures,
  figures: Record<string, number>,
): Promise<void> {
  await using writes = await Writes.start();
  await using router = await start({ ...writes.env, ...trouble.env, SVC_MCP_STATE_DIR: folder });
  const fail = (text: string) => failures.add(`${trouble.name}: ${text}`);
  const write = async (name: string) => {
    const wire = new Wire(router.port);
    try {
      return await writes.create(wire, router.bearer, name, () => {});
    } catch (error) {
      return { wrong: (error as Error).message };
    } finally {
      wire.close();
    }
  };
  // Everything that a router opens once is open, and what it answers is known.
  const live = new Wire(router.port);
  if ((await write('before')) !== 'done') fail('no write before it');
  await alive(live, router, fail);
  trouble.begin(folder, router);
  const ends: boolean[] = [];
  for (let n = 0; n < trouble.tries; n++) ends.push((await write(`during_${n}`)) === 'done');
  const refused = ends.filter((done) => !done).length;
  await alive(live, router, fail);
  trouble.end(folder, router);
  const after = await write('after');
  if (after !== 'done') fail(`no write after it: ${JSON.stringify(after)}`);
  await alive(live, router, fail);
  live.close();
  if (trouble.may === 'none' && refused < trouble.tries) fail(`${trouble.tries - refused} writes went through`);
  if (trouble.may === 'some' && ends.slice(trouble.tries / 2).some((done) => done))
    fail('writes went through to the end');
  const judged = await writes.judged();
  for (const name of judged.lost) fail(`the write of ${name} was acknowledged and never done`);
  for (const name of judged.doubled) fail(`the write of ${name} was done twice`);
  if (judged.untold > 0) fail(`${judged.untold} writes were done and refused`);
  figures['refused'] = (figures['refused'] ?? 0) + refused;
  figures['acknowledged'] = (figures['acknowledged'] ?? 0) + judged.acknowledged;
  for (const kind of ['lost', 'doubled'] as const) figures[kind] = (figures[kind] ?? 0) + judged[kind].length;
  figures['untold'] = (figures['untold'] ?? 0) + judged.untold;
}

/** Over a connection of before, so that the trouble of opening one is not counted as the router's. */
async function alive(wire: Wire, router: RouterProcess, fail: (text: string) => void): Promise<void> {
  const { status } = await wire.ask('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
  if (status !== 200) fail(`/livez answered ${status}`);
  const call = nonceCall('nonce_alive', 1, router.bearer, operations(4));
  if (!isAnswerTo(call, await wire.ask(call.request))) fail('a read that needs no platform was not answered');
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096));
  } catch {
    // It is full.
  } finally {
    closeSync(descriptor);
  }
}

function exhaust(folder: string): void {
  must('mkdir', folder);
  try {
    for (let n = 0; ; n++) writeFileSync(join(folder, String(n)), '');
  } catch {
    // There is no inode left.
  }
}

function descriptors(router: RouterProcess, most: number): void {
  must('prlimit', '--pid', String(router.process.pid), `--nofile=${most}:1024`);
}

function must(command: string, ...words: string[]): void {
  const { status, error, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  if (error || status !== 0)
    throw new Error(`${command} ${words.join(' ')}: ${error?.message ?? stderr.trim().split('\n')[0]}`);
}

export const DISKS_CHECK: RobustCheck = { id: 'R11', title: 'nowhere to write', run };
