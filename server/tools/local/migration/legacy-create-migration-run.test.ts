import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDispatch } from '../../../dispatch/open-dispatch.ts';
import { openCatalog } from '../../../open-catalog.ts';
import { createLogger } from '../../../telemetry/logger.ts';
import { nobody } from '../../../test/support/approvers.ts';
import { sampleInstallation } from '../../../test/support/sample-installation.ts';
import { openLocalTools } from '../registry.ts';

const RUN = {
  export: { vlans: [{ id: 77 }] },
  target_type: 'new',
  scope_id: 'site',
  persona: 'CAMPUS_AP',
  run_id: 'spring',
};

function opened() {
  const installation = sampleInstallation();
  const config = installation.config({ SVC_MCP_MGMT_WRITES: '1' });
  const { catalog } = openCatalog(config);
  const local = openLocalTools({ config, catalog, visible: () => true, choose: () => [] }, config.localToolsets);
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'), local);
  const texts: string[] = [];
  const ask = async (name: string, args: object) => {
    const call = {
      dispatcher: 'invoke_tool' as const,
      name,
      arguments: { ...args },
      principal: 'local',
      approver: nobody,
    };
    const result = await dispatch.invoke(call);
    if (result.kind === 'done') texts.push(result.text ?? '');
    return (result.kind === 'done' ? result.result : result) as Record<string, unknown>;
  };
  return {
    ask,
    /** The answers as they were told. */
    texts,
    runs: join(config.stateDir, 'migration-runs'),
    [Symbol.dispose]: () => {
      catalog.close();
      installation[Symbol.dispose]();
    },
  };
}

test('a dry run shows the run and keeps nothing, with or without confirm', async () => {
  using b = opened();
  for (const controls of [{ dry_run: true }, { dry_run: true, confirm: true }])
    expect(await b.ask('legacy_create_migration_run', { ...RUN, ...controls })).toMatchObject({
      status: 'dry_run',
      created: false,
      would_create: true,
      created_at: null,
      run_id: 'spring',
      entries: [{ key: 'vlan:77', status: 'pending' }],
      next_action: 'to create it: same arguments with confirm: true, without dry_run',
    });
  expect(existsSync(b.runs)).toBe(false);
  expect(await b.ask('legacy_list_migration_runs', {})).toMatchObject({ items: [] });
});

test('a dry run says whether a run of this name exists, and whether it holds something else', async () => {
  using b = opened();
  expect(await b.ask('legacy_create_migration_run', { ...RUN, confirm: true })).toMatchObject({ created: true });
  expect(await b.ask('legacy_create_migration_run', { ...RUN, dry_run: true })).toMatchObject({
    would_create: false,
    created_at: expect.any(String),
  });
  const other = { ...RUN, export: { vlans: [{ id: 78 }] }, dry_run: true };
  expect(await b.ask('legacy_create_migration_run', other)).toMatchObject({
    would_create: false,
    next_action: expect.stringMatching(/^choose another run_id/),
  });
  expect(await b.ask('legacy_get_migration_run', { run_id: 'spring' })).toMatchObject({
    entries: [{ key: 'vlan:77' }],
  });
});

test('preview and run show what nobody sees of a name, and a key that is copied from them is the key', async () => {
  using b = opened();
  const name = 'Gu\u200best\u00a0';
  const { run_id, ...from } = { ...RUN, export: { roles: [{ rname: name }] } };
  await b.ask('legacy_preview_migration_run', from);
  await b.ask('legacy_create_migration_run', { ...from, run_id, confirm: true });
  await b.ask('legacy_get_migration_run', { run_id, include_details: true });
  expect(b.texts).toHaveLength(3);
  for (const text of b.texts) {
    expect(text).toContain('"role:Gu\\u200best\\u00a0"');
    expect(text).not.toMatch(/[\u200b\u00a0]/);
    expect(JSON.stringify(JSON.parse(text))).toContain(`"role:${name}"`);
  }
});
