/** The gates of a migration: what is closed is refused, also as a dry run, and nothing reaches the target. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RouterTestbed, replyOf, routerTestbed, type Working } from '../test/migration/migration-testbed.ts';

const run_id = 'gated';
const CREATE = {
  target_type: 'new',
  scope_id: 'mill',
  persona: 'MOBILITY_GW',
  export: { roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }] }] },
  confirm: true,
};
let testbed: RouterTestbed;
let open: Working;

beforeAll(async () => {
  testbed = await routerTestbed();
  await testbed.control('POST', '/reset', { fixture: 'legacy-migration' });
  open = await testbed.start();
  await replyOf(open, 'legacy_create_migration_run', { ...CREATE, run_id });
  const { plan_token } = (await replyOf(open, 'legacy_apply_migration_run', { run_id })).value;
  const apply = { run_id, dry_run: false, confirm: true, plan_token };
  expect((await replyOf(open, 'legacy_apply_migration_run', apply)).value).toMatchObject({ status: 'completed' });
});
afterAll(() => testbed?.[Symbol.asyncDispose]());

/** Another router over the same runs. */
const besides = (variables: Record<string, string>) =>
  testbed.start({ SVC_MCP_STATE_DIR: join(open.folder, 'state'), ...variables });

test('a closed gate of the target: runs are read, not created, applied or rolled back', async () => {
  const closed = await besides({ SVC_MCP_MGMT_WRITES: '0' });
  const before = await testbed.written();
  const { confirm: _, ...preview } = CREATE;
  for (const [tool, args] of [
    ['legacy_preview_migration_run', preview],
    ['legacy_get_migration_run', { run_id }],
    ['legacy_list_migration_runs', {}],
    ['legacy_verify_migration_run', { run_id }],
    ['legacy_plan_migration_rollback', { run_id }],
  ] as const)
    expect(await replyOf(closed, tool, args, true), tool).toMatchObject({ isError: false });
  for (const [tool, args] of [
    ['legacy_create_migration_run', { ...CREATE, run_id: 'another' }],
    ['legacy_apply_migration_run', { run_id }],
    ['legacy_apply_migration_run', { run_id, dry_run: false, confirm: true, plan_token: 'x' }],
    ['legacy_execute_migration_rollback', { run_id }],
  ] as const)
    expect(await replyOf(closed, tool, args), tool).toMatchObject({
      isError: true,
      value: { code: 'blocked', status: 403 },
    });
  const { value } = await replyOf(closed, 'legacy_list_migration_runs', {}, true);
  expect((value as unknown as { items: { run_id: string }[] }).items.map((each) => each.run_id)).toEqual([run_id]);
  expect(await testbed.written()).toEqual(before);
});

test('the gate of the rollback is another one: without it an apply goes on and nothing is taken back', async () => {
  const closed = await besides({ SVC_MCP_LEGACY_ROLLBACK_WRITES: '0' });
  const before = await testbed.written();
  expect(await replyOf(closed, 'legacy_apply_migration_run', { run_id })).toMatchObject({ isError: false });
  for (const more of [{}, { dry_run: false, confirm: true, plan_token: 'x' }])
    expect(await replyOf(closed, 'legacy_execute_migration_rollback', { run_id, ...more })).toMatchObject({
      isError: true,
      value: { code: 'blocked', message: expect.stringContaining('SVC_MCP_LEGACY_ROLLBACK_WRITES') },
    });
  expect(await testbed.written()).toEqual(before);
});
