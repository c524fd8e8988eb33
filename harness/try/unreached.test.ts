/** What is said of a server none of whose calls was taken: an address, a path and a credential are three remedies. */
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../recording/recording.ts';
import { judgeGates } from './try-result.ts';
import { unreachedReason } from './unreached.ts';

const runs = (...calls: Partial<LedgerEntry>[]) => [
  { ledger: [] },
  {
    ledger: calls.map(
      (call) => ({ method: 'GET', path: '/pets', template: '/pets', status: 200, ...call }) as LedgerEntry,
    ),
  },
];
const STRANGE = { path: '/v1/pets', template: null, status: 404 };
const REFUSED = { status: 401 };

test.each<[string, Partial<LedgerEntry>[], RegExp | undefined]>([
  ['no call', [], /no call of the server reached the fake API: give it the address/],
  ['paths of another document', [STRANGE, STRANGE], /does not have, the first was GET \/v1\/pets/],
  ['another credential', [REFUSED, { status: 403 }, STRANGE], /refused the credential of every call/],
  ['one call that was taken', [STRANGE, REFUSED, {}], undefined],
  ['one call that was refused for another reason', [REFUSED, { status: 404 }], undefined],
])('%s', (_, calls, said) => {
  const reason = unreachedReason(runs(...calls), true);
  if (said === undefined) expect(reason).toBeUndefined();
  else expect(reason).toMatch(said);
});

test('tools that cannot be matched may be why nothing was called', () => {
  expect(unreachedReason(runs(), false)).toContain('or a tool whose name or description says which operation');
  expect(unreachedReason([], false)).toBeUndefined();
});

test('a server that was refused every call holds no gate', () => {
  const result = {
    scores: [],
    agents: [],
    revisions: [],
    rows: [{ calls: 1 }],
    writes: null,
    deaths: 0,
    malformed: null,
  };
  const judged = (why?: string) => judgeGates(result as never, { maxUnapproved: 0 }, undefined, why);
  expect(judged().findings).toEqual([]);
  expect(judged('because').findings).toMatchObject([{ gate: 'unreached', actual: 'none in 1 runs: because' }]);
});
