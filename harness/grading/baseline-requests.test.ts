import { expect, test } from 'vitest';
import type { Recording } from '../recording/recording.ts';
import { changedRecording, ledgerEntry } from '../test/sample-recording.ts';
import type { Baseline } from './baseline.ts';
import { blessedRequests, differingRequests, requestsBefore } from './baseline-requests.ts';

const run = (transport: 'http' | 'stdio', query = '', change: (r: Recording) => void = () => {}) =>
  changedRecording((r) => {
    r.transport = transport;
    r.ledger = [ledgerEntry({ method: 'GET', path: '/sites', query })];
    r.ledger.push(ledgerEntry({ seq: 2, method: 'PATCH', path: '/sites/1', bodyHash: `sha256:${'a'.repeat(64)}` }));
    change(r);
  });
const LINES = ['GET /sites', `PATCH /sites/1 body ${'a'.repeat(12)}`];
const baselineOf = (requests: Baseline['requests'], seeds = [1]) => ({ requests, seeds }) as Baseline;

test('are kept once where transports request the same, apart where not, and never of a control', () => {
  expect(blessedRequests([run('http'), run('stdio')], [1])).toEqual({ 'retrieval/wlan-change/rename': [LINES] });
  const apart = blessedRequests([run('http'), run('stdio', 'limit=5')], [1]);
  expect(Object.keys(apart)).toEqual(['retrieval/http/wlan-change/rename', 'retrieval/stdio/wlan-change/rename']);
  expect(apart['retrieval/stdio/wlan-change/rename']?.[0]?.[0]).toBe('GET /sites?limit=5');
  expect(blessedRequests([run('http', '', (r) => (r.agent = 'oracle'))], [1])).toEqual({});
});

test('are found by key and seed', () => {
  const merged = baselineOf({ 'retrieval/wlan-change/rename': [[], LINES] }, [1, 2]);
  expect(requestsBefore(merged, 'retrieval/stdio/wlan-change/rename', 2)).toEqual(LINES);
  expect(requestsBefore(merged, 'retrieval/stdio/wlan-change/rename', 3)).toBeUndefined();
  expect(requestsBefore(baselineOf(undefined), 'retrieval/http/wlan-change/rename', 1)).toBeUndefined();
});

test('of two lists only what one side has is a difference, and a request made twice counts twice', () => {
  expect(differingRequests(['a', 'b', 'b'], ['b', 'c'])).toEqual({ gone: ['a', 'b'], added: ['c'] });
});
