/**
 * Every style, explode, place and type of OpenAPI 3, and every `collectionFormat` of Swagger 2, as it goes on the wire. The
 * expected texts are those of the table "Style Examples" of OpenAPI 3.0.4 and 3.1.1, and of RFC 6570 where it has none.
 */
import { describe, expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { importDocument } from '../import/import-document.ts';
import { definePlatform } from '../import/user-platform.ts';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { buildRequest } from './request.ts';

async function toolOf(content: unknown): Promise<Tool> {
  using folder = oddFolder();
  const taken = await importDocument(folder.write('colours.json', content));
  const built = trialBuild(
    definePlatform({ name: 'paint' }, taken),
    taken.documents.map(({ id, content: read }) => ({ id, file: id, content: read })),
  );
  expect(built.quarantined).toEqual([]);
  return (built.tools[0] as (typeof built.tools)[number]).tool;
}

async function sent(content: unknown, values: Record<string, unknown>) {
  const built = buildRequest(await toolOf(content), values);
  if (!built.ok) throw new Error(`${built.pointer} ${built.expected}, got ${built.got}`);
  return built.request;
}

const STRING = 'blue';
const LIST = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };
const TYPES = {
  string: { type: 'string' },
  list: { type: 'array', items: { type: 'string' } },
  object: { type: 'object' },
};
const typeOf = (value: unknown) =>
  typeof value === 'string' ? TYPES.string : Array.isArray(value) ? TYPES.list : TYPES.object;

const withParameter = (parameter: { in: string }, value: unknown) =>
  document({
    [parameter.in === 'path' ? '/colours/{color}/end' : '/colours']: {
      get: {
        operationId: 'getColour',
        parameters: [{ name: 'color', required: true, schema: typeOf(value), ...parameter }],
        responses: OK,
      },
    },
  });

type Row = [where: string, style: string, explode: boolean | undefined, value: unknown, wire: string];
const ROWS: Row[] = [
  ['path', 'matrix', false, STRING, ';color=blue'],
  ['path', 'matrix', false, LIST, ';color=blue,black,brown'],
  ['path', 'matrix', false, OBJECT, ';color=R,100,G,200,B,150'],
  ['path', 'matrix', true, STRING, ';color=blue'],
  ['path', 'matrix', true, LIST, ';color=blue;color=black;color=brown'],
  ['path', 'matrix', true, OBJECT, ';R=100;G=200;B=150'],
  ['path', 'label', false, STRING, '.blue'],
  ['path', 'label', false, LIST, '.blue,black,brown'],
  ['path', 'label', false, OBJECT, '.R,100,G,200,B,150'],
  ['path', 'label', true, STRING, '.blue'],
  ['path', 'label', true, LIST, '.blue.black.brown'],
  ['path', 'label', true, OBJECT, '.R=100.G=200.B=150'],
  ['path', 'simple', false, STRING, 'blue'],
  ['path', 'simple', false, LIST, 'blue,black,brown'],
  ['path', 'simple', false, OBJECT, 'R,100,G,200,B,150'],
  ['path', 'simple', true, STRING, 'blue'],
  ['path', 'simple', true, LIST, 'blue,black,brown'],
  ['path', 'simple', true, OBJECT, 'R=100,G=200,B=150'],
  ['header', 'simple', false, STRING, 'blue'],
  ['header', 'simple', false, LIST, 'blue,black,brown'],
  ['header', 'simple', false, OBJECT, 'R,100,G,200,B,150'],
  ['header', 'simple', true, STRING, 'blue'],
  ['header', 'simple', true, LIST, 'blue,black,brown'],
  ['header', 'simple', true, OBJECT, 'R=100,G=200,B=150'],
  ['query', 'form', false, '', 'color='],
  ['query', 'form', false, STRING, 'color=blue'],
  ['query', 'form', false, LIST, 'color=blue,black,brown'],
  ['query', 'form', false, OBJECT, 'color=R,100,G,200,B,150'],
  ['query', 'form', true, STRING, 'color=blue'],
  ['query', 'form', true, LIST, 'color=blue&color=black&color=brown'],
  ['query', 'form', true, OBJECT, 'R=100&G=200&B=150'],
  ['query', 'form', undefined, LIST, 'color=blue&color=black&color=brown'],
  ['query', 'spaceDelimited', false, LIST, 'color=blue%20black%20brown'],
  ['query', 'spaceDelimited', false, OBJECT, 'color=R%20100%20G%20200%20B%20150'],
  ['query', 'spaceDelimited', undefined, LIST, 'color=blue%20black%20brown'],
  ['query', 'spaceDelimited', true, LIST, 'color=blue&color=black&color=brown'],
  ['query', 'pipeDelimited', false, LIST, 'color=blue%7Cblack%7Cbrown'],
  ['query', 'pipeDelimited', false, OBJECT, 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['query', 'pipeDelimited', true, LIST, 'color=blue&color=black&color=brown'],
  ['query', 'deepObject', true, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['query', 'deepObject', undefined, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  [
    'query',
    'deepObject',
    true,
    { a: { b: [1, { c: 'x' }] }, n: null },
    'color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=x&color%5Bn%5D=',
  ],
  ['cookie', 'form', false, STRING, 'color=blue'],
  ['cookie', 'form', false, LIST, 'color=blue,black,brown'],
  ['cookie', 'form', false, OBJECT, 'color=R,100,G,200,B,150'],
  ['cookie', 'form', true, STRING, 'color=blue'],
  ['cookie', 'form', true, LIST, 'color=blue; color=black; color=brown'],
  ['cookie', 'form', true, OBJECT, 'R=100; G=200; B=150'],
];

/** The part of a request that a parameter of this place fills. */
const partOf = (where: string, { path, query, headers }: Awaited<ReturnType<typeof sent>>) =>
  where === 'path'
    ? path.replace('/colours/', '').replace('/end', '')
    : where === 'query'
      ? query
      : headers[where === 'cookie' ? 'cookie' : 'color'];

test.each(ROWS)('%s %s, explode %s, %j: %s', async (where, style, explode, value, wire) => {
  const parameter = { in: where, style, ...(explode === undefined ? {} : { explode }) };
  expect(partOf(where, await sent(withParameter(parameter, value), { color: value }))).toBe(wire);
});

describe('reserved characters', () => {
  const HARD = 'a/b c&d=e,f;g#h?é%+';
  test.each<[string, string, string]>([
    ['path', 'simple', 'a%2Fb%20c%26d%3De%2Cf%3Bg%23h%3F%C3%A9%25%2B'],
    ['path', 'matrix', ';color=a%2Fb%20c%26d%3De%2Cf%3Bg%23h%3F%C3%A9%25%2B'],
    ['path', 'label', '.a%2Fb%20c%26d%3De%2Cf%3Bg%23h%3F%C3%A9%25%2B'],
    ['query', 'form', 'color=a%2Fb%20c%26d%3De%2Cf%3Bg%23h%3F%C3%A9%25%2B'],
    ['cookie', 'form', 'color=a%2Fb%20c%26d%3De%2Cf%3Bg%23h%3F%C3%A9%25%2B'],
    ['header', 'simple', HARD],
  ])('of a value in %s %s', async (where, style, wire) => {
    expect(partOf(where, await sent(withParameter({ in: where, style } as never, HARD), { color: HARD }))).toBe(wire);
  });

  test('with allowReserved, those stay that neither end a query nor part its pairs', async () => {
    const parameter = { in: 'query', allowReserved: true };
    expect((await sent(withParameter(parameter, HARD), { color: HARD })).query).toBe(
      'color=a/b%20c%26d%3De,f;g%23h?%C3%A9%25%2B',
    );
  });

  test('an entry of a list never becomes two', async () => {
    const value = ['a,b', 'c d', 'e|f'];
    for (const [style, wire] of [
      ['form', 'color=a%2Cb,c%20d,e%7Cf'],
      ['spaceDelimited', 'color=a%2Cb%20c%20d%20e%7Cf'],
      ['pipeDelimited', 'color=a%2Cb%7Cc%20d%7Ce%7Cf'],
    ])
      expect(
        (await sent(withParameter({ in: 'query', style, explode: false } as never, value), { color: value })).query,
      ).toBe(wire);
  });
});

test.each([
  ['simple', '.'],
  ['simple', '..'],
  ['label', '.'],
  ['label', ''],
])('a %s value %j that would make a dot segment is refused', async (style, value) => {
  const content = document({
    '/colours/{color}': {
      get: {
        operationId: 'getColour',
        parameters: [{ name: 'color', in: 'path', style, required: true, schema: TYPES.string }],
        responses: OK,
      },
    },
  });
  expect(buildRequest(await toolOf(content), { color: value })).toMatchObject({ ok: false, pointer: '/color' });
});

test('a header that no byte can carry is refused', async () => {
  expect(buildRequest(await toolOf(withParameter({ in: 'header' }, 'x')), { color: '蓝' })).toMatchObject({
    ok: false,
    pointer: '/color',
  });
});

test.each<[string, string, unknown, string]>([
  ['query', 'json', OBJECT, `color=${encodeURIComponent(JSON.stringify(OBJECT))}`],
  ['path', 'json', OBJECT, encodeURIComponent(JSON.stringify(OBJECT))],
  ['header', 'json', OBJECT, JSON.stringify(OBJECT)],
  ['cookie', 'json', OBJECT, `color=${encodeURIComponent(JSON.stringify(OBJECT))}`],
])('a parameter with `content` in %s is %s', async (where, _, value, wire) => {
  const parameter = { in: where, schema: undefined, content: { 'application/json': { schema: {} } } };
  expect(partOf(where, await sent(withParameter(parameter, value), { color: value }))).toBe(wire);
});

describe('Swagger 2', () => {
  const swagger = (parameter: { in: string }, more: object = {}) => ({
    swagger: '2.0',
    info: { title: 'Odd', version: '1' },
    host: 'odd.test',
    paths: {
      [parameter.in === 'path' ? '/colours/{color}/end' : '/colours']: {
        [parameter.in === 'formData' ? 'post' : 'get']: {
          operationId: 'getColour',
          ...(parameter.in === 'formData' ? { consumes: ['application/x-www-form-urlencoded'] } : {}),
          parameters: [{ name: 'color', required: true, type: 'array', items: { type: 'string' }, ...parameter }],
          responses: OK,
        },
      },
    },
    ...more,
  });

  const FORMATS: [string | undefined, string, string][] = [
    [undefined, 'blue,black,brown', ','],
    ['csv', 'blue,black,brown', ','],
    ['ssv', 'blue%20black%20brown', ' '],
    ['tsv', 'blue%09black%09brown', '\t'],
    ['pipes', 'blue%7Cblack%7Cbrown', '|'],
  ];
  const cases = FORMATS.flatMap(([format, wire, separator]): [string, string | undefined, string][] => [
    ['query', format, `color=${wire}`],
    ['path', format, wire],
    ['header', format, LIST.join(separator)],
    ['formData', format, `color=${wire.replaceAll('%20', '+')}`],
  ]);
  test.each([
    ...cases,
    ['query', 'multi', 'color=blue&color=black&color=brown'],
    ['formData', 'multi', 'color=blue&color=black&color=brown'],
  ] as [string, string | undefined, string][])('%s %s: %s', async (where, collectionFormat, wire) => {
    const parameter = { in: where, ...(collectionFormat === undefined ? {} : { collectionFormat }) };
    const values = where === 'formData' ? { body: { color: LIST } } : { color: LIST };
    const request = await sent(swagger(parameter), values);
    expect(where === 'formData' ? request.payload?.text : partOf(where, request)).toBe(wire);
  });

  test.each<[string, object, object, unknown, string]>([
    ['a body by reference', { parameters: [{ $ref: '#/parameters/Thing' }] }, {}, { a: 1 }, '{"a":1}'],
    ['a body of the path', {}, { parameters: [{ $ref: '#/parameters/Thing' }] }, { a: 1 }, '{"a":1}'],
    [
      'fields of a form by reference and of the path',
      { consumes: ['application/x-www-form-urlencoded'], parameters: [{ $ref: '#/parameters/name' }] },
      { parameters: [{ $ref: '#/parameters/tags~1all' }] },
      { name: 'x y', tags: ['a', 'b'] },
      'name=x+y&tags=a%7Cb',
    ],
  ])('%s is sent', async (_, operation, item, body, wire) => {
    const content = {
      swagger: '2.0',
      info: { title: 'Odd', version: '1' },
      host: 'odd.test',
      parameters: {
        Thing: { name: 'thing', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
        name: { name: 'name', in: 'formData', type: 'string', required: true },
        'tags/all': {
          name: 'tags',
          in: 'formData',
          type: 'array',
          items: { type: 'string' },
          collectionFormat: 'pipes',
        },
      },
      definitions: { Thing: { type: 'object', properties: { a: { type: 'integer' } } } },
      paths: { '/things': { ...item, post: { operationId: 'createThing', responses: OK, ...operation } } },
    };
    expect((await sent(content, { body })).payload?.text).toBe(wire);
  });
});

describe('forms', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const form = (encoding: unknown) =>
    document({
      '/charges': {
        post: {
          operationId: 'createCharge',
          requestBody: { content: { [FORM]: { schema: { type: 'object' }, ...(encoding ? { encoding } : {}) } } },
          responses: OK,
        },
      },
    });
  test.each<[unknown, unknown, string]>([
    [undefined, { a: 'x y&z', n: 1, f: false }, 'a=x+y%26z&n=1&f=false'],
    [undefined, { tags: LIST }, 'tags=blue&tags=black&tags=brown'],
    [undefined, { address: { street: '1 A St' } }, 'address=%7B%22street%22%3A%221+A+St%22%7D'],
    [{ tags: { explode: false } }, { tags: LIST }, 'tags=blue,black,brown'],
    [{ tags: { style: 'spaceDelimited' } }, { tags: LIST }, 'tags=blue+black+brown'],
    [{ tags: { style: 'pipeDelimited', explode: false } }, { tags: LIST }, 'tags=blue%7Cblack%7Cbrown'],
    [
      { tags: { contentType: 'application/json' } },
      { tags: LIST },
      'tags=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D',
    ],
    [{ rgb: { style: 'form', explode: true } }, { rgb: OBJECT }, 'R=100&G=200&B=150'],
    [{ rgb: { style: 'form', explode: false } }, { rgb: OBJECT }, 'rgb=R,100,G,200,B,150'],
    [{ metadata: { style: 'deepObject', explode: true } }, { metadata: { k: 'v' } }, 'metadata%5Bk%5D=v'],
    // As payment APIs state them.
    [
      { items: { style: 'deepObject', explode: true }, card: { style: 'deepObject', explode: true } },
      { amount: 5, items: [{ price: 'p 1', quantity: 2 }], card: { number: '42', address: { zip: '1' } } },
      'amount=5&items%5B0%5D%5Bprice%5D=p+1&items%5B0%5D%5Bquantity%5D=2&card%5Bnumber%5D=42&card%5Baddress%5D%5Bzip%5D=1',
    ],
    [{ expand: { style: 'deepObject', explode: true } }, { expand: ['a', 'b'] }, 'expand%5B0%5D=a&expand%5B1%5D=b'],
  ])('%j %j', async (encoding, body, wire) => {
    const { payload } = await sent(form(encoding), { body });
    expect(payload).toEqual({ contentType: FORM, text: wire });
  });

  test('a field that would make the request another one is refused, however it is written', async () => {
    const tool = await toolOf(form({ a: { style: 'form', explode: true } }));
    for (const body of [{ _method: 'DELETE' }, { a: { _method: 'DELETE' } }])
      expect(buildRequest(tool, { body }), JSON.stringify(body)).toMatchObject({ ok: false });
  });
});
