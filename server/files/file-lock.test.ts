import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leaveLock } from '../test/support/left-lock.ts';
import { takeLock, whileLocked } from './file-lock.ts';

const TIMES = { staleMs: 30_000 };
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-lock-'));
  file = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a lock has one holder, and nothing is left of it after the release', () => {
  const lock = takeLock(file, TIMES);
  expect([lock?.isHeld(), takeLock(file, TIMES)]).toEqual([true, undefined]);
  lock?.release();
  expect([lock?.isHeld(), readdirSync(folder)]).toEqual([false, []]);
  expect(takeLock(file, TIMES)).toBeDefined();
});

test('a link to nothing in the place of a lock is no lock', () => {
  symlinkSync(join(folder, 'nowhere'), file);
  const lock = takeLock(file, TIMES);
  expect(lock?.isHeld()).toBe(true);
  lock?.release();
});

test('a step runs while the lock is held, and the lock goes when the step fails', () => {
  expect(whileLocked(file, () => takeLock(file, TIMES))).toBeUndefined();
  const fail = () => {
    throw new Error('no');
  };
  expect(() => whileLocked(file, fail)).toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock that another machine reports is waited for, and not for ever', () => {
  leaveLock(file, { pidNamespace: 'elsewhere', pid: 1 });
  const started = performance.now();
  expect(takeLock(file, { ...TIMES, patienceMs: 50 })).toBeUndefined();
  expect(performance.now() - started).toBeGreaterThan(45);
});

test('a holder that did not report in time loses the lock, and its release takes it from nobody', () => {
  const slow = takeLock(file, TIMES);
  const longAgo = new Date(Date.now() - 31_000);
  utimesSync(file, longAgo, longAgo);
  const next = takeLock(file, TIMES);
  expect([slow?.isHeld(), next?.isHeld()]).toEqual([false, true]);
  slow?.report();
  slow?.release();
  expect(next?.isHeld()).toBe(true);
});

// No process has a number above the system's limit.
test.each([
  ['another process', 4_194_999],
  ['an earlier process of our own number', process.pid],
])('the lock of %s that ended is taken over at once', (_, pid) => {
  leaveLock(file, { pid });
  expect(takeLock(file, TIMES)?.isHeld()).toBe(true);
});

// Containers of one host may have its name, and the same numbers for other processes.
test.runIf(existsSync('/proc/self/ns/pid')).each([
  ['our own number', process.pid],
  ['a number that no process has here', 4_194_999],
])('the lock of a process with %s in another PID namespace is kept as long as it is reported', (_, pid) => {
  leaveLock(file, { pid });
  writeFileSync(file, readFileSync(file, 'utf8').replace(/pid:\[\d+\]/, 'pid:[1]'));
  expect(takeLock(file, TIMES)).toBeUndefined();
  const longAgo = new Date(Date.now() - 31_000);
  utimesSync(file, longAgo, longAgo);
  expect(takeLock(file, TIMES)?.isHeld()).toBe(true);
});

test("a lock whose time is to come, because the clock was set back, is nobody's", () => {
  leaveLock(file, { pidNamespace: 'elsewhere', pid: 1 });
  const inAnHour = new Date(Date.now() + 3_600_000);
  utimesSync(file, inAnHour, inAnHour);
  expect(takeLock(file, TIMES)?.isHeld()).toBe(true);
});

test('a lock of an earlier version, which does not say its PID namespace, is kept as long as it is reported', () => {
  writeFileSync(file, JSON.stringify({ host: hostname(), pid: process.pid, token: 'x' }));
  expect(takeLock(file, TIMES)).toBeUndefined();
});

test('an earlier version takes our lock for one of another machine', () => {
  takeLock(file, TIMES);
  expect(JSON.parse(readFileSync(file, 'utf8')).host).not.toBe(hostname());
});
