/** What the specification fixes about the management cloud: paths with exactly their methods, value sets, adapter bodies. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { expandPlatform, type OpenApiDocument } from './assemble-document.ts';
import { sorted } from './canonical-document.ts';
import { operationsOf, schemasOf } from './lint/endpoint-count.ts';
import { readPlatform } from './model/platform-folder-model.ts';
import type { Schema } from './schema/schema-object.ts';

const addFormats = addFormatsModule.default;
let documents: Map<string, OpenApiDocument>;

beforeAll(async () => {
  const expanded = expandPlatform(await readPlatform('mgmt'));
  documents = new Map(
    expanded.map(({ name, document }) => [name, JSON.parse(JSON.stringify(sorted(document))) as OpenApiDocument]),
  );
});

const config = '/network-config/v1alpha1';

describe('section 4.3: a path has exactly these methods', () => {
  test.each([
    ['GET POST PUT', '/network-config/v1/layer2-vlan/{vlan_id}'],
    ['GET', '/network-config/v1/layer2-vlan'],
    ['DELETE GET PATCH POST PUT', `${config}/wlan-ssids/{ssid}`],
    ['DELETE GET PATCH POST PUT', `${config}/overlay-wlan/{profile}`],
    ['DELETE GET PATCH POST', `${config}/aaa-profile/{name}`],
    ['GET', `${config}/aaa-profile`],
    ['DELETE GET PATCH POST', `${config}/dot1xauth/{name}`],
    ['GET', `${config}/dot1xauth`],
    ['DELETE GET PATCH POST', `${config}/macauth/{name}`],
    ['GET', `${config}/macauth`],
    ['DELETE GET PATCH POST PUT', `${config}/auth-servers/{name}`],
    ['DELETE GET PATCH POST', `${config}/server-groups/{name}`],
    ['GET', `${config}/server-groups`],
    ['GET POST', `${config}/config-assignments`],
    ['DELETE', `${config}/config-assignments/{scope-id}/{device-function}/{profile-type}/{profile-instance}`],
    ['DELETE GET PATCH POST PUT', `${config}/policies/{name}`],
    ['GET', `${config}/policies`],
    ['DELETE GET PATCH POST', `${config}/static-route/{name}`],
    ['PUT', '/network-config/v1/static-route/{name}'],
    ['DELETE GET PATCH POST PUT', `${config}/vrrp-global/{name}`],
    ['DELETE GET PATCH POST PUT', `${config}/vrrp/{name}`],
    ['DELETE GET PATCH POST PUT', `${config}/l3-route/{name}`],
    ['DELETE GET PATCH PUT', `${config}/auth-profiles/{auth-profile-id}`],
    ['DELETE GET PATCH PUT', `${config}/authz-policies/{policy-id}`],
    ['DELETE GET POST PUT', '/configuration/full_wlan/{target}/{wlan}'],
  ])('%s %s', (methods, path) => {
    const found = [...documents.values()]
      .flatMap((document) => operationsOf(document))
      .filter((each) => each.path === path);
    expect(
      found
        .map((each) => each.method.toUpperCase())
        .sort()
        .join(' '),
    ).toBe(methods);
  });
});

describe('section 2.7: value sets are complete', () => {
  test('WLAN opmode has the twenty-three values and no alias', () => {
    const { enum: values } = schemasOf(documents.get('config-wireless')!)['Opmode'] as { enum: string[] };
    expect([...values].sort()).toEqual(
      'BOTH_WPA_WPA2_DOT1X BOTH_WPA_WPA2_PSK DPP DYNAMIC_WEP ENHANCED_OPEN OPEN STATIC_WEP WPA2_AES_DPP WPA2_ENTERPRISE WPA2_MPSK_AES WPA2_MPSK_LOCAL WPA2_PERSONAL WPA2_PSK_AES_DPP WPA3_AES_CCM_128_DPP WPA3_AES_GCM_256_DPP WPA3_ENTERPRISE_CCM_128 WPA3_ENTERPRISE_CNSA WPA3_ENTERPRISE_GCM_256 WPA3_MPSK_SAE WPA3_SAE WPA3_SAE_DPP WPA_ENTERPRISE WPA_PERSONAL'.split(
        ' ',
      ),
    );
  });

  test('authentication server type has eight values, device function thirteen and five of our own', () => {
    const server = schemasOf(documents.get('config-security')!)['AuthServerType'] as { enum: string[] };
    expect(server.enum).toEqual(['RADIUS', 'LDAP', 'TACACS', 'WINDOWS', 'RFC3576', 'XMLAPI', 'RADSEC', 'LOCAL']);
    const persona = schemasOf(documents.get('config-scope')!)['DeviceFunction'] as { enum: string[] };
    expect([...persona.enum].sort()).toEqual(
      'ACCESS_SWITCH AGG_SWITCH ALL BRANCH_GW BRIDGE CAMPUS_AP CORE_SWITCH EDGE_CONNECTOR EDGE_CONNECTOR_HUB HYBRID_NAC IOT LEGACY_ACCESS_SWITCH LEGACY_AGG_SWITCH LEGACY_CORE_SWITCH MICROBRANCH_AP MOBILITY_GW SERVICE_PERSONA VPNC'.split(
        ' ',
      ),
    );
  });

  test('assignments are read for one scope and one device function', () => {
    const required = (operation('listConfigAssignments')['parameters'] as Schema[])
      .filter((each) => each['in'] === 'query' && each['required'] === true)
      .map((each) => each['name']);
    expect(required).toEqual(['device-function', 'scope-id']);
  });

  test('local objects name scope and device function on the write itself, shared ones do not', () => {
    const required = (id: string): unknown[] =>
      (operation(id)['parameters'] as Schema[])
        .filter((each) => each['in'] === 'query' && each['required'] === true)
        .map((each) => each['name']);
    for (const id of [
      'createVrrpGlobalSetting',
      'createVrf',
      'createOspfInstance',
      'createAppBandwidthContract',
      'createConfigCheckpoint',
    ]) {
      expect({ id, required: required(id) }).toEqual({ id, required: ['device-function', 'scope-id'] });
    }
    for (const id of [
      'createRole',
      'createWlanSsid',
      'createPolicy',
      'createServerGroup',
      'createAuthServer',
      'createAaaProfile',
    ]) {
      expect({ id, required: required(id) }).toEqual({ id, required: [] });
    }
  });
});

describe('section 2.7: which server types a device function takes', () => {
  const all = 'RADIUS LDAP TACACS WINDOWS RFC3576 XMLAPI RADSEC LOCAL'.split(' ');
  const accessPoint = ['RADIUS', 'LDAP', 'TACACS', 'XMLAPI'];
  const switches = ['RADIUS', 'TACACS'];
  const gateway = ['RADIUS', 'TACACS', 'WINDOWS', 'LDAP'];
  const stated: Record<string, readonly string[]> = {
    CAMPUS_AP: accessPoint,
    MICROBRANCH_AP: accessPoint,
    ACCESS_SWITCH: switches,
    CORE_SWITCH: switches,
    AGG_SWITCH: switches,
    LEGACY_ACCESS_SWITCH: switches,
    LEGACY_CORE_SWITCH: switches,
    LEGACY_AGG_SWITCH: switches,
    MOBILITY_GW: gateway,
    BRANCH_GW: gateway,
    VPNC: gateway,
  };
  const table = (): Record<string, string[]> => {
    const rules = schemasOf(documents.get('config-security')!)['AuthServerCreate']!['x-svc-rules'] as Schema[];
    return rules.find((rule) => rule['field'] === 'type')!['deviceFunction'] as Record<string, string[]>;
  };

  test('every one of the eighteen has its row, of known types only', () => {
    const { enum: functions } = schemasOf(documents.get('config-scope')!)['DeviceFunction'] as { enum: string[] };
    expect(functions).toHaveLength(18);
    expect(Object.keys(table()).sort()).toEqual([...functions].sort());
    for (const types of Object.values(table())) expect(all).toEqual(expect.arrayContaining(types));
  });

  test.each(Object.entries(stated))('%s takes what the specification says', (name, types) => {
    expect([...table()[name]!].sort()).toEqual([...types].sort());
  });

  test('what goes to every function suits each of them', () => {
    const { ALL, ...each } = table();
    expect(all.filter((type) => Object.values(each).every((types) => types.includes(type)))).toEqual([...ALL!].sort());
  });
});

describe('section 2.7: scope kinds', () => {
  const kindsOf = (scope: string): string[] => [
    ...new Set(
      [...documents.values()]
        .flatMap((document) => operationsOf(document))
        .filter(({ operation }) => operation['x-svc-scope'] === scope)
        .map(({ operation }) => (operation['x-svc-resource'] as { name: string }).name),
    ),
  ];
  const local = 'app-bandwidth-contracts bgp config-checkpoint mclag ospfv2 ospfv3 telemetry vrfs vrrp-global'.split(
    ' ',
  );

  test('LOCAL is what the specification names, all of it and nothing else', () => {
    expect(kindsOf('local').sort()).toEqual(local);
  });

  test('roles, WLANs, VLANs, policies, servers, groups and profiles are SHARED', () => {
    expect(kindsOf('shared')).toEqual(
      expect.arrayContaining(
        'roles wlan-ssids layer2-vlan policies server-groups auth-servers aaa-profile dot1xauth macauth'.split(' '),
      ),
    );
  });
});

describe('section 2.7: other value sets', () => {
  test('WPA3 personal transition is a switch and no opmode', () => {
    const settings = schemasOf(documents.get('config-wireless')!)['AdvancedWirelessSecurity'] as Schema;
    expect((settings['properties'] as Schema)['wpa3-transition-mode-enable']).toMatchObject({ type: 'boolean' });
  });

  test('a server group has an ordered list of servers with name, position and match rules', () => {
    const member = schemasOf(documents.get('config-security')!)['ServerGroupMember'] as Schema;
    expect(Object.keys(member['properties'] as Schema)).toEqual(expect.arrayContaining(['server-name', 'position']));
    expect(JSON.stringify(member['properties'])).toMatch(/match/);
  });
});

describe('the body a migration adapter writes is accepted', () => {
  test.each<[string, unknown]>([
    [
      'createAuthServer',
      {
        name: 'radius-9',
        type: 'RADIUS',
        'auth-server-address': '10.9.0.4',
        'auth-port': 1812,
        'acct-port': 1813,
        'shared-secret-config': { 'secret-type': 'PLAIN_TEXT', 'plaintext-value': 'correct-horse' },
      },
    ],
    [
      'createAaaProfile',
      {
        name: 'corp',
        auth_role: 'employee',
        acct_server_group: 'corp-radius',
        authentication: { 'dot1x-auth': 'corp-dot1x', 'mac-auth': 'corp-mac' },
      },
    ],
    ['createDot1xAuthProfile', { name: 'corp-dot1x' }],
    ['createMacAuthProfile', { name: 'corp-mac' }],
    [
      'createServerGroup',
      {
        name: 'corp-radius',
        type: 'RADIUS',
        servers: [{ 'server-name': 'radius-1', position: 1 }],
        'fail-through': true,
        'load-balance': false,
      },
    ],
    ['createRole', { name: 'employee', 'allow-all': true, 'vlan-id': 20 }],
    [
      'createPolicy',
      {
        name: 'allow-all',
        type: 'session',
        rules: [
          {
            position: 1,
            condition: { type: 'CONDITION_DEFAULT', 'address-family': 'ipv4' },
            action: { type: 'ALLOW' },
          },
        ],
      },
    ],
    [
      'createConfigAssignments',
      [
        {
          'scope-id': '100001',
          'device-function': 'CAMPUS_AP',
          'profile-type': 'wlan-ssids',
          'profile-instance': 'staff',
        },
      ],
    ],
    ['createLayer2VlanV1', { name: 'voice', 'scope-map': { 'scope-id': '100001', persona: 'ACCESS_SWITCH' } }],
    [
      'createWlanSsid',
      {
        enable: true,
        essid: { 'use-alias': false, name: 'staff' },
        opmode: 'WPA3_SAE',
        'forward-mode': 'FORWARD_MODE_BRIDGE',
        'personal-security': { 'passphrase-format': 'STRING', 'wpa-passphrase': 'correct-horse' },
        'advanced-wireless-security': { 'wpa3-transition-mode-enable': false },
        dmo: { enable: true, 'channel-utilisation-threshold': 90, 'client-threshold': 6 },
        'broadcast-filter': { ipv4: 'arp', ipv6: 'ra' },
        'dtim-period': 1,
        'hide-ssid': false,
        'inactivity-timeout': 1000,
        'max-clients-threshold': 1024,
        'rf-band': 'BAND_ALL',
        'extremely-high-throughput': { mlo: false },
        uapsd: true,
        denylist: true,
        'vlan-selector': 'VLAN_RANGES',
        'vlan-id-range': ['20', '30-32'],
        'out-of-service': 'NONE',
        'client-isolation': false,
      },
    ],
    [
      'createOverlayWlan',
      {
        'essid-name': 'staff',
        'overlay-profile-type': 'WIRELESS',
        'gw-cluster-list': [
          { cluster: 'hq', 'cluster-scope-id': '100001', 'tunnel-type': 'GRE', 'cluster-type': 'PRIMARY' },
        ],
      },
    ],
  ])('%s', (id, body) => {
    expect(faults(id, body)).toEqual([]);
  });

  test('and one with a field nobody modelled is not', () => {
    expect(faults('createMacAuthProfile', { name: 'corp-mac', colour: 'red' })).not.toEqual([]);
    expect(faults('createWlanSsid', { essid: { name: 'staff' }, opmode: 'WPA2_PSK' })).not.toEqual([]);
  });
});

function operation(id: string): Schema {
  for (const document of documents.values()) {
    const found = operationsOf(document).find((each) => each.operation['operationId'] === id);
    if (found) return found.operation;
  }
  throw new Error(`expected an operation ${id}, got none`);
}

function faults(id: string, body: unknown): unknown[] {
  const document = [...documents.values()].find((each) =>
    operationsOf(each).some((one) => one.operation['operationId'] === id),
  )!;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'document');
  const content = (operation(id)['requestBody'] as Schema)['content'] as Record<string, { schema: Schema }>;
  const schema = JSON.parse(
    JSON.stringify(content['application/json']!.schema).replaceAll('"#/', '"document#/'),
  ) as Schema;
  const check = ajv.compile(schema);
  return check(body) ? [] : (check.errors ?? []);
}
