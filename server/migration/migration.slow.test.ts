/** The fake's `legacy-migration` bundle, moved to both targets over MCP and HTTP: read, planned, applied, verified, taken back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstallationTestbed, installationTestbed } from '../test/support/installation-testbed.ts';
import { Canaries, filesBelow } from '../test/support/secret-canary.ts';
import { NETWORK_PROFILES, type NetworkProfileType } from './network-profile.ts';

let testbed: InstallationTestbed;
const SECRETS = {
  'wlan:Mill-Home': { wpa_passphrase: 'Harbour-Kelp-4711-Seal' },
  'auth_server:radius:radius-1': { shared_secret: 'Otter-Wharf-8822-Pine' },
  'auth_server:radius:radius-2': { shared_secret: 'Gannet-Quay-3391-Fern' },
};

beforeAll(async () => {
  testbed = await installationTestbed({
    platforms: ['mgmt', 'legacy'],
    variables: { SVC_MCP_LEGACY_ROLLBACK_WRITES: '1', SVC_MCP_AUDIT_LOG: '1' },
  });
  await testbed.control('POST', '/reset', { fixture: 'legacy-migration' });
});
afterAll(async () => {
  await testbed?.[Symbol.asyncDispose]();
});

const call = async (name: string, args: Record<string, unknown>, dispatcher = 'invoke_tool') => {
  const answer = await testbed.ask(dispatcher, { name, arguments: args });
  if (answer.isError) throw new Error(`${name}: ${answer.text.slice(0, 600)}`);
  return answer.value;
};
const read = (name: string, args: Record<string, unknown>) => call(name, args, 'invoke_read_tool');

interface Entry {
  key: string;
  status: string;
  last_error?: string;
}

async function applied(run_id: string, target_secrets: object = {}): Promise<Entry[]> {
  const dry = await call('legacy_apply_migration_run', { run_id, dry_run: true, target_secrets });
  const controls = { dry_run: false, confirm: true, plan_token: dry['plan_token'], confirm_object: dry['object'] };
  const done = await call('legacy_apply_migration_run', { run_id, target_secrets, ...controls });
  return done['entries'] as Entry[];
}

const statesOf = (entries: readonly Entry[]): Record<string, string[]> => {
  const states: Record<string, string[]> = {};
  for (const { key, status } of entries) states[status] = [...(states[status] ?? []), key];
  return states;
};

/** Every row of the target platform; server-set times and the clock are no state of the installation's owner. */
async function rows(): Promise<Record<string, unknown[]>> {
  const { resources } = (await testbed.control('GET', '/state?platform=mgmt')) as { resources: Record<string, number> };
  const all: Record<string, unknown[]> = {};
  for (const name of Object.keys(resources))
    all[name] = ((await testbed.control('GET', `/state?platform=mgmt&resource=${name}`)) as { items: unknown[] }).items;
  return all;
}

const writes = async (after: number) =>
  (await testbed.ledger(after)).filter(({ capability }) => capability === 'write' || capability === 'destructive');
const lastSeq = async () => (await testbed.ledger()).at(-1)?.seq ?? 0;

const NEW = { config_path: '/md', target_type: 'new', scope_id: 'mill', persona: 'CAMPUS_AP' };
const GATEWAY = { ...NEW, persona: 'MOBILITY_GW' };
const VLANS = [1, 10, 20, 30, 40, 50, 60, 70, 99].map((id) => `vlan:${id}`);
const LIBRARY = [
  'auth_server:radius:radius-1',
  'auth_server:radius:radius-2',
  'dot1x_auth_profile:corp-eap',
  'mac_auth_profile:things-addresses',
  'server_group:corp-radius',
  'server_group:things-radius',
  'role:staff',
  'aaa_profile:staff-role-only',
];

test('every call of a network profile is a tool of the platform', () => {
  const types = Object.keys(NETWORK_PROFILES) as NetworkProfileType[];
  const tools = types.flatMap((type) => {
    const { noun, readOnly } = { readOnly: false, ...NETWORK_PROFILES[type] };
    return (readOnly ? ['get'] : ['get', 'create', 'update', 'delete']).map((verb) => `mgmt_${verb}_${noun}`);
  });
  expect(tools.filter((name) => testbed.catalog.tool(name) === undefined)).toEqual([]);
});

describe('new generation', () => {
  let before: Record<string, unknown[]>;
  let withVlans: Record<string, unknown[]>;

  test('a preview calls nothing that writes and shows a placeholder for each secret', async () => {
    before = await rows();
    const from = await lastSeq();
    const preview = await read('legacy_preview_migration_run', { ...NEW, selected_candidates: ['wlan:Mill-Home'] });
    expect(JSON.stringify(preview)).toContain('__runtime_secret_placeholder__');
    expect(await writes(from)).toEqual([]);
    expect(await rows()).toEqual(before);
  });

  test('VLANs: the state after apply is the plan, and a second run over it writes nothing', async () => {
    const create = { ...NEW, selected_candidates: VLANS, confirm: true, run_id: 'vlans' };
    expect(await call('legacy_create_migration_run', create)).toMatchObject({ created: true, status: 'pending' });
    expect(await call('legacy_create_migration_run', create)).toMatchObject({ created: false });
    expect(statesOf(await applied('vlans'))).toEqual({ applied: expect.arrayContaining(VLANS) });
    withVlans = await rows();
    const made = (withVlans['layer2-vlan-v1'] as { vlan_id: number; name: string }[]).filter(
      ({ vlan_id }) => vlan_id < 100,
    );
    expect(made.map(({ vlan_id, name }) => [vlan_id, name])).toEqual([
      [1, 'factory VLAN'],
      [10, 'management'],
      [20, 'office east'],
      [30, 'office west'],
      [40, 'guests'],
      [50, 'cafe'],
      [60, 'things'],
      [70, 'workshop scanners'],
      [99, 'uplink to the core'],
    ]);
    const from = await lastSeq();
    await call('legacy_create_migration_run', { ...create, run_id: 'vlans-again', conflict_policy: 'skip-existing' });
    expect(statesOf(await applied('vlans-again'))).toEqual({ skipped: expect.arrayContaining(VLANS) });
    await applied('vlans');
    expect(await writes(from)).toEqual([]);
    expect(await rows()).toEqual(withVlans);
  });

  test('the library for gateways: written once, assigned, verified, taken back to the same rows', async () => {
    const run_id = 'library';
    await call('legacy_create_migration_run', { ...GATEWAY, selected_candidates: LIBRARY, confirm: true, run_id });
    expect(statesOf(await applied(run_id, SECRETS))).toEqual({ applied: expect.arrayContaining(LIBRARY) });
    expect(await read('legacy_verify_migration_run', { run_id })).toMatchObject({
      counts: { verified: LIBRARY.length },
    });
    const { entries } = (await read('legacy_get_migration_run', { run_id })) as { entries?: object[] };
    expect(entries).toEqual(
      LIBRARY.map(() => expect.objectContaining({ verification: { verdict: 'verified', at: expect.any(String) } })),
    );
    const from = await lastSeq();
    await applied(run_id, SECRETS);
    expect(await writes(from)).toEqual([]);
    await rolledBack(run_id);
    expect(await rows()).toEqual(withVlans);
  });

  test('networks: what is clean is written, what is not says which rule refuses it', async () => {
    const run_id = 'networks';
    const create = { ...NEW, conflict_policy: 'skip-existing', cluster_name: 'mill-gw', cluster_scope_id: 'mill' };
    const refs = [
      ...VLANS,
      'wlan:Mill-Home',
      'wlan:Mill-Cafe',
      'wlan:Mill-Guest',
      'wlan:Mill-Mixed',
      'wlan:Mill-Scanners',
    ];
    await call('legacy_create_migration_run', { ...create, selected_candidates: refs, confirm: true, run_id });
    const entries = await applied(run_id, SECRETS);
    expect(statesOf(entries)).toEqual({
      skipped: VLANS.toSorted(),
      applied: ['wlan:Mill-Cafe', 'wlan:Mill-Home'],
      unsupported: ['wlan:Mill-Guest', 'wlan:Mill-Mixed', 'wlan:Mill-Scanners'],
    });
    const errorOf = (key: string) => entries.find((entry) => entry.key === key)?.last_error;
    expect(errorOf('wlan:Mill-Guest')).toMatch(/^unmapped-field: .*broadcast_filter/);
    expect(errorOf('wlan:Mill-Mixed')).toMatch(/^wlan\.no-aaa-profile/);
    expect(errorOf('wlan:Mill-Scanners')).toMatch(/^unmapped-field: .*wep_keys/);
    const home = (await read('mgmt_get_wlan_ssid', { ssid: 'Mill-Home' })) as Record<string, unknown>;
    expect(home).toMatchObject({ opmode: 'WPA3_SAE', 'vlan-id-range': ['30'], 'forward-mode': 'FORWARD_MODE_BRIDGE' });
    await rolledBack(run_id);
    expect(await rows()).toEqual(withVlans);
  });

  test('a VLAN has no verified reversal: its rollback is refused by name, and nothing is sent', async () => {
    const from = await lastSeq();
    const { items } = (await read('legacy_plan_migration_rollback', { run_id: 'vlans' })) as {
      items: { status: string }[];
    };
    expect(items.map(({ status }) => status)).toEqual(VLANS.map(() => 'refused'));
    const undo = (await rollback('vlans'))['undo'] as { status: string }[];
    expect(undo[0]).toMatchObject({ status: 'refused' });
    expect(undo.slice(1).every(({ status }) => status === 'not_attempted')).toBe(true);
    expect(await writes(from)).toEqual([]);
  });
});

async function rollback(run_id: string, conflict_policy = 'abort') {
  const dry = await call('legacy_execute_migration_rollback', { run_id, conflict_policy });
  const controls = { dry_run: false, confirm: true, plan_token: dry['plan_token'], confirm_object: run_id };
  return call('legacy_execute_migration_rollback', { run_id, conflict_policy, ...controls });
}

async function rolledBack(run_id: string): Promise<void> {
  const { undo } = (await rollback(run_id)) as { undo: { status: string }[] };
  expect(undo.length).toBeGreaterThan(0);
  expect(new Set(undo.map(({ status }) => status))).toEqual(new Set(['applied']));
}

describe('classic generation', () => {
  test('WPA3-SAE is written into the group the operator named and taken back; everything else stays unapplied', async () => {
    const start = await rows();
    const run_id = 'classic';
    const scope_name = 'classic-group-2';
    const create = { config_path: '/md', target_type: 'classic', scope_name, confirm: true, run_id };
    await call('legacy_create_migration_run', create);
    const entries = await applied(run_id, { 'wlan:Mill-Home': SECRETS['wlan:Mill-Home'] });
    const { applied: done, unsupported } = statesOf((await everyEntry(run_id)) ?? entries);
    expect(done).toEqual(['wlan:Mill-Home']);
    expect(unsupported).not.toContain('wlan:Mill-Home');
    const shown = await read('mgmt_get_classic_full_wlan', { target: scope_name, wlan: 'Mill-Home' });
    expect(shown).toMatchObject({ wlan: { opmode: 'wpa3-sae-aes', opmode_transition_disable: true, vlan: '30' } });
    const from = await lastSeq();
    await applied(run_id, { 'wlan:Mill-Home': SECRETS['wlan:Mill-Home'] });
    expect(await writes(from)).toEqual([]);
    expect(await read('legacy_verify_migration_run', { run_id, offset: 0 })).toMatchObject({
      total: entries.length > 49 ? expect.any(Number) : entries.length,
    });
    await rolledBack(run_id);
    expect(await rows()).toEqual(start);
  });
});

async function everyEntry(run_id: string): Promise<Entry[]> {
  const first = (await read('legacy_get_migration_run', { run_id })) as unknown as { entries: Entry[]; total: number };
  const rest = (await read('legacy_get_migration_run', { run_id, offset: 50 })) as unknown as { entries: Entry[] };
  return [...first.entries, ...rest.entries];
}

describe('the conditions of an apply', () => {
  test('without a dry run or a token it is refused, for an object that is there nobody is asked, and nothing is sent', async () => {
    const run_id = 'guarded';
    await call('legacy_create_migration_run', { ...NEW, selected_candidates: ['vlan:10'], confirm: true, run_id });
    const from = await lastSeq();
    const apply = (more: object) =>
      testbed.ask('invoke_tool', {
        name: 'legacy_apply_migration_run',
        arguments: { run_id, dry_run: false, ...more },
      });
    expect((await apply({ confirm: true, plan_token: 'x' })).value).toMatchObject({ code: 'dry_run_first' });
    const { plan_token } = await call('legacy_apply_migration_run', { run_id, dry_run: true });
    expect((await apply({})).value).toMatchObject({ code: 'confirmation_required' });
    expect((await apply({ confirm: true, plan_token: `${plan_token}x` })).value).toMatchObject({
      code: 'confirmation_required',
    });
    // An earlier run made the VLAN: there is no request to approve, so the token is not spent either.
    for (const _ of ['first', 'again'])
      expect((await apply({ confirm: true, plan_token })).value).toMatchObject({ counts: { blocked: 1 } });
    expect(await writes(from)).toEqual([]);
  });
  test('each write of an apply is on record by itself, and no secret is anywhere', () => {
    const text = [...filesBelow(testbed.folder)].filter(
      ({ path }) => !path.includes('/catalog/') && !path.includes('/tokens'),
    );
    const found = text.map(({ path, text: whole }) => [
      path,
      new Canaries(Object.values(SECRETS).flatMap((own) => Object.values(own))).in(whole),
    ]);
    expect(found.filter(([, piece]) => piece !== undefined)).toEqual([]);
    const audit = text.find(({ path }) => path.endsWith('tool-audit.jsonl'))?.text ?? '';
    expect(audit.includes('"tool":"mgmt_create_wlan_ssid"')).toBe(true);
    expect(
      new Canaries(Object.values(SECRETS).flatMap((own) => Object.values(own))).in(testbed.log.join('\n')),
    ).toBeUndefined();
  });
});
