/** The hits of find_tool as an agent reads them: how to call each, what collapses, and what stands below. */
import { expect, test } from 'vitest';
import type { JsonSchema, Tool } from '../../catalog/tool.ts';
import { Finder } from '../../search/find.ts';
import { buildIndex } from '../../search/inverted-index.ts';
import { inMemoryCatalogOf } from '../../test/bench/find/in-memory-catalog.ts';
import { SILENT_CALLER } from '../../test/support/caller.ts';
import { toolOf } from '../../test/support/tools-in-memory.ts';
import type { FindHit } from './descriptor.ts';
import { findTool } from './find-tool.ts';

const inPath = (name: string) => ({
  argument: name,
  name,
  in: 'path' as const,
  required: true,
  style: 'simple',
  explode: false,
});
const widgets = [
  toolOf({ name: 'mgmt_list_widgets', line: 'List all widgets.', path: '/v1/widgets' }),
  toolOf({
    name: 'mgmt_get_widget',
    line: 'Get one widget by its id.',
    path: '/v1/widgets/{id}',
    parameters: [inPath('id')],
  }),
  toolOf({ name: 'mgmt_count_widgets', line: 'Count widgets.', path: '/v1/widgets/count' }),
  toolOf({
    name: 'mgmt_search_widgets',
    line: 'Search widgets.',
    path: '/v1/widgets/search',
    method: 'POST',
  }),
  toolOf({
    name: 'mgmt_update_widget',
    line: 'Change some fields of one widget.',
    method: 'PATCH',
    path: '/v1/widgets/{id}',
    capability: 'write',
    parameters: [inPath('id')],
  }),
  toolOf({
    name: 'nac_list_widgets',
    platform: 'nac',
    line: 'List all widgets of the access control.',
    path: '/widgets',
  }),
];

const UPDATE: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    body: {
      type: 'object',
      properties: {
        ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`filler-${i}`, { type: 'string' }])),
        'hide-ssid': { type: 'boolean', description: 'Leave the name out of the beacons' },
        security: { $ref: '#/$defs/Security' },
      },
    },
  },
  required: ['id', 'body'],
  $defs: {
    Security: {
      type: 'object',
      properties: { opmode: { type: 'string', enum: ['OPEN', 'WPA2'] }, passphrase: { type: 'string' } },
      required: ['opmode'],
    },
  },
};

interface Circumstances {
  tools?: typeof widgets;
  schemas?: Record<string, JsonSchema>;
  configured?: (platform: string) => boolean;
}

function asked({ tools = widgets, ...options }: Circumstances = {}) {
  const catalog = inMemoryCatalogOf(tools);
  const key = (text: string) => text.replaceAll(/\{[^}]*\}/g, '{}');
  const index = buildIndex(tools);
  const finder = new Finder({
    catalog,
    index: () => index,
    enabled: ['mgmt', 'nac'],
    words: { mgmt: ['mgmt'], nac: ['nac'] },
    decide: () => ({ visible: true, allowed: true }),
  });
  const { run } = findTool(
    {
      finder,
      catalog: {
        wrapping: (operation) =>
          tools.map(({ tool }): Tool => tool).filter((tool) => key(`${tool.method} ${tool.path}`) === key(operation)),
      },
      schemaOf: ({ name }) => options.schemas?.[name] ?? { type: 'object', properties: {} },
      visible: () => true,
      configured: options.configured ?? (() => true),
    },
    [],
  );
  return async (args: Record<string, unknown>): Promise<{ hits: FindHit[]; note: string | undefined }> => {
    const answer = await run(args, SILENT_CALLER);
    if (answer.kind !== 'texts') throw new Error(`an answer in texts was expected, got ${answer.kind}`);
    return { hits: JSON.parse(answer.texts[0] ?? '[]'), note: answer.texts[1] };
  };
}

test('reads of one collection are one hit that names the others with what they require', async () => {
  const { hits } = await asked()({ query: 'widgets', top_k: 10 });
  const reads = hits.filter(({ name, read_only }) => read_only && name.startsWith('mgmt_'));
  expect(reads).toHaveLength(1);
  const { name, siblings = {} } = reads[0] as FindHit;
  expect([name, ...Object.keys(siblings)].sort()).toEqual([
    'mgmt_count_widgets',
    'mgmt_get_widget',
    'mgmt_list_widgets',
    'mgmt_search_widgets',
  ]);
  expect({ ...siblings, [name]: [] }).toMatchObject({ mgmt_get_widget: name === 'mgmt_get_widget' ? [] : ['id'] });
  expect(hits.map((hit) => hit.name)).toContain('nac_list_widgets');
});

test('one operation in two places of a platform is one hit, and another platform keeps its own', async () => {
  const resource = { noun: 'gadget', plural: 'gadgets', key: 'id' };
  const gadgets = ['org', 'site'].flatMap((place) => [
    toolOf({
      name: `mgmt_list_${place}_gadgets`,
      line: `List all gadgets of one ${place}.`,
      path: `/${place}s/{${place}_id}/gadgets`,
      parameters: [inPath(`${place}_id`)],
      resource: { name: `${place}-gadgets`, ...resource },
    }),
    toolOf({
      name: `mgmt_create_${place}_gadget`,
      line: `Create a gadget of one ${place}.`,
      method: 'POST',
      path: `/${place}s/{${place}_id}/gadgets`,
      capability: 'write',
      parameters: [inPath(`${place}_id`)],
      resource: { name: `${place}-gadgets`, ...resource },
    }),
  ]);
  const nac = toolOf({ name: 'nac_list_gadgets', platform: 'nac', line: 'List all gadgets.', path: '/gadgets' });
  const { hits } = await asked({ tools: [...gadgets, nac] })({ query: 'gadgets', top_k: 10 });
  const named = (hit: FindHit) => [hit.name, ...Object.keys(hit.siblings ?? {})].sort();
  expect(hits).toHaveLength(3);
  expect(hits.map(named)).toEqual(
    expect.arrayContaining([
      ['mgmt_list_org_gadgets', 'mgmt_list_site_gadgets'],
      expect.arrayContaining(['mgmt_create_org_gadget', 'mgmt_create_site_gadget']),
      ['nac_list_gadgets'],
    ]),
  );
});

test('a write names the read that shows its effect', async () => {
  const { hits } = await asked()({ query: 'mgmt_update_widget', top_k: 1 });
  expect(hits[0]).toMatchObject({ name: 'mgmt_update_widget', siblings: { mgmt_get_widget: ['id'] } });
});

test('parameters are bare names: required ones, then those that the query is about; the rest is counted', async () => {
  const find = asked({ schemas: { mgmt_update_widget: UPDATE } });
  const { hits } = await find({ query: 'change the hidden ssid setting of one widget', top_k: 10 });
  const hit = hits.find(({ name }) => name === 'mgmt_update_widget');
  expect(hit?.params.slice(0, 3)).toEqual(['id', 'body', 'body.hide-ssid']);
  expect(hit?.required).toEqual(['id', 'body']);
  expect((hit?.params.length ?? 0) + (hit?.more_params ?? 0)).toBe(24);
  expect(JSON.stringify(hit?.params)).not.toContain('…');
});

test('a member of a member is named when the query is about it, and keys say what they look like', async () => {
  const find = asked({ schemas: { mgmt_update_widget: UPDATE } });
  const { hits } = await find({ query: 'update one widget passphrase', top_k: 1 });
  expect(hits[0]).toMatchObject({
    name: 'mgmt_update_widget',
    params: expect.arrayContaining(['body.security.passphrase']),
    formats: { id: 'uuid' },
  });
});

test('hits of platforms without credentials are marked and stand below the others', async () => {
  const find = asked({ configured: (platform) => platform !== 'mgmt' });
  const { hits } = await find({ query: 'list all widgets', top_k: 5 });
  expect(hits[0]?.name).toBe('nac_list_widgets');
  expect(hits[0]).not.toHaveProperty('configured');
  expect(hits.slice(1).every(({ configured }) => configured === false)).toBe(true);
});

test('schema_for answers one tool with its schema; fields and query narrow it', async () => {
  const find = asked({ schemas: { mgmt_update_widget: UPDATE } });
  const whole = await find({ schema_for: 'mgmt_update_widget' });
  expect(whole.hits).toHaveLength(1);
  expect(whole.hits[0]?.schema).toEqual(UPDATE);
  const one = await find({ schema_for: 'mgmt_update_widget', fields: ['opmode', 'hide-ssid'] });
  expect(one.hits[0]?.schema?.['properties']).toEqual({
    'body.security.opmode': { type: 'string', enum: ['OPEN', 'WPA2'] },
    'body.hide-ssid': { type: 'boolean', description: 'Leave the name out of the beacons' },
  });
  const about = await find({ schema_for: 'mgmt_update_widget', query: 'set the passphrase' });
  expect(Object.keys(about.hits[0]?.schema?.['properties'] ?? {})).toEqual(['id', 'body', 'body.security.passphrase']);
  expect(about.hits[0]?.params).toContain('body.security.passphrase');
});

test('a slice holds what was asked for and nothing else of a body', async () => {
  const find = asked({ schemas: { mgmt_update_widget: UPDATE } });
  const { hits } = await find({ schema_for: 'mgmt_update_widget', query: 'hide the ssid' });
  expect(hits[0]?.schema).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      body: { type: 'object' },
      'body.hide-ssid': { type: 'boolean', description: 'Leave the name out of the beacons' },
    },
    required: ['id', 'body'],
  });
  const security = await find({ schema_for: 'mgmt_update_widget', fields: ['body'] });
  expect(security.hits[0]?.schema).toHaveProperty(['$defs', 'Security']);
});

test.each(['hideSsid', 'hide_ssid', 'body.hide-ssid', 'HIDE-SSID'])('a field is found by the name %s', async (name) => {
  const find = asked({ schemas: { mgmt_update_widget: UPDATE } });
  const { hits, note } = await find({ schema_for: 'mgmt_update_widget', fields: [name] });
  expect(Object.keys(hits[0]?.schema?.['properties'] ?? {})).toEqual(['body.hide-ssid']);
  expect(note).toBeUndefined();
});

test('a query that is about no argument gets the whole schema', async () => {
  const find = asked({ schemas: { mgmt_update_widget: UPDATE } });
  const { hits } = await find({ schema_for: 'mgmt_update_widget', query: 'thunderstorm' });
  expect(hits[0]?.schema).toEqual(UPDATE);
});

test('a field that is none, and a tool that is none, are said', async () => {
  const find = asked({ schemas: { mgmt_update_widget: UPDATE } });
  const { note } = await find({ schema_for: 'mgmt_update_widget', fields: ['pass-words', 'ssid'] });
  expect(note).toContain('"ssid" (close: body.hide-ssid)');
  expect(await find({ schema_for: 'mgmt_nothing' })).toEqual({
    hits: [],
    note: 'Note: there is no tool "mgmt_nothing" here.',
  });
});

test('one of query and schema_for has to be given', async () => {
  expect(await asked()({})).toMatchObject({ hits: { code: 'invalid_arguments' } });
});

test('of a body that may be left out, the fields that it needs are shown before those that the query is about', async () => {
  const { required: _, ...body } = (UPDATE['properties'] as { body: JsonSchema }).body;
  const schema = {
    ...UPDATE,
    properties: { ...(UPDATE['properties'] as object), body: { ...body, required: ['filler-7'] } },
    required: ['id'],
  };
  const find = asked({ schemas: { mgmt_update_widget: schema } });
  const { hits } = await find({ query: 'change the hide ssid of a widget' });
  const hit = hits.find(({ name }) => name === 'mgmt_update_widget');
  expect(hit?.params.slice(0, 3)).toEqual(['id', 'body.filler-7', 'body.hide-ssid']);
  expect(hit?.required).toEqual(['id']);
});
