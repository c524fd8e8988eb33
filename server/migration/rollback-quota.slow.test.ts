/** A quota of writes that is smaller than a run: it is taken back in as many rollbacks as it needs. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RouterTestbed, replyOf, routerTestbed, type Working } from '../test/migration/migration-testbed.ts';

const run_id = 'larger';
const names = ['staff', 'guests', 'printers'];
const CREATE = {
  run_id,
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

test('a run of more writes than an hour has is taken back in parts', async () => {
  const open = await testbed.start();
  const confirmed = async (router: Working, tool: string) => {
    const { plan_token, object } = (await replyOf(router, tool, { run_id })).value;
    const more = { dry_run: false, confirm: true, plan_token, confirm_object: object };
    return (await replyOf(router, tool, { run_id, ...more })).value;
  };
  await replyOf(open, 'legacy_create_migration_run', CREATE);
  expect(await confirmed(open, 'legacy_apply_migration_run')).toMatchObject({ status: 'completed' });
  const made = (await testbed.written()).length;
  expect(made).toBe(2 * names.length);

  /** Over the same runs and the same count of the hour. */
  const rolledBack = async (most: number) => {
    const state = { SVC_MCP_STATE_DIR: join(open.folder, 'state'), SVC_MCP_WRITES_PER_HOUR: String(most) };
    return confirmed(await testbed.start(state), 'legacy_execute_migration_rollback');
  };
  const first = await rolledBack(4);
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
