/**
 * Three routers behind nginx with a shared Redis: each approval is given in the console of another router than the one that
 * asked, and applied once, also when a router is killed in between. `APPROVALS=500` for the long form.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeCheapOperators } from '../test/support/cheap-operators.ts';
import { ConsoleVisitor } from '../test/support/console-visitor.ts';
import { missing } from '../test/support/programs.ts';
import { ReplicaClient } from '../test/support/replica-client.ts';
import { type ReplicaTestbed, startTestbed } from '../test/support/replica-testbed.ts';

const COUNT = Number(process.env['APPROVALS'] ?? 60);
const PASSWORD = 'correct horse battery';
/** A caller may have 64 open questions. */
const AT_ONCE = 12;
/** A client that can show no form. */
const UNASKABLE = { capabilities: {} };
const absent = missing('redis-server', 'nginx');

/** Each makes an object of its own, so no write makes the plan of another one stale. */
const call = (n: number, controls: Record<string, unknown>) => ({
  name: 'mgmt_create_auth_server',
  arguments: {
    name: `server-${n}`,
    body: { name: `server-${n}`, type: 'XMLAPI', 'auth-server-address': `10.${(n >> 8) & 255}.0.${n & 255}` },
    ...controls,
  },
});

describe.skipIf(absent)('approvals of three routers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-operators-'));
  const visitors = new Map<string, ConsoleVisitor>();
  let testbed: ReplicaTestbed;
  let client: ReplicaClient;
  beforeAll(async () => {
    const operatorsPath = join(folder, 'operators.json');
    writeCheapOperators(operatorsPath, [{ name: 'ada', password: PASSWORD }]);
    testbed = await startTestbed({
      consoles: true,
      variables: { SVC_MCP_RATE_PER_SECOND: '0', SVC_MCP_OPERATORS_PATH: operatorsPath },
    });
    client = new ReplicaClient(testbed.url);
    // One sign-in is a session of all three.
    const cookies: [string, string][] = [];
    for (const { consoleUrl = '' } of testbed.routers) {
      const visitor = new ConsoleVisitor(consoleUrl);
      if (cookies.length === 0) await visitor.signIn('ada', PASSWORD);
      cookies.push(...visitor.cookies);
      for (const [name, value] of cookies) visitor.cookies.set(name, value);
      visitor.password = PASSWORD;
      visitors.set(consoleUrl, visitor);
    }
  });
  afterAll(async () => {
    client?.close();
    await testbed?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Previewed and asked for; the router that answered `approval_pending`, and how to repeat the call. */
  async function asked(n: number) {
    const preview = await client.call('invoke_tool', call(n, { dry_run: true }));
    expect(preview.said).toMatchObject({ plan_token: expect.any(String) });
    const apply = call(n, { dry_run: false, confirm: true, plan_token: preview.said?.['plan_token'] });
    const pending = await client.call('invoke_tool', apply, UNASKABLE);
    // The whole answer, because codes are shared by several refusals.
    expect(pending.said).toMatchObject({ code: 'approval_pending', approval_id: expect.any(String) });
    return { n, id: String(pending.said?.['approval_id']), from: pending.from, apply };
  }
  type Asked = Awaited<ReturnType<typeof asked>>;

  /** In the console of a router that did not ask. */
  async function approve({ id, from, n }: Asked, gone?: number): Promise<void> {
    const others = testbed.routers.filter(({ port }) => port !== gone && !from?.endsWith(`:${port}`));
    const visitor = visitors.get(others[n % others.length]?.consoleUrl ?? '');
    expect((await visitor?.answer(id, 'approve'))?.status).toBe(303);
  }

  /** Repeats the call twice, as an agent may: the first is sent, the second is refused because the approval is used. */
  async function applied({ n, apply }: Asked): Promise<void> {
    const first = await client.call('invoke_tool', apply, UNASKABLE);
    expect(first.said).not.toHaveProperty('code');
    expect(JSON.stringify(first.said)).toContain(`server-${n}`);
    const second = await client.call('invoke_tool', apply, UNASKABLE);
    expect(second.said).toMatchObject({
      code: 'confirmation_required',
      message: expect.stringContaining('already used'),
    });
  }

  const writesOf = async () =>
    (await testbed.ledger()).filter(({ method, capability }) => method === 'POST' && capability !== 'auth');

  test(`${COUNT} are given on another router than asked, and applied once each`, async () => {
    for (let first = 0; first < COUNT; first += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, COUNT - first) }, (_, i) => first + i);
      const open = await Promise.all(numbers.map(asked));
      for (const one of open) await approve(one);
      await Promise.all(open.map(applied));
    }
    const writes = await writesOf();
    expect([writes.length, new Set(writes.map(({ bodyHash }) => bodyHash)).size]).toEqual([COUNT, COUNT]);
  });

  test('a router that is killed loses none: what it asked is approved and applied by the others', async () => {
    const before = (await writesOf()).length;
    const open = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => asked(10_000 + i)));
    const [victim] = testbed.routers;
    expect(open.some(({ from }) => from?.endsWith(`:${victim?.port}`))).toBe(true);
    await victim?.kill();
    for (const one of open) await approve(one, victim?.port);
    await Promise.all(open.map(applied));
    const writes = (await writesOf()).slice(before);
    expect([writes.length, new Set(writes.map(({ bodyHash }) => bodyHash)).size]).toEqual([AT_ONCE, AT_ONCE]);
  });
});
