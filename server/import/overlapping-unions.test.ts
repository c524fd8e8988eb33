import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { oddFolder, taking } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { definePlatform } from './user-platform.ts';

const text = { type: 'string' };
const named = (name: string, more: object = {}) => ({ type: 'object', properties: { [name]: text }, ...more });

async function takes(branches: object[], body: unknown, schemas: object = {}): Promise<boolean> {
  using folder = oddFolder();
  const stated = taking({ oneOf: branches }, { components: { schemas } });
  const taken = await importDocument(folder.write('api.json', stated));
  const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
  const [tool] = trialBuild(definePlatform({ name: 'acme' }, taken), documents).tools;
  return new Ajv2020({ strict: false }).validate(tool?.schema ?? {}, { body });
}

test.each([
  ['open objects without a required field', [named('id'), named('label')], { id: 'a' }],
  ['a short form beside a long one', [named('id', { required: ['id'] }), { type: 'object', properties: { id: text, label: text }, required: ['id'] }], { id: 'a', label: 'b' }],
  ['a date and a text', [{ type: 'string', format: 'date' }, text], '2026-11-27'],
  ['whole numbers and numbers', [{ type: 'integer' }, { type: 'number' }], 4],
  ['lists of the same', [{ type: 'array', items: { enum: ['a'] } }, { type: 'array', items: { enum: ['a', 'b'] } }], ['a']],
])('of %s, a value of one branch is taken although it fits two', async (_, branches, body) => {
  expect(await takes(branches, body)).toBe(true);
}); // biome-ignore format: a case a line

test('branches behind references and in parts are compared as well', async () => {
  const schemas = { Base: named('id'), Long: { allOf: [{ $ref: '#/components/schemas/Base' }, named('label')] } };
  const branches = [{ $ref: '#/components/schemas/Long' }, { $ref: '#/components/schemas/Base' }];
  expect(await takes(branches, { id: 'a', label: 'b' }, schemas)).toBe(true);
});

test.each([
  ['a list of its own kind', { type: 'array', items: { $ref: '#/components/schemas/Base' } }],
  ['a choice', { oneOf: [text, { type: 'object' }] }],
  ['nested deeply', named('a', { properties: { b: named('c', { properties: { d: named('e', { properties: { f: named('g', { properties: { h: text } }) } }) } }) } })],
])('a branch that extends another one is taken, also where a field that both have is %s', async (_, field) => {
  const Base = { type: 'object', required: ['name'], properties: { name: text, field } };
  const Big = { allOf: [{ $ref: '#/components/schemas/Base' }, named('size', { required: ['size'] })] };
  const branches = [{ $ref: '#/components/schemas/Base' }, { $ref: '#/components/schemas/Big' }];
  expect(await takes(branches, { name: 'a', size: 'b' }, { Base, Big })).toBe(true);
}); // biome-ignore format: a case a line

test.each(['value', 'default', 'example', 'examples', 'enum', 'const', 'other'])(
  'a union in a property that is called %s is read like any other',
  async (name) => {
    const union = { oneOf: [{ type: 'number' }, { type: 'integer' }] };
    const api = await importedApi({ 'api.json': taking({ type: 'object', properties: { [name]: union } }) });
    expect(api.problems('createThing', { body: { [name]: 5 } })).toEqual([]);
  },
);

const formats = (...names: string[]) => names.map((format) => ({ type: 'string', format }));
const UUID = '0b7c7c1e-6f0f-4a53-9c0e-3f0a6d6f6b11';
const NO_UUID = { type: 'string', pattern: '^(?![0-9a-f]{8}-).*$' };
const keyed = (id: object) => ({ type: 'object', required: ['id'], properties: { id } });

test.each([
  ['a pattern that is not checked', [...formats('uuid'), NO_UUID], [UUID, 'core-1']],
  ['such a pattern beside other limits', [{ ...text, minLength: 9, format: 'uuid' }, { ...NO_UUID, maxLength: 63 }], [UUID, 'core-1']],
  ['such a pattern of a field', [keyed({ ...text, format: 'uuid' }), keyed(NO_UUID)], [{ id: UUID }, { id: 'core-1' }]],
  ['a format that is not checked', formats('ipv4', 'cidr'), ['10.0.0.1', '10.0.0.0/8']],
  ['several of them', formats('ipv4', 'ipv6', 'fqdn'), ['10.0.0.1', '2001:db8::1', 'a.example']],
  ['formats that overlap', formats('ipv4', 'hostname'), ['10.0.0.1', 'a.example']],
  ['formats of numbers', [{ type: 'integer', format: 'int32' }, { type: 'integer', format: 'int64' }], [5]],
])('values are taken where %s tells the branches apart', async (_, oneOf, values) => {
  const api = await importedApi({ 'api.json': taking({ oneOf }) });
  expect(values.flatMap((body) => api.problems('createThing', { body }))).toEqual([]);
}); // biome-ignore format: a case a line

test('a value of none of the formats is refused', async () => {
  const api = await importedApi({ 'api.json': taking({ oneOf: formats('ipv4', 'ipv6') }) });
  expect(api.problems('createThing', { body: 'core-1' })).not.toEqual([]);
});

test.each([
  ['that require different fields', [named('id', { required: ['id'] }), named('label', { required: ['label'] })], { id: 'a', label: 'b' }],
  ['whose kind says which is meant', [{ ...named('x'), properties: { kind: { enum: ['a'] } } }, { ...named('x'), properties: { kind: { enum: ['b'] } } }], {}],
])('of branches %s, exactly one is still asked for', async (_, branches, body) => {
  expect(await takes(branches, body)).toBe(false);
}); // biome-ignore format: a case a line
