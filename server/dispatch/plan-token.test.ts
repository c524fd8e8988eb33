import { expect, test } from 'vitest';
import { PLAN_TOKEN_SECONDS, type Plan, PlanTokens } from './plan-token.ts';

const key = new Uint8Array(32).fill(7);
const plan: Plan = {
  tool: 'mgmt_update_site',
  arguments: [{ name: 'a', body: { x: 1, y: 2 } }],
  principal: 'local',
  access: ['custom', { state: 'enabled' }],
  catalog: 'c0ffee',
};

test('a token is good for its own plan, however the arguments are ordered', () => {
  const tokens = new PlanTokens(key);
  const token = tokens.issue(plan);
  expect(token.length).toBeLessThanOrEqual(80);
  expect(tokens.check(token, plan)).toMatchObject({ ok: true });
  expect(tokens.check(token, { ...plan, arguments: [{ body: { y: 2, x: 1 }, name: 'a' }] })).toMatchObject({
    ok: true,
  });
});

test.each([
  ['another tool', { tool: 'mgmt_delete_site' }, 'it belongs to another tool'],
  [
    'other arguments',
    { arguments: [{ name: 'a', body: { x: 1, y: 3 } }] },
    'the arguments differ from the ones previewed',
  ],
  ['another principal', { principal: 'f00' }, 'it was issued to another principal'],
  [
    'another gate state',
    { access: ['custom', { state: 'disabled' }] },
    'the access settings changed since the preview',
  ],
  ['another catalog', { catalog: 'beef' }, 'the catalog changed since the preview'],
])('%s is refused and named', (_, change, reason) => {
  const tokens = new PlanTokens(key);
  expect(tokens.check(tokens.issue(plan), { ...plan, ...change })).toEqual({ ok: false, reason });
});

test('every bit of a valid token counts', () => {
  const tokens = new PlanTokens(key);
  const token = tokens.issue(plan);
  const bytes = Buffer.from(token);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(tokens.check(flipped.toString('latin1'), plan).ok, `bit ${bit}`).toBe(false);
  }
});

test.each(['', '.', 'x', 'a.b', 'a.b.c', 'x'.repeat(10_000), '…'])('%j is no token', (token) => {
  expect(new PlanTokens(key).check(token, plan)).toMatchObject({ ok: false });
});

test('another key, as after a restart, refuses', () => {
  const token = new PlanTokens(key).issue(plan);
  expect(new PlanTokens(new Uint8Array(32).fill(8)).check(token, plan)).toEqual({
    ok: false,
    reason: 'it was not issued by this router, or was altered',
  });
});

test('its life is 300 seconds', () => {
  let now = 1_000_000_000;
  const tokens = new PlanTokens(key, () => now);
  const token = tokens.issue(plan);
  now += (PLAN_TOKEN_SECONDS - 1) * 1000;
  expect(tokens.check(token, plan)).toMatchObject({ ok: true });
  now += 1000;
  expect(tokens.check(token, plan)).toEqual({ ok: false, reason: 'it expired (its life is 300 s)' });
});

test('it is spent once, and stays spent', () => {
  const tokens = new PlanTokens(key);
  const token = tokens.issue(plan);
  const check = tokens.check(token, plan);
  if (!check.ok) throw new Error(check.reason);
  expect(tokens.spend(check.id, check.expiresAt)).toBe(true);
  expect(tokens.spend(check.id, check.expiresAt)).toBe(false);
  expect(tokens.check(token, plan)).toEqual({ ok: false, reason: 'it was already used' });
});
