import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunId, newRun } from './run.ts';
import { RunStore } from './run-store.ts';
import { planFor } from './testing/exports.ts';

let folder: string;
let store: RunStore;
const run = (runId: string) =>
  newRun({
    runId,
    target: { target: 'new', scope_id: 's', persona: 'CAMPUS_AP' },
    policy: 'fail',
    candidates: planFor({ vlans: [{ id: 1 }] }).candidates.new,
    secretsOf: () => [],
    now: '2026-01-01T00:00:00.000Z',
  });

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'svc-mcp-runs-')), 'runs');
  store = new RunStore(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

test('a run is one file of mode 0600, and nothing is left beside it', () => {
  store.write(run('one'));
  expect(readdirSync(folder)).toEqual(['one.json']);
  expect(statSync(join(folder, 'one.json')).mode & 0o777).toBe(0o600);
  expect(store.read('one')).toEqual(run('one'));
  expect(store.read('two')).toBeUndefined();
});

test.each(['a', 'A-1_b.c', 'x'.repeat(64)])('%s is a run_id', (id) => expect(isRunId(id)).toBe(true));
test.each(['', '.a', '-a', '../a', 'a..b', 'a/b', 'x'.repeat(65), 'a b', 'a\n'])('%j is none', (id) => {
  expect(isRunId(id)).toBe(false);
  expect(() => store.read(id)).toThrow('a run_id should be');
});

describe('malformed files are listed, never crash', () => {
  test.each([
    ['{', 'the file is not JSON'],
    ['null', 'the file is no run of version 1'],
    ['{"schema_version": 2}', 'the file is no run of version 1'],
    ['{"schema_version": 1, "run_id": "b"}', 'the file holds a run of another name'],
    ['{"schema_version": 1, "run_id": "a", "candidates": [null], "target": {}}', 'the file is not a whole run'],
  ])('%s', (text, problem) => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.json'), text);
    store.write(run('good'));
    expect(store.list()).toEqual([
      { run_id: 'a', problem },
      expect.objectContaining({ run_id: 'good', run: run('good') }),
    ]);
    expect(() => store.read('a')).toThrow(problem);
  });
  test('no folder is no run', () => expect(store.list()).toEqual([]));
});

describe('one writer at a time', () => {
  test('a second one is refused while the first is at work', async () => {
    await store.locked('one', async () => {
      await expect(store.locked('one', async () => 'in')).rejects.toMatchObject({ code: 'MIGRATION_RUN_BUSY' });
      expect(await store.locked('two', async () => 'in')).toBe('in');
    });
    expect(await store.locked('one', async () => 'in')).toBe('in');
  });
  test('the lock of a process that is gone does not hold', async () => {
    mkdirSync(folder);
    // No process has a number above the system's limit.
    writeFileSync(join(folder, 'one.json.lock'), '4194999');
    expect(await store.locked('one', async () => 'in')).toBe('in');
    expect(readdirSync(folder)).toEqual([]);
  });
  test('it is given back when the work fails', async () => {
    await expect(store.locked('one', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await store.locked('one', async () => 'in')).toBe('in');
  });
});

test('a file that is in the way of the folder is told', () => {
  writeFileSync(folder, '');
  expect(() => store.write(run('one'))).toThrow(expect.objectContaining({ code: 'MIGRATION_STORE_UNAVAILABLE' }));
});
