/** A quota of writes that is smaller than a run: it is applied by `limit`, and taken back in as many rollbacks as it needs. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RouterTestbed, replyOf, routerTestbed, type Working } from '../test/migration/migration-testbed.ts';

const names = ['staff', 'guests', 'printers'];
const CREATE = {
  target_type: 'new',
  scope_id: 'mill',
  persona: 'MOBILITY_GW',
  export: { roles: names.map((rname) => ({ rname, role__acl: [{ pname: 'allowall' }] })) },
  confirm: true,
};
let testbed: RouterTestbed;
beforeAll(async () => {
  testbed = await routerTestbed();
  await testbed.control('POST', '/reset', { fixture: 'legacy-migration' });
});
afterAll(() => testbed?.[Symbol.asyncDispose]());

/** A dry run, and the same with its token. */
async function confirmed(router: Working, tool: string, args: object) {
  const { plan_token, object } = (await replyOf(router, tool, args)).value;
  const more = { dry_run: false, confirm: true, plan_token, confirm_object: object };
  return (await replyOf(router, tool, { ...args, ...more })).value;
}

test('a run of more writes than an hour has is applied by its limit', async () => {
  const router = await testbed.start({ SVC_MCP_WRITES_PER_HOUR: '4' });
  const run_id = 'in-parts';
  await replyOf(router, 'legacy_create_migration_run', { ...CREATE, run_id });
  const before = (await testbed.written()).length;
  const apply = (more: object) => confirmed(router, 'legacy_apply_migration_run', { run_id, ...more });
  expect(await apply({})).toMatchObject({ code: 'write_quota_used_up', left: 4 });
  expect(await testbed.written()).toHaveLength(before);
  expect(await apply({ limit: 2 })).toMatchObject({ counts: expect.objectContaining({ applied: 2 }) });
  expect(await testbed.written()).toHaveLength(before + 4);
  expect(await apply({ offset: 2 })).toMatchObject({ code: 'write_quota_used_up' });
});

test('a run of more writes than an hour has is taken back in parts', async () => {
  const open = await testbed.start();
  const run_id = 'larger';
  await testbed.control('POST', '/reset', { fixture: 'legacy-migration' });
  await replyOf(open, 'legacy_create_migration_run', { ...CREATE, run_id });
  expect(await confirmed(open, 'legacy_apply_migration_run', { run_id })).toMatchObject({ status: 'completed' });
  const made = (await testbed.written()).length;
  expect(made).toBe(2 * names.length);

  const tool = 'legacy_execute_migration_rollback';
  /** Over the same runs and the same count of the hour. */
  const limited = (most: number, more: Record<string, string> = {}) => {
    const state = { SVC_MCP_STATE_DIR: join(open.folder, 'state'), SVC_MCP_WRITES_PER_HOUR: String(most) };
    return testbed.start({ ...state, ...more });
  };
  const rolledBack = async (most: number) => confirmed(await limited(most), tool, { run_id });

  const asking = await limited(4, { SVC_MCP_CONFIRMATION: 'elicit' });
  const { plan_token } = (await replyOf(asking, tool, { run_id })).value;
  const args = { run_id, dry_run: false, confirm: true, plan_token };
  const { texts, asked } = await asking.client.call('invoke_tool', { name: tool, arguments: args }, 'accept');
  expect(asked.join('\n')).toContain('6 objects and assignments that it made; now the first 4 of them');
  expect(asked.join('\n')).toContain('== Request 4 of 4 ==');
  const first = JSON.parse(texts[0] ?? '{}');
  expect(first).toMatchObject({
    summary: '4 taken back, 0 gone already, 0 refused, 1 failed, 1 not attempted',
    undo: expect.arrayContaining([
      expect.objectContaining({ status: 'failed', message: expect.stringContaining('may send 4 writes an hour') }),
    ]),
  });
  expect(await testbed.written()).toHaveLength(made + 4);
  expect(await rolledBack(4)).toMatchObject({ code: 'write_quota_used_up' });
  expect(await rolledBack(6)).toMatchObject({ summary: expect.stringMatching(/^2 taken back, .* 0 failed/) });
  expect(await testbed.written()).toHaveLength(2 * made);
});
