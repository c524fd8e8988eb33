/** Batches: nothing about a call changes by standing in one, and nothing is sent before the person has answered for all. */
import { describe, expect, test } from 'vitest';
import { openCatalog } from '../open-catalog.ts';
import { createLogger } from '../telemetry/logger.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { approver, nobody } from '../test/support/approvers.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { json, sampleNetwork } from '../test/support/sample-network.ts';
import { openLocalTools } from '../tools/local/registry.ts';
import type { Call, Result } from './dispatch-call.ts';
import { openCallParts } from './open-call-parts.ts';
import { dispatchFactory } from './open-dispatch.ts';

const OPEN = { SVC_MCP_MGMT_WRITES: '1' };
const patch = (name: string, port: number) => ({
  name: 'mgmt_update_auth_server',
  arguments: { name, body: { 'auth-port': port } } as Record<string, unknown>,
});
const READ = { name: 'mgmt_get_wlan', arguments: { ssid: 'x' } };

/** A day of the week on which it is not now, wherever the clock stands. */
const DAY_AFTER_NEXT = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][(new Date().getUTCDay() + 3) % 7];

function bench(variables: Record<string, string> = {}) {
  const installation = sampleInstallation();
  const network = sampleNetwork();
  const config = installation.config(variables);
  const { catalog } = openCatalog(config);
  const local = openLocalTools({ config, catalog, visible: () => true, choose: () => [] }, config.localToolsets);
  const metrics = new Metrics({ waits: () => ({ count: 0, sumMs: 0, maxMs: 0 }) });
  const parts = openCallParts(config, createLogger('silent'), { onCompleted: (one) => metrics.record(one) });
  const dispatch = dispatchFactory(parts).dispatchOver(catalog, local);
  const call = (
    dispatcher: Call['dispatcher'],
    name: string,
    args: object,
    who = approver(),
    more: Partial<Call> = {},
  ) => dispatch.invoke({ dispatcher, name, arguments: { ...args }, principal: 'local', approver: who, ...more });
  return {
    network,
    metrics,
    reads: (args: object) => call('invoke_read_tool', 'invoke_read_tool_batch', args),
    any: (args: object, who?: ReturnType<typeof approver>) => call('invoke_tool', 'invoke_tools_batch', args, who),
    call,
    [Symbol.dispose]: () => {
      catalog.close();
      network[Symbol.dispose]();
      installation[Symbol.dispose]();
    },
  };
}

interface Reply {
  ok: boolean;
  results: { ok: boolean; id?: string; result?: Record<string, unknown>; refusal?: Record<string, unknown> }[];
  counts: object;
  [more: string]: unknown;
}
function reply(result: Result): Reply {
  if (result.kind !== 'done') throw new Error(`expected a reply, got ${JSON.stringify(result)}`);
  return result.result as Reply;
}
const refusal = (result: Result) => {
  if (result.kind !== 'refused') throw new Error(`expected a refusal, got ${JSON.stringify(result)}`);
  return result.refusal;
};

describe('a batch of reads', () => {
  test('answers each call in its place; one that fails leaves the others standing', async () => {
    using b = bench(OPEN);
    b.network.respond(({ path }) => (path === '/wlans/gone' ? json({ message: 'no' }, 404) : json({ path })));
    const result = await b.reads({
      calls: [
        { ...READ, id: 'first' },
        { name: 'mgmt_get_wlan', arguments: { ssid: 'gone' }, id: 'second' },
        { name: 'mgmt_no_such' },
        { ...patch('radius-1', 1), id: 'write' },
        { name: 'mgmt_get_auth_server', arguments: { name: 'a' } },
      ],
    });
    expect(result).toMatchObject({ kind: 'done', outcome: 'error' });
    const { results, ...rest } = reply(result);
    expect(rest).toEqual({
      ok: false,
      counts: { total: 5, succeeded: 2, failed: 3 },
      failed_indexes: [1, 2, 3],
      failed_ids: ['second', 'write'],
      truncated: false,
    });
    expect(results.map(({ ok, result: r, refusal: f }) => (ok ? r?.['path'] : f?.['code']))).toEqual([
      '/wlans/x',
      'not_found',
      'unknown_tool',
      'blocked',
      '/auth-servers/a',
    ]);
    expect(b.network.calls.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
  });

  test('goes on where its client cannot be told how far it is', async () => {
    using b = bench();
    const progress = async () => {
      throw new Error('no connection');
    };
    const result = await b.call('invoke_read_tool', 'invoke_read_tool_batch', { calls: [READ, READ] }, approver(), {
      progress,
    });
    expect(reply(result)).toMatchObject({ ok: true, counts: { succeeded: 2 } });
  });

  test('goes on with a cursor of an earlier answer', async () => {
    using b = bench({ SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS: '1' });
    b.network.respond(() => json({ 'auth-server': [{ name: 'a' }, { name: 'b' }], total: 2 }));
    const list = { name: 'mgmt_list_auth_servers' };
    const first = reply(await b.reads({ calls: [list] })).results[0]?.result;
    const second = reply(await b.reads({ calls: [{ ...list, cursor: first?.['next_cursor'] }] })).results[0]?.result;
    expect([first?.['items'], second?.['items']]).toEqual([[{ name: 'a' }], [{ name: 'b' }]]);
  });

  test('leaves out what is over its bytes, and says how to get it', async () => {
    using b = bench({ SVC_MCP_ROUTER_BATCH_RESPONSE_MAX_BYTES: '10000' });
    b.network.respond(() => json({ text: 'x'.repeat(3_000) }));
    const answer = reply(await b.reads({ calls: [READ, READ, READ, READ] }));
    expect(answer).toMatchObject({ ok: true, truncated: true });
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(10_000);
    expect(answer.results.map((entry) => 'left_out' in entry)).toEqual([false, false, true, true]);
  });

  test('says that it carries no bytes, and names no resource that is not there', async () => {
    using b = bench();
    b.network.respond(() => new Response(new Uint8Array([0, 255]), { headers: { 'content-type': 'image/png' } }));
    expect(reply(await b.reads({ calls: [READ] })).results[0]?.result).toEqual({
      content_type: 'image/png',
      bytes: 2,
      sha256: expect.any(String),
      left_out: 'a batch carries no bytes: make this call by itself',
    });
  });

  test('counts bytes, not letters', async () => {
    using b = bench({ SVC_MCP_ROUTER_BATCH_RESPONSE_MAX_BYTES: '10000' });
    b.network.respond(() => json({ text: '漢'.repeat(2_000) }));
    const answer = reply(await b.reads({ calls: [READ, READ, READ] }));
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(10_000);
    expect(answer.results.map((entry) => 'left_out' in entry)).toEqual([false, true, true]);
  });

  test('is counted as truncated where it leaves something out; its calls and a platform that says so are not', async () => {
    using b = bench({ SVC_MCP_ROUTER_BATCH_RESPONSE_MAX_BYTES: '10000' });
    b.network.respond(() => json({ text: 'x'.repeat(3_000), truncated: true }));
    await b.reads({ calls: [READ, READ, READ, READ] });
    await b.reads({ calls: [READ] });
    const counts = b.metrics
      .snapshot()
      .series.map(({ tool, requests, truncated_events }) => [tool, requests, truncated_events]);
    expect(counts).toEqual([
      ['mgmt_get_wlan', 5, 0],
      ['invoke_read_tool_batch', 2, 1],
    ]);
  });
});

describe('a batch of anything', () => {
  test('previews its writes, and applies them after the approver agreed to the list of them', async () => {
    using b = bench(OPEN);
    const calls = [READ, patch('radius-1', 1911), patch('radius-2', 1912)];
    const previews = reply(await b.any({ calls })).results;
    const apply = calls.map((call, i) => {
      const token = previews[i]?.result?.['plan_token'];
      return token
        ? { ...call, arguments: { ...call.arguments, dry_run: false, confirm: true, plan_token: token } }
        : call;
    });
    const somebody = approver();
    const sentBefore = b.network.calls.length;
    const answer = reply(await b.any({ calls: apply }, somebody));
    expect(answer).toMatchObject({ ok: true, counts: { total: 3, succeeded: 3, failed: 0 } });
    expect(somebody.asked).toHaveLength(1);
    expect(somebody.asked[0]?.match(/^object: .*$/gm)).toEqual([
      'object: PATCH /auth-servers/radius-1',
      'object: PATCH /auth-servers/radius-2',
    ]);
    expect(b.network.calls.slice(sentBefore).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /wlans/x',
      'GET /auth-servers/radius-1',
      'PATCH /auth-servers/radius-1',
      'GET /auth-servers/radius-2',
      'PATCH /auth-servers/radius-2',
    ]);
    const again = reply(await b.any({ calls: apply, on_error: 'continue' }, approver()));
    expect(again.results.slice(1).map(({ refusal: r }) => r?.['code'])).toEqual([
      'confirmation_required',
      'confirmation_required',
    ]);
  });

  test('asks nobody about more writes than its caller has left, and sends nothing', async () => {
    using b = bench({ ...OPEN, SVC_MCP_WRITES_PER_HOUR: '2' });
    const calls = [patch('radius-1', 1911), patch('radius-2', 1912), patch('radius-3', 1913)];
    const previews = reply(await b.any({ calls })).results;
    calls.forEach((call, i) => {
      const { plan_token } = previews[i]?.result ?? {};
      Object.assign(call.arguments, { dry_run: false, confirm: true, plan_token });
    });
    const before = b.network.calls.length;
    const somebody = approver();
    expect(refusal(await b.any({ calls: [READ, ...calls] }, somebody))).toMatchObject({
      code: 'write_quota_used_up',
      left: 2,
      hint: expect.stringMatching(/^ask for at most 2 of these writes/),
    });
    expect([somebody.asked, b.network.calls.length]).toEqual([[], before]);
    expect(reply(await b.any({ calls: calls.slice(0, 2) }, somebody))).toMatchObject({ ok: true });
    expect(somebody.asked).toHaveLength(1);
  });

  test('a write whose answer is over the bytes of the batch says that it was carried out, a refused one why', async () => {
    using b = bench({ ...OPEN, SVC_MCP_ROUTER_BATCH_RESPONSE_MAX_BYTES: '5000' });
    b.network.respond(({ method }) =>
      method === 'PATCH' ? json({ message: 'no', note: 'x'.repeat(9_000) }, patched++ === 0 ? 200 : 400) : json({}),
    );
    let patched = 0;
    const calls = [patch('radius-1', 1911), patch('radius-2', 1912)];
    for (const call of calls) {
      const preview = await b.call('invoke_tool', call.name, call.arguments);
      const { plan_token } = (preview as { result: { plan_token: string } }).result;
      Object.assign(call.arguments, { dry_run: false, confirm: true, plan_token });
    }
    const { results } = reply(await b.any({ calls }));
    expect(results).toMatchObject([
      {
        ok: true,
        result: { contract: { next_action: { tool: 'mgmt_get_auth_server', arguments: { name: 'radius-1' } } } },
        left_out: { hint: expect.stringContaining('do not make the call again') },
      },
      {
        ok: false,
        refusal: { code: 'upstream_rejected', status: 400 },
        left_out: { hint: expect.stringContaining('what the platform said is left out') },
      },
    ]);
    expect(JSON.stringify(results).length).toBeLessThan(5_000);
  });

  test('sends nothing while the question is open', async () => {
    using b = bench(OPEN);
    const preview = reply(await b.any({ calls: [patch('radius-1', 1)] })).results[0]?.result;
    const apply = patch('radius-1', 1);
    Object.assign(apply.arguments, { dry_run: false, confirm: true, plan_token: preview?.['plan_token'] });
    const before = b.network.calls.length;
    const open = {
      asked: [],
      reachable: true,
      ask: async () => ({ kind: 'pending' as const, result: { resultType: 'input_required' as const } }),
    };
    expect(await b.any({ calls: [READ, apply] }, open as never)).toMatchObject({ kind: 'ask' });
    expect(b.network.calls.length).toBe(before);
  });

  test.each([
    ['declined', approver('declined'), 'declined'],
    ['cannot be asked', { ...nobody, asked: [] }, 'confirmation_unavailable'],
  ])('a person who %s stops the rest', async (_, who, code) => {
    using b = bench(OPEN);
    const preview = reply(await b.any({ calls: [patch('radius-1', 1)] })).results[0]?.result;
    const apply = patch('radius-1', 1);
    Object.assign(apply.arguments, { dry_run: false, confirm: true, plan_token: preview?.['plan_token'] });
    const before = b.network.calls.length;
    const answer = reply(await b.any({ calls: [apply, { ...READ, id: 'later' }, READ] }, who));
    expect(answer).toMatchObject({ ok: false, halted: true, not_run: ['later', 2], counts: { total: 3, failed: 1 } });
    expect(answer.results[0]?.refusal).toMatchObject({ code, contract: { capability: 'write' } });
    expect(b.network.calls.length).toBe(before);
  });

  test.each([
    ['outside of the maintenance window', { SVC_MCP_WRITE_WINDOWS: `${DAY_AFTER_NEXT} 02:00-03:00` }, 0],
    ['when its quota is used up', { SVC_MCP_WRITES_PER_HOUR: '1' }, 1],
  ])('a write that may not be sent %s is asked about by nobody, and the reads go on', async (_, variables, before) => {
    using b = bench({ ...OPEN, ...variables });
    b.network.respond(() => json({ name: 'radius-1' }));
    const { name, arguments: args } = patch('radius-1', 1911);
    const applied = async () => {
      const preview = await b.call('invoke_tool', name, args);
      // Outside of a window there is no preview either.
      const plan_token = preview.kind === 'done' ? (preview.result as { plan_token: string }).plan_token : 'of.before';
      return { name, arguments: { ...args, dry_run: false, confirm: true, plan_token } };
    };
    const calls = [READ, await applied(), READ];
    for (let n = 0; n < before; n++) {
      const one = await applied();
      await b.call('invoke_tool', one.name, one.arguments);
    }
    const who = approver();
    const { results } = reply(await b.any({ calls, on_error: 'continue' }, who));
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(who.asked).toEqual([]);
  });

  test('one plan token does not apply twice in one batch', async () => {
    using b = bench(OPEN);
    const preview = reply(await b.any({ calls: [patch('radius-1', 1)] })).results[0]?.result;
    const apply = patch('radius-1', 1);
    Object.assign(apply.arguments, { dry_run: false, confirm: true, plan_token: preview?.['plan_token'] });
    const answer = reply(await b.any({ calls: [apply, apply], on_error: 'continue' }));
    expect(answer.results.map(({ ok }) => ok)).toEqual([true, false]);
    expect(b.network.calls.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  test.each([
    ['closed', {}],
    ['read-only', { ...OPEN, SVC_MCP_READONLY: '1' }],
  ])('with the gate %s a write in a batch is refused like one outside', async (_, variables) => {
    using b = bench(variables);
    const result = await b.any({ calls: [patch('radius-1', 1)] });
    const refused = result.kind === 'refused' ? result.refusal : reply(result).results[0]?.refusal;
    expect(refused).toMatchObject({ code: 'blocked' });
    expect(b.network.calls).toEqual([]);
  });
});

describe('what a batch may hold', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) });
  test.each([
    ['another batch', [{ name: 'invoke_tools_batch', arguments: { calls: [READ] } }], '/calls/0/name'],
    [
      'another batch of reads',
      [READ, { name: 'invoke_read_tool_batch', arguments: { calls: [READ] } }],
      '/calls/1/name',
    ],
    [
      'an id twice',
      [
        { ...READ, id: 'a' },
        { ...READ, id: 'a' },
      ],
      '/calls/1/id',
    ],
    ['too long arguments', [{ ...READ, arguments: { ssid: 'x'.repeat(20_001) } }], '/calls/0/arguments'],
    ['too deep arguments', [{ ...READ, arguments: deep(9) }], '/calls/0/arguments'],
    ['no call', [], '/calls'],
    ['26 calls', Array.from({ length: 26 }, () => READ), '/calls'],
  ])('not %s: refused with the pointer, nothing sent', async (_, calls, pointer) => {
    using b = bench(OPEN);
    expect(refusal(await b.any({ calls }))).toMatchObject({ code: 'invalid_arguments', pointer });
    expect(b.network.calls).toEqual([]);
  });

  test('the batch of anything is not a read tool', async () => {
    using b = bench(OPEN);
    expect(refusal(await b.call('invoke_read_tool', 'invoke_tools_batch', { calls: [READ] }))).toMatchObject({
      code: 'blocked',
      capability: 'destructive',
    });
  });
});
