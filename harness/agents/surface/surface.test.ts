/** A subject without the three roles, worked through its own tools. */
import { describe, expect, test } from 'vitest';
import type { AgentSurface } from '../mcp/agent.ts';
import type { McpClient, McpTool } from '../mcp/agent-client.ts';
import { answerOf } from './answer.ts';
import { descriptorOf, hitOf } from './hit.ts';
import { toAgent, toSubject } from './surface-arguments.ts';
import { SURFACE_ROLES, throughSurface } from './tool-adapter.ts';

type Made = [tool: string, args: Record<string, unknown>];

function subject(tools: McpTool[], answers: Record<string, unknown> = {}): McpClient & { made: Made[] } {
  const made: Made[] = [];
  return {
    made,
    get calls() {
      return made.length;
    },
    listTools: async () => tools,
    callTool: async (name, args) => {
      made.push([name, args]);
      return { isError: false, texts: [JSON.stringify(answers[name] ?? { ok: true })], json: undefined };
    },
  };
}

const tool = (name: string, description: string, properties: object = {}): McpTool => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});

const listed = [
  tool('listSites', 'List all sites.'),
  tool('updateSite', 'Update one site.', { id: {}, requestBody: { type: 'object', properties: { name: {} } } }),
];

describe('a subject that lists every operation', () => {
  test('is ranked by BM25 over its list, and asked for nothing', async () => {
    const mcp = subject(listed);
    const found = await throughSurface(mcp, {}).callTool(SURFACE_ROLES.discover, { query: 'update a site', top_k: 1 });
    expect(found.json).toMatchObject([{ name: 'updateSite', read_only: false, capability: 'write' }]);
    expect(mcp.made).toEqual([]);
  });

  test('has no preview: the preview costs no call, the change is made with the arguments in its own form', async () => {
    const mcp = subject(listed);
    const hands = throughSurface(mcp, {});
    const change = { id: 's1', body: { name: 'Lab' } };
    const preview = await hands.callTool(SURFACE_ROLES.dispatch_any, {
      name: 'updateSite',
      arguments: { ...change, dry_run: true },
    });
    expect(preview.json).toHaveProperty('plan_token');
    expect(mcp.made).toEqual([]);
    const yes = { dry_run: false, confirm: true, plan_token: 'x' };
    await hands.callTool(SURFACE_ROLES.dispatch_any, { name: 'updateSite', arguments: { ...change, ...yes } });
    expect(mcp.made).toEqual([['updateSite', { id: 's1', requestBody: { name: 'Lab' } }]]);
  });

  test('has no place for a cursor: its list ends with the page, and is not asked for again', async () => {
    const mcp = subject(listed, { listSites: { data: [{ id: 1 }], next_cursor: 'b' } });
    const hands = throughSurface(mcp, {});
    const list = { name: 'listSites', arguments: { limit: 1 } };
    const first = await hands.callTool(SURFACE_ROLES.dispatch_read, list);
    const next = await hands.callTool(SURFACE_ROLES.dispatch_read, { ...list, cursor: 'b' });
    expect([first.json, next.json]).toMatchObject([{ items: [{ id: 1 }] }, { items: [] }]);
    expect(mcp.made).toHaveLength(1);
  });

  test('also accepts a tool name in the spelling of another subject', async () => {
    const mcp = subject(listed);
    await throughSurface(mcp, {}).callTool(SURFACE_ROLES.dispatch_read, { name: 'list_sites', arguments: {} });
    expect(mcp.made.map(([name]) => name)).toEqual(['listSites']);
  });
});

describe('a subject with a search of its own', () => {
  const surface: AgentSurface = {
    search: { tool: 'find', query: 'text', words: 'one', hits: 'results' },
    describe: { tool: 'schema', arguments: { of: '{name}' } },
    invoke: { tool: 'go', arguments: { method: '{method}', at: '{path}', with: '{arguments}' } },
  };
  const results = [{ name: 'list_sites', description: 'List sites [GET /sites]' }];
  const answers = { find: { results }, schema: { inputSchema: { properties: { limit: {} } } }, go: [{ id: 1 }] };

  test('is searched word by word, described once and invoked by its own tool', async () => {
    const mcp = subject([], answers);
    const hands = throughSurface(mcp, surface);
    const found = await hands.callTool(SURFACE_ROLES.discover, {
      query: 'list the sites',
      top_k: 3,
      include_schema: true,
    });
    expect(found.json).toMatchObject([{ name: 'list_sites', read_only: true, schema: { properties: { limit: {} } } }]);
    const read = await hands.callTool(SURFACE_ROLES.dispatch_read, { name: 'list_sites', arguments: { limit: 5 } });
    expect(read.json).toEqual({ items: [{ id: 1 }] });
    expect(mcp.made).toEqual([
      ['find', { text: 'list' }],
      ['find', { text: 'site' }],
      ['schema', { of: 'list_sites' }],
      ['go', { method: 'GET', at: '/sites', with: { limit: 5 } }],
    ]);
  });

  test('is asked for an operation by its path', async () => {
    const mcp = subject([], answers);
    const found = await throughSurface(mcp, surface).callTool(SURFACE_ROLES.discover, {
      query: 'GET /sites',
      top_k: 1,
    });
    expect(found.json).toMatchObject([{ name: 'list_sites' }]);
    expect(mcp.made).toEqual([['find', { text: '/sites' }]]);
  });
});

describe('a subject that answers beside how it went', () => {
  const surface: AgentSurface = {
    search: { tool: 'find', query: 'text' },
    describe: { tool: 'find', arguments: { text: '{method} {path}', full: 'true' } },
    invoke: { tool: 'go', arguments: { name: '{name}', with: '{arguments}' } },
    apply: { confirm: true, dry_run: false },
    answer: 'data',
  };
  const properties = { site_id: {}, body: {}, confirm: {} };
  const hit = { name: 'put_site', description: 'Change a site', key: 'PUT /sites/{siteId}', schema: { properties } };
  const change = { siteId: 's1', body: { name: 'Lab' }, dry_run: false, confirm: true, plan_token: 'x' };

  test('is told to apply where its tool asks for it, in its own spelling; each hit may be a block', async () => {
    const mcp = subject([], { find: hit, go: { status_code: 200, data: [{ id: 's1' }], next: {} } });
    const sent = { name: 'PUT /sites/{siteId}', arguments: change };
    const answer = await throughSurface(mcp, surface).callTool(SURFACE_ROLES.dispatch_any, sent);
    expect(answer).toMatchObject({ isError: false, json: { items: [{ id: 's1' }] } });
    expect(mcp.made).toEqual([
      ['find', { text: '/sites/{siteId}' }],
      ['find', { text: 'PUT /sites/{siteId}', full: 'true' }],
      ['go', { name: 'put_site', with: { site_id: 's1', body: { name: 'Lab' }, confirm: true } }],
    ]);
  });

  test('is told to apply also inside the one argument that holds all others', async () => {
    const inner = { type: 'object', properties: { siteId: {}, name: {}, confirm: {} } };
    const mcp = subject([tool('updateSite', 'Update one site.', { params: inner })]);
    const sent = { name: 'updateSite', arguments: change };
    await throughSurface(mcp, { apply: { confirm: true, dryRun: false } }).callTool(SURFACE_ROLES.dispatch_any, sent);
    expect(mcp.made).toEqual([['updateSite', { params: { siteId: 's1', name: 'Lab', confirm: true } }]]);
  });

  test.each([
    ['what the platform refused', { status_code: 409, data: { message: 'taken' } }],
    ['what it refused itself', { ok: false, status: 403, data: {} }],
  ])('has its errors known: %s', async (_what, go) => {
    const mcp = subject([], { find: hit, go });
    const sent = { name: 'PUT /sites/{siteId}', arguments: change };
    const answer = await throughSurface(mcp, surface).callTool(SURFACE_ROLES.dispatch_any, sent);
    expect(answer).toMatchObject({ isError: true, json: go });
  });
});

describe('the subject’s statement decides the effect of an operation', () => {
  test.each([
    [
      { name: 'x', description: 'Delete one [GET /a]' },
      { read_only: true, destructive: true },
    ],
    [
      { name: 'x', annotations: { readOnlyHint: true, destructiveHint: false } },
      { read_only: true, destructive: false },
    ],
    [{ name: 'mgmt_listSites' }, { read_only: true, capability: 'read' }],
    [
      { name: 'x', description: 'Ping one host.' },
      { read_only: false, capability: 'diagnostic' },
    ],
    [{ name: 'frobnicate' }, { read_only: false, capability: 'write' }],
    [
      { method: 'delete', path: '/a' },
      { name: 'DELETE /a', read_only: false, destructive: true },
    ],
  ])('%j', (entry, expected) => {
    expect(descriptorOf(hitOf(entry)!)).toMatchObject(expected);
  });
});

describe('an answer', () => {
  const heard = (text: string, isError = false) => answerOf({ isError, texts: [text], json: undefined });

  test.each([
    ['API Response (Status: 200):\n{"id": 1}', false, { id: 1 }],
    ['{"sites": [{"id": 1}], "total": 1}', false, { sites: [{ id: 1 }], total: 1, items: [{ id: 1 }] }],
    ['[{"id": 1}]', false, { items: [{ id: 1 }] }],
    ['Error: Status 404\n{"title": "no"}', true, { title: 'no' }],
    ['{"status": 409, "title": "Conflict"}', true, { status: 409, title: 'Conflict' }],
    ['{"success": true, "error": null, "result": {"id": 1}}', false, { result: { id: 1 } }],
    ['{"errors": [], "data": {"id": 1}}', false, { data: { id: 1 } }],
    ['{"success": false, "error": {"code": 7}, "result": null}', true, { success: false }],
    ['Unknown tool: x', true, undefined],
    ['```json\n{"id": 1}\n```', false, { id: 1 }],
    ['Here it is:\n\n```\n[\n  {"id": 1}\n]\n```\n\nAsk for more [here].', false, { items: [{ id: 1 }] }],
    ['The pet: {"id": 1}\n\n(1 object)', false, { id: 1 }],
    ['{"id": 1}\nEnd of page 1.', false, { id: 1 }],
    ['Error: 404\n```json\n{"title": "no"}\n```', true, { title: 'no' }],
  ])('%s', (text, isError, json) => {
    expect(heard(text)).toMatchObject({ isError, ...(json === undefined ? {} : { json }) });
  });

  test.each([
    'Error rate 0.2 %',
    'The call went through without any error.',
    'Error: none',
    'Checked 12 ports: 12 up, 0 failed.',
    '3 failed logins in the last hour',
    'No invalid entries',
    'Status: up, 450 clients',
  ])('that is about errors is none: %s', (text) => {
    expect(heard(text).isError).toBe(false);
    expect(heard(`${text}\n[{"id": 1}]`)).toMatchObject({ isError: false, json: { items: [{ id: 1 }] } });
  });

  test.each([
    'Error calling tool getPet: pet 7 does not exist',
    'MCP error -32602: no',
    'Error: No such pet',
    'An unexpected error occurred.',
    'API error (404)',
    'Request failed with status code 404',
    'The request failed.',
    'Failed to fetch pet 7',
    'Failed fetching pet 7',
    'Pet 7 not found',
    'Invalid arguments for getPet',
    'HTTP 404',
    'HTTP/1.1 500 Internal Server Error',
    'API Response (Status: 404):',
    'status code is 422',
  ])('that tells of a call that went wrong is an error: %s', (text) => {
    expect(heard(text).isError).toBe(true);
    expect(heard(`${text}\n{"id": 1}`).isError).toBe(true);
  });

  test('of blocks is a list where each is an object of it, and the last block else', () => {
    const ofBlocks = (...texts: string[]) => answerOf({ isError: false, texts, json: undefined }).json;
    expect(ofBlocks('{"id": 1, "a": 2}', '{"id": 2}')).toEqual({ items: [{ id: 1, a: 2 }, { id: 2 }] });
    expect(ofBlocks('{"status": 200}', '{"id": 2}')).toEqual({ id: 2 });
    expect(ofBlocks('Two pets', '[{"id": 1}, {"id": 2}]')).toEqual({ items: [{ id: 1 }, { id: 2 }] });
  });

  test('without JSON is read in time that grows with its length alone', () => {
    const begun = performance.now();
    for (const part of ['\n', '\n[', '\n{', '```\n', '{[']) {
      const text = `a${part.repeat(50_000)}b`;
      expect(heard(text).json).toBeUndefined();
    }
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

test.each([
  ['together', { id: {}, requestBody: {} }, { id: 1, requestBody: { a: 2 } }],
  ['spread', { id: {}, a: {} }, { id: 1, a: 2 }],
  ['spread with a prefix', { id: {}, body_a: {} }, { id: 1, body_a: 2 }],
  ['as it is', { id: {}, body: {} }, { id: 1, body: { a: 2 } }],
  [
    'beside an object of parameters',
    { path: { properties: { id: {} } }, body: {} },
    { path: { id: 1 }, body: { a: 2 } },
  ],
  ['beside parameters with a prefix', { path_id: {}, a: {} }, { path_id: 1, a: 2 }],
])('a body goes out %s', (_how, properties, sent) => {
  expect(toSubject({ id: 1, body: { a: 2 } }, { properties })).toEqual(sent);
});

test('a field of a spread body is spelt as the subject spells it, where no parameter is', () => {
  const properties = { siteId: {}, dueDate: {} };
  expect(toSubject({ site_id: 1, body: { due_date: 2 } }, { properties })).toEqual({ siteId: 1, dueDate: 2 });
  expect(toSubject({ site_id: 1, body: { site_Id: 2 } }, { properties })).toEqual({ siteId: 1, site_Id: 2 });
});

test('all arguments go inside the one that holds them, also where it is a reference', () => {
  const inner = { type: 'object', properties: { siteId: {}, dueDate: {} }, required: ['siteId'] };
  const stated = (required: string[]) => ({
    properties: { params: { $ref: '#/$defs/Edit' } },
    required,
    $defs: { Edit: inner },
  });
  const change = { site_id: 7, body: { due_date: 'x' } };
  expect(toSubject(change, stated(['params']))).toEqual({ params: { siteId: 7, dueDate: 'x' } });
  expect(toSubject({ params: { siteId: 7 } }, stated(['params']))).toEqual({ params: { siteId: 7 } });
  expect(toSubject({}, stated(['params']))).toEqual({ params: {} });
  expect(toSubject({}, stated([]))).toEqual({});
  expect(toSubject(change, { properties: { body: inner } })).toEqual({ site_id: 7, body: { due_date: 'x' } });
});

test('a body comes in as `body`, whatever the subject calls it', () => {
  const schema = { properties: { requestBody: { type: 'object' } }, required: ['requestBody'] };
  expect(toAgent(schema)).toEqual({ properties: { body: { type: 'object' } }, required: ['body'] });
});

describe('a subject that names its tools by operationId and does not list them', () => {
  const surface: AgentSurface = {
    names: 'operationId',
    search: { tool: 'find', query: 'text', words: 'all' },
    invoke: { tool: 'go', arguments: { name: '{name}', with: '{arguments}' } },
  };
  const hit = { name: 'updateSite', description: 'Update.', inputSchema: { properties: { id__path: {}, id: {} } } };

  test('is asked for the name, and given a parameter under the name that tells it from a field of the body', async () => {
    const mcp = subject([], { find: [hit] });
    const hands = throughSurface(mcp, surface);
    const found = await hands.callTool(SURFACE_ROLES.discover, { query: 'updateSite', top_k: 1 });
    expect(found.json).toMatchObject([{ name: 'updateSite' }]);
    const change = { id: 'a', body: { id: 'b' } };
    await hands.callTool(SURFACE_ROLES.dispatch_any, { name: 'updateSite', arguments: change });
    expect(mcp.made).toEqual([
      ['find', { text: 'updateSite' }],
      ['go', { name: 'updateSite', with: { id__path: 'a', id: 'b' } }],
    ]);
  });

  test('is called also where its search does not bring the tool up', async () => {
    const mcp = subject([], { find: [hit] });
    const hands = throughSurface(mcp, surface);
    const found = await hands.callTool(SURFACE_ROLES.discover, { query: 'deleteSite', top_k: 1 });
    expect(found.json).toMatchObject([{ name: 'deleteSite' }]);
  });
});
