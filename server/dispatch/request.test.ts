import { describe, expect, test } from 'vitest';
import type { Tool, ToolParameter } from '../catalog/tool.ts';
import { buildRequest } from './request.ts';

const parameter = (name: string, change: Partial<ToolParameter> = {}): ToolParameter => ({
  argument: name,
  name,
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  ...change,
});

function toolWith(path: string, parameters: ToolParameter[], more: Partial<Tool> = {}): Tool {
  return {
    name: 't',
    platform: 'mgmt',
    backend: 'mgmt',
    document: 'd',
    operationId: null,
    method: 'POST',
    path,
    capability: 'write',
    evidence: { by: 'method', detail: 'POST' },
    line: '',
    description: '',
    params: [],
    parameters,
    body: null,
    secrets: [],
    deprecated: false,
    ...more,
  };
}

const query = (one: ToolParameter, value: unknown) => {
  const built = buildRequest(toolWith('/x', [one]), { [one.argument]: value });
  return built.ok ? built.request.query : built;
};

describe('query values are written the way the document says', () => {
  test.each([
    ['a text', parameter('q'), 'a b&c', 'q=a%20b%26c'],
    ['a flag', parameter('on'), false, 'on=false'],
    ['an exploded list', parameter('t'), ['a', 'b c'], 't=a&t=b%20c'],
    ['a comma list', parameter('t', { explode: false }), ['a', 'b,c'], 't=a,b%2Cc'],
    ['a space list', parameter('t', { explode: false, style: 'spaceDelimited' }), ['a', 'b'], 't=a%20b'],
    ['a pipe list', parameter('t', { explode: false, style: 'pipeDelimited' }), ['a', 'b'], 't=a%7Cb'],
    ['a deep object', parameter('f', { style: 'deepObject' }), { a: 1, b: 'x y' }, 'f%5Ba%5D=1&f%5Bb%5D=x%20y'],
    ['an exploded object', parameter('f'), { a: 1, b: 2 }, 'a=1&b=2'],
    ['a flat object', parameter('f', { explode: false }), { a: 1, b: 2 }, 'f=a,1,b,2'],
    ['JSON content', parameter('f', { style: 'json' }), { a: [1] }, 'f=%7B%22a%22%3A%5B1%5D%7D'],
  ])('%s', (_, one, value, text) => {
    expect(query(one, value)).toBe(text);
  });

  test('a field of an exploded object is refused where another argument has its name, and one list repeats its own', () => {
    const tool = toolWith('/x', [parameter('filter'), parameter('limit'), parameter('ids')]);
    const built = (filter: object) => buildRequest(tool, { filter, limit: 2, ids: ['a', 'b'] });
    expect(built({ name: 'a' })).toMatchObject({ request: { query: 'name=a&limit=2&ids=a&ids=b' } });
    expect(built({ limit: 1 })).toMatchObject({
      ok: false,
      pointer: '/limit',
      expected: expect.stringContaining('no query parameter "limit" beside that of another argument'),
    });
  });

  test.each([
    ['a required list', { required: true }, [], 'read'],
    ['a required object', { required: true }, {}, 'read'],
    ['an optional list of a write', {}, [], 'write'],
    ['an optional deep object of a write', { style: 'deepObject' }, {}, 'write'],
    ['a list in a cookie', { in: 'cookie', required: true }, [], 'read'],
    ['a list of a write that is joined', { explode: false }, [], 'write'],
    ['a list inside of a deep object of a write', { style: 'deepObject' }, { site: 'a', ids: [] }, 'write'],
    ['a list in a header of a write', { in: 'header', style: 'simple' }, [], 'destructive'],
  ] as const)('%s that is empty is refused, because the request would lose it', (_, change, value, capability) => {
    const tool = toolWith('/clients', [parameter('ids', change)], { capability });
    expect(buildRequest(tool, { ids: value })).toMatchObject({
      ok: false,
      pointer: '/ids',
      got: JSON.stringify(value),
    });
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    'an empty list in a body of %s is refused where it changes something, and an empty object stands as JSON',
    (contentType) => {
      const body = { contentType, required: true, ...(contentType.startsWith('multipart') ? { files: ['file'] } : {}) };
      const tool = (capability: 'write' | 'read') => toolWith('/clients', [], { capability, body });
      expect(buildRequest(tool('write'), { body: { 'a/b': [], reason: 'cleanup' } })).toMatchObject({
        ok: false,
        pointer: '/body/a~1b',
        got: '[]',
      });
      expect(buildRequest(tool('read'), { body: { ids: [], reason: 'cleanup' } })).toMatchObject({ ok: true });
      expect(buildRequest(tool('write'), { body: { ids: ['a'], options: {} } })).toMatchObject({ ok: true });
    },
  );

  test('an empty optional list of a read narrows nothing, and is left out', () => {
    const built = buildRequest(toolWith('/clients', [parameter('ids')], { capability: 'read' }), { ids: [] });
    expect(built).toMatchObject({ ok: true, request: { query: '' } });
  });

  test('a header with a control character is refused, because it cannot be sent', () => {
    const header = parameter('X-Note', { in: 'header', style: 'simple' });
    expect(buildRequest(toolWith('/x', [header]), { 'X-Note': 'a\u0001b' })).toMatchObject({
      ok: false,
      pointer: '/X-Note',
    });
    expect(buildRequest(toolWith('/x', [header]), { 'X-Note': 'a\tb\nc' })).toMatchObject({
      request: { headers: { 'x-note': 'a\tb c' } },
    });
  });

  test('an argument that had to be renamed goes out under its own name', () => {
    expect(query(parameter('confirm', { argument: 'confirm_' }), 'x')).toBe('confirm=x');
  });
});

describe('what makes a request another one than its method and path say is refused before anything is sent', () => {
  const header = parameter('X-HTTP-Method-Override', { in: 'header', style: 'simple' });
  test.each<[string, ToolParameter[], Record<string, unknown>, string]>([
    ['a key of an exploded object', [parameter('f')], { f: { _method: 'DELETE' } }, '"_method"'],
    ['a query parameter', [parameter('_method')], { _method: 'DELETE' }, '"_method"'],
    ['a header', [header], { [header.argument]: 'DELETE' }, '"x-http-method-override"'],
    ['a field of the body', [], { body: { name: 'x', _method: 'delete' } }, '"_method"'],
    ['a field of the body in other letters', [], { body: { '＿Method': 'delete' } }, '"＿Method"'],
  ])('%s', (_, parameters, values, got) => {
    expect(buildRequest(toolWith('/x', parameters), values)).toMatchObject({ ok: false, pointer: '', got });
  });

  test('a form that is text, where a name that is no percent-encoding is as it stands', () => {
    const body = { contentType: 'application/x-www-form-urlencoded', required: true };
    const built = (text: string) => buildRequest(toolWith('/x', [], { body }), { body: text });
    for (const text of ['a=1&_method=DELETE', 'a=1;_method=DELETE', '%zz=1;%5Fmethod=DELETE'])
      expect(built(text)).toMatchObject({ ok: false, got: '"_method"' });
    expect(built('%zz=1;b=2')).toMatchObject({ ok: true, request: { payload: { text: '%zz=1;b=2' } } });
  });

  test('a field that only sounds like it is sent', () => {
    const built = buildRequest(toolWith('/x', [parameter('method')]), {
      method: 'card',
      body: { payment_method: 'card' },
    });
    expect(built).toMatchObject({ ok: true, request: { query: 'method=card' } });
  });
});

describe('the object of a request', () => {
  const inPath = (name: string) => parameter(name, { in: 'path', style: 'simple', explode: false, required: true });
  const objectOf = (tool: Tool, values: Record<string, unknown>) => {
    const built = buildRequest(tool, values);
    return built.ok ? built.request.object : built;
  };

  test('is its key in the path, every part of it', () => {
    expect(objectOf(toolWith('/a/{x}/{y}', [inPath('x'), inPath('y')]), { x: '1', y: 'b c' })).toBe('1/b c');
  });

  test('else the key in the body, else what there is', () => {
    const resource = { name: 'r', noun: 'r', plural: 'r', key: 'siteName' };
    expect(objectOf(toolWith('/sites', [], { resource }), { body: { siteName: 'Lab', name: 'x' } })).toBe('Lab');
    expect(objectOf(toolWith('/sites', []), { body: { id: 7 } })).toBe('7');
    expect(objectOf(toolWith('/sites', []), { body: { site: { name: 'Lab', note: 'x' } } })).toBe('Lab');
    expect(objectOf(toolWith('/sites', []), { body: { owner: { name: 'Ada' }, size: 1 } })).toBe('/sites');
    expect(objectOf(toolWith('/sites', []), { body: [{}, {}] })).toBe('2 items');
    expect(objectOf(toolWith('/sites', []), { body: {} })).toBe('/sites');
  });

  test.each([
    '..',
    '../reboot/1',
    'a/../../reboot',
    '..\\reboot',
    './x',
    '..;a=b/x',
    '..;\n/x',
    '.. /x',
    'a/ ..\t/x',
    '..\0/x',
    '%2e%2e/x',
    '..%2Freboot',
    '50%/%2e%2e/x',
    '%ff%2F%2e%2e%2F%ff',
    '\uff0e\uff0e/x',
    '\u2025/x',
  ])('a value that climbs out of its place is refused, also where only a proxy would decode it: %s', (id) => {
    expect(buildRequest(toolWith('/a/{id}', [inPath('id')]), { id })).toMatchObject({
      ok: false,
      pointer: '/id',
      expected: 'should be a name that can stand in a path',
    });
  });
  test.each([' ', '\t', '\u00a0 ', ' .. '])(
    'blanks alone are no name, and nobody could type them to confirm: %j',
    (id) => {
      expect(buildRequest(toolWith('/a/{id}', [inPath('id')], { method: 'DELETE' }), { id })).toMatchObject({
        ok: false,
        pointer: '/id',
      });
    },
  );
  test.each([
    [' Lab', '/a/%20Lab'],
    ['1/1/12', '/a/1%2F1%2F12'],
    ['v1..2', '/a/v1..2'],
    ['..a/b..', '/a/..a%2Fb..'],
    ['50%', '/a/50%25'],
  ])('a name with a slash, dots or a percent sign stands in a path: %s', (id, path) => {
    const built = buildRequest(toolWith('/a/{id}', [inPath('id')]), { id });
    expect(built.ok && built.request.path).toBe(path);
  });
  test('a quote is written twice in a key that the path quotes, and only there', () => {
    const path = (template: string) => {
      const built = buildRequest(toolWith(template, [parameter('id', { in: 'path', style: 'simple' })]), {
        id: "a')/x('b",
      });
      return built.ok ? built.request.path : built;
    };
    expect(path("/sites('{id}')/reset")).toBe("/sites('a'')%2Fx(''b')/reset");
    expect(path('/sites/{id}')).toBe("/sites/a')%2Fx('b");
  });

  test('a value with a dollar sign is put into the path as it is', () => {
    const built = buildRequest(toolWith('/a/{x}', [inPath('x')]), { x: '$&$1' });
    expect(built.ok && built.request.path).toBe('/a/%24%26%241');
  });
});

test('a header value cannot start a header of its own', () => {
  const built = buildRequest(toolWith('/a', [parameter('X-Note', { in: 'header', style: 'simple' })]), {
    'X-Note': 'a\r\nauthorization: b',
  });
  expect(built.ok && built.request.headers).toEqual({ 'x-note': 'a  authorization: b' });
});

const sent = (contentType: string, body: unknown) => {
  const tool = { ...toolWith('/a', []), body: { required: true, contentType } };
  const built = buildRequest(tool, { body });
  return built.ok ? built.request.payload?.text : undefined;
};

test('bodies are JSON, or a form where the document says so', () => {
  expect(sent('application/merge-patch+json', { a: 1 })).toBe('{"a":1}');
  expect(sent('application/x-www-form-urlencoded', { a: 1, b: 'x y' })).toBe('a=1&b=x+y');
  expect(sent('application/x-www-form-urlencoded', { a: 1, b: null }), 'no text "null"').toBe('a=1');
});

test('several values one after the other are sent as they are written', () => {
  const rows = '{"create":{}}\n{"name":"a"}\n';
  expect(sent('application/x-ndjson', rows)).toBe(rows);
  expect(sent('application/json', 'a')).toBe('"a"');
});

test('no invisible character is sent inside JSON: each stands as an escape and means the same', () => {
  const body = { name: 'a\u200bb\u{e0041}\u202e', blank: 'x\u00a0y', plain: 'é 漢 😀' };
  const text = sent('application/json', body) as string;
  expect(text).toBe('{"name":"a\\u200bb\\udb40\\udc41\\u202e","blank":"x\\u00a0y","plain":"é 漢 😀"}');
  expect(JSON.parse(text)).toEqual(body);
});
