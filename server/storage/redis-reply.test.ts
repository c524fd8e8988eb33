/** How long an answer is waited for. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { within } from './redis-reply.ts';

const MS = 200;

test('an answer in time is given, and none is an error', async () => {
  expect(await within(pause(1, 'here'), MS)).toBe('here');
  await expect(within(new Promise(() => undefined), MS)).rejects.toThrow('no answer within 200 ms');
  await expect(within(Promise.reject(new Error('closed')), MS)).rejects.toThrow('closed');
});

test('an answer that comes soon after this process was busy for longer is in time', async () => {
  const asked = within(
    pause(1).then(() => pause(20, 'here')),
    MS,
  );
  const until = performance.now() + 2 * MS;
  while (performance.now() < until);
  expect(await asked).toBe('here');
});
