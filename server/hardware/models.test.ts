import { expect, test } from 'vitest';
import { ROLES } from '../diagram/roles.ts';
import compare from '../tools/local/hardware/hardware-compare-models.ts';
import search from '../tools/local/hardware/hardware-search-models.ts';
import { MODELS, modelNamed, searchModels } from './models.ts';

const names = (query: string, vendor?: string) => searchModels(query, vendor).map(({ model }) => model);

test('every model has a name of its own, a role a picture knows, and dates in order', () => {
  expect(MODELS.length).toBeGreaterThan(51);
  expect(new Set(MODELS.map(({ model }) => modelNamed(model))).size).toBe(MODELS.length);
  for (const { role, lifecycle } of MODELS) {
    expect(ROLES.map(({ id }) => id)).toContain(role);
    expect((lifecycle.end_of_sale ?? '0') <= (lifecycle.end_of_support ?? '9')).toBe(true);
  }
});

test.each([
  ['ap 515', undefined, ['AP-515']],
  ['outdoor access points', undefined, ['AP-565', 'AP-577', 'CW-64']],
  ['outdoor access points', 'cloudwlan', ['CW-64', 'CW-12', 'CW-24']],
  ['spine switches', undefined, ['SP-3200', 'SP-3240', 'SP-6400']],
  ['AP-515', 'cloudwlan', []],
  ['espresso', undefined, []],
])('%s of %s', (query, vendor, expected) => {
  expect(names(query, vendor).slice(0, 3)).toEqual(expected);
});

test('a search shows at most five, says how many there are, and specifications only when asked', async () => {
  const found = await search.open()({ query: 'access point' });
  expect(found.models).toHaveLength(5);
  expect(found.total).toBeGreaterThan(15);
  expect(JSON.stringify(found)).not.toContain('specs');
  expect(await search.open()({ query: 'EDGE-R', include_specs: true })).toEqual({
    total: 1,
    models: [
      {
        model: 'EDGE-R',
        vendor: 'sdwan',
        role: 'wan-edge',
        summary: 'WAN edge for cabinets, no fan',
        specs: { firewall_gbps: 1, vpn_gbps: 0.5, tunnels: 100, ports: '4x1G', temperature_c: '-40 to 70' },
        lifecycle: { end_of_sale: '2024-06-30', end_of_support: '2029-06-30' },
      },
    ],
  });
});

test.each([
  ['SX-800-48', true],
  ['AP-5150', true],
  ['ap515', false],
  ['SW-6300', false],
  ['wifi6', false],
  ['48 ports', false],
  ['802.11ax', false],
  ['outdoor access point', false],
])('%s as the name of no model: %s', async (query, unknown) => {
  expect('unknown' in (await search.open()({ query }))).toBe(unknown);
});

test('a comparison separates differences from equal values, and names unknown models', async () => {
  expect(await compare.open()({ models: ['ap-505', 'AP-515', 'AP-5150'] })).toEqual({
    models: ['AP-505', 'AP-515'],
    differs: {
      summary: ['Indoor access point for small offices, 802.11ax', 'Indoor access point for dense offices, 802.11ax'],
      streams: ['2x2:2', '4x4:4'],
      uplink_gbps: [1, 2.5],
      max_clients: [256, 512],
      poe_w: [14, 21],
    },
    same: { vendor: 'mgmt', role: 'access-point', wifi: '802.11ax', radios: 2 },
    unknown: [{ model: 'AP-5150', close: ['AP-515', 'AP-505', 'AP-535'] }],
  });
});
