/** One holder at a time, also among processes and among machines that share the folder: a file can be made only once. */
import { randomBytes } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';

/** A lock that is held for one step: waits are short, and nobody has to report. */
const STEP_STALE_MS = 5_000;
const STEP_PATIENCE_MS = 2_000;
/** Holds of this process: after a restart another one may have its number. */
const OWN = new Set<string>();
const PID_NAMESPACE = pidNamespace();
const pause = new Int32Array(new SharedArrayBuffer(4));

interface Holder {
  /** In which the number is that of the process. Locks of 0.2.0 and before do not say it. */
  pidNamespace: string | undefined;
  pid: number;
  /** Tells one hold from the next. */
  token: string;
}

export interface LockTimes {
  /** A lock that was not reported for so long is nobody's. Clocks of machines that share a folder must differ by less. */
  staleMs: number;
  /** How long to wait for another holder, blocking the process; 0 by default. */
  patienceMs?: number;
}

export interface HeldLock {
  /** False once somebody else took it for stale. */
  isHeld: () => boolean;
  /** Says that the holder still works. */
  report: () => void;
  release: () => void;
}

/** Somebody else took the lock for stale, because the disk or the process stood still. */
export class LockLostError extends Error {}

/**
 * Runs one short step while no other process does. Throws EEXIST where another one holds the lock for too long. `mustHold` throws
 * LockLostError once this one is no longer the holder: called before a change takes effect, it keeps what another holder changed.
 */
export function whileLocked<T>(file: string, work: (mustHold: () => void) => T): T {
  const lock = takeLock(file, { staleMs: STEP_STALE_MS, patienceMs: STEP_PATIENCE_MS });
  if (lock === undefined) throw Object.assign(new Error(`${file} is held by another process`), { code: 'EEXIST' });
  try {
    return work(() => {
      if (!lock.isHeld()) throw new LockLostError(`${file} was taken over by another process`);
    });
  } finally {
    lock.release();
  }
}

/** Undefined while somebody else holds it. The lock of a process that ended in this PID namespace is taken over at once. */
export function takeLock(file: string, times: LockTimes): HeldLock | undefined {
  const holder: Holder = {
    pidNamespace: PID_NAMESPACE,
    pid: process.pid,
    token: randomBytes(9).toString('base64url'),
  };
  const own = `${file}.${holder.token}`;
  try {
    writeFileSync(own, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    if (!placeLock(file, own, times)) return undefined;
  } finally {
    removeIfThere(own);
  }
  OWN.add(holder.token);
  const isHeld = () => holderIn(file)?.token === holder.token;
  return {
    isHeld,
    report: () => {
      if (isHeld()) touch(file);
    },
    release: () => {
      OWN.delete(holder.token);
      if (isHeld()) removeIfThere(file);
    },
  };
}

/** A link appears with its content or not at all, so a lock always says whose it is. */
function placeLock(file: string, own: string, { staleMs, patienceMs = 0 }: LockTimes): boolean {
  const until = performance.now() + patienceMs;
  for (;;) {
    if (hasLinked(own, file)) return true;
    const text = textIn(file);
    const seen = lstatSync(file, { throwIfNoEntry: false });
    // Released meanwhile: what is there next is the lock of another holder, and nothing to take away. A link to nothing is no lock.
    if (seen === undefined || (text === undefined && !seen.isSymbolicLink())) continue;
    const found = holderOf(text ?? '');
    if (!isLive(found, Date.now() - seen.mtimeMs, staleMs)) takeAway(file, own, found);
    else if (performance.now() >= until) return false;
    else Atomics.wait(pause, 0, 0, 1);
  }
}

/** False where something is in its place. */
function hasLinked(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    return false;
  }
}

/** Somebody who reported of late, and of whom this process cannot know that it ended. */
function isLive(holder: Holder | undefined, silentMs: number, staleMs: number): boolean {
  if (holder === undefined || silentMs > staleMs) return false;
  // A time to come was written by a clock that has been set back since.
  if (PID_NAMESPACE === undefined || holder.pidNamespace !== PID_NAMESPACE) return silentMs >= -staleMs;
  return holder.pid === process.pid ? OWN.has(holder.token) : processLives(holder.pid);
}

/**
 * Of two that find the same dead lock the second may move away what the first has just put in its place: it is put back. Whoever
 * lost it in between no longer holds it, which `isHeld` says.
 */
function takeAway(file: string, own: string, dead: Holder | undefined): void {
  const aside = `${own}.aside`;
  try {
    renameSync(file, aside);
    if (holderIn(aside)?.token !== dead?.token) linkSync(aside, file);
  } catch (cause) {
    if (!['ENOENT', 'EEXIST'].includes(String((cause as NodeJS.ErrnoException).code))) throw cause;
  }
  removeIfThere(aside);
}

const holderIn = (file: string): Holder | undefined => holderOf(textIn(file) ?? '');

/** Undefined where there is no file. */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
}

/** Undefined for a text that is no lock's. */
function holderOf(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}

/**
 * Containers of one host may share its name and number their processes apart, so Linux is asked for the boot and the namespace.
 * Undefined where it does not say. Other systems have one numbering.
 */
function pidNamespace(): string | undefined {
  if (process.platform !== 'linux') return hostname();
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Whoever holds without reporting loses the lock after a while, and `isHeld` says so.
  }
}

/** What cannot be removed either must not hide why it was to be. */
function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The first failure is the one that is thrown.
  }
}
