import { describe, expect, test } from 'vitest';
import type { Recording } from '../recording/recording.ts';
import type { TimedMessage } from '../sandbox/agent-bridge.ts';
import { changedRecording, ledgerEntry } from '../test/sample-recording.ts';
import { normalise, withFixedAddress, withPlaceholders } from './normalised-recording.ts';

const call = (n: number, calls: number[]): TimedMessage => ({
  n,
  kind: 'call',
  tool: 'read_it',
  sent: {},
  received: ['{}'],
  isError: false,
  calls,
  atMs: 7 * n,
  tookMs: 3,
});
const login = (seq: number) => ledgerEntry({ seq, method: 'POST', path: '/as/token', capability: 'auth' });
const read = (seq: number) => ledgerEntry({ seq, method: 'GET', path: '/sites' });

describe('a settled recording', () => {
  test('is the same whether the subject had to log in or not', () => {
    const fresh = normalise([call(1, [1, 2]), call(2, [3])], [login(1), read(2), read(3)]);
    const warm = normalise([call(1, [1]), call(2, [2])], [read(1), read(2)]);
    expect(fresh.ledger).toEqual(warm.ledger);
    expect(fresh.transcript).toEqual(warm.transcript);
    expect(fresh.transcript.map((message) => message.calls)).toEqual([[1], [2]]);
    expect([fresh.logins.length, warm.logins.length]).toEqual([1, 0]);
  });

  test('keeps every time apart', () => {
    const { transcript, messages } = normalise([call(1, [])], []);
    expect(JSON.stringify(transcript)).not.toMatch(/atMs|tookMs/);
    expect(messages).toEqual([{ atMs: 7, tookMs: 3 }]);
  });
});

test('the platforms always have the same address', () => {
  const at = (port: number) =>
    changedRecording((r) => {
      r.transcript[3]!.received = [`{"message":"mgmt: 127.0.0.1:${port} answered 200"}`];
    });
  const [a, b] = [39597, 1024].map((port) => withFixedAddress(at(port), `127.0.0.1:${port}`));
  expect(JSON.stringify(a)).toBe(JSON.stringify(b));
  expect(withFixedAddress(at(39597), '127.0.0.1:1024')).toEqual(at(39597));
});

describe('placeholders for random values', () => {
  const withToken = (token: string): Recording =>
    changedRecording((r) => {
      const [apply] = r.transcript.slice(3);
      const sent = { name: 'x', arguments: { plan_token: token, confirm: true } };
      r.transcript.push({ ...apply!, n: 5, received: [JSON.stringify({ dry_run: { plan_token: token } })] });
      r.transcript.push({ ...apply!, n: 6, sent });
    });

  test('make two runs the same bytes, wherever the value went', () => {
    const [a, b] = ['mJ9_xyzAbc012345.QQ-zzz', 'aB3-uvwDef678901.RR_yyy'].map((token) =>
      withPlaceholders(withToken(token), ['plan_token']),
    );
    expect(JSON.stringify(a)).toBe(JSON.stringify(b));
    expect(JSON.stringify(a)).not.toContain('mJ9_xyz');
  });

  test('are as long as the value, differ between runs, and fit where it is used', () => {
    const token = 'mJ9_xyzAbc012345.QQ-zzz';
    const first = withPlaceholders(withToken(token), ['plan_token']);
    const used = (r: Recording) =>
      (r.transcript[5]!.sent as { arguments: { plan_token: string } }).arguments.plan_token;
    expect(used(first)).toMatch(/^[\w-]{16}\.[\w-]{6}$/);
    expect(JSON.parse((first.transcript[4]!.received as string[])[0]!).dry_run.plan_token).toBe(used(first));
    expect(used(withPlaceholders({ ...withToken(token), run: 1 }, ['plan_token']))).not.toBe(used(first));
  });

  test('touch nothing that no field names', () => {
    const recording = withToken('mJ9_xyzAbc012345.QQ-zzz');
    expect(withPlaceholders(recording, ['other'])).toBe(recording);
    const { timings } = withPlaceholders(recording, ['plan_token']);
    expect(timings).toEqual(recording.timings);
  });
});
