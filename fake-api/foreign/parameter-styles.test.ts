/** Every style, place and type of OpenAPI 3.1, with and without `explode`: what the specification's table says is read, and a wrong value is not. */
import { describe, expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, type Part } from '../test/foreign-sample-document.ts';

const integer = { type: 'integer' };
const list = { type: 'array', items: integer, minItems: 2 };
const object = {
  type: 'object',
  required: ['R', 'G'],
  properties: { R: integer, G: integer },
  additionalProperties: false,
};

const words = { type: 'array', items: { type: 'string' }, maxItems: 1 };
const rows = { type: 'array', items: object };

/** Place, style, explode, schema, what is sent, and what is sent wrongly. For a path it is the last segment, else the query, header or cookie. */
const TABLE: [string, string, boolean, Part, string, string][] = [
  ['path', 'simple', false, integer, '5', 'x'],
  ['path', 'simple', false, list, '3,4', '3,x'],
  ['path', 'simple', true, list, '3,4', '3'],
  ['path', 'simple', false, object, 'R,100,G,200', 'R,100,G,x'],
  ['path', 'simple', true, object, 'R=100,G=200', 'R=100'],
  ['path', 'label', false, integer, '.5', '.x'],
  ['path', 'label', false, list, '.3,4', '.3,x'],
  ['path', 'label', true, list, '.3.4', '.3.x'],
  ['path', 'label', false, object, '.R,100,G,200', '.R,100'],
  ['path', 'label', true, object, '.R=100.G=200', '.R=100'],
  ['path', 'matrix', false, integer, ';c=5', ';c=x'],
  ['path', 'matrix', false, list, ';c=3,4', ';c=3'],
  ['path', 'matrix', true, list, ';c=3;c=4', ';c=3'],
  ['path', 'matrix', false, object, ';c=R,100,G,200', ';c=R,x,G,200'],
  ['path', 'matrix', true, object, ';R=100;G=200', ';R=100'],
  ['query', 'form', true, integer, 'c=5', 'c=x'],
  ['query', 'form', true, list, 'c=3&c=4', 'c=3&c=x'],
  ['query', 'form', false, list, 'c=3,4', 'c=3'],
  ['query', 'form', true, object, 'R=100&G=200', 'R=100'],
  ['query', 'form', false, object, 'c=R,100,G,200', 'c=R,100,G,x'],
  ['query', 'spaceDelimited', false, list, 'c=3%204', 'c=3%20x'],
  ['query', 'pipeDelimited', false, list, 'c=3|4', 'c=3|x'],
  ['query', 'spaceDelimited', false, object, 'c=R%20100%20G%20200', 'c=R%20100'],
  ['query', 'pipeDelimited', false, object, 'c=R|100|G|200', 'c=R|100'],
  ['query', 'deepObject', true, object, 'c[R]=100&c[G]=200', 'c[R]=100&c[G]=x'],
  ['query', 'deepObject', true, { anyOf: [object, integer] }, 'c[R]=100&c[G]=200', 'c[R]=100&c[B]=1'],
  ['query', 'deepObject', true, { anyOf: [object, integer] }, 'c=7', 'c=x'],
  [
    'query',
    'deepObject',
    true,
    { properties: { in: object }, additionalProperties: false },
    'c[in][R]=1&c[in][G]=2',
    'c[in][R]=1',
  ],
  [
    'query',
    'deepObject',
    true,
    { type: 'object', properties: { ids: list } },
    'c[ids][0]=1&c[ids][1]=2',
    'c[ids][0]=1',
  ],
  ['query', 'deepObject', true, { type: 'object', properties: { ids: list } }, 'c[ids][]=1&c[ids][]=2', 'c[ids][]=1'],
  ['query', 'deepObject', true, { type: 'object', properties: { ids: list } }, 'c[ids]=1&c[ids]=2', 'c[ids]=1'],
  [
    'query',
    'deepObject',
    true,
    { type: 'object', properties: { tags: words } },
    'c[tags][0]=a%2Cb',
    'c[tags][0]=a%2Cb&c[tags][1]=c',
  ],
  ['query', 'deepObject', true, { type: 'object', properties: { tags: words } }, 'c[tags]=a,b', 'c[tags]=a&c[tags]=b'],
  [
    'query',
    'deepObject',
    true,
    { type: 'object', properties: { of: object } },
    'c[of][R]=1&c[of][G]=2',
    'c[of][R]=1&c[of][0]=2',
  ],
  [
    'query',
    'deepObject',
    true,
    { type: 'object', properties: { rows: rows } },
    'c[rows][0][R]=1&c[rows][0][G]=2',
    'c[rows][0][R]=1',
  ],
  ['header', 'simple', false, integer, '5', 'x'],
  ['header', 'simple', false, list, '3,4', '3'],
  ['header', 'simple', false, object, 'R,100,G,200', 'R,100'],
  ['header', 'simple', true, object, 'R=100,G=200', 'R=100'],
  ['cookie', 'form', true, integer, 'c=5', 'c=x'],
  ['cookie', 'form', false, list, 'c=3,4', 'c=3'],
  ['cookie', 'form', false, object, 'c=R,100,G,200', 'c=R,100'],
];

describe.each(TABLE)('%s, %s, explode %s, %j', (place, style, explode, schema, right, wrong) => {
  test(`takes ${right} and refuses ${wrong}`, async () => {
    const parameter = { name: place === 'header' ? 'X-C' : 'c', in: place, required: true, style, explode, schema };
    const path = place === 'path' ? '/a/{c}' : '/a';
    await using zoo = await foreignTestbed(
      foreignDocument({ [path]: { get: answering({ const: 1 }, { parameters: [parameter] }) } }),
    );
    const statusOf = (text: string): number => {
      const target = place === 'path' ? `/a/${text}` : place === 'query' ? `/a?${text}` : '/a';
      const headers = place === 'header' ? { 'x-c': text } : place === 'cookie' ? { cookie: `z=1; ${text}` } : {};
      return zoo.call('GET', target, undefined, headers as Record<string, string>).status;
    };
    expect([statusOf(right), statusOf(wrong)]).toEqual([200, 400]);
    if (place !== 'path') expect(zoo.call('GET', '/a').status).toBe(400);
  });
});
