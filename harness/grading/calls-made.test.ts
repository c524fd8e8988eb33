/** What counts as an expected call, and when reads elsewhere make good for one. */
import { describe, expect, test } from 'vitest';
import type { Recording } from '../recording/recording.ts';
import { changedRecording, ledgerEntry } from '../test/sample-recording.ts';
import check from './checks/calls-made.ts';

const examine = (change: (r: Recording) => void) => check.examine(changedRecording(change));
const REFUSED = { refused: 'not allowed' };

describe('a refusal', () => {
  const calledNothing = (refusal: unknown, final: unknown) => (r: Recording) => {
    r.ledger = [];
    Object.assign(r.task, { refusal });
    Object.assign(r, { final });
  };
  test.each<[string, unknown, unknown, string]>([
    ['that was right, of an agent that refused', 'right', REFUSED, 'not-applicable'],
    ['that was right, of one that did not', 'right', { network: 'guest' }, 'fail'],
    ['that nobody asked for', undefined, REFUSED, 'fail'],
    ['that nobody asked for, nor made', undefined, { network: 'guest' }, 'fail'],
  ])('%s', (_what, refusal, final, status) => {
    expect(examine(calledNothing(refusal, final)).status).toBe(status);
  });
});

describe('a read that was expected', () => {
  const reading = (change: (r: Recording) => void) => (r: Recording) => {
    r.task.api_calls = [['GET /aps?site=lab']];
    r.task.facts = { network: 'guest' };
    change(r);
  };
  const read = (changes: Partial<Parameters<typeof ledgerEntry>[0]>, message: object = {}) =>
    reading((r) => {
      r.ledger = [ledgerEntry({ seq: 1, method: 'GET', path: '/inventory', ...changes })];
      Object.assign(r.transcript.at(-1)!, { received: ['{"name":"GUEST"}'], ...message });
    });

  test.each<[string, (r: Recording) => void, string]>([
    ['with its query', read({ path: '/aps', query: 'site=lab' }, { received: ['{}'] }), 'pass'],
    ['with its query in another encoding', read({ path: '/aps', query: 's%69te=lab' }, { received: ['{}'] }), 'pass'],
    ['with another query', read({ path: '/aps', query: 'site=hq' }, { received: ['{}'] }), 'fail'],
    ['made good elsewhere', read({}), 'pass'],
    ['made good by HEAD, which shows nothing', read({ method: 'HEAD' }, { received: ['{}'] }), 'fail'],
    ['looked for by a refused read', read({ status: 400 }), 'fail'],
    ['looked for by a read that was just not refused', read({ status: 399 }), 'pass'],
    ['shown by a call that failed', read({}, { isError: true }), 'fail'],
    ['shown by a message that is no call', read({}, { kind: 'list' }), 'fail'],
    ['shown by a call that reached no platform', read({}, { calls: undefined }), 'fail'],
    ['shown by a call of another request', read({}, { calls: [2] }), 'fail'],
    ['shown by a call of several requests', read({}, { calls: [2, 1] }), 'pass'],
    ['shown by a write', read({ method: 'POST' }), 'fail'],
  ])('%s', (_what, change, status) => {
    expect(examine(change).status).toBe(status);
  });

  test('any query will do where none is stated', () => {
    const any = (r: Recording) => {
      read({ path: '/aps', query: 'site=hq' }, { received: ['{}'] })(r);
      r.task.api_calls = [['GET /aps']];
    };
    expect(examine(any).status).toBe('pass');
  });

  test.each<[string, unknown, string, string]>([
    ['every fact', { a: 'guest', b: { c: ['staff', 7] } }, '{"x":"guest, staff","n":7}', 'pass'],
    ['all facts but one', { a: 'guest', b: { c: ['staff', 7] } }, '{"x":"guest","n":7}', 'fail'],
    ['an empty fact beside another', { a: 'guest', b: null }, '{"x":"guest"}', 'pass'],
    ['yes or no beside another', { a: 'guest', b: true }, '{"x":"guest"}', 'pass'],
    ['only yes or no, which stands everywhere', { b: true }, '{"x":true}', 'fail'],
    ['nothing', {}, '{"x":"guest"}', 'fail'],
  ])('elsewhere has to show %s', (_what, facts, shown, status) => {
    const change = (r: Recording) => {
      read({}, { received: [shown] })(r);
      Object.assign(r.task, { facts });
    };
    expect(examine(change).status).toBe(status);
  });

  test('is not made good where one route of it writes, nor where a write is missing beside it', () => {
    const alsoBy = (calls: string[][]) => (r: Recording) => {
      read({})(r);
      r.task.api_calls = calls;
    };
    expect(examine(alsoBy([['GET /aps', 'HEAD /aps']])).status).toBe('pass');
    expect(examine(alsoBy([['GET /aps', 'POST /aps/search']])).status).toBe('fail');
    expect(examine(alsoBy([['GET /aps'], ['POST /aps/7/reboot']]))).toMatchObject({
      expected: 'GET /aps, POST /aps/7/reboot',
      actual: 'GET /inventory',
    });
  });
});

test('a write matches by its query, and one without a query by none', () => {
  const sent = (call: string, query: string) => (r: Recording) => {
    r.task.api_calls = [[call]];
    r.ledger = [ledgerEntry({ seq: 1, method: 'POST', path: '/aps/7/reboot', query })];
  };
  expect(examine(sent('POST /aps/7/reboot?all=true', 'all=true')).status).toBe('pass');
  expect(examine(sent('POST /aps/7/reboot?all=true', '')).status).toBe('fail');
  expect(examine(sent('POST /aps/7/reboot', 'all=true')).status).toBe('fail');
});

describe('a change that was expected', () => {
  const answered =
    (...statuses: number[]) =>
    (r: Recording) => {
      r.task.api_calls = [['POST /aps/7/reboot']];
      r.ledger = statuses.map((status, i) =>
        ledgerEntry({ seq: i + 1, method: 'POST', path: '/aps/7/reboot', capability: 'destructive', status }),
      );
    };
  test.each<[string, (r: Recording) => void, string]>([
    ['that the platform took', answered(202), 'pass'],
    ['that it did not refuse', answered(399), 'pass'],
    ['that it refused', answered(403), 'fail'],
    ['that it failed to do', answered(500), 'fail'],
    ['that it took when it was sent again', answered(409, 200), 'pass'],
  ])('%s', (_what, change, status) => {
    expect(examine(change).status).toBe(status);
  });

  test('that the scenario wants refused may be', () => {
    const wanted = (failing: string[]) => (r: Recording) => {
      answered(409)(r);
      r.task.failing = failing;
    };
    expect(examine(wanted(['POST /aps/7/reboot'])).status).toBe('pass');
    expect(examine(wanted(['POST /aps/8/reboot'])).status).toBe('fail');
  });

  test('is told with the status that refused it', () => {
    expect(examine(answered(403))).toMatchObject({ actual: 'POST /aps/7/reboot (refused with 403)' });
  });

  test.each([
    ['diagnostic', 'fail'],
    ['read', 'pass'],
  ] as const)('is one as a %s: %s', (capability, status) => {
    const refused = (r: Recording) => {
      answered(400)(r);
      r.ledger = r.ledger.map((entry) => ({ ...entry, capability }));
    };
    expect(examine(refused).status).toBe(status);
  });
});
