/** Every rejection rule of specification 3.3: one named rule, one case that breaks it and nothing else. */
import { describe, expect, test } from 'vitest';
import { type Fields, network, type Parts, planFor } from '../../test/migration/exports.ts';
import type { Target } from '../classification.ts';
import type { PlannedCandidate } from '../plan.ts';
import { type BrokenRule, brokenRules, type TargetContext } from './adapter.ts';
import { adapterOf } from './adapters.ts';
import { PERSONAS } from './new/shared.ts';

const AP: Partial<TargetContext> = { scope_id: 'site-1', scope_name: 'Site', persona: 'CAMPUS_AP' };
const GATEWAY: Partial<TargetContext> = { ...AP, persona: 'MOBILITY_GW' };
const GROUP: Partial<TargetContext> = { scope_name: 'classic-group' };
const TUNNEL = { forward_mode: 'tunnel' };
const CLUSTER = { cluster_name: 'c', cluster_scope_id: 's' };
const OVERLAY = { ...AP, ...CLUSTER };

function candidateIn(parts: Parts, ref: string, target: Target): PlannedCandidate {
  const found = planFor(parts).candidates[target].find((each) => `${each.object_type}:${each.identifier}` === ref);
  if (!found) throw new Error(`expected ${ref}`);
  return found;
}

function broken(parts: Parts, ref: string, target: Target, context: Partial<TargetContext>): BrokenRule[] {
  const candidate = candidateIn(parts, ref, target);
  return brokenRules(adapterOf(candidate, target), candidate, { target, ...context });
}

const PSK = { wpa_passphrase: 'correct horse battery' };
const HEX = { wpa_hexkey: 'Ab'.repeat(32) };
const radius = (name: string, more: Fields = {}) => ({ name, host: '10.0.0.1', key: 'secret-of-it', ...more });
const grouped = (members: string[], more: Fields = {}, others: Record<string, unknown[]> = {}): Parts => ({
  aaa: {
    radius_servers: [radius('r')],
    server_groups: [{ sg_name: 'g', auth_server: members.map((name) => ({ name })), ...more }],
    ...others,
  },
});
const profile = (fields: Fields): Parts => ({ aaa: { aaa_profiles: [{ profile_name: 'a', ...fields }] } });
const role = (fields: Fields): Parts => ({ roles: [{ rname: 'r', role__acl: [{ pname: 'allowall' }], ...fields }] });
const open = (vap: Fields = {}, ssid: Fields = {}) => network({ opmode: 'opensystem', ...ssid }, vap);
const sae = network({ opmode: 'wpa3-sae-aes', ...PSK });
const SERVER_NAMED = { ...GROUP, external_object_references: { 'auth_server:net': 'radius-1' } };
const enterprise = network({ opmode: 'wpa3-aes-ccm-128' }, {}, { dot1x_auth_profile: 'd' });

type Case = readonly [
  rule: string,
  refusal: string,
  parts: Parts,
  ref: string,
  context: Partial<TargetContext>,
  target?: Target,
];

const CASES: readonly Case[] = [
  ['new.resolved-scope', 'context', { vlans: [{ id: 1 }] }, 'vlan:1', { persona: 'CAMPUS_AP' }],
  ['new.resolved-persona', 'context', { vlans: [{ id: 1 }] }, 'vlan:1', { scope_id: 's' }],
  ['unmapped-field', 'error', { vlans: [{ id: 1, odd: 1 }] }, 'vlan:1', AP],
  ['new.vlan-number', 'error', { vlans: [{ id: 4095 }] }, 'vlan:4095', AP],
  ['new.name', 'error', role({ rname: 'has blanks' }), 'role:has blanks', GATEWAY],
  ['new.role-allow-all', 'error', role({ role__acl: [{ pname: 'guests' }] }), 'role:r', GATEWAY],
  ['new.role-vlan-number', 'error', role({ vlan: 'pool' }), 'role:r', GATEWAY],
  ['new.no-ap-persona', 'error', profile({}), 'aaa_profile:a', AP],
  ['new.aaa-dot1x-default-role', 'error', profile({ dot1x_default_role: 'x' }), 'aaa_profile:a', GATEWAY],
  ['new.aaa-dot1x-server-group', 'error', profile({ dot1x_server_group: 'x' }), 'aaa_profile:a', GATEWAY],
  ['new.aaa-mac-default-role', 'error', profile({ mac_default_role: 'x' }), 'aaa_profile:a', GATEWAY],
  ['new.aaa-mac-server-group', 'error', profile({ mac_server_group: 'x' }), 'aaa_profile:a', GATEWAY],
  [
    'new.bare-login-profile',
    'error',
    { aaa: { dot1x_auth_profiles: [{ name: 'd', max_requests: 9 }] } },
    'dot1x_auth_profile:d',
    GATEWAY,
  ],
  [
    'new.auth-server-radius-only',
    'error',
    { aaa: { tacacs_servers: [{ name: 't', host: 'h', key: 'secret-of-it' }] } },
    'auth_server:tacacs:t',
    GATEWAY,
  ],
  ['new.auth-server-host', 'error', { aaa: { radius_servers: [{ name: 'r' }] } }, 'auth_server:radius:r', GATEWAY],
  [
    'new.auth-server-ports',
    'error',
    { aaa: { radius_servers: [radius('r', { authport: 70_000 })] } },
    'auth_server:radius:r',
    GATEWAY,
  ],
  ['new.server-group-unresolved', 'error', grouped(['r', 'gone']), 'server_group:g', GATEWAY],
  [
    'new.server-group-mixed',
    'error',
    grouped(['r', 'l'], {}, { ldap_servers: [{ name: 'l' }] }),
    'server_group:g',
    GATEWAY,
  ],
  [
    'new.server-group-radsec',
    'error',
    grouped(['r'], {}, { radius_servers: [radius('r', { enable_radsec: true })] }),
    'server_group:g',
    GATEWAY,
  ],
  [
    'new.server-group-derivation',
    'error',
    grouped(['r'], { set_role: [{ attribute: 'x' }] }),
    'server_group:g',
    GATEWAY,
  ],
  ['new.wlan-ap-persona', 'error', open(), 'wlan:net', GATEWAY],
  ['wlan.no-aaa-profile', 'error', network({ opmode: 'opensystem' }, {}, { default_user_role: 'x' }), 'wlan:net', AP],
  ['wlan.no-transition', 'blocker', network({ opmode: 'wpa3-sae-aes', opmode_transition: true }), 'wlan:net', AP],
  ['wlan.sae-hex-key', 'error', network({ opmode: 'wpa3-sae-aes', ...HEX }), 'wlan:net', AP],
  ['wlan.essid-is-name', 'error', open({}, { essid: 'other' }), 'wlan:net', AP],
  ['wlan.vlan', 'error', open({ vlan: 'pool' }), 'wlan:net', AP],
  ['new.wlan-older-clients', 'blocker', network({ opmode: 'wpa-wpa2-psk', ...PSK }), 'wlan:net', AP],
  ['new.wlan-older-clients', 'blocker', network({ opmode: 'wpa-wpa2-psk', ...PSK }, TUNNEL), 'wlan:net', OVERLAY],
  ['new.underlay-bridged', 'error', open({ forward_mode: 'split-tunnel' }), 'wlan:net', AP],
  ['new.overlay-cluster', 'context', open({ forward_mode: 'tunnel' }), 'wlan:net', AP],
  ['new.no-mapping', 'compatibility', { ap_groups: [{ name: 'g' }] }, 'ap_group:g', AP],
  ['new.policy-shown-only', 'error', { policies: [{ accname: 'p' }] }, 'policy:p', GATEWAY],
  ['new.vrrp-plan-only', 'error', { routing: { vrrp: [{ id: 1 }] } }, 'vrrp:ipv4:1', GATEWAY],
  [
    'new.route-read-only',
    'error',
    { routing: { ipv4_routes: [{ destip: '1.0.0.0', destmask: '255.0.0.0', nexthop: '2.0.0.1' }] } },
    'route:ipv4:1.0.0.0 255.0.0.0 2.0.0.1',
    GATEWAY,
  ],
  ['classic.compatibility', 'compatibility', { vlans: [{ id: 1 }] }, 'vlan:1', GROUP, 'classic'],
  ['classic.named-group', 'context', open(), 'wlan:net', {}, 'classic'],
  ['classic.wlan-mode', 'compatibility', network({ opmode: 'enhanced-open' }), 'wlan:net', GROUP, 'classic'],
  ['classic.bridged', 'error', open({ forward_mode: 'tunnel' }), 'wlan:net', GROUP, 'classic'],
  ['classic.client-isolation', 'error', open({ deny_inter_user: true }), 'wlan:net', GROUP, 'classic'],
  [
    'classic.name',
    'error',
    {
      vlans: [{ id: 10 }],
      ssid_profiles: [{ name: 's', essid: 'n'.repeat(33), opmode: 'open' }],
      virtual_aps: [{ name: 'n'.repeat(33), ssid_prof: 's', vlan: '10', forward_mode: 'bridge' }],
    },
    `wlan:${'n'.repeat(33)}`,
    GROUP,
    'classic',
  ],
];

/** The rules that several adapters of networks keep: each at the classic target and for a tunnelled network as well. */
const SHARED_RULES: readonly Case[] = (
  [
    ['unmapped-field', 'error', {}, { odd: 1 }],
    ['wlan.no-aaa-profile', 'error', {}, {}, { default_user_role: 'x' }],
    ['wlan.no-transition', 'blocker', { opmode: 'wpa3-sae-aes', opmode_transition: true }],
    ['wlan.sae-hex-key', 'error', { opmode: 'wpa3-sae-aes', ...HEX }],
    ['wlan.essid-is-name', 'error', { essid: 'other' }],
    ['wlan.vlan', 'error', {}, { vlan: 'pool' }],
  ] as [string, string, Fields, Fields?, Fields?][]
).flatMap(([rule, refusal, ssid, vap = {}, aaa]): Case[] => {
  const parts = (more: Fields) => network({ opmode: 'opensystem', ...ssid }, { ...vap, ...more }, aaa);
  return [
    [rule, refusal, parts({}), 'wlan:net', GROUP, 'classic'],
    [rule, refusal, parts(TUNNEL), 'wlan:net', OVERLAY, 'new'],
  ];
});

/** Rules that no candidate breaks alone, with the others that it breaks. */
type Together = readonly [
  rule: string,
  refusal: string,
  parts: Parts,
  ref: string,
  context: Partial<TargetContext>,
  target: Target,
  others: string[],
];

const TOGETHER: readonly Together[] = [
  ['wlan.not-ambiguous', 'error', network({ opmode: 'static-wep' }), 'wlan:net', AP, 'new', ['new.wlan-mode']],
  [
    'wlan.not-ambiguous',
    'error',
    network({ opmode: 'static-wep' }),
    'wlan:net',
    GROUP,
    'classic',
    ['classic.wlan-mode'],
  ],
  [
    'new.wlan-mode',
    'error',
    network({ opmode: 'opensystem' }, {}, { mac_auth_profile: 'm' }),
    'wlan:net',
    AP,
    'new',
    ['wlan.no-aaa-profile'],
  ],
  [
    'classic.enterprise-server',
    'context',
    enterprise,
    'wlan:net',
    GROUP,
    'classic',
    ['classic.enterprise-dry-run-only'],
  ],
  ...['wpa3-aes', 'wpa3-sae-aes', 'wpa2-aes wpa3-aes-ccm-128', 'wpa3-aes-ccm-256'].map(
    (opmode): Together => [
      'classic.enterprise-opmode',
      'error',
      network({ opmode }, {}, { dot1x_auth_profile: 'd' }),
      'wlan:net',
      SERVER_NAMED,
      'classic',
      ['classic.enterprise-dry-run-only'],
    ],
  ),
];

describe('each rule refuses its case, and only it does', () => {
  test.each(CASES.map((one) => [one[0], one] as const))(
    '%s',
    (_, [rule, refusal, parts, ref, context, target = 'new']) => {
      expect(broken(parts, ref, target, context)).toEqual([{ rule, refusal, message: expect.stringMatching(/./) }]);
    },
  );
  test.each(SHARED_RULES.map((one) => [one[0], one[5], one] as const))(
    '%s, by the other adapters of networks: %s',
    (_, __, [rule, refusal, parts, ref, context, target = 'new']) => {
      expect(broken(parts, ref, target, context)).toEqual([{ rule, refusal, message: expect.stringMatching(/./) }]);
    },
  );
  test.each(TOGETHER.map((one) => [one[0], one] as const))(
    '%s',
    (_, [rule, refusal, parts, ref, context, target, others]) => {
      const found = broken(parts, ref, target, context);
      expect(new Set(found.map((each) => each.rule))).toEqual(new Set([rule, ...others]));
      expect(found).toContainEqual(expect.objectContaining({ rule, refusal }));
    },
  );
  test('every such action is dry-run-only: an enterprise network with its server named is still shown only', () => {
    expect(broken(enterprise, 'wlan:net', 'classic', SERVER_NAMED)).toMatchObject([
      { rule: 'classic.enterprise-dry-run-only', refusal: 'blocker' },
    ]);
  });
  test('AdapterError is named where an adapter rejects, a compatibility error where the target has nothing of the kind', () => {
    const names: Record<string, string> = {
      error: 'AdapterError: ',
      context: 'AdapterError: ',
      compatibility: 'compatibility error: ',
      blocker: '',
    };
    for (const [rule, refusal, parts, ref, context, target = 'new'] of [...CASES, ...SHARED_RULES, ...TOGETHER]) {
      const message = broken(parts, ref, target, context).find((each) => each.rule === rule)?.message ?? '';
      const named = /^(AdapterError|compatibility error): /.exec(message)?.[0] ?? '';
      expect(`${rule} ${named}`).toBe(`${rule} ${names[refusal]}`);
    }
  });
  test('no rule is without a case', () => {
    const proven = new Set([...CASES, ...TOGETHER].map(([rule]) => rule).concat('classic.enterprise-dry-run-only'));
    const seen = new Set<string>();
    for (const [, , parts, , , target = 'new'] of [...CASES, ...TOGETHER])
      for (const candidate of planFor(parts).candidates[target])
        for (const { id } of adapterOf(candidate, target).rules) seen.add(id);
    expect([...seen].filter((id) => !proven.has(id))).toEqual([]);
  });
});

const ADAPTERS: readonly [ref: string, parts: Parts, context: Partial<TargetContext>, section: string][] = [
  ['vlan:1', { vlans: [{ id: 1 }] }, AP, 'vlans'],
  ['role:r', role({}), GATEWAY, 'roles'],
  ['aaa_profile:a', profile({}), GATEWAY, 'aaa_profiles'],
  ['dot1x_auth_profile:d', { aaa: { dot1x_auth_profiles: [{ name: 'd' }] } }, GATEWAY, 'dot1x_auth_profiles'],
  ['mac_auth_profile:m', { aaa: { mac_auth_profiles: [{ name: 'm' }] } }, GATEWAY, 'mac_auth_profiles'],
  ['auth_server:radius:r', { aaa: { radius_servers: [radius('r')] } }, GATEWAY, 'radius_servers'],
  ['server_group:g', grouped(['r']), GATEWAY, 'server_groups'],
  ['wlan:net', open(), AP, 'virtual_aps'],
  ['wlan:net', open(TUNNEL), OVERLAY, 'virtual_aps'],
];

describe('every adapter of the new generation', () => {
  test.each(ADAPTERS)('%s: takes the object as it is', (ref, parts, context) => {
    expect(broken(parts, ref, 'new', context)).toEqual([]);
  });
  test.each(ADAPTERS)('%s: an adapter refuses a context lacking a resolved scope or persona', (ref, parts, context) => {
    const { scope_id: _, ...noScope } = context;
    expect(broken(parts, ref, 'new', noScope)).toMatchObject([{ rule: 'new.resolved-scope', refusal: 'context' }]);
    const { persona: __, ...noPersona } = context;
    expect(broken(parts, ref, 'new', noPersona)).toMatchObject([{ rule: 'new.resolved-persona', refusal: 'context' }]);
  });
  test.each(ADAPTERS)('%s: an unmapped field makes an adapter refuse it', (ref, parts, context, section) => {
    const whole = structuredClone(parts);
    const lists = { ...whole, ...whole.aaa } as Record<string, Fields[]>;
    lists[section]![0]!['odd'] = 1;
    expect(broken(whole, ref, 'new', context)).toMatchObject([
      {
        rule: expect.stringMatching(/^(unmapped-field|new\.bare-login-profile)$/),
        message: expect.stringContaining('odd'),
      },
    ]);
  });
});

describe('a context that lacks a resolved scope or persona', () => {
  test.each([undefined, '', ' '])('scope_id %j', (scope_id) => {
    const context = { persona: 'CAMPUS_AP', ...(scope_id === undefined ? {} : { scope_id }) };
    expect(broken({ vlans: [{ id: 1 }] }, 'vlan:1', 'new', context)).toMatchObject([{ rule: 'new.resolved-scope' }]);
  });
  test.each(['', 'campus_ap', 'SWITCH'])('persona %j is no device function', (persona) => {
    expect(broken({ vlans: [{ id: 1 }] }, 'vlan:1', 'new', { ...AP, persona })).toMatchObject([
      { rule: 'new.resolved-persona' },
    ]);
  });
  test.each(PERSONAS)('persona %s is one', (persona) => {
    expect(broken({ vlans: [{ id: 1 }] }, 'vlan:1', 'new', { ...AP, persona })).toEqual([]);
  });
  test('a scope id never stands in for a classic group', () => {
    expect(broken(open(), 'wlan:net', 'classic', { scope_id: 's', scope_name: 's' })).toMatchObject([
      { rule: 'classic.named-group' },
    ]);
  });
});

describe('classic target: every object type other than wlan is rejected with a compatibility error', () => {
  test.each([
    ['auth_server:radius:r', { aaa: { radius_servers: [radius('r')] } }],
    ['dot1x_auth_profile:d', { aaa: { dot1x_auth_profiles: [{ name: 'd' }] } }],
    ['mac_auth_profile:m', { aaa: { mac_auth_profiles: [{ name: 'm' }] } }],
    ['server_group:g', grouped(['r'])],
    ['policy:p', { policies: [{ accname: 'p' }] }],
    ['role:r', role({})],
    ['aaa_profile:a', profile({})],
    ['ap_group:g', { ap_groups: [{ name: 'g' }] }],
    ['vrrp:ipv4:1', { routing: { vrrp: [{ id: 1 }] } }],
    ['controller:c', { controllers: [{ ip: 'c' }] }],
  ] as [string, Parts][])('%s', (ref, parts) => {
    expect(broken(parts, ref, 'classic', GROUP)).toMatchObject([
      { refusal: 'compatibility', message: expect.stringContaining('not verified') },
    ]);
  });
});

describe('bodies', () => {
  const bodyOf = (parts: Parts, ref: string, target: Target, context: Partial<TargetContext>, secrets = {}) => {
    const candidate = candidateIn(parts, ref, target);
    const adapter = adapterOf(candidate, target);
    expect(brokenRules(adapter, candidate, { target, ...context })).toEqual([]);
    const [step] = adapter.stepsOf(candidate, { target, ...context }, secrets);
    return { secrets: adapter.secretsOf(candidate), ...step };
  };
  const SECRET = { wpa_passphrase: 'typed by hand' };

  test.each([
    ['OPEN', 'opensystem', []],
    ['WPA2_PERSONAL', 'wpa2-psk-aes', ['wpa_passphrase']],
    ['WPA3_SAE', 'wpa3-sae-aes', ['wpa_passphrase']],
    ['ENHANCED_OPEN', 'enhanced-open', []],
  ])(
    'personal modes take a transient caller-supplied wpa_passphrase; Enhanced Open carries none: %s',
    (opmode, from, asks) => {
      const { create, secrets, expect: shown } = bodyOf(network({ opmode: from }), 'wlan:net', 'new', AP, SECRET);
      expect(secrets).toEqual(asks);
      expect(create?.arguments['body']).toMatchObject({
        opmode,
        'advanced-wireless-security': { 'wpa3-transition-mode-enable': false },
      });
      expect('personal-security' in ((create?.arguments['body'] ?? {}) as object)).toBe(asks.length > 0);
      expect(JSON.stringify(shown)).not.toContain('typed by hand');
    },
  );
  test('a network that was not offered at 6 GHz is not offered there either, and one of other bands is not written', () => {
    for (const vap of [{}, { allowed_band: 'all', allowed_band_6: false }])
      expect(bodyOf(open(vap), 'wlan:net', 'new', AP).create?.arguments['body']).toMatchObject({
        'rf-band': '24GHZ_5GHZ',
      });
    for (const vap of [{ allowed_band_6: true }, { allowed_band: 'g' }])
      expect(broken(open(vap), 'wlan:net', 'new', AP).map(({ rule }) => rule)).toEqual(['unmapped-field']);
  });
  test.each([
    ['64 hexadecimal digits are the key of a WPA2 network', 'wpa2-psk-aes', HEX.wpa_hexkey, 'HEX'],
    ['63 of them are a passphrase', 'wpa2-psk-aes', HEX.wpa_hexkey.slice(1), 'STRING'],
    ['64 other characters are no key', 'wpa2-psk-aes', 'g'.repeat(64), 'STRING'],
    ['SAE takes them as a passphrase', 'wpa3-sae-aes', HEX.wpa_hexkey, 'STRING'],
  ])('%s', (_, opmode, wpa_passphrase, format) => {
    for (const forward_mode of ['bridge', 'tunnel']) {
      const parts = network({ opmode, ...PSK }, { forward_mode });
      const { create } = bodyOf(parts, 'wlan:net', 'new', OVERLAY, { wpa_passphrase });
      expect(create?.arguments['body']).toMatchObject({
        'personal-security': { 'passphrase-format': format, 'wpa-passphrase': wpa_passphrase },
      });
    }
  });
  test('a SAE network that has a passphrase beside the key is written', () => {
    const parts = network({ opmode: 'wpa3-sae-aes', ...PSK, ...HEX });
    expect(broken(parts, 'wlan:net', 'new', AP)).toEqual([]);
    expect(broken(parts, 'wlan:net', 'classic', GROUP)).toEqual([]);
  });
  test('an overlay network gets its tunnels before it goes on air', () => {
    const candidate = candidateIn(open({ forward_mode: 'tunnel' }), 'wlan:net', 'new');
    const context: TargetContext = { target: 'new', ...AP, ...CLUSTER };
    const steps = adapterOf(candidate, 'new').stepsOf(candidate, context, {});
    expect(steps.map(({ create }) => create.tool.replace('mgmt_create_', ''))).toEqual([
      'wlan_ssid',
      'overlay_wlan',
      'config_assignments',
      'config_assignments',
    ]);
  });
  test('classic open WLAN body: opmode opensystem, empty wpa_passphrase', () => {
    const { create } = bodyOf(open(), 'wlan:net', 'classic', GROUP);
    expect(create?.arguments).toMatchObject({
      target: 'classic-group',
      wlan: 'net',
      body: { wlan: { opmode: 'opensystem', wpa_passphrase: '', vlan: '10' }, access_rule: { name: 'net' } },
    });
  });
  test('classic WPA3-SAE: opmode wpa3-sae-aes, opmode_transition_disable true, transient wpa_passphrase', () => {
    const { create, expect: shown } = bodyOf(sae, 'wlan:net', 'classic', GROUP, SECRET);
    expect(create?.arguments['body']).toMatchObject({
      wlan: { opmode: 'wpa3-sae-aes', opmode_transition_disable: true, wpa_passphrase: 'typed by hand' },
    });
    expect(shown).toMatchObject({ wlan: { opmode: 'wpa3-sae-aes', opmode_transition_disable: true } });
  });
  test('new-generation AAA profile maps only four fields', () => {
    const fields = {
      default_user_role: 'first',
      rad_acct_sg: 'accounting',
      dot1x_auth_profile: 'eap',
      mac_auth_profile: 'addresses',
    };
    expect(bodyOf(profile(fields), 'aaa_profile:a', 'new', GATEWAY).create?.arguments).toEqual({
      name: 'a',
      body: {
        auth_role: 'first',
        acct_server_group: 'accounting',
        authentication: { 'dot1x-auth': 'eap', 'mac-auth': 'addresses' },
      },
    });
  });
  test('the name of a VLAN is the first 32 characters of its remark, and the cut goes through none of them', () => {
    const descr = `${'d'.repeat(31)}\u{1f3e8} of the harbour`;
    const { create } = bodyOf({ vlans: [{ id: 10, descr }] }, 'vlan:10', 'new', AP);
    expect(create?.arguments['body']).toMatchObject({ name: `${'d'.repeat(31)}\u{1f3e8}`, 'description-text': descr });
  });
  test('RADIUS server: ports pass through, the shared secret is the caller’s', () => {
    const parts = { aaa: { radius_servers: [radius('r', { authport: 1645 })] } };
    const { create, secrets } = bodyOf(parts, 'auth_server:radius:r', 'new', GATEWAY, { shared_secret: 'typed here' });
    expect(secrets).toEqual(['shared_secret']);
    expect(create?.arguments['body']).toEqual({
      type: 'RADIUS',
      'auth-server-address': '10.0.0.1',
      'auth-port': 1645,
      'acct-port': 1813,
      'shared-secret-config': { 'secret-type': 'PLAIN_TEXT', 'plaintext-value': 'typed here' },
    });
  });
  test('the ordered servers array is built from resolved same-type dependencies', () => {
    const parts = grouped(['s', 'r'], {}, { radius_servers: [radius('r'), radius('s')] });
    expect(bodyOf(parts, 'server_group:g', 'new', GATEWAY).create?.arguments['body']).toMatchObject({
      type: 'RADIUS',
      servers: [
        { 'server-name': 's', position: 1 },
        { 'server-name': 'r', position: 2 },
      ],
    });
  });
  test.each(['allowall', 'sys_allow_all', 'ALLOWALL', ' sys-allow-all '])('a role of %j becomes a flag', (pname) => {
    const parts = role({ role__acl: [{ pname }], vlan: '30' });
    expect(bodyOf(parts, 'role:r', 'new', GATEWAY).create?.arguments['body']).toEqual({
      'allow-all': true,
      'vlan-id': 30,
    });
  });
});
