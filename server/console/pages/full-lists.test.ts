import { expect, test } from 'vitest';
import type { Approval } from '../../approvals/approval.ts';
import { APPROVAL_LIMITS } from '../../approvals/approval-service.ts';
import type { Hit } from '../../search/find.ts';
import { explainScore } from '../../search/score-explanation.ts';
import { MOST_CALLS } from '../../telemetry/recent-calls.ts';
import { approvalListPage } from './approval-page.ts';
import { STYLE } from './style.ts';
import { callsPage, findPage } from './view-pages.ts';

const MOST_BYTES = 60 * 1024;
const LONG = 'a'.repeat(64);
const FRAME = { operator: 'ada', formToken: 'x'.repeat(43), writesStopped: true, asksPassword: true, path: '/' };
const bytesOf = (page: string) => Buffer.byteLength(page) + Buffer.byteLength(STYLE);

const APPROVAL: Approval = {
  version: 1,
  id: 'x'.repeat(43),
  digest: 'd'.repeat(43),
  principal: LONG,
  tool: LONG,
  about: '',
  destructive: true,
  needed: 1,
  askedAt: 0,
  expiresAt: 10_000,
  state: 'pending',
  decisions: [],
  requests: [],
};

test('a list of as many approvals as may wait stays a small page, shows the oldest and says how many more there are', () => {
  const approval = (n: number, state: Approval['state']): Approval => ({
    ...APPROVAL,
    id: `${state}-${n}`.padEnd(43, 'x'),
    askedAt: n,
    state,
    requests: state === 'pending' ? [{ object: LONG } as Approval['requests'][number]] : [],
  });
  const many = Array.from({ length: APPROVAL_LIMITS.all }, (_, n) => n);
  const page = approvalListPage(
    [...many.map((n) => approval(n, 'pending')), ...many.map((n) => approval(n, 'declined'))],
    1_000,
    FRAME,
  );
  expect(bytesOf(page)).toBeLessThan(MOST_BYTES);
  expect(page).toContain(`${APPROVAL_LIMITS.all} approvals wait`);
  expect(page).toContain(`${APPROVAL_LIMITS.all - 75} more are not shown here.`);
  expect([page.includes('/approvals/pending-0x'), page.includes('/approvals/pending-255x')]).toEqual([true, false]);
  expect([page.includes('/approvals/declined-255x'), page.includes('/approvals/declined-0x')]).toEqual([true, false]);
});

test('on a phone the values of an approval are called what the heads of their columns are', () => {
  const page = approvalListPage([{ ...APPROVAL, state: 'pending' }], 1_000, FRAME);
  const heads = [...page.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, head]) => head);
  const called = [...STYLE.matchAll(/::before\{content:"([^"]+)"/g)].map(([, name]) => name);
  expect(called).toEqual(heads.slice(1));
});

test('so does the list of the calls that are kept', () => {
  const rows = Array.from({ length: MOST_CALLS }, (_, n) => ({
    at: '2026-01-01T00:00:00.000Z',
    tool: LONG,
    capability: 'destructive',
    outcome: 'confirmation_unavailable',
    ms: 100_000 + n,
    id: crypto.randomUUID(),
  }));
  const page = callsPage(rows, '', MOST_CALLS, FRAME);
  expect(bytesOf(page)).toBeLessThan(MOST_BYTES);
  expect(page).toContain(`The newest 100 of ${MOST_CALLS} are shown`);
});

test('so does the list of ten hits, each with everything that its score is made of', () => {
  const text = { words: 20, coverage: 0.9, precision: 0.8, group: 5 };
  const features = { text: 19.4, verb: 1.2, question: 0.9, danger: 0.5, arity: 1.1, platform: 2, old: 0.9, poses: 0.1 };
  const hit = { tool: { capability: 'write', evidence: { by: 'method', detail: LONG } }, score: 3, exact: false };
  const why = explainScore({ ...hit, text, features } as unknown as Hit);
  const line = LONG.repeat(5);
  const row = { name: LONG, capability: 'destructive', request: `PATCH /${LONG.repeat(3)}`, line, why };
  const page = findPage({ rows: Array.from({ length: 10 }, () => row), note: line }, LONG, FRAME);
  expect(bytesOf(page)).toBeLessThan(MOST_BYTES);
  expect(page.split('how it is made')).toHaveLength(11);
});
