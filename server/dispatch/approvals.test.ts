/**
 * What an approval is bound to: the request, the account, the state of the target and the time, over a recording
 * upstream.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { approvedList } from '../test/support/approved-list.ts';
import { approver } from '../test/support/approvers.ts';
import { dispatchTestbed } from '../test/support/dispatch-testbed.ts';
import { type RecordingUpstream, RUNTIME_HEADERS, recordingUpstream } from '../test/support/recording-upstream.ts';
import type { Approver } from './confirmation.ts';
import type { Result } from './dispatch-call.ts';

const PATCH = { name: 'radius-1', body: { 'auth-port': 1912 } };
const AUDIT = { SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' };

/** Somebody who says yes, after something has happened. */
function yesAfter(happens: () => void): Approver {
  return {
    reachable: true,
    how: 'form',
    ask: async () => {
      happens();
      return { kind: 'answered', answer: { kind: 'yes' } };
    },
  };
}

const reads = (upstream: RecordingUpstream, ...objects: object[]) => {
  let read = 0;
  upstream.object = () => ({ status: 200, body: objects[Math.min(read++, objects.length - 1)] });
};
const refusalOf = (result: Result) => (result.kind === 'refused' ? result.refusal : result);

describe('the account', () => {
  test('that changed between preview and apply makes the plan stale', async () => {
    await using b = await dispatchTestbed();
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    await using other = await recordingUpstream();
    b.nameAccount({ base_url: `${other.origin}/base` });
    expect(refusalOf(await apply())).toMatchObject({ code: 'plan_stale', status: 409, changed: 'account' });
    expect([b.upstream.writes, other.writes]).toEqual([[], []]);
  });

  test.each([
    ['another address', { base_url: 'http://127.0.0.1:9/base' }],
    ['another client', { client_id: 'other-client' }],
    ['another workspace', { workspace_id: 'other' }],
  ])('that became %s while the person thought makes the plan stale', async (_, change) => {
    await using b = await dispatchTestbed();
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    const result = await apply({ approver: yesAfter(() => b.nameAccount(change)) });
    expect(refusalOf(result)).toMatchObject({ code: 'plan_stale', changed: 'account' });
    expect(b.upstream.writes).toEqual([]);
  });

  test('whose secret was rotated is still the same account', async () => {
    await using b = await dispatchTestbed();
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    b.nameAccount({ client_secret: 'a-new-secret-of-the-same-client' });
    expect(await apply()).toMatchObject({ kind: 'done' });
  });
});

describe('the target', () => {
  const before = { name: 'radius-1', 'auth-port': 1812, type: 'RADIUS' };

  test('that somebody changed between preview and apply makes the plan stale', async () => {
    await using b = await dispatchTestbed();
    reads(b.upstream, before, { ...before, type: 'LDAP' });
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    const asked = approver();
    expect(refusalOf(await apply({ approver: asked }))).toMatchObject({ code: 'plan_stale', changed: 'target' });
    expect(b.upstream.writes).toEqual([]);
  });

  test('that changed while the approver thought makes the plan stale', async () => {
    await using b = await dispatchTestbed();
    let object: object = before;
    b.upstream.object = () => ({ status: 200, body: object });
    const apply = await b.previewed('mgmt_delete_auth_server', { name: 'radius-1' });
    const result = await apply({
      approver: yesAfter(() => {
        object = { ...before, 'auth-port': 1813 };
      }),
    });
    expect(refusalOf(result)).toMatchObject({ code: 'plan_stale', changed: 'target' });
    expect(b.upstream.writes).toEqual([]);
  });

  test('inside of an envelope is told from what stands around it', async () => {
    await using b = await dispatchTestbed();
    let request = 0;
    const enveloped = (port: number) => ({
      success: true,
      request: `r-${request++}`,
      result: { ...before, 'auth-port': port },
    });
    let port = 1812;
    b.upstream.object = () => ({ status: 200, body: enveloped(port) });
    expect(await (await b.previewed('mgmt_update_auth_server', PATCH))()).toMatchObject({ kind: 'done' });
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    port = 1813;
    expect(refusalOf(await apply())).toMatchObject({ code: 'plan_stale', changed: 'target' });
    expect(b.upstream.writes).toHaveLength(1);
  });

  test('that is gone, or cannot be read again, makes the plan stale', async () => {
    for (const status of [404, 500]) {
      await using b = await dispatchTestbed();
      reads(b.upstream, before);
      const apply = await b.previewed('mgmt_update_auth_server', PATCH);
      b.upstream.object = () => ({ status, body: {} });
      expect(refusalOf(await apply())).toMatchObject({ code: 'plan_stale', changed: 'target' });
      expect(b.upstream.writes).toEqual([]);
    }
  });

  test('may count and keep time meanwhile', async () => {
    await using b = await dispatchTestbed();
    const at = (seconds: number) => ({
      ...before,
      'used-by-sessions': seconds,
      statistics: { uptime: `${seconds} s`, 'last-seen': `2026-11-23T00:00:${seconds}Z` },
    });
    reads(b.upstream, at(10), at(11), at(12));
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    expect(await apply()).toMatchObject({ kind: 'done' });
    expect(b.upstream.writes).toHaveLength(1);
  });

  test.each([
    ['a MAC address', '00:11:22:33:44:55', '00:11:22:33:44:56'],
    ['an IPv6 address', '2001:db8::10:22', '2001:db8::10:23'],
    ['a port of a host', '10.0.0.1:8443', '10.0.0.1:8444'],
  ])('that has another %s by then makes the plan stale', async (_, was, is) => {
    await using b = await dispatchTestbed();
    reads(b.upstream, { ...before, device: { address: was } }, { ...before, device: { address: is } });
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    expect(refusalOf(await apply())).toMatchObject({ code: 'plan_stale', changed: 'target' });
  });

  test.each([
    ['2 days, 03:04:05', '2 days, 03:04:06'],
    ['10:11PM', '10:12PM'],
    ['Tue Nov 24 10:11:12 UTC', 'Tue Nov 24 10:11:13 UTC'],
    ['100:22:33.5', '100:22:34.5'],
  ])('may show another time, %s', async (was, is) => {
    await using b = await dispatchTestbed();
    reads(b.upstream, { ...before, device: { time: was } }, { ...before, device: { time: is } });
    expect(await (await b.previewed('mgmt_update_auth_server', PATCH))()).toMatchObject({ kind: 'done' });
  });

  test('with a tag is written only if it still has it, and 412 is a stale plan', async () => {
    await using b = await dispatchTestbed();
    b.upstream.object = () => ({ status: 200, body: before, headers: { etag: '"7"' } });
    const somebody = approver();
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    expect(await apply({ approver: somebody })).toMatchObject({ kind: 'done' });
    expect(b.upstream.writes[0]?.headers['if-match']).toBe('"7"');
    expect(somebody.asked[0]).toContain('if-match: (ETag of the target as it is read before the sending)');
    for (const name of Object.keys(b.upstream.writes[0]?.headers ?? {}))
      if (!RUNTIME_HEADERS.includes(name)) expect(somebody.asked[0]).toContain(`\n${name}: `);
    b.upstream.written = () => ({ status: 412, body: {} });
    const again = await b.previewed('mgmt_update_auth_server', PATCH);
    const refusal = refusalOf(await again());
    expect(refusal).toMatchObject({ code: 'plan_stale', changed: 'target' });
    expect(JSON.stringify(refusal), 'it was sent').not.toMatch(/nothing was sent/i);
  });

  test.each([
    ['a weak tag', 'W/"7"'],
    ['the tag of a compressed answer', '"7-gzip"'],
  ])('with %s is written without one', async (_, etag) => {
    await using b = await dispatchTestbed();
    b.upstream.object = () => ({ status: 200, body: before, headers: { etag } });
    const apply = await b.previewed('mgmt_update_auth_server', PATCH);
    expect(await apply()).toMatchObject({ kind: 'done' });
    expect(b.upstream.writes[0]?.headers['if-match']).toBeUndefined();
  });
});

test('a caller who disconnects while the approver thinks gets nothing sent', async () => {
  await using b = await dispatchTestbed();
  reads(b.upstream, { name: 'radius-1' });
  const apply = await b.previewed('mgmt_update_auth_server', PATCH);
  const caller = new AbortController();
  const result = await apply({ signal: caller.signal, approver: yesAfter(() => caller.abort()) });
  expect(refusalOf(result)).toMatchObject({ code: 'cancelled' });
  expect(b.upstream.writes).toEqual([]);
});

test('a question that is too long says how long, at the preview and at the apply, and nothing is sent', async () => {
  await using b = await dispatchTestbed({ SVC_MCP_APPROVAL_MAX_CHARACTERS: '1000' });
  reads(b.upstream, { name: 'x' });
  const args = { ssid: 'x', body: { security: {}, description: 'x'.repeat(2_000) } };
  expect(refusalOf(await b.run('mgmt_replace_wlan', args))).toMatchObject({
    code: 'approval_too_large',
    status: 413,
    limit: 1_000,
    characters: expect.any(Number),
    message: expect.stringContaining('at most 1000 characters'),
  });
  // Without somebody to ask the preview is shown; the apply is refused for want of a person.
  const preview = await b.run('mgmt_replace_wlan', args, { approver: approver('yes', false) });
  const { plan_token } = (preview as { result: { plan_token: string } }).result;
  const applied = await b.run('mgmt_replace_wlan', { ...args, dry_run: false, confirm: true, plan_token });
  expect(refusalOf(applied)).toMatchObject({ code: 'approval_too_large' });
  expect(b.upstream.writes).toEqual([]);
});

test('a preview is told with all that nobody sees of it written out, and means the same', async () => {
  await using b = await dispatchTestbed();
  reads(b.upstream, { name: 'x' });
  const args = { ssid: 'x', body: { security: {}, description: 'Gu\u200best\u00a0' } };
  const preview = await b.run('mgmt_replace_wlan', args);
  const { text = '', result } = preview as { text?: string; result: unknown };
  expect(text).toContain('"Gu\\u200best\\u00a0"');
  expect(text).not.toMatch(/[\u200b\u00a0]/);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(result)));
});

test('the audit log has what was approved, how it was asked, who answered and when', async () => {
  await using b = await dispatchTestbed(AUDIT);
  reads(b.upstream, { name: 'radius-1' });
  const somebody = approver();
  const started = Date.now();
  await (await b.previewed('mgmt_update_auth_server', PATCH))({ approver: somebody });
  const lines = readFileSync(join(b.installation.root, AUDIT.SVC_MCP_AUDIT_LOG), 'utf8').trimEnd().split('\n');
  const intents = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'intent');
  expect(intents).toHaveLength(1);
  const ends = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'call');
  // The preview was approved by nobody.
  expect(ends.map(({ principal, approver }) => [principal, approver])).toEqual([
    ['local', undefined],
    ['local', 'local'],
  ]);
  const { approval } = intents[0];
  expect(approval).toMatchObject({ how: 'form', answered_by: 'local' });
  expect(somebody.asked[0]).toContain(`\nDigest: ${approval.digest}\n`);
  expect(approval.asked_at).toBeGreaterThanOrEqual(started);
  expect(approval.answered_at).toBeGreaterThanOrEqual(approval.asked_at);
});

test('a yes to a list is for each of its requests once, and for nothing else', async () => {
  const ask = approvedList(['/x/1', '/x/2']);
  expect(await ask('/x/3')).toBe('declined');
  expect([await ask('/x/2'), await ask('/x/1')]).toEqual(['yes', 'yes']);
  expect(await ask('/x/1')).toBe('declined');
});
