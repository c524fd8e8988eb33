/** Names that every JavaScript object inherits, wherever a document or a request may have a name of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../fake.ts';
import { answering, foreignDocument, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const NAMES = ['toString', '__proto__', 'hasOwnProperty', 'constructor'];

interface ServedDocument extends AsyncDisposable {
  call: (method: string, target: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>;
  fake: FakeApi;
}

async function served(document: Part): Promise<ServedDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'names-'));
  const file = join(folder, 'names.json');
  await writeFile(file, JSON.stringify(document));
  const fake = await startFakeApi({ documents: new Map(), foreign: [{ file, name: 'names' }] });
  const call: ServedDocument['call'] = (method, target, body, headers = {}) =>
    fetch(`${fake.platforms['names']}${target}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const close = async (): Promise<void> => {
    await fake.close();
    await rm(folder, { recursive: true });
  };
  return { fake, call, [Symbol.asyncDispose]: close };
}

/** `{[name]: value}` with the name as the object's own, also for `__proto__`. */
const named = (name: string, value: unknown): Part => Object.fromEntries([[name, value]]);

const integer = { type: 'integer', minimum: 1, maximum: 9 };

describe.each(NAMES)('the name %s', (name) => {
  test('is an optional property: absent until sent, then checked, kept and shown', async () => {
    const item = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, ...named(name, integer) } };
    // A spread keeps the name as the object's own; a validator ignores a schema of `__proto__`.
    const isChecked = name !== '__proto__';
    await using platform = await served(
      foreignDocument({
        '/items': {
          get: answering({ type: 'array', items: item }),
          post: {
            requestBody: jsonBody({ type: 'object', properties: { id: { type: 'string' }, ...named(name, integer) } }),
            responses: { 201: { description: '', content: { 'application/json': { schema: item } } } },
          },
        },
        '/items/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: answering(item),
          patch: { requestBody: jsonBody({ type: 'object' }), ...answering(item) },
        },
      }),
    );
    const bare = await platform.call('POST', '/items', { id: 'bare' });
    expect(bare.status).toBe(201);
    const made = await platform.call('POST', '/items', `{"id":"full","${name}":3}`);
    expect([made.status, await made.text()]).toEqual([201, `{"id":"full","${name}":3}`]);
    expect(await (await platform.call('GET', '/items/full')).text()).toBe(`{"id":"full","${name}":3}`);
    await platform.call('PATCH', '/items/full', `{"${name}":4}`);
    expect(await (await platform.call('GET', '/items/full')).text()).toBe(`{"id":"full","${name}":4}`);
    expect((await platform.call('POST', '/items', `{"id":"wrong","${name}":77}`)).status).toBe(isChecked ? 400 : 201);
  });

  test('is a required property: its absence is refused', async () => {
    const schema = { type: 'object', required: [name], properties: named(name, integer) };
    await using platform = await served(
      foreignDocument({ '/a': { post: { requestBody: jsonBody(schema), ...answering(schema) } } }),
    );
    const refused = await platform.call('POST', '/a', {});
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('the field is required')]);
    const taken = await platform.call('POST', '/a', `{"${name}":5}`);
    expect([taken.status, Object.keys((await taken.json()) as object)]).toEqual([200, [name]]);
  });

  test('is no property where the document does not declare it', async () => {
    const schema = { type: 'object', properties: { size: integer }, additionalProperties: false };
    await using platform = await served(
      foreignDocument({ '/a': { post: { requestBody: jsonBody(schema), ...answering({ const: 1 }) } } }),
    );
    expect((await platform.call('POST', '/a', `{"${name}":5}`)).status).toBe(400);
    expect((await platform.call('POST', '/a', { size: 5 })).status).toBe(200);
  });

  // Node's HTTP server loses a header of the name `__proto__` before the fake sees it.
  test.each(name === '__proto__' ? ['query', 'path'] : ['query', 'path', 'header'])(
    'is a parameter in the %s',
    async (place) => {
      const path = place === 'path' ? `/a/{${name}}` : '/a';
      const parameters = [{ name, in: place, required: true, schema: integer }];
      await using platform = await served(
        foreignDocument({ [path]: { get: answering({ const: 1 }, { parameters }) } }),
      );
      const send = (value: string): Promise<Response> => {
        if (place === 'path') return platform.call('GET', `/a/${value}`);
        if (place === 'query') return platform.call('GET', `/a?${name}=${value}`);
        return platform.call('GET', '/a', undefined, named(name, value) as Record<string, string>);
      };
      expect((await send('5')).status).toBe(200);
      const refused = await send('77');
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(`\\"${name}\\"`)]);
      if (place !== 'path') expect((await platform.call('GET', '/a')).status).toBe(400);
    },
  );

  test('is a field of an object in the query, and unknown where the object has no such field', async () => {
    const object = (properties: Part): Part => ({ type: 'object', properties, additionalProperties: false });
    const parameter = (properties: Part, style: string): Part => ({
      ...answering({ const: 1 }, { parameters: [{ name: 'filter', in: 'query', style, schema: object(properties) }] }),
    });
    await using platform = await served(
      foreignDocument({
        '/deep': { get: parameter(named(name, { type: 'string' }), 'deepObject') },
        '/spread': { get: parameter(named(name, { type: 'string' }), 'form') },
        '/other': { get: parameter({ size: integer }, 'form') },
      }),
    );
    // A validator takes `__proto__` for a name that the schema does not declare.
    const taken = name === '__proto__' ? 400 : 200;
    expect((await platform.call('GET', `/deep?filter[${name}]=x`)).status).toBe(taken);
    expect((await platform.call('GET', `/spread?${name}=x`)).status).toBe(taken);
    expect((await platform.call('GET', `/other?${name}=x`)).status).toBe(400);
  });

  test('is a query parameter that nobody declared', async () => {
    await using platform = await served(foreignDocument({ '/a': { get: answering({ const: 1 }) } }));
    const refused = await platform.call('GET', `/a?${name}=1`);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('got an unknown name')]);
  });

  test('is a path segment and a key of an object', async () => {
    const item = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    await using platform = await served(
      foreignDocument({
        [`/${name}`]: {
          get: answering({ type: 'array', items: item }),
          post: { requestBody: jsonBody(item), responses: { 201: { description: '' }, 409: { description: '' } } },
        },
        [`/${name}/{name}`]: {
          parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
          get: answering(item),
          delete: { responses: { 204: { description: '' } } },
        },
      }),
    );
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await platform.call('POST', `/${name}`, { name })).status);
    expect(statuses).toEqual([201, 409]);
    expect(await (await platform.call('GET', `/${name}/${name}`)).json()).toEqual({ name });
    expect((await platform.call('DELETE', `/${name}/${name}`)).status).toBe(204);
    expect((await platform.call('GET', `/${name}/${name}`)).status).toBe(404);
    expect((await platform.call('GET', `/${name}x`)).status).toBe(404);
  });

  test('is a schema name, and a reference to a schema that is absent is none', async () => {
    const reference = { $ref: `#/components/schemas/${name}` };
    const paths = { '/a': { get: answering(reference) } };
    const schemas = named(name, { type: 'object', required: ['size'], properties: { size: { const: 7 } } });
    await using declared = await served(foreignDocument(paths, { components: { schemas } }));
    expect(await (await declared.call('GET', '/a')).json()).toEqual({ size: 7 });
    await using absent = await served(foreignDocument(paths));
    expect(absent.fake.foreign[0]?.platform?.warnings.list[0]?.message).toMatch(/leads nowhere/);
    expect((await absent.call('GET', '/a')).status).toBe(200);
  });

  test('is a tag, an enum value, an operationId and a media type', async () => {
    const schema = { type: 'string', enum: [name] };
    const parameters = [{ name: 'kind', in: 'query', schema }];
    const operation = answering(schema, { tags: [name], operationId: name, parameters });
    const upload = { requestBody: { content: named(name, { schema: {} }) }, responses: { 204: { description: '' } } };
    await using platform = await served(
      foreignDocument({ '/a': { get: operation, post: upload } }, { tags: [{ name }] }),
    );
    expect(await (await platform.call('GET', `/a?kind=${name}`)).json()).toBe(name);
    expect((await platform.call('GET', '/a?kind=other')).status).toBe(400);
    expect((await platform.call('POST', '/a', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    const ledger = await fetch(`${platform.fake.control}/namespaces/default/ledger`);
    expect(await ledger.json()).toMatchObject({ entries: [{ operationId: name }, { operationId: name }, {}] });
  });

  test('is a security scheme, and one that is not declared asks for nothing', async () => {
    const securitySchemes = named(name, { type: 'apiKey', in: 'header', name: 'X-Key' });
    const document = (components: Part): Part =>
      foreignDocument({ '/a': { get: answering({ const: 1 }) } }, { components, security: [named(name, [])] });
    await using declared = await served(document({ securitySchemes }));
    expect((await declared.call('GET', '/a')).status).toBe(401);
    expect((await declared.call('GET', '/a', undefined, { 'x-key': 'k' })).status).toBe(200);
    await using absent = await served(document({ securitySchemes: {} }));
    expect((await absent.call('GET', '/a')).status).toBe(200);
  });

  test('is a response header, a response name and a step of a JSON patch', async () => {
    const item = { type: 'object', properties: { id: { type: 'string' }, inner: { type: 'object' } } };
    const answered = { 200: { $ref: `#/components/responses/${name}` } };
    const response = { description: '', headers: named(name, {}), content: { 'application/json': { schema: item } } };
    const steps = { requestBody: { content: { 'application/json-patch+json': { schema: { type: 'array' } } } } };
    await using platform = await served(
      foreignDocument(
        {
          '/items/{id}': {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            get: { responses: answered },
            patch: { ...steps, responses: answered },
          },
        },
        { components: { responses: named(name, response) } },
      ),
    );
    const patch = [
      { op: 'add', path: '/inner', value: {} },
      { op: 'add', path: `/inner/${name}`, value: 'own' },
    ];
    const polluting = [{ op: 'add', path: `/${name}/polluted`, value: true }];
    const media = { 'content-type': 'application/json-patch+json' };
    expect((await platform.call('PATCH', '/items/a', patch, media)).status).toBe(200);
    expect((await platform.call('PATCH', '/items/a', polluting, media)).status).toBe(422);
    expect(await (await platform.call('GET', '/items/a')).text()).toContain(`"inner":{"${name}":"own"}`);
    expect('polluted' in {}).toBe(false);
  });
});
