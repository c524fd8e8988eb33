/** An object that the documents of the target do not take is manual in the plan, and refused by a dry run. */
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { openCatalog } from '../open-catalog.ts';
import { type Fields, network, type Parts, planFor } from '../test/migration/exports.ts';
import { memoryTarget } from '../test/migration/memory-target.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';
import { brokenRules, placeholdersOf, type TargetContext } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { applyRun } from './apply.ts';
import { faultsBy } from './call-faults.ts';
import { isAutomatic, TARGETS, type Target } from './classification.ts';
import { newRun, RUN_LIMITS } from './migration-run.ts';
import type { PlannedCandidate } from './plan.ts';
import { countsOf, refusalsIn } from './plan-counts.ts';
import { planPage } from './plan-page.ts';
import { previewOf } from './preview.ts';

const folder = shippedCatalog();
const env = { SVC_MCP_DOTENV: '0', SVC_MCP_CATALOG_DIR: folder, CREDS_PATH: `${folder}/none` };
const { catalog } = openCatalog(loadConfig({ env, cwd: folder }));
afterAll(() => catalog.close());
const faultOf = faultsBy(catalog);

const OPEN = { opmode: 'opensystem' };
const role = (fields: Fields): Parts => ({ roles: [{ role__acl: [{ pname: 'allowall' }], ...fields }] });
const called = (name: string): Parts => {
  const { ssid_profiles, virtual_aps, ...others } = network(OPEN);
  const [ssid, vap] = [ssid_profiles, virtual_aps].map((list) => list?.[0] as Fields);
  return { ...others, ssid_profiles: [{ ...ssid, essid: name }], virtual_aps: [{ ...vap, profile_name: name }] };
};
const servers = (count: number): Record<string, Fields[]> => {
  const names = Array.from({ length: count }, (_, index) => `r${index}`);
  return {
    radius_servers: names.map((rad_server_name) => ({ rad_server_name, host: '10.0.0.1' })),
    server_groups: [{ sg_name: 'g', auth_server: names.map((name) => ({ name })) }],
  };
};

const CASES: [what: string, parts: Parts, ref: string, why: RegExp][] = [
  ['a DTIM period', network({ ...OPEN, dtim_period: 20 }), 'wlan:net', /dtim-period` must be <= 10, got 20/],
  ['a role in a VLAN', role({ rname: 'r', vlan: '5000' }), 'role:r', /vlan-id` must be <= 4094, got 5000/],
  ['too long a name', called('x'.repeat(33)), `wlan:${'x'.repeat(33)}`, /ssid` must NOT have more than 32/],
  ['a network called ..', called('..'), 'wlan:..', /ssid` should be a name that can stand in a path/],
  ['a role called ..', role({ rname: '..' }), 'role:..', /name` should be a name that can stand in a path/],
  ['too many VLANs', network(OPEN, { vlan: '10-49' }), 'wlan:net', /vlan-id-range` must NOT have more than 32/],
  ['too long a remark', { vlans: [{ id: 10, descr: 'd'.repeat(200) }] }, 'vlan:10', /description-text/],
  ['too many servers', { aaa: servers(13) }, 'server_group:g', /servers` must NOT have more than 12 items/],
];
const AT: TargetContext = { target: 'new', scope_id: 'site', persona: 'CAMPUS_AP' };
const contextOf = ({ object_type }: PlannedCandidate, target: Target): TargetContext => ({
  ...AT,
  target,
  scope_name: 'group',
  cluster_name: 'c',
  cluster_scope_id: 'site',
  persona: object_type === 'wlan' || object_type === 'vlan' ? 'CAMPUS_AP' : 'MOBILITY_GW',
});
const found = (parts: Parts, ref: string): PlannedCandidate => {
  const one = planFor(parts).candidates.new.find((each) => `${each.object_type}:${each.identifier}` === ref);
  if (one === undefined) throw new Error(`expected ${ref} in the plan`);
  return one;
};

describe.each(CASES)('%s that the target does not take', (_, parts, ref, why) => {
  test('is manual, with the reason', () => {
    const plan = planFor(parts);
    const refused = refusalsIn(plan, 'new', faultOf);
    expect(refused.get(ref)).toEqual([
      { rule: 'target-schema', refusal: 'error', message: expect.stringMatching(why) },
    ]);
    expect(countsOf(plan, 'new', refused)['manual']).toBe(1);
    expect(planPage(plan, 'new', refused)).toContain('refused: AdapterError: the target does not take it');
    const candidate = found(parts, ref);
    const shown = previewOf(candidate, contextOf(candidate, 'new'), refused.get(ref));
    expect(shown).toMatchObject({ status: 'unsupported', operations: [], blockers: [{ rule: 'target-schema' }] });
  });
  test('is refused by a dry run', async () => {
    const candidate = found(parts, ref);
    const run = newRun({
      target: contextOf(candidate, 'new'),
      policy: 'fail',
      candidates: [candidate],
      secretsOf: () => [],
      now: 'now',
    });
    const given = { secrets: {}, retryFailed: false, limit: RUN_LIMITS.candidates, offset: 0, now: () => 'now' };
    const save = async () => {};
    await applyRun({ ...given, run, port: { ...memoryTarget(), faultOf }, save, dryRun: true });
    expect(run.candidates[0]).toMatchObject({ status: 'unsupported', last_error: expect.stringMatching(why) });
  });
});

test.each([
  ['new', 'wpa2-psk-aes'],
  ['classic', 'wpa3-sae-aes'],
] as const)(
  'a passphrase that a %s target does not take is told by the dry run, without it, and another one is taken',
  async (target, opmode) => {
    const whole = planFor(network({ opmode, wpa_passphrase: 'from the source' }));
    const run = newRun({
      target: { ...AT, target, scope_name: 'group' },
      policy: 'fail',
      candidates: whole.candidates[target],
      secretsOf: (candidate) => adapterOf(candidate, target).secretsOf(candidate),
      now: 'now',
    });
    const port = { ...memoryTarget(), faultOf };
    const tried = async (wpa_passphrase: string, dryRun: boolean) => {
      const secrets = { 'wlan:net': { wpa_passphrase } };
      const given = { retryFailed: false, limit: RUN_LIMITS.candidates, offset: 0, now: () => 'now' };
      await applyRun({ ...given, run, port, secrets, dryRun, save: async () => {} });
      const { status, last_error } = run.candidates.find(({ key }) => key === 'wlan:net') ?? {};
      return [status, last_error];
    };
    const refused = (got: number) => [
      'blocked',
      expect.stringMatching(`^secret-unfit: .*8 to 63 .*got ${got} characters$`),
    ];
    for (const unfit of ['shorty1', 'g'.repeat(64), `${'0'.repeat(64)}0`]) {
      expect(await tried(unfit, true)).toEqual(refused(unfit.length));
      expect(await tried(unfit, false)).toEqual(refused(unfit.length));
      expect(JSON.stringify(run)).not.toContain(unfit);
    }
    expect(await tried('long enough', true)).toEqual(['pending', null]);
    expect(await tried('long enough', false)).toEqual(['applied', null]);
  },
);

test('a DTIM period that a classic target does not take is manual there as well', () => {
  const plan = planFor(network({ ...OPEN, dtim_period: 20 }));
  expect(countsOf(plan, 'classic')).toMatchObject({ exact: 1 });
  expect(countsOf(plan, 'classic', refusalsIn(plan, 'classic', faultOf))).toMatchObject({ exact: 0, manual: 1 });
});

const WRITTEN: Parts = {
  vlans: [{ id: 30, descr: 'people' }],
  roles: [{ rname: 'staff', role__acl: [{ pname: 'allowall' }], vlan: '30' }],
  ssid_profiles: ['open', 'home'].map((name) => ({
    profile_name: name,
    essid: name,
    ...(name === 'home' ? { opmode: 'wpa3-sae-aes', wpa_passphrase: 'x' } : OPEN),
  })),
  virtual_aps: [
    { profile_name: 'open', ssid_prof: 'open', vlan: '30', forward_mode: 'bridge' },
    { profile_name: 'home', ssid_prof: 'home', vlan: '30' },
  ],
  aaa: {
    ...servers(2),
    dot1x_auth_profiles: [{ name: 'eap' }],
    mac_auth_profiles: [{ name: 'mac' }],
    aaa_profiles: [{ name: 'login', default_user_role: 'staff', dot1x_auth_profile: 'eap', rad_acct_sg: 'g' }],
  },
};

test.each(TARGETS)('the documents take every call of what is written: %s', (target) => {
  const calls = planFor(WRITTEN)
    .candidates[target].filter(({ classification }) => isAutomatic(classification))
    .flatMap((candidate) => {
      const adapter = adapterOf(candidate, target);
      const context = contextOf(candidate, target);
      if (brokenRules(adapter, candidate, context).length > 0) return [];
      return adapter
        .stepsOf(candidate, context, placeholdersOf(adapter, candidate))
        .flatMap(({ create, update, read, undo }) => [create, update, read, undo].filter((call) => call !== undefined));
    });
  expect(calls.length).toBeGreaterThan(2);
  expect(calls.flatMap((call) => faultOf(call) ?? [])).toEqual([]);
});
