/** Who may approve: what stays of an operator whose password changes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { takeLock } from '../files/file-lock.ts';
import { Operators } from './operators.ts';
import { SIGN_IN_LIMITS, SignIn } from './sign-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'operators-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('another password leaves whose agents ask for an operator, unless they are named anew', async () => {
  const operators = new Operators(join(folder, 'operators.json'));
  const agents = () => operators.find('ada')?.principals;
  await operators.add('ada', 'first-password', ['bot-of-ada']);
  await operators.add('ada', 'second-password');
  expect(agents()).toEqual(['bot-of-ada']);
  operators.addIdentity('ada', { issuer: 'https://id.example', subject: '1' });
  expect(agents()).toEqual(['bot-of-ada']);
  await operators.add('ada', 'third-password', ['bot-2']);
  expect(agents()).toEqual(['bot-2']);
});

test('names that somebody makes up do not end the pause of a name that was tried too often', async () => {
  const signIn = new SignIn({ operators: { verify: async () => undefined } });
  for (let n = 0; n < SIGN_IN_LIMITS.tries; n++) await signIn.check('ada', 'wrong', 'console');
  for (let n = 0; n < 2_000; n++) await signIn.check(`nobody-${n}`, 'wrong', 'console');
  expect(await signIn.check('ada', 'wrong', 'console')).toMatchObject({
    ok: false,
    waitMs: expect.closeTo(30_000, -4),
  });
});

test('operators are changed by one process at a time', () => {
  const path = join(folder, 'operators.json');
  const operators = new Operators(path);
  const add = (name: string) => operators.addIdentity(name, { issuer: 'https://id.example', subject: name });
  add('ada');
  const other = takeLock(`${path}.lock`, { staleMs: 60_000 });
  expect(() => add('bob')).toThrow(/is held by another process/);
  expect(operators.names()).toEqual(['ada']);
  other?.release();
  add('bob');
  expect([operators.remove('ada'), operators.remove('ada'), operators.names()]).toEqual([true, false, ['bob']]);
});
