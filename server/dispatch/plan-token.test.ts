import { expect, test } from 'vitest';
import { fixedKeys } from './keyring.ts';
import { PLAN_TOKEN_SECONDS, type Plan, PlanTokens } from './plan-token.ts';
import { MemorySingleUse } from './single-use.ts';

const keys = fixedKeys(new Uint8Array(32).fill(7));
const tokensOf = (own = keys, now?: () => number) => new PlanTokens(own, new MemorySingleUse(now), now);
const plan: Plan = {
  tool: 'mgmt_update_site',
  arguments: [{ name: 'a', body: { x: 1, y: 2 } }],
  principal: 'local',
  access: ['custom', { state: 'enabled' }],
  catalog: 'c0ffee',
  account: null,
};

test('a token is good for its own plan, however the arguments are ordered', async () => {
  const tokens = tokensOf();
  const token = tokens.issue(plan);
  expect(token.length).toBeLessThanOrEqual(88);
  expect(await tokens.check(token, plan)).toMatchObject({ ok: true });
  expect(await tokens.check(token, { ...plan, arguments: [{ body: { y: 2, x: 1 }, name: 'a' }] })).toMatchObject({
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
  [
    'another account',
    { account: ['mgmt:1', 'https://elsewhere.test'] },
    'the account or the address of the platform changed since the preview',
  ],
])('%s is refused and named', async (_, change, reason) => {
  const tokens = tokensOf();
  const changed = Object.keys(change)[0];
  expect(await tokens.check(tokens.issue(plan), { ...plan, ...change })).toEqual({ ok: false, reason, changed });
});

test('a token knows the target that its preview read, and holds for every target where it read none', async () => {
  const tokens = tokensOf();
  const read = await tokens.check(tokens.issue(plan, 'digest of the target'), plan);
  const none = await tokens.check(tokens.issue(plan), plan);
  if (!read.ok || !none.ok) throw new Error('both tokens should be valid');
  expect([read.readTarget, none.readTarget]).toEqual([true, false]);
  expect(['digest of the target', 'another digest', undefined].map(read.isTarget)).toEqual([true, false, false]);
  expect(['digest of the target', 'another digest', undefined].map(none.isTarget)).toEqual([true, true, true]);
});

test('every bit of a valid token counts', async () => {
  const tokens = tokensOf();
  const token = tokens.issue(plan);
  const bytes = Buffer.from(token);
  let flips = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    // Both as the bytes on the wire are read: one character each, or as UTF-8.
    for (const encoding of ['latin1', 'utf8'] as const) {
      expect((await tokens.check(flipped.toString(encoding), plan)).ok, `bit ${bit}`).toBe(false);
      flips++;
    }
  }
  expect(flips).toBe(bytes.length * 16);
  expect(await tokens.check(token, plan)).toMatchObject({ ok: true });
});

test.each(['', '.', 'x', 'a.b', 'a.b.c', 'x'.repeat(10_000), '…'])('%j is no token', async (token) => {
  expect(await tokensOf().check(token, plan)).toMatchObject({ ok: false });
});

const FOREIGN = { ok: false, reason: 'it was not issued by this router, or was altered' };

test('a token of an unknown key or of another store is refused', async () => {
  const used = new MemorySingleUse();
  const token = new PlanTokens(keys, used).issue(plan);
  expect(await new PlanTokens(fixedKeys(new Uint8Array(32).fill(8)), used).check(token, plan)).toEqual(FOREIGN);
  expect(await new PlanTokens(keys, new MemorySingleUse()).check(token, plan)).toEqual(FOREIGN);
  expect(await new PlanTokens(keys, used).check(token, plan)).toMatchObject({ ok: true });
});

test('a key that was rotated out of first place still verifies, and one that was taken out does not', async () => {
  const used = new MemorySingleUse();
  const [old, current, next] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const token = new PlanTokens(fixedKeys(old), used).issue(plan);
  expect(await new PlanTokens(fixedKeys(current, old), used).check(token, plan)).toMatchObject({ ok: true });
  expect(await new PlanTokens(fixedKeys(next, current), used).check(token, plan)).toEqual(FOREIGN);
});

test('its life is 300 seconds', async () => {
  let now = 1_000_000_000;
  const tokens = tokensOf(keys, () => now);
  const token = tokens.issue(plan);
  now += (PLAN_TOKEN_SECONDS - 1) * 1000;
  expect(await tokens.check(token, plan)).toMatchObject({ ok: true });
  now += 1000;
  expect(await tokens.check(token, plan)).toEqual({ ok: false, reason: 'it expired (its life is 300 s)' });
});

test('it is spent once, and stays spent', async () => {
  const tokens = tokensOf();
  const token = tokens.issue(plan);
  const check = await tokens.check(token, plan);
  if (!check.ok) throw new Error(check.reason);
  expect(await tokens.consume(check)).toBe(true);
  expect(await tokens.consume(check)).toBe(false);
  expect(await tokens.check(token, plan)).toEqual({ ok: false, reason: 'it was already used', used: true });
});
