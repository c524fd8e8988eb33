/** resolve_identifier: what an identifier is, where it is looked for, and what is said about the rest. */
import { expect, test } from 'vitest';
import type { Tool } from '../../catalog/tool.ts';
import type { LocalToolContext } from '../../dispatch/dispatch-call.ts';
import type { CallEnd } from '../../dispatch/envelope.ts';
import { toolOf } from '../../test/support/tools-in-memory.ts';
import resolveIdentifier from './identifier/resolve-identifier.ts';
import { kindOf, kindsOf, matchingFields, sentAs } from './identifier-sources.ts';
import type { LocalContext } from './registry.ts';

test.each([
  ['02:0f:24:58:68:28', 'mac'],
  ['020f.2458.6828', 'mac'],
  ['10.7.1.1', 'ip'],
  ['2001:db8::1', 'ip'],
  ['::ffff:10.0.0.1', 'ip'],
  ['fe80::1%eth0', 'ip'],
  ['12:34', 'name'],
  ['PHPSJQVUNG7', 'serial'],
  ['Harbour House', 'name'],
  ['guest', 'name'],
])('%s is a %s', (identifier, kind) => {
  expect(kindOf(identifier)).toBe(kind);
});

test('a serial number may be letters only, and is a match in the field of its name', () => {
  expect(kindsOf('PHYCZKMBKT')).toEqual(['name', 'serial']);
  for (const row of [{ serialNumber: 'PHYCZKMBKT' }, { serial: 'PHYCZKMBKT' }, { mac: 'PHYCZKMBKT' }])
    expect(matchingFields(row, 'PHYCZKMBKT', 'name', 'device')).toMatchObject([{ exact: true, refers: false }]);
  expect(matchingFields({ sensorSerial: 'PHYCZKMBKT' }, 'PHYCZKMBKT', 'name', 'client')).toMatchObject([
    { refers: true },
  ]);
});

test('an address matches in any spelling, a name also as a part of a naming field', () => {
  expect(matchingFields({ mac: '02-0F-24-58-68-28', note: 'x' }, '020f.2458.6828', 'mac', 'device')).toEqual([
    { field: 'mac', exact: true, refers: false },
  ]);
  const row = { siteName: 'Harbour House East', note: 'near harbour house' };
  expect(matchingFields(row, 'harbour house', 'name', 'site')).toEqual([
    { field: 'siteName', exact: false, refers: false },
  ]);
});

test.each([
  ['ip', '2001:db8::1', '2001:0DB8:0000:0000:0000:0000:0000:0001'],
  ['ip', '2001:0db8:0:0::0001', '2001:db8::1'],
  ['ip', '::ffff:10.0.0.1', '10.0.0.1'],
  ['ip', '10.0.0.1', '0:0:0:0:0:ffff:a00:1'],
  ['ip', 'fe80::1%eth0', 'fe80::1'],
  ['name', 'Zürich', 'Zürich'.normalize('NFD')],
  ['name', 'Zürich'.normalize('NFD'), 'ZÜRICH'],
] as const)('of the kind %s, %s is also written %s', (kind, identifier, written) => {
  expect(matchingFields({ name: written }, identifier, kind, 'device')).toMatchObject([{ exact: true }]);
  expect(matchingFields({ name: `${written}1` }, identifier, kind, 'device')).not.toMatchObject([{ exact: true }]);
});

test.each([
  ['device', { siteId: 'hq' }, true],
  ['device', { 'site-name': 'hq' }, true],
  ['device', { deviceName: 'hq' }, false],
  ['device', { id: 'hq' }, false],
  ['device', { city: 'hq' }, true],
  ['site', { siteId: 'hq' }, false],
  ['site', { 'scope-id': 'hq' }, false],
  ['client', { ssid: 'hq' }, true],
  ['wlan', { ssid: 'hq' }, false],
  ['wlan', { 'default-role': 'hq' }, true],
] as const)('of a %s, %j is the name of something else: %s', (object, row, refers) => {
  expect(matchingFields(row, 'hq', 'name', object)).toMatchObject([{ exact: true, refers }]);
});

const query = (name: string) => ({
  argument: name,
  name,
  in: 'query' as const,
  required: false,
  style: 'form',
  explode: true,
});
const list = (platform: string, noun: string, parameters: string[]): Tool =>
  toolOf({
    name: `${platform}_list_${noun}s`,
    platform,
    path: `/${noun}s`,
    parameters: parameters.map(query),
    list: { property: 'items' },
    resource: { name: `${noun}s`, noun, plural: `${noun}s`, key: 'id' },
  }).tool;
const tools = [
  list('mgmt', 'site', ['name', 'limit']),
  list('mgmt', 'device', ['search']),
  list('mgmt', 'gateway', ['search']),
  list('mgmt', 'WLAN', ['search']),
  list('nac', 'device', ['search']),
  list('sdwan', 'tunnel', []),
  toolOf({
    name: 'mgmt_get_site',
    path: '/sites/{id}',
    parameters: [{ ...query('id'), in: 'path', required: true }],
  }).tool,
];

function resolver(
  more: {
    rows?: Record<string, unknown[]>;
    narrowed?: unknown[];
    cut?: boolean;
    limit?: number;
    hidden?: string;
    extra?: Tool[];
  } = {},
) {
  const all = [...tools, ...(more.extra ?? [])];
  const platforms = ['mgmt', 'nac', 'sdwan', 'sse'].map((id) => ({
    id,
    auth: {
      strategy: 'none',
      section: id,
      variables: {},
      ...(id === 'sse' ? { strategy: 'bearer-token' } : {}),
    },
    base_url: 'https://platform.test',
  }));
  const key = (text: string) => text.replaceAll(/\{[^}]*\}/g, '{}');
  const context = {
    config: { platforms, credentialsPath: '/nowhere/credentials.yaml', credentialOverrides: {} },
    catalog: {
      names: () => all.map(({ name }) => name),
      tool: (name: string) => all.find((tool) => tool.name === name),
      schema: () => ({ properties: { search: { description: 'Text that must occur in name or serial' } } }),
      wrapping: (operation: string) => all.filter(({ method, path }) => key(`${method} ${path}`) === key(operation)),
    },
    visible: () => true,
  } as unknown as LocalContext;
  const asked: [string, unknown][] = [];
  const rows: Record<string, unknown[]> = {
    mgmt_list_sites: [
      { id: 's1', name: 'Harbour House' },
      { id: 's2', name: 'Mill' },
    ],
    ...more.rows,
  };
  const run = resolveIdentifier.open(context);
  const callContext = {
    call: { principal: 'local' },
    invoke: async ({ name, arguments: args }: { name: string; arguments: unknown }): Promise<CallEnd> => {
      asked.push([name, args]);
      // A call that a tool makes is not told why its list is empty.
      if (name === more.hidden && args !== null && typeof args === 'object' && 'search' in args)
        return { kind: 'done', outcome: 'success', result: { items: [] } };
      const narrowed = args !== null && typeof args === 'object' && 'name' in args;
      const items = narrowed && more.narrowed ? more.narrowed : (rows[name] ?? []);
      const truncated = more.cut === true && !narrowed;
      const result = { items, _pagination: { truncated, limit: more.limit } };
      return { kind: 'done', outcome: 'success', result };
    },
  } as unknown as LocalToolContext;
  return { asked, resolve: (args: { identifier: string; max_calls?: number }) => run(args, callContext) };
}

test('every platform is asked once before one is asked twice; a match says how to read it whole', async () => {
  const { asked, resolve } = resolver();
  const found = await resolve({ identifier: 'harbour house' });
  expect(asked.map(([name]) => name)).toEqual([
    'mgmt_list_sites',
    'nac_list_devices',
    'mgmt_list_devices',
    'mgmt_list_WLANs',
    'mgmt_list_gateways',
    // What was empty, without the name.
    'mgmt_list_WLANs',
    'nac_list_devices',
    'mgmt_list_devices',
    'mgmt_list_gateways',
  ]);
  expect(asked[0]).toEqual(['mgmt_list_sites', { limit: 100 }]);
  expect(asked[1]).toEqual(['nac_list_devices', { search: 'harbour house' }]);
  expect(found.matches).toEqual([
    {
      platform: 'mgmt',
      object: 'site',
      exact: true,
      matched: { name: 'Harbour House' },
      identity: { id: 's1', name: 'Harbour House' },
      next_step: { tool: 'mgmt_get_site', arguments: { id: 's1' } },
    },
  ]);
});

test('platforms that were not asked are named with the reason', async () => {
  const { asked, resolve } = resolver();
  const found = await resolve({ identifier: 'harbour house', max_calls: 2 });
  expect(asked).toHaveLength(2);
  expect(found.not_asked).toEqual([
    { platform: 'sdwan', why: 'none of its reads takes a name without further arguments' },
    { platform: 'sse', why: 'it has no credentials here' },
    { platform: 'mgmt', why: 'the budget of 2 calls was spent before mgmt_list_gateways' },
  ]);
});

test('the devices of a site are counted, and do not stand for the site', async () => {
  const devices = ['one', 'two'].map((name) => ({ id: name, deviceName: name, siteId: 's2' }));
  const { resolve } = resolver({ rows: { mgmt_list_devices: devices } });
  const found = await resolve({ identifier: 's2' });
  expect(found.matches).toMatchObject([{ object: 'site', exact: true, identity: { name: 'Mill' } }]);
  expect(found.referring).toEqual([{ tool: 'mgmt_list_devices', field: 'siteId', rows: 2 }]);
});

test('a list of sites that does not fit one page is asked again with the name, within the calls', async () => {
  const { asked, resolve } = resolver({ cut: true });
  const found = await resolve({ identifier: 'mill' });
  expect(asked.filter(([name]) => name === 'mgmt_list_sites')).toEqual([
    ['mgmt_list_sites', { limit: 100 }],
    ['mgmt_list_sites', { name: 'mill' }],
  ]);
  expect(found.api_calls_made).toBe(asked.length);
  const tight = resolver({ cut: true });
  await tight.resolve({ identifier: 'mill', max_calls: 6 });
  expect(tight.asked.slice(5)).toEqual([['mgmt_list_sites', { name: 'mill' }]]);
  const spent = resolver({ cut: true });
  await spent.resolve({ identifier: 'mill', max_calls: 1 });
  expect(spent.asked).toEqual([['mgmt_list_sites', { limit: 100 }]]);
});

const SITES = { platform: 'mgmt', tool: 'mgmt_list_sites' };

test('a list that was not read to its end is named, unless the name alone found something in it', async () => {
  const asked = (more: Parameters<typeof resolver>[0], args: { identifier: string; max_calls?: number }) =>
    resolver({ cut: true, ...more })
      .resolve(args)
      .then(({ matches, truncated = [] }) => ({
        matches: matches.length,
        sites: truncated.some(({ tool }) => tool === SITES.tool),
      }));
  const mill = [{ id: 's2', name: 'Mill' }];
  expect(await asked({ narrowed: mill }, { identifier: 'mill' })).toEqual({ matches: 1, sites: false });
  expect(await asked({ narrowed: [] }, { identifier: 'weir' })).toEqual({ matches: 0, sites: true });
  const spent = await resolver({ cut: true }).resolve({ identifier: 'weir', max_calls: 1 });
  expect(spent).toMatchObject({ matches: [], truncated: [SITES] });
  expect(await resolver().resolve({ identifier: 'weir' })).not.toHaveProperty('truncated');
});

test('a full page of a list that has no total may not be all, and is named', async () => {
  const found = await resolver({ limit: 2, narrowed: [] }).resolve({ identifier: 'weir' });
  expect(found.truncated).toEqual([SITES]);
});

test('a site on the first page of a cut list is found by a key that the search of the list does not look at', async () => {
  const { matches } = await resolver({ cut: true, narrowed: [] }).resolve({ identifier: 's2' });
  expect(matches).toMatchObject([{ object: 'site', matched: { id: 's2' } }]);
});

test('a list whose search does not look at the field that has the name is read without it', async () => {
  const { asked, resolve } = resolver({
    rows: { mgmt_list_WLANs: [{ id: 'w1', wlanName: 'iot' }] },
    hidden: 'mgmt_list_WLANs',
  });
  const { matches } = await resolve({ identifier: 'iot' });
  expect(matches).toMatchObject([{ object: 'wlan', matched: { wlanName: 'iot' } }]);
  expect(asked.filter(([name]) => name === 'mgmt_list_WLANs')).toEqual([
    ['mgmt_list_WLANs', { search: 'iot' }],
    ['mgmt_list_WLANs', {}],
  ]);
});

test('a name that nothing has: what was looked for, and the nearest names', async () => {
  const rows = { nac_list_devices: [{ id: 'd1', name: 'mill-ap-03', siteName: 'mill-ap-3x' }] };
  const { resolve } = resolver({ rows });
  expect(await resolve({ identifier: 'mill-ap-3' })).toMatchObject({
    matches: [],
    looked_for: ['site', 'device', 'wlan', 'client'],
    nearest: ['mill-ap-03', 'Mill'],
  });
  expect(await resolve({ identifier: 'mill-ap-03' })).not.toHaveProperty('looked_for');
});

test('a list is known by the words of its noun where the platform has none of the noun itself', async () => {
  const extra = ['access point database entry', 'foreign access point', 'edge location'].map((noun) =>
    list('sdwan', noun, ['search']),
  );
  const { asked, resolve } = resolver({ extra: [...extra, list('nac', 'registered device', ['search'])] });
  await resolve({ identifier: 'mill' });
  const names = new Set(asked.map(([name]) => name));
  expect(names).toContain('sdwan_list_access point database entrys');
  expect(names).toContain('sdwan_list_edge locations');
  expect(names).not.toContain('sdwan_list_foreign access points');
  expect(names).not.toContain('nac_list_registered devices');
});

test.each(['  ', '__', ' - '])('%j is no identifier: it would match every name', async (identifier) => {
  const { asked, resolve } = resolver();
  await expect(resolve({ identifier })).rejects.toThrow('`/identifier` should be more than blanks and separators');
  expect(asked).toEqual([]);
});

test('twelve hexadecimal digits may be a MAC address or a serial number: lists of both are asked', async () => {
  const extra = [list('nac', 'endpoint', ['mac']), list('sdwan', 'appliance', ['serialNumber'])];
  const { asked, resolve } = resolver({
    extra,
    rows: { sdwan_list_appliances: [{ id: 'a1', serialNumber: '202312345678' }] },
  });
  const found = await resolve({ identifier: '202312345678' });
  expect(asked).toContainEqual(['nac_list_endpoints', { mac: '20:23:12:34:56:78' }]);
  expect(asked).toContainEqual(['sdwan_list_appliances', { serialNumber: '202312345678' }]);
  expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(asked.length);
  expect(found.matches).toMatchObject([{ platform: 'sdwan', exact: true, identity: { id: 'a1' } }]);
  const dotted = resolver({ extra });
  await dotted.resolve({ identifier: '2023.1234.5678' });
  expect(dotted.asked.filter(([, args]) => 'serialNumber' in (args as object))).toEqual([]);
});

test('an address is asked for in its shortest form', async () => {
  const { asked, resolve } = resolver({ extra: [list('nac', 'endpoint', ['ip'])] });
  await resolve({ identifier: '2001:DB8:0:0:0:0:0:1' });
  expect(asked).toContainEqual(['nac_list_endpoints', { ip: '2001:db8::1' }]);
});

test.each([
  ['02-00-B2-07-3B-8A', 'search', undefined, '02:00:b2:07:3b:8a'],
  ['0200.b207.3b8a', 'macAddress', '^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$', '02:00:b2:07:3b:8a'],
  ['0200b2073b8a', 'macAddress', '^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$', '02:00:b2:07:3b:8a'],
  ['0200b2073b8a', 'search', undefined, '0200b2073b8a'],
  ['02:00:b2:07:3b:8a', 'mac', '^[0-9A-F]{12}$', '0200B2073B8A'],
])('the address %s is asked for as the argument %s of the pattern %s takes it', (address, argument, pattern, sent) => {
  expect(sentAs(address, argument, pattern)).toBe(sent);
});
