/** Payloads, dependencies and fields kept aside: the sentences of specification 2.7 and 3.3 about candidates. */
import { describe, expect, test } from 'vitest';
import { type Fields, network, only, type Parts, planFor, wlanIn } from '../test/migration/exports.ts';
import { refOf } from './candidate.ts';
import { rowOf } from './classification.ts';
import { previewOf } from './preview.ts';

const servers = {
  radius_servers: [
    { name: 'one', host: '10.0.0.1', key: 'k1k2k3k4', authport: 1645, nas_id: 'me' },
    { name: 'two', host: '10.0.0.2', key: 'k1k2k3k4' },
  ],
};
const group = (fields: Fields) =>
  only(planFor({ aaa: { ...servers, server_groups: [{ sg_name: 'g', ...fields }] } }), 'server_group:g');

describe('source payload shapes', () => {
  test('VLAN: vlan_id, description', () => {
    const vlan = only(planFor({ vlans: [{ id: 10, descr: 'office' }] }), 'vlan:10');
    expect(vlan.payload).toEqual({ vlan_id: 10, description: 'office' });
  });
  test('WLAN includes security and a VLAN dependency', () => {
    const wlan = wlanIn(network({ opmode: 'opensystem' }));
    expect(wlan.payload.security?.mode).toBe('open');
    expect(wlan.dependencies).toEqual(['vlan:10']);
  });
  test('AAA profile: name and its eight references', () => {
    const profile = {
      profile_name: 'a',
      default_user_role: 'r',
      dot1x_auth_profile: 'd',
      dot1x_default_role: 'r',
      dot1x_server_group: 'g',
      mac_auth_profile: 'm',
      mac_default_role: 'r',
      mac_server_group: 'g',
      rad_acct_sg: 'g',
    };
    expect(only(planFor({ aaa: { aaa_profiles: [profile] } }), 'aaa_profile:a').payload).toEqual({
      name: 'a',
      default_user_role: 'r',
      dot1x_auth_profile: 'd',
      dot1x_default_role: 'r',
      dot1x_server_group: 'g',
      mac_auth_profile: 'm',
      mac_default_role: 'r',
      mac_server_group: 'g',
      accounting_server_group: 'g',
    });
  });
  test.each([
    ['dot1x', 'dot1x_auth_profiles', 'dot1x_auth_profile:p', 'max_requests'],
    ['mac', 'mac_auth_profiles', 'mac_auth_profile:p', 'delimiter'],
  ])('%s profile: name, auth_type; the rest is unsupported_fields', (auth_type, section, ref, field) => {
    const profile = only(planFor({ aaa: { [section]: [{ profile_name: 'p', [field]: 'x' }] } }), ref);
    expect(profile.payload).toEqual({ name: 'p', auth_type });
    expect(profile.unsupported_fields).toEqual({ [field]: 'x' });
  });
  test('Auth server: name, server_type, host; the rest is unsupported_fields', () => {
    const server = only(planFor({ aaa: servers }), 'auth_server:radius:one');
    expect(server.payload).toEqual({ name: 'one', server_type: 'radius', host: '10.0.0.1' });
    expect(Object.keys(server.unsupported_fields)).toEqual(['authport', 'key', 'nas_id']);
    expect(server).toMatchObject({ requires_secret_input: true, secret_fields: ['shared_secret'] });
  });
  test('Server group: name, auth_servers, auth_server_entries, fail_through, load_balance, derivation_rules', () => {
    const { payload, dependencies } = group({
      auth_server: [
        { name: 'two', position: 2 },
        { name: 'one', position: 1, match_fqdn: 'corp.example', trim_fqdn: true },
      ],
      fail_through: true,
      set_role: [{ attribute: 'Filter-Id' }],
    });
    expect(payload).toEqual({
      name: 'g',
      auth_servers: ['one', 'two'],
      auth_server_entries: [
        {
          name: 'one',
          position: 1,
          match_rules: [{ match: 'fqdn', operator: 'equals', value: 'corp.example' }],
          trim_fqdn: true,
        },
        { name: 'two', position: 2, match_rules: [], trim_fqdn: false },
      ],
      fail_through: true,
      load_balance: false,
      derivation_rules: [{ attribute: 'Filter-Id' }],
    });
    expect(dependencies).toEqual(['auth_server:radius:one', 'auth_server:radius:two']);
  });
});

describe('unsupported_fields: every source field not explicitly modeled, each with a mandatory warning', () => {
  test.each([
    ['vlan', { vlans: [{ id: 1, odd: 1, igmp_snooping: true }] }, 'vlan:1', ['igmp_snooping', 'odd']],
    ['role', { roles: [{ rname: 'r', odd: 1, reauth: 5 }] }, 'role:r', ['odd', 'reauth']],
    ['policy', { policies: [{ accname: 'p', odd: 1 }] }, 'policy:p', ['odd']],
    ['ap_group', { ap_groups: [{ profile_name: 'g', odd: 1 }] }, 'ap_group:g', ['odd']],
    ['controller', { controllers: [{ ip: 'c', odd: 1 }] }, 'controller:c', ['odd']],
    ['aaa_profile', { aaa: { aaa_profiles: [{ name: 'a', odd: 1 }] } }, 'aaa_profile:a', ['odd']],
    ['vrrp', { routing: { vrrp: [{ id: 1, odd: 1 }] } }, 'vrrp:ipv4:1', ['odd']],
    ['server_group', { aaa: { server_groups: [{ name: 'g', odd: 1 }] } }, 'server_group:g', ['odd']],
    ['wlan', network({ odd: 1 }, { odd: 2 }), 'wlan:net', ['ssid.odd', 'virtual_ap.odd']],
  ])('%s', (_, parts, ref, fields) => {
    const candidate = only(planFor(parts), ref);
    expect(Object.keys(candidate.unsupported_fields)).toEqual(fields);
    const warned = candidate.warnings.filter(({ code }) => code === 'unmapped_field').map(({ field }) => field);
    expect(warned).toEqual(fields);
  });
  test('a value that the controller delivers unasked is left out, with a warning for each field', () => {
    const vlan = { id: 1, option82: 'off', bcmc_optimise: false, igmp_snooping: 'disabled', aaa_profile: null };
    const { unsupported_fields, warnings } = only(planFor({ vlans: [vlan] }), 'vlan:1');
    expect(unsupported_fields).toEqual({});
    expect(warnings.map(({ code, object, field }) => `${code} ${object} ${field}`)).toEqual([
      'assumed_default vlan:1 bcmc_optimise',
      'assumed_default vlan:1 igmp_snooping',
      'assumed_default vlan:1 option82',
    ]);
  });
  const aaa = (section: string, fields: Fields) => ({ aaa: { [section]: [{ name: 'x', ...fields }] } });
  test.each<[string, Parts, string, string[]]>([
    ['role', { roles: [{ rname: 'r', reauth: 0, dpi: 'yes' }] }, 'role:r', ['dpi', 'reauth']],
    ['aaa_profile', aaa('aaa_profiles', { max_ipv4_users: 2 }), 'aaa_profile:x', ['max_ipv4_users']],
    ['dot1x', aaa('dot1x_auth_profiles', { max_requests: 5 }), 'dot1x_auth_profile:x', ['max_requests']],
    ['mac', aaa('mac_auth_profiles', { delimiter: 'none' }), 'mac_auth_profile:x', ['delimiter']],
    ['radius', aaa('radius_servers', { timeout: { timeout: 5 } }), 'auth_server:radius:x', ['timeout']],
    ['ldap', aaa('ldap_servers', { max_connection: 4 }), 'auth_server:ldap:x', ['max_connection']],
    ['server_group', aaa('server_groups', { dead_time: 10 }), 'server_group:x', ['dead_time']],
    ['wlan', network({ ft11r: false }, { mobile_ip: 1 }), 'wlan:net', ['ssid.ft11r', 'virtual_ap.mobile_ip']],
  ])('%s: what equals an assumed default carries a warning', (_, parts, ref, fields) => {
    const plan = planFor(parts);
    const candidate = only(plan, ref);
    const assumed = candidate.warnings.filter(({ code }) => code === 'assumed_default');
    expect(assumed.map(({ field }) => field)).toEqual(fields);
    expect(Object.keys(candidate.unsupported_fields).filter((field) => fields.includes(field))).toEqual([]);
    for (const warning of assumed) expect(plan.warnings).toContainEqual(warning);
  });
  test.each<[string, Parts, string, string]>([
    ['vlan', { vlans: [{ id: 1, option82: 'on' }] }, 'vlan:1', 'option82'],
    ['role', { roles: [{ rname: 'r', dpi: 'no' }] }, 'role:r', 'dpi'],
    ['aaa_profile', aaa('aaa_profiles', { max_ipv4_users: 3 }), 'aaa_profile:x', 'max_ipv4_users'],
    ['dot1x', aaa('dot1x_auth_profiles', { max_requests: 4 }), 'dot1x_auth_profile:x', 'max_requests'],
    ['mac', aaa('mac_auth_profiles', { delimiter: 'colon' }), 'mac_auth_profile:x', 'delimiter'],
    ['radius', aaa('radius_servers', { timeout: { timeout: 6 } }), 'auth_server:radius:x', 'timeout'],
    ['ldap', aaa('ldap_servers', { max_connection: 5 }), 'auth_server:ldap:x', 'max_connection'],
    ['server_group', aaa('server_groups', { dead_time: 11 }), 'server_group:x', 'dead_time'],
    ['wlan', network({ ft11r: true }), 'wlan:net', 'ssid.ft11r'],
  ])('%s: another value of such a field is unsupported, with a warning of its own', (_, parts, ref, field) => {
    const { unsupported_fields, warnings } = only(planFor(parts), ref);
    expect(Object.keys(unsupported_fields)).toEqual([field]);
    const told = warnings.filter((each) => each.field === field).map(({ code }) => code);
    expect(told).toEqual(['unmapped_field']);
  });
});

describe('references that cannot be resolved in the export each emit a specific warning, and nothing is invented', () => {
  test.each([
    ['AP-group VAP', { ap_groups: [{ name: 'g', virtual_ap: ['gone'] }] }, 'ap_group:g', 'virtual_ap'],
    ['role policy', { roles: [{ rname: 'r', role__acl: [{ pname: 'gone' }] }] }, 'role:r', 'acl'],
    ['role VLAN', { roles: [{ rname: 'r', vlan: 'gone' }] }, 'role:r', 'vlan'],
    ['SSID profile', { virtual_aps: [{ name: 'net', ssid_prof: 'gone' }] }, 'wlan:net', 'ssid_prof'],
    ['WLAN VLAN', network({}, { vlan: '11' }), 'wlan:net', 'vlan'],
    ['WLAN VLAN name', network({}, { vlan: 'gone' }), 'wlan:net', 'vlan'],
    ['WLAN AAA profile', network({}, { aaa_prof: 'gone' }), 'wlan:net', 'aaa_prof'],
    [
      'group member',
      { aaa: { server_groups: [{ name: 'g', auth_server: [{ name: 'gone' }] }] } },
      'server_group:g',
      'auth_servers',
    ],
  ])('%s', (_, parts, ref, field) => {
    const plan = planFor(parts);
    const candidate = only(plan, ref);
    expect(candidate.warnings).toContainEqual(expect.objectContaining({ code: 'dependency_missing', field }));
    expect(candidate.dependencies.filter((each) => each.includes('gone'))).toEqual([]);
    expect(plan.candidates.new.some(({ identifier }) => identifier.includes('gone'))).toBe(false);
  });
});

describe('if one name exists as more than one server type', () => {
  const collided = only(
    planFor({
      aaa: {
        radius_servers: [{ name: 'core' }],
        tacacs_servers: [{ name: 'core' }],
        server_groups: [{ name: 'g', auth_server: [{ name: 'core' }] }],
      },
    }),
    'server_group:g',
  );
  test('the dependency is left unresolved', () => expect(collided.dependencies).toEqual([]));
  test('unsupported_fields.auth_server_type_collisions is set', () =>
    expect(collided.unsupported_fields).toEqual({ auth_server_type_collisions: { core: ['radius', 'tacacs'] } }));
  test('a warning is emitted', () =>
    expect(collided.warnings).toContainEqual(expect.objectContaining({ code: 'server_type_collision' })));
});

describe('an SSID profile that no virtual AP uses', () => {
  test('stands for itself, without VLAN, and says so', () => {
    const lone = only(planFor({ ssid_profiles: [{ name: 's', essid: 's', opmode: 'opensystem' }] }), 'wlan:ssid:s');
    expect(lone).toMatchObject({ dependencies: [], payload: { vlan: null, forward_mode: null } });
    expect(lone.warnings).toContainEqual(expect.objectContaining({ code: 'dependency_missing' }));
  });
});

test.each(['default_user_role', 'dot1x_auth_profile', 'dot1x_server_group', 'mac_auth_profile', 'mac_server_group'])(
  'an AAA profile whose %s is not in the export says so',
  (field) => {
    const { dependencies, warnings } = only(
      planFor({ aaa: { aaa_profiles: [{ name: 'a', [field]: 'gone' }] } }),
      'aaa_profile:a',
    );
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'dependency_missing', field }));
    expect(dependencies).toEqual([]);
  },
);

test('VLAN ranges are taken apart, and one too wide is not', () => {
  expect(wlanIn(network({}, { vlan: '10,20-22' })).payload['vlan_ids']).toEqual(['10', '20', '21', '22']);
  const wide = wlanIn(network({}, { vlan: '1-4094' }));
  expect(wide.payload['vlan_ids']).toEqual([]);
  expect(wide.warnings).toContainEqual(expect.objectContaining({ code: 'dependency_missing', field: 'vlan' }));
});

test('a network that no AP group of the export broadcasts says so', () => {
  const toldOf = (ap_groups?: object[]) =>
    wlanIn({ ...network({ opmode: 'opensystem' }), ...(ap_groups ? { ap_groups } : {}) }).warnings.map(
      ({ code }) => code,
    );
  expect(toldOf([{ name: 'g', virtual_ap: ['other'] }])).toEqual(['not_broadcast']);
  expect(
    toldOf([
      { name: 'g', virtual_ap: ['other'] },
      { name: 'h', virtual_ap: [{ vap_name: 'net' }] },
    ]),
  ).toEqual([]);
  expect(toldOf()).toEqual([]);
  expect(toldOf([{ name: 'g' }])).toEqual([]);
  expect(toldOf([{ name: 'g', virtual_ap: [{ wrapped: ['net'] }] }])).toEqual([]);
});

test('networks that are tunnelled to different clusters say where each of them ends', () => {
  const vap = (profile_name: string, cluster_name?: string) => ({
    profile_name,
    ssid_prof: 'net',
    vlan: '10',
    cluster_name,
  });
  const told = (...virtual_aps: object[]) =>
    planFor({ ...network({ opmode: 'opensystem' }), virtual_aps })
      .warnings.filter(({ code }) => code === 'several_clusters')
      .map(({ object, message }) => `${object} ${message.split(': ').at(-1)}`);
  expect(told(vap('corp', 'hq'), vap('guest', 'dmz'), vap('lab'))).toEqual([
    'wlan:corp "hq"',
    'wlan:guest "dmz"',
    'wlan:lab null',
  ]);
  expect(told(vap('corp', 'hq'), vap('guest', 'hq'), { ...vap('lab', 'dmz'), forward_mode: 'bridge' })).toEqual([]);
});

test.each(['split-tunnel', 'decrypt-tunnel', 'odd'])('forwarding %s is told to be lossy', (forward_mode) => {
  expect(wlanIn(network({}, { forward_mode })).warnings).toContainEqual(
    expect.objectContaining({ code: 'forward_mode_lossy' }),
  );
});

/** Objects that would be written, with every field that is modelled. */
const WRITTEN: readonly [ref: string, persona: string, parts: Parts, section: readonly string[]][] = [
  ['vlan:10', 'CAMPUS_AP', { vlans: [{ id: 10, descr: 'office' }] }, ['vlans']],
  [
    'role:r',
    'MOBILITY_GW',
    {
      vlans: [{ id: 30 }],
      roles: [{ rname: 'r', role__acl: [{ pname: 'allowall', acl_type: 'session', position: 1 }], vlan: '30' }],
    },
    ['roles'],
  ],
  [
    'aaa_profile:a',
    'MOBILITY_GW',
    {
      aaa: {
        aaa_profiles: [
          {
            profile_name: 'a',
            default_user_role: 'r',
            dot1x_auth_profile: 'd',
            mac_auth_profile: 'm',
            rad_acct_sg: 'g',
          },
        ],
      },
    },
    ['aaa', 'aaa_profiles'],
  ],
  [
    'auth_server:radius:one',
    'MOBILITY_GW',
    { aaa: { radius_servers: [{ rad_server_name: 'one', host: '10.0.0.1', authport: 1645, acctport: 1646 }] } },
    ['aaa', 'radius_servers'],
  ],
  [
    'server_group:g',
    'MOBILITY_GW',
    {
      aaa: {
        ...servers,
        server_groups: [
          {
            sg_name: 'g',
            auth_server: [
              { name: 'one', position: 1, match_fqdn: 'corp.example', match_authstring: 'host/', trim_fqdn: true },
              { name: 'two', position: 2 },
            ],
            fail_through: true,
            load_balance: true,
          },
        ],
      },
    },
    ['aaa', 'server_groups'],
  ],
  ...(['ssid_profiles', 'virtual_aps'] as const).map(
    (section) =>
      [
        'wlan:net',
        'CAMPUS_AP',
        network(
          {
            opmode: 'opensystem',
            opmode_transition: false,
            hide_ssid: true,
            dtim_period: 1,
            max_clients: 64,
            inactivity_timeout: 1000,
          },
          { deny_inter_user: true },
        ),
        [section],
      ] as [string, string, Parts, string[]],
  ),
];

/** What would be written of the object; undefined where it is refused or not in the plan. */
function writtenOf(parts: Parts, ref: string, persona: string): unknown {
  const context = { target: 'new', scope_id: 'site', persona } as const;
  const candidate = planFor(parts).candidates.new.find((each) => refOf(each) === ref);
  const shown = candidate && previewOf(candidate, context);
  return shown?.status === 'would-apply' ? shown.operations : undefined;
}

const itemIn = (parts: Parts, section: readonly string[]): Fields =>
  section.reduce((inner, name) => inner[name] as Fields, parts as Fields)[0] as unknown as Fields;

/** Each field of the item, and of the members of its lists, with another value in its place. */
function* withAnother(parts: Parts, section: readonly string[], value: unknown): Generator<[field: string, Parts]> {
  for (const [field, old] of Object.entries(itemIn(parts, section))) {
    const whole = structuredClone(parts);
    itemIn(whole, section)[field] = value;
    yield [field, whole];
    for (const member of Object.keys(Array.isArray(old) ? (old[0] as Fields) : {})) {
      const inner = structuredClone(parts);
      (itemIn(inner, section)[field] as Fields[])[0]![member] = value;
      yield [`${field}.${member}`, inner];
    }
  }
}

describe('a field that is modelled and cannot be read', () => {
  test.each(WRITTEN)('is never taken for one that is absent: each field of %s', (ref, persona, parts, section) => {
    expect(writtenOf(parts, ref, persona)).toBeDefined();
    for (const value of [{ inherited: true, value: 'x' }, {}, [{}], [['x', 'y']]])
      for (const [field, changed] of withAnother(parts, section, value))
        expect([field, value, writtenOf(changed, ref, persona)]).toEqual([field, value, undefined]);
  });

  const role = (fields: Fields): Parts => ({
    roles: [{ rname: 'r', ...fields }],
    policies: [{ accname: 'deny-guest' }],
  });
  const allowall = { pname: 'allowall' };
  test.each([
    ['an entry without a known name', { role__acl: [allowall, { acl_name: 'deny-guest' }] }, 'role__acl'],
    ['an entry for one AP group', { role__acl: [{ ...allowall, ap_group: 'b1' }] }, 'role__acl'],
    ['an ethertype list of that name', { role__acl: [{ ...allowall, acl_type: 'ethertype' }] }, 'role__acl'],
    ['two lists that differ', { role__acl: [allowall], acl: [{ pname: 'deny-guest' }] }, 'acl'],
  ] as [string, Fields, string][])('a role with %s does not allow everything', (_, fields, field) => {
    const candidate = only(planFor(role(fields)), 'role:r');
    expect(Object.keys(candidate.unsupported_fields)).toEqual([field]);
    expect(candidate.warnings).toContainEqual(expect.objectContaining({ code: 'unmapped_field', field }));
    expect(rowOf(candidate)).toBe('role');
  });
  const permit = { src: 'any', dst: 'any', svc: 'any', action: 'permit', position: 2 };
  const list = (accname: string, ...rules: Fields[]) => ({ accname, acl_sess__v4policy: rules });
  const ofList = (policy: Fields) =>
    only(planFor({ roles: [{ rname: 'r', role__acl: [{ pname: policy['accname'] }] }], policies: [policy] }), 'role:r');
  test.each<[string, Fields]>([
    ['a rule before it that denies', list('allowall', { ...permit, dst: 'hr', action: 'deny', position: 1 }, permit)],
    ['a rule for some hours', list('allowall', { ...permit, time_range: 'opening-hours' })],
    ['a rule for one service only', list('allowall', { ...permit, svc: 'svc-dns' })],
    ['a rule for IPv6 that denies', { ...list('sys_allow_all', permit), acl_sess__v6policy: [{ action: 'deny' }] }],
    ['rules that nobody can read', { accname: 'allowall', acl_sess__v4policy: ['any any any permit'] }],
  ])('a role does not allow everything where the export has its allowall with %s', (_, policy) => {
    expect(rowOf(ofList(policy))).toBe('role');
    expect(ofList(policy).dependencies).toEqual([`policy:${policy['accname']}`]);
  });
  test('a role allows everything by a list that the export has as the controller brings it along', () => {
    for (const policy of [list('allowall', permit), list('AllowAll', permit), { accname: 'allowall' }]) {
      expect(rowOf(ofList(policy))).toBe('role_allow_all');
      expect(ofList(policy).dependencies).toEqual([]);
    }
  });
  test('a list that is told twice and the same is read once', () => {
    const candidate = only(planFor(role({ role__acl: [allowall], acl: ['allowall'] })), 'role:r');
    expect(candidate).toMatchObject({ payload: { acls: ['allowall'] }, unsupported_fields: {} });
  });
  test.each([
    ['a description', { vlans: [{ id: 10, descr: 'a', description: 'b' }] }, 'vlan:10', 'description'],
    ['a number', { vlans: [{ id: 10, vlan_id: 20 }] }, 'vlan:10', 'vlan_id'],
    ['a spelling', { vlans: [{ id: 10, Descr: 'a', descr: 'b' }] }, 'vlan:10', 'descr (again)'],
    [
      'an accounting group',
      { aaa: { aaa_profiles: [{ name: 'a', rad_acct_sg: 'g', accounting_server_group: 'h' }] } },
      'aaa_profile:a',
      'rad_acct_sg',
    ],
  ] as [string, Parts, string, string][])(
    '%s under two names that differ: the second is kept aside',
    (_, parts, ref, field) => {
      expect(Object.keys(only(planFor(parts), ref).unsupported_fields)).toEqual([field]);
    },
  );
  test('of two ports of one server neither is chosen', () => {
    const radius = { name: 'r', host: '10.0.0.1', authport: 1645, auth_port: 1812 };
    expect(writtenOf({ aaa: { radius_servers: [radius] } }, 'auth_server:radius:r', 'MOBILITY_GW')).toBeUndefined();
  });
  test('of two spellings the one that says something counts', () => {
    const { payload } = only(planFor({ vlans: [{ id: 10, Descr: null, descr: 'b' }] }), 'vlan:10');
    expect(payload).toMatchObject({ description: 'b' });
  });
  test('a flag that nobody models and that is an empty object is on, and is kept aside', () => {
    expect(only(planFor({ vlans: [{ id: 10, odd: {} }] }), 'vlan:10').unsupported_fields).toEqual({ odd: {} });
  });
  test('members of a server group that cannot be read wholly are kept aside', () => {
    const members = [{ name: 'one', timeout: 3 }, { server: 'two' }, { name: 'two', match_authstring: { a: 1, b: 2 } }];
    expect(group({ auth_server: members }).unsupported_fields).toEqual({ auth_server: members });
  });
});

describe('a text out of which something was taken that looks like a credential', () => {
  const token = 'Token Ring9x2kQ';
  test.each([
    ['the remark of a VLAN', { vlans: [{ id: 40, descr: 'Guests, psk=Summer2024 (front desk)' }] }, 'vlan:40', 'descr'],
    ['the name of a network', network({ opmode: 'opensystem', essid: token }), 'wlan:net', 'ssid.essid'],
    [
      'the name of an 802.1X profile',
      { aaa: { dot1x_auth_profiles: [{ profile_name: token }] } },
      'dot1x_auth_profile:Token ******',
      'profile_name',
    ],
    [
      'the rule of a member',
      {
        aaa: { ...servers, server_groups: [{ sg_name: 'g', auth_server: [{ name: 'one', match_authstring: token }] }] },
      },
      'server_group:g',
      'auth_server',
    ],
  ] as [string, Parts, string, string][])('is never written without it: %s', (_, parts, ref, field) => {
    const { unsupported_fields, warnings } = only(planFor(parts), ref);
    expect(Object.keys(unsupported_fields)).toEqual([field]);
    const codes = warnings.filter((each) => each.field === field).map(({ code }) => code);
    expect(codes).toEqual(['secret_removed', 'unmapped_field']);
    for (const persona of ['CAMPUS_AP', 'MOBILITY_GW']) expect(writtenOf(parts, ref, persona)).toBeUndefined();
  });
  test('nor is a network whose profiles have such a name', () => {
    const parts = network({ opmode: 'opensystem', essid: token }, { profile_name: token });
    expect(writtenOf(parts, 'wlan:Token ******', 'CAMPUS_AP')).toBeUndefined();
    expect(Object.keys(only(planFor(parts), 'wlan:Token ******').unsupported_fields)).toContain(
      'virtual_ap.profile_name',
    );
  });
  test('nor a text that was cut', () => {
    const vlan = { vlans: [{ id: 40, descr: 'x'.repeat(1_001) }] };
    expect(Object.keys(only(planFor(vlan), 'vlan:40').unsupported_fields)).toEqual(['descr']);
  });
  test('and a field too deep to be kept still has its warning', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
    expect(Object.keys(only(planFor({ vlans: [{ id: 40, odd: deep }] }), 'vlan:40').unsupported_fields)).toEqual([
      'odd',
    ]);
  });
});
