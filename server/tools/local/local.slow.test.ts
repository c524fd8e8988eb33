/** Local tools that lean on the installation, through the whole router over the fake: site health, translations, credentials. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SOURCES } from '../../site-health/readings.ts';
import { type InstallationTestbed, installationTestbed } from '../../test/support/installation-testbed.ts';

const PLATFORMS = ['mgmt', 'workspace', 'nac', 'cloudwlan', 'sdwan', 'legacy', 'fabric', 'sse', 'sensors', 'analytics'];
let testbed: InstallationTestbed;
beforeAll(async () => {
  testbed = await installationTestbed({ platforms: PLATFORMS });
});
afterAll(() => testbed[Symbol.asyncDispose]());
beforeEach(async () => {
  await testbed.plan([]);
  await testbed.rewind();
});

type Answered = Record<string, never>;
const read = async (name: string, args: object = {}) => {
  const { value, isError } = await testbed.ask('invoke_read_tool', { name, arguments: args });
  return { isError, value: value as Answered };
};

interface Overview {
  sites: { site: string; worst: string; platforms: Record<string, object[]> }[];
  platform_wide: { platform: string }[];
  answered: string[];
  not_answered: { platform: string; code: string; message: string }[];
  truncated: string[];
  not_covered: string[];
  complete: boolean;
}
const overview = async (args: object = {}) => (await read('site_health_overview', args)).value as unknown as Overview;

describe('site health', () => {
  test('every reading names tools that are there and read', () => {
    for (const { platform, tools } of SOURCES)
      for (const name of tools) expect(testbed.catalog.tool(name)).toMatchObject({ platform, capability: 'read' });
  });

  test('asks every loaded platform and puts one site of several platforms together', async () => {
    const { sites, platform_wide, answered, not_answered, not_covered, truncated, complete } = await overview();
    expect(truncated).toEqual([]);
    expect(answered.toSorted()).toEqual(SOURCES.map(({ platform }) => platform).toSorted());
    expect([not_answered, not_covered, complete]).toEqual([[], ['analytics'], true]);
    const depot = sites.find(({ site }) => site === 'North Depot');
    expect(Object.keys(depot?.platforms ?? {})).toEqual(expect.arrayContaining(['mgmt', 'cloudwlan', 'sensors']));
    expect(new Set(platform_wide.map(({ platform }) => platform))).toEqual(
      new Set(['workspace', 'nac', 'legacy', 'fabric', 'sdwan']),
    );
    const order = ['poor', 'fair', 'unknown', 'good'];
    expect(sites.map(({ worst }) => worst)).toEqual(
      sites.map(({ worst }) => worst).toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    );
  });

  test('reads the lists of every platform page by page to their ends', async () => {
    await using small = await installationTestbed({
      platforms: PLATFORMS,
      variables: { SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS: '2' },
    });
    const { value } = await small.ask('invoke_read_tool', { name: 'site_health_overview', arguments: {} });
    expect(value).toEqual(await overview());
    const reads = Object.groupBy(await small.ledger(), ({ method, template }) => `${method} ${template}`);
    const paged = Object.entries(reads).flatMap(([name, lines = []]) =>
      name.startsWith('GET') && lines.length > 1 ? lines.map(({ platform }) => platform) : [],
    );
    expect([...new Set(paged)].sort()).toEqual(SOURCES.map(({ platform }) => platform).sort());
  });

  test('looks at one site, and at the platforms that were named', async () => {
    const { sites, not_answered, answered } = await overview({ site: 'north depot', platforms: ['mgmt', 'toaster'] });
    expect(sites.map(({ site }) => site)).toEqual(['North Depot']);
    expect([answered, not_answered]).toEqual([
      ['mgmt'],
      [{ platform: 'toaster', code: 'platform_not_configured', message: 'it is not loaded' }],
    ]);
  });

  test('a platform that is slow or fails is named, and the others are answered', async () => {
    await testbed.plan([
      { platform: 'cloudwlan', capability: 'read', times: 0, fault: { kind: 'hang' } },
      { platform: 'sdwan', capability: 'read', times: 0, fault: { kind: 'status', status: 500 } },
    ]);
    const found = await overview({ deadline_seconds: 4, platforms: ['mgmt', 'cloudwlan', 'sdwan', 'nac'] });
    expect(found.answered).toEqual(expect.arrayContaining(['mgmt', 'nac']));
    expect(found.complete).toBe(false);
    expect(found.not_answered.map(({ platform }) => platform).toSorted()).toEqual(['cloudwlan', 'sdwan']);
    expect(found.not_answered.find(({ platform }) => platform === 'cloudwlan')?.message).toBe('no answer within 4 s');
  });
});

describe('a translated body is taken by the platform it is for', () => {
  interface Translated {
    target_tool: string;
    arguments: { org_id?: string; body: Record<string, unknown> };
    warnings: { field: string; kind: string }[];
  }
  const items = async (name: string, args = {}) =>
    ((await read(name, args)).value as unknown as { items: Record<string, string>[] }).items;
  const previewed = async ({ target_tool, arguments: args }: Translated) =>
    testbed.ask('invoke_tool', { name: target_tool, arguments: args });
  const translate = async (name: string, args: object) => (await read(name, args)).value as unknown as Translated;
  const org = async () => (await items('cloudwlan_list_orgs'))[0]?.['org_id'] as string;

  test('every WLAN of the management cloud previews on the cloud WLAN', async () => {
    const org_id = await org();
    const wlans = await items('mgmt_list_wlan_ssids');
    expect(wlans.length).toBeGreaterThan(2);
    for (const { ssid } of wlans) {
      const wlan = (await read('mgmt_get_wlan_ssid', { ssid })).value;
      const over = await translate('interop_translate_wlan_to_cloudwlan', { wlan, org_id });
      const body: Record<string, unknown> = { ...over.arguments.body };
      expect(await previewed({ ...over, arguments: { org_id, body } })).toMatchObject({
        isError: false,
        value: { status: 'dry_run' },
      });
    }
  });

  test('every network of the cloud WLAN previews on the management cloud, once it has its passphrase', async () => {
    const wlans = await items('cloudwlan_list_org_wlans', { org_id: await org() });
    expect(wlans.length).toBeGreaterThan(0);
    for (const wlan of wlans) {
      const over = await translate('interop_translate_wlan_to_mgmt', { wlan });
      const body = over.warnings.some(({ kind }) => kind === 'secret')
        ? { ...over.arguments.body, 'personal-security': { 'wpa-passphrase': 'a-new-passphrase' } }
        : over.arguments.body;
      expect(await previewed({ ...over, arguments: { ...over.arguments, body } })).toMatchObject({
        isError: false,
        value: { status: 'dry_run' },
      });
    }
  });

  test('sites preview both ways', async () => {
    const org_id = await org();
    for (const { 'scope-id': id } of await items('mgmt_list_sites')) {
      const site = (await read('mgmt_get_site', { 'scope-id': id })).value;
      const over = await translate('interop_translate_site_to_cloudwlan', { site, org_id });
      expect(await previewed(over)).toMatchObject({ isError: false, value: { status: 'dry_run' } });
    }
    for (const { site_id } of await items('cloudwlan_list_sites')) {
      const site = (await read('cloudwlan_get_site', { site_id })).value;
      const over = await translate('interop_translate_site_to_mgmt', { site });
      const body = { city: 'Newry', ...over.arguments.body };
      expect(await previewed({ ...over, arguments: { body } })).toMatchObject({
        isError: false,
        value: { status: 'dry_run' },
      });
    }
  });
});

test('trends of three platforms come out in one form', async () => {
  const [site] = ((await read('cloudwlan_list_sites')).value as unknown as { items: { site_id: string }[] }).items;
  for (const [tool, args, metric] of [
    ['mgmt_get_site_health_health_trend', { siteId: 'depot' }, 'healthScore'],
    ['cloudwlan_get_site_health_score_trend', { site_id: site?.site_id }, 'score'],
    ['sdwan_get_network_health_score_trend', {}, 'overallScore'],
  ] as const) {
    const series = (await read(tool, args)).value;
    const { value } = await read('interop_normalise_trend', { series, metric });
    expect(value).toMatchObject({ metric, unit: 'score', interval_seconds: 300, gaps: [], warnings: [] });
  }
});

test('an identifier is found in lists whose search does not look at the field that has it', async () => {
  const found = async (identifier: string) => {
    const { matches } = (await read('resolve_identifier', { identifier })).value as unknown as {
      matches: { platform: string; object: string; exact: boolean }[];
    };
    return matches.filter(({ exact }) => exact).map(({ platform, object }) => `${platform} ${object}`);
  };
  expect(await found('Harbour-Guest')).toEqual(expect.arrayContaining(['legacy wlan', 'mgmt wlan']));
  expect(await found('clinic-ap-01')).toEqual(expect.arrayContaining(['legacy device', 'mgmt device']));
  const serials = (await read('workspace_list_devices')).value as unknown as { items: { serialNumber: string }[] };
  const letters = serials.items.map(({ serialNumber }) => serialNumber).find((serial) => /^[A-Z]+$/.test(serial));
  expect(await found(String(letters))).toContain('workspace device');
});

test('credentials are judged from the file alone: what is missing is named, nothing is sent, no value is shown', async () => {
  expect((await read('check_credentials')).value).toMatchObject({ ready: true, api_calls_made: 0 });
  const before = (await testbed.ledger()).length;
  writeFileSync(
    join(testbed.folder, 'config', 'credentials.yaml'),
    'mgmt: { base_url: "http://192.0.2.1/mgmt", client_id: "<client id>", client_secret: canary-secret-1 }\nsdwan: { base_url: "not a url", api_token: canary-token }\n',
    { mode: 0o644 },
  );
  const { value } = await read('check_credentials');
  const { accounts } = value as unknown as {
    accounts: { platform: string; ready: boolean; problem?: { message: string }; warnings: string[] }[];
  };
  const of = (id: string) => accounts.find(({ platform }) => platform === id);
  expect(value).toMatchObject({ ready: false, file: { exists: true, loadable: false } });
  expect(of('mgmt')).toMatchObject({
    ready: true,
    warnings: ['mgmt: clientId looks like a placeholder', 'mgmt: an address without TLS carries secrets in the clear'],
  });
  expect(of('workspace')?.problem?.message).toContain('should be set in');
  expect(of('sdwan')?.problem?.message).toContain('should be an http or https URL');
  expect(JSON.stringify(value)).not.toContain('canary');
  expect((await testbed.ledger()).length).toBe(before);
});
