/** Runs carried out over a small platform: states, preconditions, and a cut at every point where power can fail. */
import { describe, expect, test } from 'vitest';
import { type Fields, network, type Parts, planFor } from '../test/migration/exports.ts';
import { type MemoryTarget, memoryTarget } from '../test/migration/memory-target.ts';
import type { TargetContext, ToolCall } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { type ApplyOptions, applyRun } from './apply.ts';
import { applyEvent, type ConflictPolicy, newRun, RUN_LIMITS, type Run, statusOf } from './migration-run.ts';
import { callsOf, plannedWrites } from './planned-writes.ts';
import { rollbackPlan, rollbackRun } from './rollback.ts';
import type { TargetPort } from './target-port.ts';
import { verifyEntry } from './verify.ts';

const AP: TargetContext = { target: 'new', scope_id: 'site', persona: 'CAMPUS_AP' };
const GATEWAY: TargetContext = { ...AP, persona: 'MOBILITY_GW' };
const OPEN = network({ opmode: 'opensystem' });
const SAE = network({ opmode: 'wpa3-sae-aes', wpa_passphrase: 'from the source' });
const SECRETS = { 'wlan:net': { wpa_passphrase: 'typed by hand' } };
const LIBRARY: Parts = {
  vlans: [{ id: 30 }],
  roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }], vlan: '30' }],
  aaa: {
    radius_servers: [{ name: 'r', host: '10.0.0.1', key: 'from the source' }],
    server_groups: [{ sg_name: 'g', auth_server: [{ name: 'r' }] }],
    dot1x_auth_profiles: [{ name: 'eap' }],
    aaa_profiles: [{ name: 'login', default_user_role: 'staff', dot1x_auth_profile: 'eap', rad_acct_sg: 'g' }],
  },
};
const LIBRARY_SECRETS = { 'auth_server:radius:r': { shared_secret: 'typed by hand' } };

let tick = 0;
const now = () => new Date(1_700_000_000_000 + tick++ * 1000).toISOString();

const runOf = (parts: Parts, target: TargetContext, policy: ConflictPolicy = 'fail'): Run =>
  newRun({
    target,
    policy,
    candidates: planFor(parts).candidates[target.target],
    secretsOf: (candidate) => adapterOf(candidate, target.target).secretsOf(candidate),
    now: now(),
  });

interface Try extends Partial<ApplyOptions> {
  run: Run;
  port: TargetPort;
}
const apply = (given: Try) =>
  applyRun({
    save: async () => {},
    secrets: {},
    dryRun: false,
    retryFailed: false,
    limit: RUN_LIMITS.candidates,
    offset: 0,
    now,
    ...given,
  });

async function applied(run: Run, port: TargetPort, more: Partial<ApplyOptions> = {}): Promise<Run> {
  await apply({ run, port, ...more, dryRun: true });
  await apply({ run, port, ...more });
  return run;
}

const states = (run: Run) => Object.fromEntries(run.candidates.map(({ key, status }) => [key, status]));
const errorOf = (run: Run, key: string) => run.candidates.find((entry) => entry.key === key)?.last_error;

describe('states', () => {
  test('pending → dry-run-complete → completed', async () => {
    const run = runOf(OPEN, AP);
    const target = memoryTarget();
    expect(run.status).toBe('pending');
    await apply({ run, port: target, dryRun: true });
    expect(run.status).toBe('dry-run-complete');
    expect(target.written).toEqual([]);
    await apply({ run, port: target });
    expect(run.status).toBe('completed');
    expect(states(run)).toEqual({ 'vlan:10': 'applied', 'wlan:net': 'applied' });
  });
  test('completed_with_issues when unsupported entries remain', async () => {
    const run = await applied(runOf({ ...OPEN, ap_groups: [{ name: 'g' }] }, AP), memoryTarget());
    expect(run.status).toBe('completed_with_issues');
    expect(states(run)['ap_group:g']).toBe('unsupported');
  });
  test('partial while something is blocked, completed once its cause is removed', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(SAE, AP), target);
    expect(run.status).toBe('partial');
    expect(errorOf(run, 'wlan:net')).toBe('secret-missing: target_secrets lacks wpa_passphrase');
    await applied(run, target, { secrets: SECRETS });
    expect(run.status).toBe('completed');
    expect(JSON.stringify(run)).not.toContain('typed by hand');
  });
  test('failed is tried again only with retry_failed', async () => {
    const target = memoryTarget();
    const refusing = { ...target, write: async () => ({ kind: 'refused' as const, message: 'no' }) };
    const run = await applied(runOf({ vlans: [{ id: 1 }] }, AP), refusing);
    expect(run.status).toBe('failed');
    await apply({ run, port: target });
    expect(states(run)).toEqual({ 'vlan:1': 'failed' });
    await apply({ run, port: target, retryFailed: true });
    expect(run.status).toBe('completed');
  });
  test('one retry goes on with what depends on an entry that failed first', async () => {
    const target = memoryTarget();
    const refusing = (call: ToolCall) =>
      call.tool === 'mgmt_create_layer2_vlan_v1'
        ? Promise.resolve({ kind: 'refused' as const, message: 'no' })
        : target.write(call);
    const GIVEN = { secrets: LIBRARY_SECRETS };
    const run = await applied(runOf(LIBRARY, GATEWAY), { ...target, write: refusing }, GIVEN);
    expect(states(run)).toMatchObject({ 'vlan:30': 'failed', 'role:staff': 'blocked', 'aaa_profile:login': 'blocked' });
    await apply({ run, port: target, ...GIVEN, dryRun: true });
    expect(errorOf(run, 'role:staff')).toBe('dependency-waiting: it depends on vlan:30, which is failed');
    await apply({ run, port: target, ...GIVEN, retryFailed: true, dryRun: true });
    const options = { run, port: target, ...GIVEN, retryFailed: true, limit: 500, offset: 0, now };
    expect(new Set((await plannedWrites(options)).map(({ key }) => key))).toEqual(
      new Set(['vlan:30', 'role:staff', 'aaa_profile:login']),
    );
    await apply({ run, port: target, ...GIVEN, retryFailed: true });
    expect(run.status).toBe('completed');
  });
  test('what depends on an entry that fails again waits on', async () => {
    const refusing = { ...memoryTarget(), write: async () => ({ kind: 'refused' as const, message: 'no' }) };
    const run = await applied(runOf(OPEN, AP), refusing);
    await applied(run, refusing, { retryFailed: true });
    expect(states(run)).toEqual({ 'vlan:10': 'failed', 'wlan:net': 'blocked' });
    expect(errorOf(run, 'wlan:net')).toMatch(/^dependency-waiting: /);
  });
  test('a write that was accepted and is not there afterwards is failed, never applied', async () => {
    const lying = { ...memoryTarget(), write: async () => ({ kind: 'done' as const }) };
    const run = await applied(runOf({ vlans: [{ id: 1 }] }, AP), lying);
    expect(errorOf(run, 'vlan:1')).toBe('VLAN 1: the write was accepted, and the read-back says absent');
  });
  test('final states take no further event', () => {
    const run = runOf({ vlans: [{ id: 1 }] }, AP);
    const [entry] = run.candidates;
    for (const event of ['rejected', 'blocked', 'failed', 'applied', 'skipped', 'dry-run-ok'] as const) {
      entry!.status = 'unsupported';
      expect(applyEvent(entry!, event, now())).toBe(false);
    }
    expect(statusOf(run)).toBe('pending');
  });
  test('ten attempts are kept', async () => {
    const run = runOf(SAE, AP);
    for (let i = 0; i < 8; i++) await applied(run, memoryTarget());
    expect(run.candidates.find(({ key }) => key === 'wlan:net')?.attempt_history).toHaveLength(10);
  });
});

describe('before an entry is written', () => {
  test('its own dry run has succeeded', async () => {
    const run = runOf({ vlans: [{ id: 1 }] }, AP);
    await apply({ run, port: memoryTarget() });
    expect(errorOf(run, 'vlan:1')).toBe('dry-run-first: no dry run of this entry succeeded');
  });
  test('what its dry run found in the way is still told after the apply', async () => {
    const target = memoryTarget();
    await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    const run = await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    expect(errorOf(run, 'vlan:30')).toMatch(/^object-exists: /);
  });

  test('what it depends on is applied or skipped', async () => {
    const run = runOf(LIBRARY, GATEWAY);
    run.candidates = run.candidates.filter(({ key }) => key !== 'role:staff');
    await applied(run, memoryTarget());
    expect(errorOf(run, 'aaa_profile:login')).toBe(
      'dependency-absent: it depends on role:staff, which is not part of the run',
    );
  });
  test('a VLAN that is left out is one that the target has', async () => {
    const without = (target: TargetContext) => {
      const run = runOf(OPEN, target, 'skip-existing');
      run.candidates = run.candidates.filter(({ key }) => key !== 'vlan:10');
      return run;
    };
    const target = memoryTarget();
    const missing = await applied(without(AP), target);
    expect([target.written, errorOf(missing, 'wlan:net')]).toEqual([
      [],
      'precondition-missing: neither the run nor the target has vlan:10',
    ]);
    await applied(runOf(OPEN, AP), target);
    const second = { ...AP, scope_id: 'second-site' };
    // One VLAN has one scope, so the run of the second site cannot have it.
    const whole = await applied(runOf(OPEN, second, 'skip-existing'), target);
    expect(states(whole)).toEqual({ 'vlan:10': 'blocked', 'wlan:net': 'blocked' });
    target.written.length = 0;
    const run = await applied(without(second), target);
    expect([states(run), target.written]).toEqual([
      { 'wlan:net': 'applied' },
      ['+assignment second-site/CAMPUS_AP/wlan-ssids/net'],
    ]);
    expect(target.objects.get('layer2_vlan_v1 10')?.['scope-map']).toMatchObject({ 'scope-id': 'site' });
  });
  test.each([
    ['x'.repeat(1_025), 'secret-too-long: wpa_passphrase should have at most 1024 characters, got 1025'],
    ['******', 'secret-redacted: wpa_passphrase is a redaction marker, not a secret'],
    ['<redacted:present>', 'secret-redacted: wpa_passphrase is a redaction marker, not a secret'],
    ['__runtime_secret_placeholder__', 'secret-redacted: wpa_passphrase is a redaction marker, not a secret'],
    ['', 'secret-missing: target_secrets lacks wpa_passphrase'],
  ])('its secrets are right: %#', async (wpa_passphrase, message) => {
    const run = await applied(runOf(SAE, AP), memoryTarget(), { secrets: { 'wlan:net': { wpa_passphrase } } });
    expect(errorOf(run, 'wlan:net')).toBe(message);
    expect(states(run)).toEqual({ 'vlan:10': 'applied', 'wlan:net': 'blocked' });
  });
  test('a dry-run-only entry never reaches applied or skipped', async () => {
    const parts = network({ opmode: 'wpa3-aes-ccm-128' }, {}, { dot1x_auth_profile: 'd' });
    const context: TargetContext = {
      target: 'classic',
      scope_name: 'g',
      external_object_references: { 'auth_server:net': 'r' },
    };
    const target = memoryTarget();
    const run = await applied(runOf(parts, context), target);
    expect(states(run)['wlan:net']).toBe('blocked');
    expect(target.written).toEqual([]);
  });
});

describe('what an AAA profile names and the export does not hold', () => {
  const DANGLING: Parts = {
    aaa: {
      aaa_profiles: [
        {
          profile_name: 'a',
          default_user_role: 'gone-role',
          dot1x_auth_profile: 'gone-eap',
          mac_auth_profile: 'gone-mac',
          rad_acct_sg: 'gone-group',
        },
      ],
    },
  };
  const KEY = 'aaa_profile:a';
  const NAMED = [
    'role gone-role',
    'dot1x_auth_profile gone-eap',
    'mac_auth_profile gone-mac',
    'server_group gone-group',
  ];
  const holding = (places: readonly string[]) =>
    memoryTarget(new Map(places.map((place) => [place, { name: place.split(' ')[1] }])));
  const questionOf = async (run: Run, port: TargetPort) => {
    const options = { run, port, secrets: {}, retryFailed: true, limit: 500, offset: 0, now };
    return (await plannedWrites(options)).map(({ key, step, how }) => `${key} ${step} ${how}`);
  };
  /** What the dry run says; the apply after it sends nothing. */
  const dryRunSays = async (run: Run, port: TargetPort) => {
    await apply({ run, port, dryRun: true });
    const said = errorOf(run, KEY);
    expect(await questionOf(run, port)).toEqual([]);
    await apply({ run, port });
    expect([states(run), errorOf(run, KEY)]).toEqual([{ [KEY]: 'blocked' }, said]);
    return said;
  };
  const lacks = (...refs: string[]) => `precondition-missing: neither the run nor the target has ${refs.join(', ')}`;

  test('is looked for at the target, and what is missing there is named: nothing is sent', async () => {
    const target = memoryTarget();
    const refs = NAMED.map((place) => place.replace(' ', ':'));
    expect(await dryRunSays(runOf(DANGLING, GATEWAY), target)).toBe(lacks(...refs));
    expect(target.written).toEqual([]);
  });
  test.each(NAMED)('%s alone is missing', async (place) => {
    const target = holding(NAMED.filter((each) => each !== place));
    expect(await dryRunSays(runOf(DANGLING, GATEWAY), target)).toBe(lacks(place.replace(' ', ':')));
    expect(target.written).toEqual([]);
  });
  test('once it is there, the profile is written', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(DANGLING, GATEWAY), target);
    for (const [place, value] of holding(NAMED).objects) target.objects.set(place, value);
    await apply({ run, port: target, dryRun: true });
    expect(await questionOf(run, target)).toEqual([`${KEY} 0 create`, `${KEY} 1 create`]);
    await apply({ run, port: target });
    expect(states(run)).toEqual({ [KEY]: 'applied' });
  });
  test.each(['create', 'update'] as const)(
    'that is gone since the dry run: no %s is asked about or sent',
    async (how) => {
      const target = holding(NAMED);
      if (how === 'update') target.objects.set('aaa_profile a', { name: 'a', auth_role: 'other' });
      const run = runOf(DANGLING, GATEWAY, 'update');
      await apply({ run, port: target, dryRun: true });
      expect((await questionOf(run, target))[0]).toBe(`${KEY} 0 ${how}`);
      target.objects.delete('role gone-role');
      expect(await questionOf(run, target)).toEqual([]);
      await apply({ run, port: target });
      expect([errorOf(run, KEY), target.written]).toEqual([lacks('role:gone-role'), []]);
    },
  );
  test('does not hide that the object itself is in the way', async () => {
    const target = memoryTarget(new Map([['aaa_profile a', { name: 'a', auth_role: 'other' }]]));
    expect(await dryRunSays(runOf(DANGLING, GATEWAY, 'skip-existing'), target)).toMatch(/^object-differs: /);
  });
  test('that cannot be read is not taken for missing', async () => {
    const target = holding(NAMED);
    const port: TargetPort = {
      read: async (call) =>
        call.tool === 'mgmt_get_role' ? { kind: 'unknown', message: 'timeout' } : target.read(call),
      write: target.write,
    };
    expect(await dryRunSays(runOf(DANGLING, GATEWAY), port)).toBe('target-unreadable: role:gone-role: timeout');
    expect(target.written).toEqual([]);
  });
  test('a profile that failed stays failed, with what is missing', async () => {
    const target = holding(NAMED);
    const refusing: TargetPort = { read: target.read, write: async () => ({ kind: 'refused', message: 'no' }) };
    const run = await applied(runOf(DANGLING, GATEWAY), refusing);
    target.objects.clear();
    await apply({ run, port: target, retryFailed: true });
    expect([states(run), target.written]).toEqual([{ [KEY]: 'failed' }, []]);
    expect(errorOf(run, KEY)).toMatch(/^precondition-missing: /);
  });
});

describe('an object that exists', () => {
  const there = (name: string) =>
    memoryTarget(
      new Map([
        [
          'layer2_vlan_v1 1',
          { vlan_id: 1, name, 'description-text': null, 'scope-map': { 'scope-id': 'site', persona: 'CAMPUS_AP' } },
        ],
      ]),
    );
  test.each([
    ['fail', '1', 'blocked', 0],
    ['fail', 'other', 'blocked', 0],
    ['skip-existing', '1', 'skipped', 0],
    ['skip-existing', 'other', 'blocked', 0],
    ['update', '1', 'skipped', 0],
    ['update', 'other', 'applied', 1],
  ] as const)('%s over one called %s: %s', async (policy, name, status, writes) => {
    const target = there(name);
    const run = await applied(runOf({ vlans: [{ id: 1 }] }, AP, policy), target);
    expect(states(run)).toEqual({ 'vlan:1': status });
    expect(target.written).toHaveLength(writes);
  });
});

test('a VLAN of another site is never taken away from it, not even by update', async () => {
  const elsewhere = { 'scope-id': 'other-site', persona: 'CAMPUS_AP' };
  const target = memoryTarget(
    new Map([['layer2_vlan_v1 1', { vlan_id: 1, name: '1', 'description-text': null, 'scope-map': elsewhere }]]),
  );
  const run = await applied(runOf({ vlans: [{ id: 1 }] }, AP, 'update'), target);
  expect([states(run), target.written]).toEqual([{ 'vlan:1': 'blocked' }, []]);
  expect(errorOf(run, 'vlan:1')).toMatch(/^object-differs: .*scope-map \(mismatch\)/);
});

describe('an update at the new generation', () => {
  const role: Parts = { roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }] }] };
  const isolated = network({ opmode: 'wpa3-sae-aes', wpa_passphrase: 'x' }, { deny_inter_user: true });
  const changed = async (parts: Parts, target: TargetContext, place: string, there: Fields) => {
    const secrets = parts === SAE || parts === isolated ? SECRETS : {};
    const port = memoryTarget();
    await applied(runOf(parts, target), port, { secrets });
    const before = { ...port.objects.get(place), ...there };
    port.objects.set(place, before);
    const run = await applied(runOf(parts, target, 'update'), port, { secrets });
    const changes = JSON.stringify(port.objects.get(place)) !== JSON.stringify(before);
    return [changes, errorOf(run, parts === role ? 'role:staff' : 'wlan:net')?.split(':')[0]];
  };
  test.each<[string, Parts, TargetContext, string, Fields]>([
    ['an open network over one of WPA3', OPEN, AP, 'wlan_ssid net', { opmode: 'WPA3_SAE' }],
    ['a network over one that keeps its clients apart', SAE, AP, 'wlan_ssid net', { 'client-isolation': true }],
    ['a role that allows everything over a restricted one', role, GATEWAY, 'role staff', { 'allow-all': false }],
  ])('takes no protection away: %s', async (_, parts, target, place, there) => {
    expect(await changed(parts, target, place, there)).toEqual([false, 'object-differs']);
  });
  test.each<[string, Parts, TargetContext, string, Fields]>([
    ['SAE in the place of WPA2', SAE, AP, 'wlan_ssid net', { opmode: 'WPA2_PERSONAL' }],
    ['clients that are kept apart', isolated, AP, 'wlan_ssid net', { 'client-isolation': false }],
    ['another VLAN of an open network', OPEN, AP, 'wlan_ssid net', { 'vlan-id-range': ['99'] }],
    ['a role that differs otherwise', role, GATEWAY, 'role staff', { 'allow-all': true, name: 'other' }],
  ])('still writes %s', async (_, parts, target, place, there) => {
    expect(await changed(parts, target, place, there)).toEqual([true, undefined]);
  });
});

test('a network of the classic generation is never opened by an update', async () => {
  const classic: TargetContext = { target: 'classic', scope_name: 'shops' };
  const target = memoryTarget();
  await applied(runOf(SAE, classic), target, { secrets: SECRETS });
  const before = new Map(target.objects);
  const run = await applied(runOf(OPEN, classic, 'update'), target);
  expect(errorOf(run, 'wlan:net')).toMatch(/^object-differs: /);
  expect(target.objects).toEqual(before);
});

test.each<[string, (there: Fields & { wlan: Fields }) => Fields]>([
  ['access rules', (there) => ({ ...there, access_rule: { name: 'net', action: [{ action: 'deny' }] } })],
  ['isolation of its clients', (there) => ({ ...there, wlan: { ...there.wlan, user_bridging: true } })],
  ['portal', (there) => ({ ...there, wlan: { ...there.wlan, captive_profile_name: 'guests', vlan: '99' } })],
])('a classic network of the target never loses its %s, not even by update', async (_, restricted) => {
  const classic: TargetContext = { target: 'classic', scope_name: 'shops' };
  const target = memoryTarget();
  await applied(runOf(SAE, classic), target, { secrets: SECRETS });
  const [place, there] = [...target.objects].find(([name]) => name.includes('full_wlan')) as [string, { wlan: Fields }];
  target.objects.set(place, restricted(there));
  const run = await applied(runOf(SAE, classic, 'update'), target, { secrets: SECRETS });
  expect(errorOf(run, 'wlan:net')).toMatch(/^object-differs: /);
  expect(target.objects.get(place)).toEqual(restricted(there));
});

describe('an object that exists with a secret that no read shows', () => {
  const NEW = 'typed by hand';
  const RADIUS: Parts = { aaa: { radius_servers: [{ name: 'r', host: '10.0.0.1', key: 'from the source' }] } };
  const GIVEN = { secrets: { 'auth_server:radius:r': { shared_secret: NEW } } };
  const there = () => {
    const secret = { 'secret-type': 'PLAIN_TEXT', 'plaintext-value': 'the old one' };
    const shown = {
      name: 'r',
      type: 'RADIUS',
      'auth-server-address': '10.0.0.1',
      'auth-port': 1812,
      'acct-port': 1813,
    };
    return memoryTarget(new Map([['auth_server r', { ...shown, 'shared-secret-config': secret }]]));
  };
  const secretAt = ({ objects }: MemoryTarget) => JSON.stringify(objects.get('auth_server r'));
  const writes = ({ written }: MemoryTarget) => written.filter((each) => each === '+auth_server r').length;
  const verdictOf = async (run: Run, port: TargetPort) => (await verifyEntry(run.candidates[0]!, run, port)).verdict;

  test('update writes it, although everything else is equal, and both dry run and question say so', async () => {
    const target = there();
    const run = runOf(RADIUS, GATEWAY, 'update');
    await apply({ run, port: target, ...GIVEN, dryRun: true });
    expect(run.candidates[0]?.last_result).toBe('would be updated: a read does not show its secret');
    const options = { run, port: target, ...GIVEN, retryFailed: false, limit: 500, offset: 0, now };
    expect(await plannedWrites(options)).toMatchObject([
      { step: 0, how: 'update', found: 'there, and the same in all that a read shows' },
      { step: 1, how: 'create' },
    ]);
    await apply({ run, port: target, ...GIVEN });
    expect([states(run), secretAt(target)]).toEqual([
      { 'auth_server:radius:r': 'applied' },
      expect.stringContaining(NEW),
    ]);
    expect(await verdictOf(run, target)).toBe('verified');
    await applied(run, target, GIVEN);
    expect(writes(target)).toBe(1);
  });
  test.each([
    ['a bridged network', AP, network({ opmode: 'wpa2-psk-aes' }), 'wlan_ssid net'],
    [
      'a tunnelled network',
      { ...AP, cluster_name: 'c', cluster_scope_id: 'cs' },
      network({ opmode: 'wpa3-sae-aes' }, { forward_mode: 'tunnel' }),
      'wlan_ssid net',
    ],
    ['a classic network', { target: 'classic', scope_name: 'g' } as TargetContext, SAE, 'classic_full_wlan net'],
  ] as [string, TargetContext, Parts, string][])(
    'update writes the passphrase of %s',
    async (_, context, parts, place) => {
      const target = memoryTarget();
      const old = { 'wlan:net': { wpa_passphrase: 'the old one' } };
      await applied(runOf(parts, context), target, { secrets: old });
      target.written.length = 0;
      const run = await applied(runOf(parts, context, 'update'), target, { secrets: SECRETS });
      expect(target.written).toEqual([`+${place}`]);
      expect(JSON.stringify(target.objects.get(place))).toContain('typed by hand');
      expect(states(run)['wlan:net']).toBe('applied');
    },
  );
  test.each(['typed by hand', 'PLAIN_TEXT', 'RADIUS', '10.0.0.1'])(
    'only the place of the secret is masked in the question, whatever the secret is: %s',
    async (shared_secret) => {
      const run = runOf(RADIUS, GATEWAY);
      await apply({ run, port: memoryTarget(), dryRun: true });
      const secrets = { 'auth_server:radius:r': { shared_secret } };
      const options = { run, port: memoryTarget(), secrets, retryFailed: false, limit: 500, offset: 0, now };
      const [call] = callsOf(await plannedWrites(options), options);
      expect(call?.secretsAt).toEqual(['/shared-secret-config/plaintext-value']);
    },
  );
  test('skip-existing leaves it, and a verification cannot tell whose secret it is', async () => {
    const target = there();
    const run = await applied(runOf(RADIUS, GATEWAY, 'skip-existing'), target, GIVEN);
    expect([writes(target), await verdictOf(run, target)]).toEqual([0, 'partially_verified']);
  });
  test('an update leaves a server of another type', async () => {
    const target = there();
    target.objects.set('auth_server r', { ...target.objects.get('auth_server r'), type: 'LDAP' });
    const run = await applied(runOf(RADIUS, GATEWAY, 'update'), target, GIVEN);
    expect([writes(target), errorOf(run, 'auth_server:radius:r')]).toEqual([
      0,
      'object-differs: the object exists and differs in type (mismatch)',
    ]);
  });
  test('an update that was not acknowledged is told, and sent again by retry_failed only', async () => {
    const target = there();
    const unsure: TargetPort = {
      read: target.read,
      write: async (call) =>
        call.tool === 'mgmt_update_auth_server' ? { kind: 'outcome_unknown', message: 'timeout' } : target.write(call),
    };
    const run = await applied(runOf(RADIUS, GATEWAY, 'update'), unsure, GIVEN);
    expect(errorOf(run, 'auth_server:radius:r')).toMatch(
      /no read tells whether it arrived; retry_failed sends it again$/,
    );
    await apply({ run, port: target, ...GIVEN });
    expect([writes(target), states(run)]).toEqual([0, { 'auth_server:radius:r': 'failed' }]);
    await apply({ run, port: target, ...GIVEN, retryFailed: true });
    expect([states(run), secretAt(target)]).toEqual([
      { 'auth_server:radius:r': 'applied' },
      expect.stringContaining(NEW),
    ]);
  });
  test('power fails at every point: no secret is sent twice unless somebody asks for it', async () => {
    const dry = runOf(RADIUS, GATEWAY, 'update');
    await apply({ run: dry, port: there(), ...GIVEN, dryRun: true });
    const start = JSON.stringify(dry);
    const ends = new Set<string>();
    for (let at = 0; ; at++) {
      const target = there();
      const disk = { text: start };
      const { port, save } = failing(target, disk, at);
      const isCut = await apply({ run: JSON.parse(start), port, save, ...GIVEN }).then(
        () => false,
        (error) => error instanceof PowerCut,
      );
      if (!isCut) break;
      const left = JSON.parse(disk.text) as Run;
      await apply({ run: left, port: target, ...GIVEN });
      expect(writes(target), `at ${at}`).toBeLessThanOrEqual(1);
      const [entry] = left.candidates;
      ends.add(`${entry?.status} ${writes(target)}`);
      if (entry?.status !== 'applied') await apply({ run: left, port: target, ...GIVEN, retryFailed: true });
      expect([entry?.status, secretAt(target)], `at ${at}`).toEqual(['applied', expect.stringContaining(NEW)]);
    }
    expect(ends).toEqual(new Set(['applied 1', 'failed 0', 'failed 1']));
  });
});

describe('second apply, verify and rollback', () => {
  test('a second apply writes nothing', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    expect(run.status).toBe('completed');
    const count = target.written.length;
    await applied(run, target, { secrets: LIBRARY_SECRETS });
    expect(target.written).toHaveLength(count);
  });
  test('objects and assignments are verified apart', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    const role = run.candidates.find(({ key }) => key === 'role:staff')!;
    expect(await verifyEntry(role, run, target)).toEqual({
      key: 'role:staff',
      verdict: 'verified',
      assignment_verification: 'verified',
    });
    target.objects.delete('assignment site/MOBILITY_GW/roles/staff');
    expect(await verifyEntry(role, run, target)).toMatchObject({
      verdict: 'verified',
      assignment_verification: 'failed',
    });
  });
  test('rollback reverts writes with a verified reversal, last first, and refuses the rest by name', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    const made = target.written.filter((each) => !each.includes('vlan')).map((each) => each.replace('+', '-'));
    target.written.length = 0;
    expect(
      rollbackPlan(run)
        .filter(({ status }) => status === 'refused')
        .map(({ key }) => key),
    ).toEqual(['vlan:30']);
    await rollbackRun({ run, port: target, save: async () => {}, policy: 'continue', now });
    expect(target.written).toEqual(made.reverse());
    expect([...target.objects.keys()]).toEqual(['layer2_vlan_v1 30']);
  });
  test('an object that changed since is left alone', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    target.objects.set('role staff', { name: 'staff', 'allow-all': false });
    const undo = await rollbackRun({ run, port: target, save: async () => {}, policy: 'continue', now });
    expect(undo.find(({ what }) => what === 'roles staff')).toMatchObject({ status: 'refused' });
    expect(target.objects.has('role staff')).toBe(true);
  });
  test('an object of which somebody changed another field than the run wrote is left alone, and the field is named', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    const role = { ...(target.objects.get('role staff') as Fields) };
    target.objects.set('role staff', { ...role, description: 'kept by the night shift' });
    const undo = () => rollbackRun({ run, port: target, save: async () => {}, policy: 'continue', now });
    expect((await undo()).find(({ what }) => what === 'roles staff')).toMatchObject({
      status: 'refused',
      message: 'it was changed since the run made it: description',
    });
    expect(target.objects.has('role staff')).toBe(true);
    target.objects.set('role staff', role);
    expect((await undo()).find(({ what }) => what === 'roles staff')).toMatchObject({ status: 'applied' });
  });
  test('of an object of very many fields a run keeps one digest, which is enough to leave it alone', async () => {
    const target = memoryTarget();
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field-${n}`, n]));
    const wide: TargetPort = {
      ...target,
      read: async (call) => {
        const answer = await target.read(call);
        return answer.kind === 'found' && call.tool === 'mgmt_get_role'
          ? { kind: 'found', value: { ...many, ...(answer.value as Fields) } }
          : answer;
      },
    };
    const run = await applied(runOf(LIBRARY, GATEWAY), wide, { secrets: LIBRARY_SECRETS });
    const images = run.candidates.flatMap(({ steps }) => steps.map(({ image = {} }) => JSON.stringify(image).length));
    expect(Math.max(...images)).toBeLessThanOrEqual(2_048);
    many['field-499'] = -1;
    const undo = await rollbackRun({ run, port: wide, save: async () => {}, policy: 'continue', now });
    expect(undo.find(({ what }) => what === 'roles staff')).toMatchObject({
      status: 'refused',
      message: 'it was changed since the run made it: object',
    });
  });
  test('no digest that a run keeps depends on a secret, also where the target shows it', async () => {
    const imagesWith = async (wpa_passphrase: string) => {
      const run = await applied(runOf(SAE, AP), memoryTarget(), { secrets: { 'wlan:net': { wpa_passphrase } } });
      return run.candidates.flatMap(({ steps }) => steps.flatMap(({ image }) => (image ? [image] : [])));
    };
    const images = await imagesWith('typed by hand');
    expect(images.length).toBeGreaterThan(1);
    expect(await imagesWith('another passphrase')).toEqual(images);
  });
});

describe('an apply after a rollback', () => {
  const rollback = (run: Run, port: TargetPort, policy: 'abort' | 'continue' = 'continue') =>
    rollbackRun({ run, port, save: async () => {}, policy, now });
  const refusing = (target: MemoryTarget, isRefused: (call: ToolCall) => boolean): TargetPort => ({
    read: target.read,
    write: async (call) => (isRefused(call) ? { kind: 'refused', message: 'no' } : target.write(call)),
  });
  const airAssignment = ({ tool, arguments: args }: ToolCall) =>
    tool === 'mgmt_create_config_assignments' && JSON.stringify(args).includes('wlan-ssids');
  const TUNNELLED = network({ opmode: 'opensystem' }, { forward_mode: 'tunnel' });
  const OVERLAY: TargetContext = { ...AP, cluster_name: 'c', cluster_scope_id: 'cs' };
  const tunnels = {
    profile: 'net',
    'essid-name': 'net',
    'overlay-profile-type': 'WIRELESS',
    'gw-cluster-list': [{ cluster: 'c', 'cluster-scope-id': 'cs', 'tunnel-type': 'GRE', 'cluster-type': 'PRIMARY' }],
  };

  test('makes everything again that was taken back, after a dry run of its own', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    const whole = new Map(target.objects);
    await rollback(run, target);
    const { 'vlan:30': vlan, ...others } = states(run);
    expect([vlan, new Set(Object.values(others)), run.status]).toEqual(['applied', new Set(['pending']), 'partial']);
    await apply({ run, port: target, secrets: LIBRARY_SECRETS });
    expect(errorOf(run, 'role:staff')).toMatch(/^dry-run-first: /);
    await applied(run, target, { secrets: LIBRARY_SECRETS });
    expect(run.status).toBe('completed');
    expect(target.objects).toEqual(whole);
    expect(run.candidates.filter((entry) => entry.key !== 'vlan:30' && entry.rollback)).toEqual([]);
  });
  test('a run of which nothing is left is pending, until its next dry run', async () => {
    const target = memoryTarget();
    const role: Parts = { roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }] }] };
    const run = await applied(runOf(role, GATEWAY), target);
    run.candidates[0]!.verification = { verdict: 'verified', at: now() };
    await rollback(run, target);
    expect([run.status, run.candidates[0]]).toMatchObject([
      'pending',
      { status: 'pending', retryable: true, dry_run_ok: false, steps: [], last_error: null },
    ]);
    expect(run.candidates[0]!.verification).toBeUndefined();
    await apply({ run, port: target, dryRun: true });
    expect([run.status, run.candidates[0]?.last_result]).toEqual(['dry-run-complete', 'would be created']);
  });
  test('writes nothing that depends on an object which was taken back', async () => {
    const target = memoryTarget();
    const parts: Parts = {
      roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }] }],
      aaa: { aaa_profiles: [{ profile_name: 'corp', default_user_role: 'staff' }] },
    };
    const run = await applied(
      runOf(parts, GATEWAY),
      refusing(target, ({ tool }) => tool === 'mgmt_create_aaa_profile'),
    );
    expect(states(run)).toEqual({ 'role:staff': 'applied', 'aaa_profile:corp': 'failed' });
    await rollback(run, target, 'abort');
    expect(run.status).toBe('failed');
    await apply({ run, port: target, retryFailed: true });
    expect([...target.objects.keys()]).toEqual([]);
    await applied(run, target, { retryFailed: true });
    expect(run.status).toBe('completed');
    expect([...target.objects.keys()]).toContain('role staff');
  });
  test.each([
    ['that was found', new Map([['overlay_wlan net', tunnels]]), () => false],
    ['whose deletion is refused', new Map(), ({ tool }: ToolCall) => tool === 'mgmt_delete_overlay_wlan'],
  ])('takes no step for another one behind an object %s', async (_, there, stays) => {
    const target = memoryTarget(new Map(there));
    const run = await applied(runOf(TUNNELLED, OVERLAY, 'skip-existing'), refusing(target, airAssignment));
    expect(states(run)['wlan:net']).toBe('failed');
    await rollback(run, refusing(target, stays));
    expect([...target.objects.keys()].toSorted()).toEqual(['layer2_vlan_v1 10', 'overlay_wlan net']);
    const options = { run, port: target, secrets: {}, retryFailed: false, limit: 500, offset: 0, now };
    await apply({ run, port: target, dryRun: true });
    expect((await plannedWrites(options)).map(({ key, step }) => `${key} ${step}`)).toEqual([
      'wlan:net 0',
      'wlan:net 2',
      'wlan:net 3',
    ]);
    await apply({ run, port: target });
    expect(run.status).toBe('completed');
    expect([...target.objects.keys()]).toContain('wlan_ssid net');
    await rollback(run, target);
    expect([...target.objects.keys()].filter((each) => !each.includes('vlan_v1'))).toEqual([...there.keys()]);
  });
  test('of which nothing was taken back changes nothing', async () => {
    const target = memoryTarget();
    const run = await applied(runOf(LIBRARY, GATEWAY), target, { secrets: LIBRARY_SECRETS });
    const before = structuredClone(run.candidates.map(({ status, steps }) => ({ status, steps })));
    await rollback(
      run,
      refusing(target, ({ tool }) => tool.startsWith('mgmt_delete')),
    );
    expect(run.candidates.map(({ status, steps }) => ({ status, steps }))).toEqual(before);
    expect(run.status).toBe('completed');
  });
});

class PowerCut extends Error {}

/** Ends everything at the n-th point: before or after a read, a write or a save. */
function failing(
  target: MemoryTarget,
  disk: { text: string },
  at: number,
): { port: TargetPort; save: (run: Run) => Promise<void>; points: () => number } {
  let point = 0;
  const cut = () => {
    if (point++ === at) throw new PowerCut();
  };
  const around =
    <In, Out>(work: (value: In) => Promise<Out>) =>
    async (value: In) => {
      cut();
      const answer = await work(value);
      cut();
      return answer;
    };
  return {
    port: { read: around(target.read), write: around(target.write) },
    save: async (run) => {
      cut();
      disk.text = JSON.stringify(run);
      cut();
    },
    points: () => point,
  };
}

describe('power fails', () => {
  test('at every point of an apply: nothing acknowledged is lost, nothing is written twice, and the next apply ends the same', async () => {
    const whole = memoryTarget();
    const done = await applied(runOf(LIBRARY, GATEWAY), whole, { secrets: LIBRARY_SECRETS });
    const dry = runOf(LIBRARY, GATEWAY);
    await apply({ run: dry, port: memoryTarget(), dryRun: true });
    const start = JSON.stringify(dry);
    let points = 0;
    for (let at = 0; ; at++) {
      const target = memoryTarget();
      const disk = { text: start };
      const power = failing(target, disk, at);
      let cut = false;
      try {
        await apply({ run: JSON.parse(start), port: power.port, save: power.save, secrets: LIBRARY_SECRETS });
      } catch (error) {
        if (!(error instanceof PowerCut)) throw error;
        cut = true;
      }
      if (!cut) break;
      points++;
      const left = JSON.parse(disk.text) as Run;
      for (const { steps } of left.candidates)
        for (const { state, what } of steps)
          if (state === 'verified') expect(target.written.length, `${what} at ${at}`).toBeGreaterThan(0);
      await apply({ run: left, port: target, secrets: LIBRARY_SECRETS });
      expect(new Set(target.written).size).toBe(target.written.length);
      expect(target.objects).toEqual(whole.objects);
      expect(states(left)).toEqual(states(done));
    }
    expect(points).toBeGreaterThanOrEqual(60);
  });
  test('at every point of a rollback: an apply makes again what is gone, and no other object is taken for applied', async () => {
    const whole = memoryTarget();
    const done = await applied(runOf(LIBRARY, GATEWAY), whole, { secrets: LIBRARY_SECRETS });
    const start = JSON.stringify(done);
    let points = 0;
    for (let at = 0; ; at++) {
      const target = memoryTarget(new Map(whole.objects));
      const disk = { text: start };
      const { port, save } = failing(target, disk, at);
      const run = JSON.parse(start) as Run;
      const isCut = await rollbackRun({ run, port, save, policy: 'continue', now }).then(
        () => false,
        (error) => error instanceof PowerCut,
      );
      if (!isCut) break;
      points++;
      const left = JSON.parse(disk.text) as Run;
      expect(left.status, `at ${at}`).toBe(statusOf(left));
      for (const entry of left.candidates.filter(({ status }) => status === 'applied'))
        expect(await verifyEntry(entry, left, target), `${entry.key} at ${at}`).toMatchObject({ verdict: 'verified' });
      await applied(left, target, { secrets: LIBRARY_SECRETS });
      expect([target.objects, states(left)], `at ${at}`).toEqual([whole.objects, states(done)]);
    }
    expect(points).toBeGreaterThanOrEqual(60);
  });
  test('before the intent is on disk: nothing is sent', async () => {
    const run = runOf({ vlans: [{ id: 1 }] }, AP);
    await apply({ run, port: memoryTarget(), dryRun: true });
    const target = memoryTarget();
    const full = async () => {
      throw new Error('no space left');
    };
    await expect(apply({ run, port: target, save: full })).rejects.toThrow('no space left');
    expect(target.written).toEqual([]);
  });
});
