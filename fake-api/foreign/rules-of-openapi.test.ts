/** Clauses of OpenAPI and HTTP that a stand-in for any document has to keep. */
import { describe, expect, test } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });

describe('a base that lists its children', () => {
  const child = (field: string): Part => ({
    allOf: [ref('Animal'), { type: 'object', required: [field], properties: { [field]: { type: 'integer' } } }],
  });
  const schemas = {
    Animal: {
      type: 'object',
      required: ['kind'],
      properties: { kind: text, id: text },
      discriminator: { propertyName: 'kind' },
      oneOf: [ref('Cat'), ref('Dog')],
    },
    Cat: child('lives'),
    Dog: child('barks'),
    Self: { allOf: [ref('Self'), { type: 'object', properties: { a: text } }] },
    Puppy: { allOf: [ref('Dog'), { anyOf: [ref('Puppy'), text] }] },
  };
  test('is answered and taken, also with the schemas in another order', async () => {
    for (const order of [Object.entries(schemas), Object.entries(schemas).toReversed()]) {
      await using zoo = await foreignTestbed(
        foreignDocument(
          {
            '/animals': {
              get: answering({ type: 'array', items: ref('Animal') }),
              post: {
                requestBody: jsonBody(ref('Animal')),
                responses: { 201: { description: '', content: { 'application/json': { schema: ref('Animal') } } } },
              },
            },
            '/cat': { get: answering(ref('Cat')) },
            '/self': { get: answering(ref('Self')) },
            '/puppy': { get: answering(ref('Puppy')) },
          },
          { components: { schemas: Object.fromEntries(order) } },
        ),
      );
      expect(zoo.call('GET', '/animals').status).toBe(200);
      expect(zoo.call('POST', '/animals', { kind: 'Cat', lives: 9 })).toMatchObject({
        status: 201,
        body: { kind: 'Cat', lives: 9 },
      });
      expect(zoo.call('POST', '/animals', { kind: 'Cat' }).status).toBe(400);
      expect(zoo.call('GET', '/cat').body).toMatchObject({ lives: expect.any(Number) });
      expect([zoo.call('GET', '/self').status, zoo.call('GET', '/puppy').status]).toEqual([200, 200]);
    }
  });
});

test('declared Accept, Content-Type and Authorization headers are no parameters', async () => {
  const parameters = ['Accept', 'Content-Type', 'authorization'].map((name) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string', enum: ['never'] },
  }));
  await using zoo = await foreignTestbed(foreignDocument({ '/a': { get: answering({ const: 1 }, { parameters }) } }));
  expect(
    zoo.call('GET', '/a', undefined, { 'content-type': 'application/json', accept: 'application/json' }).body,
  ).toBe(1);
});

test('a client that accepts any language has named none', async () => {
  const parameters = [{ name: 'Accept-Language', in: 'header', schema: { type: 'string', enum: ['de-DE', 'fr-FR'] } }];
  await using zoo = await foreignTestbed(foreignDocument({ '/a': { get: answering({ const: 1 }, { parameters }) } }));
  const asked = (language: string) => zoo.call('GET', '/a', undefined, { 'accept-language': language }).status;
  expect(['*', 'de-DE', 'xx'].map(asked)).toEqual([200, 200, 400]);
});

test('read-only fields are not asked for, behind references and in other parts', async () => {
  const schemas = {
    Id: { type: 'string', readOnly: true },
    Base: { type: 'object', properties: { id: ref('Id'), type: { type: 'string', readOnly: true } } },
    Pet: { allOf: [ref('Base'), { type: 'object', required: ['id', 'type', 'name'], properties: { name: text } }] },
  };
  await using zoo = await foreignTestbed(
    foreignDocument(
      { '/pets': { post: { requestBody: jsonBody(ref('Pet')), ...answering(ref('Pet')) } } },
      { components: { schemas } },
    ),
  );
  expect(zoo.call('POST', '/pets', { name: 'Rex' })).toMatchObject({
    status: 200,
    body: { id: expect.any(String), name: expect.any(String) },
  });
  expect(zoo.call('POST', '/pets', {}).status).toBe(400);
});

test('beside a reference of OpenAPI 3.0 nothing counts, in 3.1 it does', async () => {
  const schemas = { Amount: { type: 'object', properties: { value: { type: 'number' } } } };
  const paths = {
    '/a': {
      post: {
        requestBody: jsonBody({ type: 'object', properties: { amount: { ...ref('Amount'), type: 'number' } } }),
        ...answering({ const: 1 }),
      },
    },
  };
  for (const [openapi, status] of [
    ['3.0.3', 200],
    ['3.1.0', 400],
  ] as const) {
    await using zoo = await foreignTestbed({ ...foreignDocument(paths, { components: { schemas } }), openapi });
    expect(zoo.call('POST', '/a', { amount: { value: 3 } }).status).toBe(status);
  }
});

test('HEAD is answered like GET and OPTIONS with the methods, unless the document describes them', async () => {
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/a': { get: answering({ const: 1 }) },
      '/b': { head: { responses: { 204: { description: '' } } }, post: answering({ const: 1 }) },
    }),
  );
  expect(zoo.call('HEAD', '/a').status).toBe(200);
  expect(zoo.call('OPTIONS', '/a')).toMatchObject({ status: 204, headers: { allow: 'GET, OPTIONS' } });
  expect([zoo.call('HEAD', '/b').status, zoo.call('GET', '/b').status]).toEqual([204, 405]);
});

test('a reference to a parameter, a body or a schema of another operation is followed', async () => {
  const parameters = [
    { name: 'x', in: 'query', schema: text },
    { name: 'size', in: 'query', required: true, schema: { type: 'integer' } },
  ];
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/x/{id}': {
        get: answering(
          { type: 'object', required: ['a'], properties: { a: { const: 7 } } },
          { parameters: [...parameters, { name: 'id', in: 'path', required: true, schema: text }] },
        ),
      },
      '/y': {
        get: {
          parameters: [{ $ref: '#/paths/~1x~1{id}/get/parameters/1' }],
          responses: {
            200: {
              description: '',
              content: {
                'application/json': {
                  schema: { $ref: '#/paths/~1x~1%7Bid%7D/get/responses/200/content/application~1json/schema' },
                },
              },
            },
          },
        },
      },
    }),
  );
  expect(zoo.call('GET', '/y').status).toBe(400);
  expect(zoo.call('GET', '/y?size=3')).toMatchObject({ status: 200, body: { a: 7 } });
});

test('a bad argument takes a declared 400 or 422, and never another refusal', async () => {
  const body = jsonBody({ type: 'object', required: ['n'], properties: { n: { type: 'integer' } } });
  const declaring = (...statuses: number[]): Part => ({
    post: {
      requestBody: body,
      responses: Object.fromEntries([200, ...statuses].map((status) => [status, { description: '' }])),
    },
  });
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/none': declaring(401, 403, 429),
      '/both': declaring(401, 422, 400),
      '/later': declaring(401, 422),
      '/other': declaring(404, 409),
    }),
  );
  const statuses = ['/none', '/both', '/later', '/other'].map((path) => zoo.call('POST', path, { n: 'x' }).status);
  expect(statuses).toEqual([400, 400, 422, 400]);
});

describe('a preference', () => {
  const pet = { type: 'object', required: ['name'], properties: { name: text } };
  const examples = { cat: { value: { name: 'Tom' } }, dog: { $ref: '#/components/examples/Dog' } };
  const document = foreignDocument(
    {
      '/pet': {
        get: {
          responses: {
            200: { description: '', content: { 'application/json': { schema: pet, examples } } },
            404: { description: '', content: { 'application/problem+json': { schema: wrapMessage() } } },
            '5XX': { description: '' },
          },
          security: [{ key: [] }],
        },
        delete: { responses: { 204: { description: '' }, 409: { description: '' } } },
      },
    },
    {
      components: {
        examples: { Dog: { value: { name: 'Rex' } } },
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } },
      },
    },
  );
  function wrapMessage(): Part {
    return { type: 'object', required: ['message'], properties: { message: text } };
  }

  test('picks a declared status or a named example; another one is ignored', async () => {
    await using zoo = await foreignTestbed(document);
    const get = (prefer: string) => zoo.call('GET', '/pet', undefined, { prefer, 'x-key': 'k' });
    expect(get('code=404')).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
      headers: { 'content-type': 'application/problem+json', 'preference-applied': 'code=404' },
    });
    expect([get('code=503').status, get('example=dog').body, get('code=200, example="cat"').body]).toEqual([
      503,
      { name: 'Rex' },
      { name: 'Tom' },
    ]);
    expect([
      get('code=418').status,
      get('example=cow').status,
      get('respond-async').headers['preference-applied'],
    ]).toEqual([200, 200, undefined]);
    expect(zoo.call('GET', '/pet', undefined, { prefer: 'code=200' }).status).toBe(401);
  });

  test('is served without doing anything', async () => {
    await using zoo = await foreignTestbed(document);
    expect(zoo.call('DELETE', '/pet', undefined, { prefer: 'code=409' }).status).toBe(409);
    expect(zoo.call('GET', '/pet', undefined, { 'x-key': 'k' }).body).toEqual({ name: 'Tom' });
  });
});

test('callbacks and webhooks are ignored with one note each', async () => {
  const callbacks = { done: { '{$request.body#/url}': { post: { responses: { 200: { description: '' } } } } } };
  const paths = { '/a': { post: answering({ const: 1 }, { callbacks }), put: answering({ const: 1 }, { callbacks }) } };
  await using zoo = await foreignTestbed(foreignDocument(paths, { webhooks: { fired: { post: { responses: {} } } } }));
  expect(zoo.platform.warnings.list.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '/webhooks 1 webhooks are ignored: a fake calls nobody',
    '/paths/~1a/post/callbacks the callbacks of 2 operations are ignored: a fake calls nobody',
  ]);
});

test('fields are drawn by their names, within their schema', async () => {
  const named = {
    type: 'object',
    required: ['email', 'city', 'latitude', 'phone'],
    properties: {
      email: { type: 'string', format: 'email' },
      city: text,
      latitude: { type: 'number' },
      phone: { type: 'string', maxLength: 3 },
    },
  };
  await using zoo = await foreignTestbed(foreignDocument({ '/person': { get: answering(named) } }));
  const { body } = zoo.call('GET', '/person');
  expect(body.email).toMatch(/^[a-z.]+@[a-z.-]+\.example$/);
  expect(body.city).toMatch(/^[A-Z][a-z]+/);
  expect(Math.abs(body.latitude)).toBeLessThanOrEqual(90);
  expect(body.phone.length).toBeLessThanOrEqual(3);
});

test('a sent value of one branch is taken where each value of that branch fits another one too', async () => {
  const one = (name: string, more: Part = {}): Part => ({ type: 'object', properties: { [name]: text }, ...more });
  const posting = (oneOf: Part[]): Part => ({ post: { requestBody: jsonBody({ oneOf }), ...answering({ const: 1 }) } });
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/open': posting([one('id'), one('label')]),
      '/required': posting([one('id', { required: ['id'] }), one('label', { required: ['label'] })]),
    }),
  );
  expect(zoo.call('POST', '/open', { id: 'a' }).status).toBe(200);
  expect(zoo.call('POST', '/open', { id: 1 }).status, 'open to the other branch').toBe(200);
  expect(zoo.call('POST', '/open', 'a').status).toBe(400);
  expect(zoo.call('POST', '/required', { id: 'a' }).status).toBe(200);
  expect(zoo.call('POST', '/required', { id: 'a', label: 'b' }).status).toBe(400);
});

test('a pattern between slashes means what stands between them, its flag i included', async () => {
  const tag = { type: 'string', pattern: '/^vlan-[a-f]{2}$/i' };
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/tags': { get: answering(tag, { parameters: [{ name: 'tag', in: 'query', required: true, schema: tag }] }) },
    }),
  );
  const asked = (sent: string) => zoo.call('GET', `/tags?tag=${sent}`);
  expect(['vlan-af', 'VLAN-AF', 'vlan-xy'].map((sent) => asked(sent).status)).toEqual([200, 200, 400]);
  expect(asked('vlan-af').body).toMatch(/^vlan-[a-f]{2}$/i);
});

test('parts that list values of which none is common take the values of all of them', async () => {
  const kind = { allOf: [ref('Base'), { type: 'string', enum: ['peer'], description: 'as well' }] };
  const sends: Part = { requestBody: jsonBody({ type: 'object', properties: { kind } }), ...answering({ const: 1 }) };
  await using zoo = await foreignTestbed(
    foreignDocument(
      { '/groups': { get: answering({ type: 'array', items: kind, minItems: 1 }), post: sends } },
      { components: { schemas: { Base: { type: 'string', enum: ['host', 'domain'] } } } },
    ),
  );
  const statusOf = (value: string) => zoo.call('POST', '/groups', { kind: value }).status;
  expect(['host', 'peer', 'other'].map(statusOf)).toEqual([200, 200, 400]);
  expect(['host', 'domain', 'peer']).toContain(zoo.call('GET', '/groups').body[0]);
});

test('a mail address may have a domain of one part, and a name of a host an underscore', async () => {
  const text = (name: string, format: string) => ({ name, in: 'query', schema: { type: 'string', format } });
  const parameters = [text('sender', 'email'), text('host', 'hostname')];
  await using zoo = await foreignTestbed(
    foreignDocument({ '/alerts': { get: answering({ const: 1 }, { parameters }) } }),
  );
  const right = ['sender=root@nms', 'sender=a@b.example', 'host=hq_sw1', 'host=a.example'];
  const wrong = ['sender=root', 'sender=root@', 'host=a..b', 'host=-a'];
  const statusOf = (query: string) => zoo.call('GET', `/alerts?${query}`).status;
  expect([right.map(statusOf), wrong.map(statusOf)]).toEqual([
    [200, 200, 200, 200],
    [400, 400, 400, 400],
  ]);
});

test('a pattern with needless escapes is checked as its author means it', async () => {
  const port = { type: 'string', pattern: '^[a-f\\:]{2}\\-[\\w-.]$' };
  await using zoo = await foreignTestbed(
    foreignDocument({
      '/ports': { get: answering(port, { parameters: [{ name: 'port', in: 'query', required: true, schema: port }] }) },
    }),
  );
  const asked = (sent: string) => zoo.call('GET', `/ports?port=${sent}`);
  expect(['a:-.', 'a:--', 'a:.-', 'xx--'].map((sent) => asked(sent).status)).toEqual([200, 200, 400, 400]);
});

test('a number in a format of whole numbers is a whole number', async () => {
  const port = { type: 'number', format: 'int32' };
  const sends: Part = { requestBody: jsonBody({ type: 'object', properties: { port } }), ...answering({ const: 1 }) };
  const ports = { type: 'array', items: port, minItems: 5 };
  await using zoo = await foreignTestbed(foreignDocument({ '/ports': { get: answering(ports), post: sends } }));
  expect((zoo.call('GET', '/ports').body as unknown[]).every(Number.isInteger)).toBe(true);
  expect([4, 4.5].map((sent) => zoo.call('POST', '/ports', { port: sent }).status)).toEqual([200, 400]);
});

test('an answer of a range of media types has a type of that range', async () => {
  const content = { 'font/*': { schema: { type: 'string', format: 'binary' } } };
  await using zoo = await foreignTestbed(
    foreignDocument({ '/font': { get: { responses: { 200: { description: '', content } } } } }),
  );
  expect(zoo.call('GET', '/font').headers?.['content-type']).toMatch(/^font\//);
});

test('listed values of another type than the stated one are taken and given in the stated type', async () => {
  const lanes = { type: 'integer', enum: ['2', '4'] };
  const sends: Part = { requestBody: jsonBody({ type: 'object', properties: { lanes } }), ...answering({ const: 1 }) };
  await using zoo = await foreignTestbed(foreignDocument({ '/ports': { get: answering(lanes), post: sends } }));
  expect([2, 4]).toContain(zoo.call('GET', '/ports').body);
  expect([4, '4', 3].map((sent) => zoo.call('POST', '/ports', { lanes: sent }).status)).toEqual([200, 400, 400]);
});

test('a refusal says what is wrong where its errors are a list, too', async () => {
  const errors = { type: 'array', items: { type: 'object', properties: { source: text, details: text } } };
  const responses = {
    200: { description: '' },
    422: { description: '', content: { 'application/json': { schema: errors } } },
  };
  const body = jsonBody({ type: 'object', properties: { vlan: { type: 'integer' } } });
  await using zoo = await foreignTestbed(foreignDocument({ '/ports': { post: { requestBody: body, responses } } }));
  const refused = zoo.call('POST', '/ports', { vlan: 'ten' });
  expect(refused.status).toBe(422);
  expect(refused.body).toEqual([{ details: expect.stringContaining('vlan') }]);
});
