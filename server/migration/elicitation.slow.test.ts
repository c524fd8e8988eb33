/** Applying a run through a client that nobody here wrote: one whose person can be asked, and one whose person cannot. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '#fake-api';
import { type RouterProcess, startRouter } from '../test/e2e/router-process.ts';
import { askedRequests } from '../test/support/asked-requests.ts';
import { demoAccount } from '../test/support/child-process.ts';
import { type ApproverAnswer, type SessionClient, sessionClient } from '../test/support/session-client.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';

let fake: FakeApi;
const routers: RouterProcess[] = [];
const clients: SessionClient[] = [];

beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt'] });
});
afterAll(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  for (const router of routers) await router[Symbol.asyncDispose]();
  await fake?.close();
});

async function connect(answer: ApproverAnswer | undefined, env: Record<string, string> = {}) {
  const router = await startRouter({
    SVC_MCP_CATALOG_DIR: shippedCatalog(),
    ...demoAccount(String(fake.platforms['mgmt'])),
    SVC_MCP_TOOLSETS: 'mgmt',
    SVC_MCP_MGMT_WRITES: '1',
    SVC_MCP_LOG_LEVEL: 'error',
    ...env,
  });
  routers.push(router);
  const connected = await sessionClient(router.url, { person: answer ?? null });
  clients.push(connected);
  const { client, asked } = connected;
  const call = async (name: string, args: object) => {
    const result = await client.callTool({ name: 'invoke_tool', arguments: { name, arguments: args } });
    const [text] = result.content as { text: string }[];
    return JSON.parse(text?.text ?? '{}') as Record<string, unknown>;
  };
  return { asked, call };
}

/** A run of two VLANs, dry-run; answers the call that applies it. */
async function ready(
  call: (name: string, args: object) => Promise<Record<string, unknown>>,
  run_id: string,
  vlan: number,
) {
  const vlans = [{ id: vlan }, { id: vlan + 1 }];
  const target = { target_type: 'new', scope_id: 'clinic', persona: 'CAMPUS_AP' };
  await call('legacy_create_migration_run', { ...target, export: { vlans }, run_id, confirm: true });
  const { plan_token } = await call('legacy_apply_migration_run', { run_id });
  return () => call('legacy_apply_migration_run', { run_id, dry_run: false, confirm: true, plan_token });
}

const vlanPosts = async (): Promise<{ path: string }[]> => {
  const answer = await fetch(`${fake.control}/namespaces/default/ledger`);
  const { entries } = (await answer.json()) as { entries: { path: string; method: string }[] };
  return entries.filter(({ path, method }) => method === 'POST' && path.includes('/layer2-vlan/'));
};
const vlanWrites = async (): Promise<number> => (await vlanPosts()).length;

test('a reachable approver is asked once for the run, and its writes follow', async () => {
  const { asked, call } = await connect({ action: 'accept', content: { confirm: true } });
  const apply = await ready(call, 'asked', 3001);
  const before = await vlanWrites();
  expect(await apply()).toMatchObject({ status: 'completed', counts: { applied: 2 } });
  expect(asked).toEqual([expect.stringContaining('Migration run "asked" to scope "clinic" for CAMPUS_AP: 2 objects')]);
  const requests = askedRequests(asked[0] ?? '');
  const written = (await vlanPosts()).slice(before);
  expect(requests.filter(({ target }) => target.includes('/layer2-vlan/')).map(({ target }) => target)).toEqual(
    // The base URL of the account ends in the platform's name.
    written.map(({ path }) => `/mgmt${path}`),
  );
  expect(await vlanWrites()).toBe(before + 2);
  // The token is spent, and the run is another one now.
  expect(await apply()).toMatchObject({ ok: false, code: 'plan_stale' });
});

test.each([
  ['declines', { action: 'decline' }, 'declined'],
  ['cancels', { action: 'cancel' }, 'cancelled'],
  ['accepts without a yes', { action: 'accept', content: { confirm: false } }, 'declined'],
] as const)('a person who %s stops it, and nothing is sent', async (how, answer, code) => {
  const { asked, call } = await connect(answer);
  const apply = await ready(call, `no-${how.split(' ')[0]}`, 3101);
  const before = await vlanWrites();
  expect(await apply()).toMatchObject({ ok: false, code });
  expect([asked.length, await vlanWrites()]).toEqual([1, before]);
});

test('a connection that cannot ask is refused, unless the operator chose token and confirm', async () => {
  const mute = await connect(undefined);
  const refused = await ready(mute.call, 'mute', 3201);
  const before = await vlanWrites();
  expect(await refused()).toMatchObject({ ok: false, code: 'confirmation_unavailable' });
  expect(await vlanWrites()).toBe(before);
  const chosen = await connect(undefined, { SVC_MCP_CONFIRMATION: 'token' });
  expect(await (await ready(chosen.call, 'mute', 3201))()).toMatchObject({ status: 'completed' });
  expect(await vlanWrites()).toBe(before + 2);
});
