/** Site health over lists that are longer than a page: they are read on in the way of each platform, or the answer says that it is not whole. */
import { expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import type { Call, LocalToolContext } from '../dispatch/dispatch-call.ts';
import { shape } from '../dispatch/shape.ts';
import { type Asked, siteHealth } from './overview.ts';

type Row = Record<string, unknown>;
interface List {
  tool: Pick<Tool, 'list' | 'parameters'>;
  /** What the platform answers, as far as the arguments tell. */
  answer: (args: Row) => unknown;
}

/** Of the router, smaller than a page of any platform. */
const ITEMS = 20;
const many = (count: number, row: (at: number) => Row) => Array.from({ length: count }, (_, at) => row(at));
const taking = (...names: string[]) =>
  names.map((name) => ({ argument: name, name, in: 'query' as const, required: false, style: 'form', explode: true }));

/** A list by `next`: the last answer has no cursor. */
const byCursor = (rows: readonly Row[], total?: number): List => ({
  tool: { list: { property: 'items', limit: 100 }, parameters: taking('limit', 'next') },
  answer: ({ limit = 100, next = '0' }) => {
    const to = Number(next) + Number(limit);
    return { items: rows.slice(Number(next), to), next: to < rows.length ? String(to) : null, total };
  },
});
const byPage = (rows: readonly Row[]): List => ({
  tool: {
    list: { property: 'data', total: 'all', parameters: { limit: 'size', page: 'number' } },
    parameters: taking('size', 'number'),
  },
  answer: ({ size = 50, number = 1 }) => {
    const from = (Number(number) - 1) * Number(size);
    return { data: rows.slice(from, from + Number(size)), all: rows.length };
  },
});
/** Bare arrays, from one: nothing but a full page tells that there may be more. */
const byOffset = (rows: readonly Row[]): List => ({
  tool: { list: { property: null, first: 1 }, parameters: taking('limit', 'offset') },
  answer: ({ limit = 100, offset = 1 }) => rows.slice(Number(offset) - 1, Number(offset) - 1 + Number(limit)),
});
/** No argument pages it; the platform gives all, or stops at 100. */
const bare = (rows: readonly Row[], most = 100): List => ({
  tool: { list: { property: null, limit: 100 }, parameters: [] },
  answer: () => rows.slice(0, most),
});
const one = (answer: (args: Row) => Row): List => ({ tool: { parameters: taking('site_id') }, answer });

function overview(lists: Record<string, List>, asked: Partial<Asked> = {}, maxBytes = 200_000) {
  const invoke = async ({ name, arguments: args, cursor = '0' }: Call) => {
    const { tool, answer } = lists[name] as List;
    const { result, nextOffset } = shape({
      tool: { parameters: tool.parameters, ...(tool.list ? { list: tool.list } : {}) },
      answer: answer(args),
      values: args,
      bounds: { maxItems: ITEMS, maxBytes },
      from: Number(cursor),
      resumable: true,
    });
    const next = nextOffset === undefined ? {} : { next_cursor: String(nextOffset) };
    return { kind: 'done', outcome: 'success', result: { ...(result as object), ...next } };
  };
  const context = { call: { principal: 'local' }, invoke } as unknown as LocalToolContext;
  const loaded = [...new Set(Object.keys(lists).map((name) => name.split('_')[0] as string))];
  const reads = { toolOf: (name: string) => lists[name]?.tool, pageSize: ITEMS };
  return siteHealth({ deadlineMs: 5_000, ...asked }, loaded, context, reads);
}

const site = (at: number) => `site-${String(at).padStart(3, '0')}`;
const mgmt = (count: number, bad = -1) =>
  many(count, (at) => ({ siteName: site(at), healthScore: at === bad ? 10 : 95 }));
const cloudwlan = (count: number, bad: number): Record<string, List> => ({
  cloudwlan_list_sites: byPage(many(count, (at) => ({ site_id: at, name: site(at) }))),
  cloudwlan_get_site_health: one(({ site_id }) => ({ score: site_id === bad ? 5 : 95 })),
});
const sdwan = (list: (rows: readonly Row[]) => List, count: number, bad: number): Record<string, List> => ({
  sdwan_list_appliances: list(many(count, (at) => ({ applianceId: at, site: site(at) }))),
  sdwan_list_appliance_health_rows: list(many(count, (at) => ({ healthApplianceId: at, score: at === bad ? 5 : 95 }))),
  sdwan_get_network_health: one(() => ({ overall: 90 })),
});

test.each([
  ['cursors', { mgmt_list_sites_health: byCursor(mgmt(150, 149)) }],
  ['cursors with a total', { mgmt_list_sites_health: byCursor(mgmt(150, 149), 150) }],
  ['page numbers', { mgmt_list_sites_health: byPage(mgmt(150, 149)) }],
  ['offsets without a total', { mgmt_list_sites_health: byOffset(mgmt(150, 149)) }],
  ['offsets without a total, and the last page is full', { mgmt_list_sites_health: byOffset(mgmt(160, 149)) }],
  ['cursors, and the last page is full', { mgmt_list_sites_health: byCursor(mgmt(160, 149)) }],
  ['nothing, because the platform gives all at once', sdwan((rows) => bare(rows, 150), 150, 149)],
])('a list that pages by %s is read to its end', async (_, lists) => {
  expect(await overview(lists, { site: 'site 149' })).toMatchObject({
    complete: true,
    truncated: [],
    sites: [{ site: 'site-149', worst: 'poor' }],
  });
});

test('a name that no site holds is said to be none, with the nearest names of all platforms', async () => {
  const lists = {
    mgmt_list_sites_health: byCursor([{ siteName: 'Mill Clinic', healthScore: 90 }]),
    ...cloudwlan(3, -1),
  };
  expect(await overview(lists, { site: 'Mil Clinic' })).toMatchObject({
    sites: [],
    no_such_site: { asked: 'Mil Clinic', nearest: ['Mill Clinic'] },
  });
  expect(await overview(lists, { site: 'site-1' })).toMatchObject({
    no_such_site: { nearest: expect.arrayContaining(['site-001']) },
  });
  expect(await overview(lists, { site: 'clinic' })).not.toHaveProperty('no_such_site');
});

test('a page that the router cuts by its bytes is read to its end, and an entry that is too large is left out', async () => {
  const rows: Row[] = mgmt(60, 59).map((row) => ({ ...row, alerts: 'x'.repeat(200) }));
  const whole = await overview({ mgmt_list_sites_health: byCursor(rows) }, {}, 3_000);
  expect([whole.complete, whole.sites.length, whole.sites[0]?.site]).toEqual([true, 60, 'site-059']);
  rows[30] = { siteName: 'huge', healthScore: 1, alerts: 'x'.repeat(5_000) };
  const cut = await overview({ mgmt_list_sites_health: byCursor(rows) }, {}, 3_000);
  expect([cut.complete, cut.truncated, cut.sites.length]).toEqual([false, ['mgmt'], 59]);
});

test('a full page of a list that says neither a total nor a way on is reported', async () => {
  const lists = { ...sdwan(bare, 150, 120), mgmt_list_sites_health: byCursor(mgmt(3)) };
  expect(await overview(lists, { site: 'site-120' })).toMatchObject({
    complete: false,
    answered: ['mgmt', 'sdwan'],
    not_answered: [],
    truncated: ['sdwan'],
    sites: [],
    no_such_site: { asked: 'site-120', among: ['mgmt'] },
  });
  expect(await overview(sdwan(bare, 150, 120), { site: 'site-120' })).not.toHaveProperty('no_such_site');
});

test('a list of fewer entries than its total is reported', async () => {
  const { answer, ...rest } = byPage(mgmt(30));
  const counting = { ...rest, answer: (args: Row) => ({ ...(answer(args) as Row), all: 31 }) };
  for (const list of [byCursor(mgmt(30), 31), counting]) {
    const found = await overview({ mgmt_list_sites_health: list });
    expect([found.complete, found.truncated, found.sites.length]).toEqual([false, ['mgmt'], 30]);
  }
});

test('an answer that holds no list where one is declared is reported', async () => {
  const list = byCursor([]);
  const found = await overview({ mgmt_list_sites_health: { ...list, answer: () => ({ message: 'soon' }) } });
  expect([found.complete, found.truncated]).toEqual([false, ['mgmt']]);
});

test('of sites that are asked one by one the first are read, and one that is asked for by name always', async () => {
  const all = await overview(cloudwlan(40, 33));
  expect([all.complete, all.truncated, all.sites.length]).toEqual([false, ['cloudwlan'], 25]);
  const named = await overview(cloudwlan(40, 33), { site: 'Site 033' });
  expect(named).toMatchObject({ complete: true, truncated: [], sites: [{ site: 'site-033', worst: 'poor' }] });
});

test('the worst sites are shown, and the others counted', async () => {
  const { complete, sites, more_sites } = await overview({ mgmt_list_sites_health: byCursor(mgmt(250, 230)) });
  expect([complete, sites.length, sites[0]?.site, more_sites]).toEqual([true, 200, 'site-230', 50]);
});

test('the word of a platform for its score counts, and the score where it has none', async () => {
  const lists = {
    mgmt_list_sites_health: byCursor([
      { siteName: 'a', healthScore: 75, healthBand: 'GOOD' },
      { siteName: 'b', healthScore: 45, healthBand: 'FAIR' },
      { siteName: 'c', healthScore: 0, healthBand: 'UNKNOWN' },
      { siteName: 'd', healthScore: 75 },
    ]),
  };
  const { sites } = await overview(lists);
  expect(Object.fromEntries(sites.map(({ site: name, worst }) => [name, worst]))).toEqual({
    a: 'good',
    b: 'fair',
    c: 'unknown',
    d: 'fair',
  });
});

const rowsOf = (name: string, ...rows: Row[]): Record<string, List> => ({ [name]: bare(rows) });

test.each<[string, Record<string, List>, string[]]>([
  [
    'controllers',
    rowsOf(
      'legacy_list_controllers',
      { name: 'a', status: 'up', config_state: 'update-successful' },
      { name: 'b', status: 'up', config_state: 'config-failure' },
      { name: 'c', status: 'rebooting', config_state: 'unknown' },
      { name: 'd', status: 'down', config_state: 'update-successful' },
      { name: 'e' },
    ),
    ['good', 'fair', 'fair', 'poor', 'unknown'],
  ],
  [
    'copies of a cluster',
    rowsOf(
      'nac_list_servers',
      ...['in-sync', 'lagging', 'broken', 'disabled'].map((replication_status) => ({ replication_status })),
    ),
    ['good', 'fair', 'poor', 'unknown'],
  ],
  [
    'services',
    rowsOf('workspace_list_service_healths', { state: 'HEALTHY' }, { state: 'RECOVERING' }, { state: 'OUTAGE' }, {}),
    ['good', 'fair', 'poor', 'unknown'],
  ],
  [
    'blueprints',
    rowsOf(
      'fabric_list_blueprints',
      { deploy_state: 'deployed' },
      { deploy_state: 'undeployed' },
      { deploy_state: 'failed' },
      {},
    ),
    ['good', 'fair', 'poor', 'unknown'],
  ],
])('%s are judged by what their words say, and one without a word is judged by nothing', async (_, lists, bands) => {
  const { platform_wide } = await overview(lists);
  expect(platform_wide.map(({ band }) => band)).toEqual(bands);
});
