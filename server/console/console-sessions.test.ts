/** Sessions of the console by the clock: until when one counts, and that a cookie of more than one session is none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Operators } from '../approvals/operators.ts';
import { fixedKeys } from '../dispatch/keyring.ts';
import { MemorySingleUse } from '../dispatch/single-use.ts';
import { ConsoleSessions, SESSION_MS } from './console-sessions.ts';

let folder: string;
let now: number;
let used: MemorySingleUse;
let sessions: ConsoleSessions;
let operators: Operators;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'console-sessions-'));
  now = Date.parse('2026-11-24T12:00Z');
  operators = new Operators(join(folder, 'operators.json'));
  operators.addIdentity('ada', { issuer: 'https://id.example', subject: 'ada' });
  used = new MemorySingleUse(() => now);
  sessions = sessionsWith(used);
});
const sessionsWith = (memory: MemorySingleUse) =>
  new ConsoleSessions({
    keys: fixedKeys(new Uint8Array(32).fill(7)),
    used: memory,
    operators,
    secure: false,
    now: () => now,
  });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const begun = async (): Promise<string> => {
  const ada = operators.find('ada');
  if (ada === undefined) throw new Error('there should be an operator');
  return (await sessions.begin(ada, undefined)).split(';', 1)[0] ?? '';
};

test('a session counts for eight hours, and not a millisecond longer', async () => {
  const cookie = await begun();
  now += SESSION_MS - 1;
  expect((await sessions.find(cookie))?.operator.name).toBe('ada');
  now += 1;
  expect([SESSION_MS, await sessions.find(cookie)]).toEqual([8 * 3_600_000, undefined]);
});

test('it ends with its operator and with another identity of that name', async () => {
  const cookie = await begun();
  operators.addIdentity('ada', { issuer: 'https://id.example', subject: 'somebody else' });
  expect(await sessions.find(cookie)).toBeUndefined();
  const next = await begun();
  operators.remove('ada');
  expect(await sessions.find(next)).toBeUndefined();
});

test('one that ended does not count again where the memory of that was lost', async () => {
  const cookie = await begun();
  expect(await sessionsWith(used).find(cookie)).toBeDefined();
  await sessions.end(cookie);
  expect(await sessionsWith(used).find(cookie)).toBeUndefined();
  // As a Redis without persistence that was started again.
  expect(await sessionsWith(new MemorySingleUse(() => now)).find(cookie)).toBeUndefined();
});

test('two cookies of its name are none, in either order', async () => {
  const cookie = await begun();
  for (const both of [`${cookie}; svc_mcp_console=x`, `svc_mcp_console=x; ${cookie}`])
    expect(await sessions.find(both)).toBeUndefined();
  expect(await sessions.find(`other=x; ${cookie}`)).toBeDefined();
});
