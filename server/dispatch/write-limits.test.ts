/** Maintenance windows and quotas of writes at the door to a platform: what was sent, and who was asked before. */
import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { approver, nobody } from '../test/support/approvers.ts';
import { dispatchTestbed } from '../test/support/dispatch-testbed.ts';
import { operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';
import type { Result } from './dispatch-call.ts';

// A Tuesday.
const NOW = Date.parse('2026-11-24T12:30Z');
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => vi.useRealTimers());

const UPDATE = 'mgmt_update_auth_server';
const OPEN = { SVC_MCP_WRITE_WINDOWS: 'Tue 12:00-13:00' };
const CLOSED = { SVC_MCP_WRITE_WINDOWS: 'Tue 22:00-23:00' };
const refusalOf = (result: Result) => (result.kind === 'refused' ? result.refusal : result);
const outside = { code: 'outside_write_window', status: 403, opens_at: '2026-11-24T22:00:00.000Z' };

describe('a maintenance window', () => {
  test('that is closed refuses preview and apply, names its opening, asks nobody and lets reads pass', async () => {
    await using b = await dispatchTestbed(CLOSED);
    const somebody = approver();
    expect(refusalOf(await b.run(UPDATE, PATCH, { approver: somebody }))).toMatchObject({
      ...outside,
      contract: { next_action: 'nothing yet: the hint says what has to happen first' },
    });
    const read = await b.run('mgmt_get_auth_server', { name: 'radius-1' }, { dispatcher: 'invoke_read_tool' });
    expect(read.kind).toBe('done');
    expect([somebody.asked, b.upstream.writes]).toEqual([[], []]);
  });

  test('that closes after the preview, or while the person thinks, lets nothing pass', async () => {
    await using b = await dispatchTestbed({ ...OPEN, SVC_MCP_WRITE_WINDOWS: 'Tue 12:00-12:31, Tue 22:00-23:00' });
    const apply = await b.previewed(UPDATE, PATCH);
    const asked: string[] = [];
    const slow = approver();
    const thinking = {
      ...slow,
      ask: async (question: Parameters<typeof slow.ask>[0]) => {
        asked.push(question.digest);
        vi.setSystemTime(NOW + 60_000);
        return slow.ask(question);
      },
    };
    expect(refusalOf(await apply({ approver: thinking }))).toMatchObject(outside);
    expect([asked.length, b.upstream.writes]).toEqual([1, []]);
    expect(refusalOf(await apply({ approver: slow }))).toMatchObject(outside);
    expect([slow.asked.length, b.upstream.writes]).toEqual([1, []]);
  });

  test('that is open is as if there were none', async () => {
    await using b = await dispatchTestbed(OPEN);
    await (await b.previewed(UPDATE, PATCH))();
    expect(b.upstream.writes).toHaveLength(1);
  });

  test('outside of which somebody is asked: the plan token alone is not enough there, and is enough inside', async () => {
    const asks = { SVC_MCP_CONFIRMATION: 'token', SVC_MCP_WRITES_OUTSIDE_WINDOWS: 'ask' };
    await using b = await dispatchTestbed({ ...CLOSED, ...asks });
    expect(await b.run(UPDATE, PATCH)).toMatchObject({ result: { contract: { confirm: { by: 'elicit' } } } });
    const apply = await b.previewed(UPDATE, PATCH);
    expect(refusalOf(await apply({ approver: nobody }))).toMatchObject({
      code: 'confirmation_unavailable',
      contract: { confirm: { ways: ['connect a client that can elicit', 'wait for the maintenance window'] } },
    });
    expect(refusalOf(await apply({ approver: approver('declined') }))).toMatchObject({ code: 'declined' });
    expect(b.upstream.writes).toEqual([]);
    const somebody = approver();
    await apply({ approver: somebody });
    expect([somebody.asked.length, b.upstream.writes.length]).toEqual([1, 1]);

    vi.setSystemTime(Date.parse('2026-11-24T22:00Z'));
    const quiet = approver();
    await (await b.previewed(UPDATE, PATCH))({ approver: quiet });
    expect([quiet.asked.length, b.upstream.writes.length]).toEqual([0, 2]);
  });

  test('outside of which writes wait: an operator approves where the person at the client would do inside', async () => {
    await using bed = await operatorTestbed({ ...CLOSED, SVC_MCP_WRITES_OUTSIDE_WINDOWS: 'ask' });
    const call = await bed.agent.previewed(UPDATE, PATCH, 'accept');
    expect(call.preview.contract).toMatchObject({ confirm: { by: 'operator' } });
    const { code, approval_id } = await call.apply('accept');
    expect([code, bed.upstream.writes]).toEqual(['approval_pending', []]);
    await bed.operators.approve(approval_id);
    await call.apply('accept');
    expect(bed.upstream.writes).toHaveLength(1);
  });
});

describe('a quota', () => {
  const used = { code: 'write_quota_used_up', status: 429, limit: 2, retry_at: '2026-11-24T13:00:00.000Z' };

  test('counts what is sent; beyond it nobody is asked and nothing is previewed, until the next hour', async () => {
    await using b = await dispatchTestbed({ SVC_MCP_WRITES_PER_HOUR: '2' });
    const three = [
      await b.previewed(UPDATE, PATCH),
      await b.previewed(UPDATE, PATCH),
      await b.previewed(UPDATE, PATCH),
    ];
    await three[0]?.({ approver: approver('declined') });
    await three[0]?.();
    await three[1]?.();
    expect(b.upstream.writes).toHaveLength(2);
    const somebody = approver();
    expect(refusalOf((await three[2]?.({ approver: somebody })) as Result)).toMatchObject(used);
    expect(refusalOf(await b.run(UPDATE, PATCH))).toMatchObject(used);
    expect([somebody.asked, b.upstream.writes.length]).toEqual([[], 2]);

    // Another principal has places of its own.
    const other = { principal: 'other', approver: approver() };
    const preview = await b.run(UPDATE, PATCH, other);
    expect(preview.kind).toBe('done');

    vi.setSystemTime(Date.parse('2026-11-24T13:00Z'));
    await (await b.previewed(UPDATE, PATCH))();
    expect(b.upstream.writes).toHaveLength(3);
  });

  test('has no slot less for a write that the audit log did not take, nor for one plan token that came twice', async () => {
    await using b = await dispatchTestbed({ SVC_MCP_WRITES_PER_HOUR: '2', SVC_MCP_AUDIT_LOG: '1' });
    const log = String(b.config.auditLog);
    const lost = await b.previewed(UPDATE, PATCH);
    const twice = await b.previewed(UPDATE, PATCH);
    const last = await b.previewed(UPDATE, PATCH);
    rmSync(log);
    mkdirSync(log);
    expect(refusalOf(await lost())).toMatchObject({ code: 'audit_unavailable' });
    rmSync(log, { recursive: true });
    const both = await Promise.all([twice(), twice()]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['done', 'refused']);
    await last();
    expect(b.upstream.writes).toHaveLength(2);
  });

  test('has no slot less for a write that was cancelled while it waited for the rate budget', async () => {
    await using b = await dispatchTestbed({ SVC_MCP_WRITES_PER_HOUR: '1', SVC_MCP_RATE_PER_SECOND: '2' });
    const cancelled = await b.previewed(UPDATE, PATCH);
    const last = await b.previewed(UPDATE, PATCH);
    const caller = new AbortController();
    const gone = cancelled({ signal: caller.signal });
    // The target is read a second time before the sending, and the write waits for half a second after that.
    const reads = b.upstream.reads.length;
    await vi.waitUntil(() => b.upstream.reads.length > reads, { timeout: 5_000, interval: 5 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    caller.abort();
    expect(refusalOf(await gone)).toMatchObject({ code: 'cancelled' });
    expect(b.upstream.writes).toEqual([]);
    expect(await last()).toMatchObject({ kind: 'done' });
    expect(b.upstream.writes).toHaveLength(1);
  });

  test('of a principal holds over all calls at one moment, also those that are approved already', async () => {
    await using b = await dispatchTestbed();
    const access = { maxWritesPerHour: 2 };
    const applies = await Promise.all(Array.from({ length: 6 }, () => b.previewed(UPDATE, PATCH)));
    const ends = await Promise.all(applies.map((apply) => apply({ access, approver: approver() })));
    expect(b.upstream.writes).toHaveLength(2);
    const refused = ends.filter(({ kind }) => kind === 'refused').map((end) => refusalOf(end));
    expect(refused).toEqual(Array.from({ length: 4 }, () => expect.objectContaining(used)));
  });
});
