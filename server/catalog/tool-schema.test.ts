import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { publicDocument } from '#bench/packages';
import { readOperations } from './document-operations.ts';
import { readDocument } from './platform-document.ts';
import type { JsonSchema } from './tool.ts';
import { fitSchema, portableName, SCHEMA_BYTES_LIMIT, schemaProblem, withoutLongNames } from './tool-schema.ts';

const object = (properties: object, more: object = {}): JsonSchema => ({ type: 'object', properties, ...more });
const bytes = (schema: JsonSchema) => Buffer.byteLength(JSON.stringify(schema));

describe('a schema that some client or validator would choke on is named with its reason', () => {
  test.each<[string, JsonSchema, RegExp]>([
    ['no object', { type: 'array' }, /not of type object/],
    ['a union at the top', object({}, { anyOf: [{}] }), /anyOf at the top/],
    ['an argument name with brackets', object({ 'filter[name]': {} }), /"filter\[name\]" has a name/],
    ['an argument name of 61 characters', object({ ['a'.repeat(61)]: {} }), /has a name that strict clients refuse/],
    ['a field name of 61 characters', object({ body: object({ ['é'.repeat(61)]: {} }) }), /more than 60 characters/],
    [
      'a dangling reference',
      object({ body: { $ref: '#/$defs/None' } }, { $defs: {} }),
      /"#\/\$defs\/None", which does not/,
    ],
    ['a reference outside', object({ body: { $ref: 'http://elsewhere.test/x' } }), /which does not exist/],
    ['a reference by inheritance', object({ body: { $ref: '#/$defs/toString' } }, { $defs: {} }), /does not exist/],
    ['a broken pattern', object({ a: { type: 'string', pattern: '(' } }), /no regular expression/],
    ['an unknown type', object({ a: { type: 'any' } }), /not JSON Schema: \/properties\/a\/type/],
    ['too many bytes', object({ a: { description: 'x'.repeat(SCHEMA_BYTES_LIMIT) } }), /more than 32768/],
  ])('%s', (_, schema, reason) => {
    expect(schemaProblem(schema)).toMatch(reason);
  });

  test('a field called $ref, pattern or properties is only a field', () => {
    const odd = object({ $ref: { type: 'string' }, pattern: { type: 'string' }, properties: object({ type: {} }) });
    expect(
      schemaProblem(object({ body: odd, kept: { default: { $ref: 'x' }, enum: [{ pattern: '(' }] } })),
    ).toBeUndefined();
  });
});

test('an optional field with too long a name is taken out, a required one stays and is refused', () => {
  const [optional, required] = ['a'.repeat(61), 'b'.repeat(61)];
  const schema = object({ body: object({ [optional]: {}, [required]: {}, short: {} }, { required: [required] }) });
  expect(withoutLongNames(schema)).toEqual([optional]);
  expect(schema).toEqual(object({ body: object({ [required]: {}, short: {} }, { required: [required] }) }));
  expect(schemaProblem(schema)).toContain(required);
});

test('what passes can be compiled: every schema of a real document', () => {
  const file = publicDocument();
  const platform = { id: 'github', overrides: {}, backends: {}, auth: {} } as never;
  const { drafts, quarantined, notes } = readOperations(platform, readDocument(file));
  expect(drafts.length).toBe(1222);
  expect(quarantined.map(({ operation, pointer, reason }) => [operation, pointer, reason])).toEqual([
    [
      'POST /repos/{owner}/{repo}/releases/{release_id}/assets',
      '/paths/~1repos~1{owner}~1{repo}~1releases~1{release_id}~1assets/post',
      expect.stringContaining('is served from https://uploads.github.com, not from the document'),
    ],
  ]);
  // Archives and logs, which are fetched from another place.
  expect(notes.map((note) => /only declared success is a redirect/.test(note))).toEqual(Array(8).fill(true));
  const ajv = new Ajv2020({ strict: false, logger: false, addUsedSchema: false, validateFormats: false });
  // Every fifth, the same ones each time: compiling all of them takes longer than the rest of these tests together.
  const drawn = drafts.filter((_, i) => i % 5 === 0).map(({ built }) => built.schema);
  for (const schema of drawn) expect(() => ajv.compile(schema)).not.toThrow();
});

test.each([
  ['name', 'name'],
  ['filter[name]', 'filter_name'],
  ['$filter', 'filter'],
  ['page.size', 'page.size'],
  ['日本', 'value'],
])('the parameter %s is the argument %s', (name, argument) => {
  expect(portableName(name)).toBe(argument);
});

test('two long parameters that begin alike are two arguments of at most 60 characters', () => {
  const [a, b] = ['a', 'b'].map((end) => portableName(`${'x'.repeat(70)}${end}`));
  expect(a).not.toBe(b);
  for (const name of [a, b]) expect(name).toMatch(/^x{51}_[0-9a-f]{8}$/);
});

describe('a schema that is too long is cut where checking loses least', () => {
  test('first long descriptions', () => {
    const schema = object({ a: { type: 'string', minLength: 3, description: 'word '.repeat(10_000) } });
    expect(fitSchema(schema)).toBe('descriptions shortened');
    expect(schema).toMatchObject({ properties: { a: { minLength: 3, description: expect.stringMatching(/…$/) } } });
  });

  test('then enums of thousands', () => {
    const values = Array.from({ length: 3953 }, (_, i) => `application-${i}`);
    const schema = object({ app: { type: 'string', enum: values }, mode: { type: 'string', enum: ['on', 'off'] } });
    expect(fitSchema(schema)).toContain('an enum of 3953 values left to the platform');
    expect(schema).toMatchObject({
      properties: {
        app: { type: 'string', description: expect.stringContaining('application-0, application-1') },
        mode: { enum: ['on', 'off'] },
      },
    });
  });

  test('then the largest parts, with whatever only they refer to', () => {
    const wide = object(
      Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`field_number_${i}`, { type: 'string' }])),
    );
    const schema = object(
      { body: { allOf: [{ $ref: '#/$defs/Wide' }, { $ref: '#/$defs/Small' }] } },
      {
        $defs: {
          Wide: object({ ...(wide['properties'] as object), inner: { $ref: '#/$defs/Inner' } }),
          Small: object({}),
          Inner: {},
        },
      },
    );
    expect(fitSchema(schema)).toContain('Wide left to the platform');
    expect(Object.keys(schema['$defs'] as object)).toEqual(['Wide', 'Small']);
    expect(bytes(schema)).toBeLessThan(SCHEMA_BYTES_LIMIT);
    expect(schemaProblem(schema)).toBeUndefined();
  });

  test('the body keeps its own fields and required names, and its longest ones lose theirs', () => {
    const fields = (from: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${from}_number_${i}`, { type: 'string' }]));
    const schema = object(
      { body: { $ref: '#/$defs/Order' } },
      {
        $defs: {
          Order: object(
            { ...fields('order', 300), total: { type: 'number' }, notes: object(fields('note', 600)), way: { $ref: '#/$defs/Way' } },
            { required: ['total'] },
          ),
          Way: { oneOf: [{ $ref: '#/$defs/Card' }, { $ref: '#/$defs/Cash' }] },
          Card: object(fields('card', 800), { required: ['card_number_1'] }),
          Cash: object({ drawer: { type: 'integer' } }, { required: ['drawer'] }),
        },
      },
    ); // biome-ignore format: a schema a line
    expect(fitSchema(schema)).toContain('Card left to the platform, notes left to the platform');
    expect(bytes(schema)).toBeLessThan(SCHEMA_BYTES_LIMIT);
    const takes = new Ajv2020({ strict: false }).compile(schema);
    expect(takes({ body: { total: 1, way: { drawer: 3 }, notes: { any: 'text' } } }), 'one branch of the union').toBe(
      true,
    );
    expect(takes({ body: { way: { drawer: 3 } } }), 'the total is required').toBe(false);
    expect(takes({ body: { total: 1, notes: 'text' } }), 'notes are still an object').toBe(false);
  });

  test('a short one is left alone', () => {
    const schema = object({ a: { description: 'x'.repeat(500) } });
    expect(fitSchema(schema)).toBeUndefined();
    expect(schema).toEqual(object({ a: { description: 'x'.repeat(500) } }));
  });
});
