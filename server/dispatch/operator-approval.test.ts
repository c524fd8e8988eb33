/**
 * Writes that operators approve: a client that cannot be asked gets APPROVAL_PENDING and, on repeating its call, the outcome;
 * real HTTP, both revisions, two routers on one store, a recording upstream as judge.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Operators } from '../approvals/operators.ts';
import { type OperatorTestbed, operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';
import { missing, startRedis } from '../test/support/programs.ts';
import { OperatorApprovals } from './operator-approval.ts';

let bed: OperatorTestbed | undefined;
afterEach(async () => {
  await bed?.[Symbol.asyncDispose]();
  bed = undefined;
});
const open = async (variables: Record<string, string> = {}) => {
  bed = await operatorTestbed(variables);
  return bed;
};

describe('a client that cannot be asked', () => {
  test('learns that its call waits, and on repeating it that it was done; once', async () => {
    const { agent, operators, upstream } = await open();
    const call = await agent.previewed('mgmt_update_auth_server', PATCH);
    expect(call.preview.contract).toMatchObject({ confirm: { by: 'operator' } });
    expect(call.preview.expires_in_seconds).toBe(300 + 15 * 60);
    const first = await call.apply();
    expect(first).toMatchObject({ code: 'approval_pending', status: 409, approval_id: expect.any(String) });
    expect(Date.parse(first.expires_at) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(first.contract.next_action).toBe('wait for an operator, then repeat exactly this call to learn the answer');
    expect(await call.apply()).toMatchObject({ code: 'approval_pending', approval_id: first.approval_id });
    expect(upstream.writes).toEqual([]);
    await operators.approve(first.approval_id);
    expect(await call.apply()).toMatchObject({ contract: { confirm: { by: 'operator' } } });
    expect(upstream.writes).toHaveLength(1);
    expect(await call.apply()).toMatchObject({ code: 'confirmation_required' });
    expect(upstream.writes).toHaveLength(1);
  });

  test('gets an id that a command takes as an argument: without a hyphen, which would begin an option', async () => {
    const { agent } = await open();
    for (let i = 0; i < 12; i++) {
      const { approval_id } = await (await agent.previewed('mgmt_update_auth_server', PATCH)).apply();
      expect(approval_id).toMatch(/^\w{43}$/);
    }
  });

  test.each<[string, (operators: OperatorTestbed['operators'], id: string) => Promise<unknown>, object]>([
    [
      'declined',
      (o, id) => o.decline(id, 'not today'),
      { code: 'declined', message: expect.stringContaining('"not today"') },
    ],
    ['withdrawn', (o, id) => o.service.withdraw(id), { code: 'cancelled' }],
  ])('tells a call that was %s from the others', async (_, happens, expected) => {
    const { agent, operators, upstream } = await open();
    const call = await agent.previewed('mgmt_update_auth_server', PATCH);
    const { approval_id } = await call.apply();
    await happens(operators, approval_id);
    expect(await call.apply()).toMatchObject(expected);
    expect(await call.apply()).toMatchObject(expected);
    expect(upstream.writes).toEqual([]);
  });

  test('hears that nobody answered in time, while its plan token still lives', async () => {
    const { agent, operators, upstream } = await open();
    const call = await agent.previewed('mgmt_update_auth_server', PATCH);
    const { approval_id } = await call.apply();
    await operators.expire(approval_id);
    expect(await call.apply()).toMatchObject({ code: 'approval_expired' });
    expect(upstream.writes).toEqual([]);
  });

  test('needs two operators for a destructive request where the operator wants two, also where it could show a form', async () => {
    const { agent, operators, upstream } = await open({ SVC_MCP_APPROVALS: 'two-for-destructive' });
    const call = await agent.previewed('mgmt_delete_auth_server', { name: 'radius-1' }, 'accept');
    expect(call.preview.contract).toMatchObject({
      confirm: { by: 'operator' },
      next_action: expect.stringContaining('an operator is asked then'),
    });
    const write = await agent.previewed('mgmt_update_auth_server', PATCH, 'accept');
    expect(write.preview.contract).toMatchObject({ confirm: { by: 'elicit' } });
    const { approval_id, code } = await call.apply('accept');
    expect(code).toBe('approval_pending');
    await operators.approve(approval_id, { objects: ['DELETE /auth-servers/radius-1'] }).catch(() => undefined);
    const { object } = (await operators.service.read(approval_id))?.requests[0] ?? { object: '' };
    await operators.approve(approval_id, { objects: [object] });
    expect(await call.apply('accept')).toMatchObject({
      code: 'approval_pending',
      message: expect.stringContaining('1 of 2'),
    });
    await operators.approve(approval_id, { operator: 'bob', objects: [object] });
    await call.apply('accept');
    expect(upstream.writes.map(({ method }) => method)).toEqual(['DELETE']);
  });

  test('waits again where the operator who agreed is removed before the write is sent, and is told so', async () => {
    const { agent, operators, upstream, config } = await open();
    const people = new Operators(config.approvals.operatorsPath);
    const call = await agent.previewed('mgmt_update_auth_server', PATCH);
    const { approval_id } = await call.apply();
    await operators.approve(approval_id);
    people.remove('ada');
    expect(await call.apply()).toMatchObject({
      code: 'approval_pending',
      approval_id,
      message: expect.stringContaining('again: the answers so far are not enough any more'),
    });
    expect(upstream.writes).toEqual([]);
    await operators.approve(approval_id, { operator: 'bob' });
    expect(await call.apply()).not.toHaveProperty('code');
    expect(upstream.writes).toHaveLength(1);
  });

  test('waits again also for the repetition that another one overtook', async () => {
    const { agent, operators } = await open();
    const { approval_id } = await (await agent.previewed('mgmt_update_auth_server', PATCH)).apply();
    const pending = await operators.service.read(approval_id);
    if (pending === undefined) throw new Error('nothing waits');
    const { service } = operators;
    vi.spyOn(service, 'ask').mockResolvedValue({ approval: { ...pending, state: 'approved' }, created: false });
    vi.spyOn(service, 'use').mockResolvedValue(undefined);
    const approvals = new OperatorApprovals({ service, linkTo: () => undefined });
    const { id, digest, principal, tool, about } = pending;
    const question = {
      id,
      digest,
      principal,
      about,
      subject: { tool, platform: 'mgmt' },
      requests: [],
      notAfter: undefined,
    };
    expect(await approvals.ask({ ...question, open: undefined })).toMatchObject({
      refusal: { code: 'approval_pending' },
    });
  });

  test('that can show a form is asked by it, as before', async () => {
    const { agent, upstream, operators } = await open();
    const call = await agent.previewed('mgmt_update_auth_server', PATCH);
    await call.apply('accept');
    expect(upstream.writes).toHaveLength(1);
    expect(await operators.service.list()).toEqual([]);
  });

  test('a request that is too long for a form goes to the operators instead', async () => {
    const { agent, upstream, operators } = await open({ SVC_MCP_APPROVAL_MAX_CHARACTERS: '1000' });
    const long = { name: 'radius-1', body: { 'auth-port': 1912, 'shared-secret': 's'.repeat(900) } };
    const call = await agent.previewed('mgmt_update_auth_server', long, 'accept');
    const { approval_id, code, contract } = await call.apply('accept');
    expect([code, upstream.writes]).toEqual(['approval_pending', []]);
    for (const told of [call.preview.contract, contract])
      expect(told, 'who is asked').toMatchObject({ confirm: { by: 'operator' } });
    const kept = await operators.service.read(approval_id);
    await operators.approve(approval_id);
    await call.apply('accept');
    expect(kept?.requests[0]?.body?.text).toBe(upstream.writes[0]?.body.toString());
  });

  test('a batch waits as a whole, and is sent as the list that was approved, however long its requests are', async () => {
    const { agent, operators, upstream } = await open({ SVC_MCP_APPROVAL_MAX_CHARACTERS: '1000' });
    const calls: object[] = [];
    for (const port of [1912, 1913]) {
      const args = { name: 'radius-1', body: { 'auth-port': port, 'shared-secret': 's'.repeat(900) } };
      const { preview } = await agent.previewed('mgmt_update_auth_server', args);
      const { plan_token } = preview;
      calls.push({
        name: 'mgmt_update_auth_server',
        arguments: { ...args, dry_run: false, confirm: true, plan_token },
      });
    }
    const batch = () => agent.call('invoke_tools_batch', { calls });
    const first = await batch();
    expect(first).toMatchObject({ code: 'approval_pending' });
    expect((await operators.service.read(first.approval_id))?.requests).toHaveLength(2);
    expect(upstream.writes).toEqual([]);
    await operators.approve(first.approval_id);
    expect(await batch()).toMatchObject({ ok: true });
    expect(upstream.writes).toHaveLength(2);
    await batch();
    expect(upstream.writes).toHaveLength(2);
  });
});

describe('two routers on one store', () => {
  test('an answer taken by one is applied by the other, and by both at once only once', async () => {
    const one = await open();
    const other = await one.replica();
    const call = await one.agent.previewed('mgmt_update_auth_server', PATCH);
    const { approval_id } = await call.apply();
    expect(await call.applyAt(other.agent)).toMatchObject({ code: 'approval_pending', approval_id });
    await other.operators.approve(approval_id);
    await Promise.all([call.apply(), call.applyAt(other.agent), call.apply(), call.applyAt(other.agent)]);
    expect(one.upstream.writes).toHaveLength(1);
  });

  test('the write switch of one stops the writes of both at once: previews, approved calls, everything', async () => {
    const one = await open();
    const other = await one.replica();
    const call = await one.agent.previewed('mgmt_update_auth_server', PATCH);
    const { approval_id } = await call.apply();
    await one.operators.approve(approval_id);
    await other.operators.writes.change({ writes: 'stopped', by: 'ada', where: 'console', reason: 'incident' });
    const stopped = { code: 'writes_stopped', status: 403 };
    expect(await call.apply()).toMatchObject(stopped);
    expect(await call.apply('accept')).toMatchObject(stopped);
    expect(await other.agent.call('mgmt_update_auth_server', PATCH)).toMatchObject(stopped);
    expect(await one.agent.call('mgmt_get_auth_server', { name: 'radius-1' })).not.toHaveProperty('code');
    expect(one.upstream.writes).toEqual([]);
    await one.operators.writes.change({ writes: 'allowed', by: 'ada', where: 'console', reason: 'over' });
    await call.apply();
    expect(one.upstream.writes).toHaveLength(1);
  });
});

test('a write that waits for the rate budget when the writes are stopped is not sent', async () => {
  const { agent, upstream, operators, config } = await open({ SVC_MCP_RATE_PER_SECOND: '4' });
  const consumed = () => readdirSync(join(config.stateDir, 'used')).filter((name) => /^\d+\./.test(name)).length;
  const calls = [];
  for (const port of [1, 2]) {
    const args = { name: 'radius-1', body: { 'auth-port': port } };
    calls.push(await agent.previewed('mgmt_update_auth_server', args, 'accept'));
  }
  const read = () => agent.call('mgmt_get_auth_server', { name: 'radius-1' });
  const reads = Array.from({ length: 4 }, read);
  const applied = Promise.all(calls.map((call) => call.apply('accept')));
  await new Promise((resolve) => setTimeout(resolve, 300));
  // Behind the reads of both targets, and before both writes.
  reads.push(...Array.from({ length: 16 }, read));
  // Each apply uses up its answer and its plan token, and then waits.
  while (consumed() < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 100));
  await operators.writes.change({ writes: 'stopped', by: 'ada', where: 'terminal', reason: '' });
  const before = upstream.writes.length;
  expect(await applied).toMatchObject([{ code: 'writes_stopped' }, { code: 'writes_stopped' }]);
  await Promise.all(reads);
  expect([before, upstream.writes.length]).toEqual([0, 0]);
});

describe.skipIf(missing('redis-server'))('three routers that share nothing but a Redis and the signing keys', () => {
  test('each of 60 approvals is given at another router than asked, applied at a third, once; none is lost with a router', async () => {
    await using redis = await startRedis();
    const one = await open({
      SVC_MCP_REDIS_URL: redis.url,
      SVC_MCP_REDIS_PASSWORD_PATH: redis.passwordPath,
      SVC_MCP_REPLICAS: '3',
    });
    const keys = { SVC_MCP_SIGNING_KEYS_PATH: join(one.config.stateDir, 'signing-keys') };
    const own = (name: string) => ({ ...keys, SVC_MCP_STATE_DIR: join(one.installation.root, name) });
    const [two, three] = [await one.replica(own('state-2')), await one.replica(own('state-3'))];
    const calls = [];
    for (let port = 1; port <= 60; port++) {
      const call = await one.agent.previewed('mgmt_update_auth_server', {
        name: 'radius-1',
        body: { 'auth-port': port },
      });
      calls.push({ call, id: String((await call.apply()).approval_id) });
    }
    for (const { id } of calls) await two.operators.approve(id);
    // The router that asked ends; what it asked does not.
    await one.end();
    await Promise.all(calls.map(({ call }) => call.applyAt(three.agent)));
    await Promise.all(calls.map(({ call }) => call.applyAt(two.agent)));
    const ports = one.upstream.writes.map(({ body }) => JSON.parse(body.toString())['auth-port'] as number);
    expect(ports.sort((a, b) => a - b)).toEqual(calls.map((_, i) => i + 1));
    await two.operators.writes.change({ writes: 'stopped', by: 'ada', where: 'console', reason: '' });
    expect(await three.agent.call('mgmt_update_auth_server', PATCH)).toMatchObject({ code: 'writes_stopped' });
  });
});

/** Connects a client of 2025-11-25; what it returns calls the write and gives the text of the answer. */
async function connected(client: Client, url: string): Promise<(args: object) => Promise<string>> {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return async (args) => {
    const { content } = await client.callTool({
      name: 'invoke_tool',
      arguments: { name: 'mgmt_update_auth_server', arguments: { ...PATCH, ...args } },
    });
    return (content as { text: string }[])[0]?.text ?? '';
  };
}

describe('a client that opens links', () => {
  test('of 2026-07-28 gets the link once; to accept it approves nothing', async () => {
    const { agent, operators, upstream } = await open({
      SVC_MCP_CONSOLE_PORT: '0',
      SVC_MCP_CONSOLE_URL: 'https://ops.example',
    });
    const call = await agent.previewed('mgmt_update_auth_server', PATCH);
    const asked = await call.applyUrl();
    const [request] = Object.values(asked.inputRequests ?? {}) as { params: { mode: string; url: string } }[];
    expect(request?.params.mode).toBe('url');
    const id = new URL(request?.params.url ?? '').pathname.split('/').at(-1) ?? '';
    expect(request?.params.url).toBe(`https://ops.example/approvals/${id}`);
    expect(await call.applyUrl('accept')).toMatchObject({ refusal: { code: 'approval_pending', approval_id: id } });
    expect(await call.applyUrl('accept')).toMatchObject({ refusal: { code: 'approval_pending' } });
    expect(upstream.writes).toEqual([]);
    await operators.approve(id);
    await call.applyUrl();
    expect(upstream.writes).toHaveLength(1);
  });

  test.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ] as const)('of 2026-07-28 that answers %s has withdrawn its question', async (action, code) => {
    const { agent, operators, upstream } = await open({
      SVC_MCP_CONSOLE_PORT: '0',
      SVC_MCP_CONSOLE_URL: 'https://ops.example',
    });
    const call = await agent.previewed('mgmt_update_auth_server', PATCH);
    await call.applyUrl();
    expect(await call.applyUrl(action)).toMatchObject({ refusal: { code } });
    const [approval] = await operators.service.list();
    expect(approval?.state).toBe('cancelled');
    await expect(operators.approve(approval?.id ?? '')).rejects.toThrow('decided');
    expect(upstream.writes).toEqual([]);
  });

  test('of 2025-11-25 is pushed the link by its own library, and its accept approves nothing', async () => {
    const { url, operators, upstream } = await open({
      SVC_MCP_CONSOLE_PORT: '0',
      SVC_MCP_CONSOLE_URL: 'https://ops.example',
    });
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { url: {} } } });
    const links: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      links.push((params as { url: string }).url);
      return { action: 'accept' };
    });
    const text = await connected(client, url);
    const invoke = async (args: object) => JSON.parse((await text(args)) || '{}');
    const { plan_token } = await invoke({});
    const apply = () => invoke({ dry_run: false, confirm: true, plan_token });
    const pending = await apply();
    expect(pending).toMatchObject({ code: 'approval_pending' });
    expect(links).toEqual([`https://ops.example/approvals/${pending.approval_id}`]);
    expect(upstream.writes).toEqual([]);
    await operators.approve(pending.approval_id);
    expect(await apply()).not.toHaveProperty('code');
    expect([links.length, upstream.writes.length]).toEqual([1, 1]);
    await client.close();
  });

  test('of 2025-11-25 that fails to open the link is told of the approval, which stays open', async () => {
    const { url, operators } = await open({
      SVC_MCP_CONSOLE_PORT: '0',
      SVC_MCP_CONSOLE_URL: 'https://ops.example',
    });
    // It declares that it opens links, and knows no question.
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { url: {} } } });
    const invoke = await connected(client, url);
    const { plan_token } = JSON.parse(await invoke({}));
    const text = await invoke({ dry_run: false, confirm: true, plan_token });
    expect(text).toContain('"code":"approval_pending"');
    const [approval] = await operators.service.list();
    expect(approval?.state).toBe('pending');
    expect(text).toContain(`https://ops.example/approvals/${approval?.id}`);
    await client.close();
  });
});

test('the audit log says who approved a batch: of the whole, and of each write in it', async () => {
  const { agent, operators, upstream, config } = await open({ SVC_MCP_AUDIT_LOG: '1' });
  const calls: object[] = [];
  for (const port of [1912, 1913]) {
    const args = { name: 'radius-1', body: { 'auth-port': port } };
    const { preview } = await agent.previewed('mgmt_update_auth_server', args);
    const controls = { dry_run: false, confirm: true, plan_token: preview.plan_token };
    calls.push({ name: 'mgmt_update_auth_server', arguments: { ...args, ...controls } });
  }
  const batch = () => agent.call('invoke_tools_batch', { calls });
  const { approval_id } = await batch();
  const { digest } = await operators.approve(approval_id);
  await batch();
  expect(upstream.writes).toHaveLength(2);
  const lines = readFileSync(String(config.auditLog), 'utf8').split('\n').slice(0, -1);
  const intents = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'intent');
  const answer = { id: intents[0]?.approval.id, answered_by: 'console:ada' };
  expect(intents).toMatchObject([
    { tool: 'invoke_tools_batch', approval: { ...answer, how: 'operator', digest } },
    { tool: 'mgmt_update_auth_server', approval: { ...answer, how: 'list' } },
    { tool: 'mgmt_update_auth_server', approval: { ...answer, how: 'list' } },
  ]);
});

test('the audit log says who asked, who approved and where, before the intent of the write', async () => {
  const { agent, operators, installation } = await open({ SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  const call = await agent.previewed('mgmt_update_auth_server', PATCH);
  const { approval_id } = await call.apply();
  await operators.approve(approval_id, { reason: 'change 4711' });
  await call.apply();
  const lines = readFileSync(join(installation.root, 'audit/tools.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = lines.filter(({ kind }) => kind !== 'call');
  expect(told).toMatchObject([
    { kind: 'approval', event: 'asked', id: approval_id, principal: 'anonymous' },
    { kind: 'approval', event: 'approved', id: approval_id, operator: 'ada', where: 'console', reason: 'change 4711' },
    { kind: 'intent', approval: { how: 'operator', answered_by: 'console:ada', digest: expect.any(String) } },
  ]);
  expect(new Set(told.map(({ digest, approval }) => digest ?? approval.digest)).size).toBe(1);
});
