import { describe, expect, it } from 'vitest';
import {
  answering,
  foreignDocument,
  foreignTestbed,
  jsonBody,
  type Part,
  pets,
} from '../test/foreign-sample-document.ts';
import { servedDocument } from '../test/served-document.ts';

describe('things of a document nobody here wrote', () => {
  it('are listed, created, read, changed and removed', async () => {
    await using testbed = await foreignTestbed(pets());
    const before = testbed.call('GET', '/pets').body;
    expect(before).toMatchObject({ total: 3, next: null });
    expect(testbed.call('GET', `/pets/${before.items[0].id}`).body).toEqual(before.items[0]);

    const made = testbed.call('POST', '/pets', { name: 'Rex', tag: 'dog', password: 'never-shown' });
    expect(made).toMatchObject({ status: 201, body: { name: 'Rex', tag: 'dog', id: expect.any(Number) } });
    expect(made.headers['location']).toBe(`/pets/${made.body.id}`);
    expect(made.text).not.toContain('never-shown');
    expect(testbed.call('GET', '/pets').body.items).toContainEqual(made.body);

    expect(testbed.call('PATCH', `/pets/${made.body.id}`, { tag: 'cat' }).body).toEqual({ ...made.body, tag: 'cat' });
    expect(testbed.call('GET', `/pets/${made.body.id}`).body.tag).toBe('cat');

    expect(testbed.call('GET', `/pets/${made.body.id}/toys`).status).toBe(200);
    expect(testbed.call('DELETE', `/pets/${made.body.id}`)).toMatchObject({ status: 204, text: '' });
    for (const [method, target] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/toys'],
    ] as const)
      expect(testbed.call(method, `/pets/${made.body.id}${target}`).status).toBe(404);
    expect(testbed.call('PATCH', `/pets/${made.body.id}`, { tag: 'x' }).status).toBe(404);
    expect(testbed.call('GET', '/pets').body).toEqual(before);
  });

  it('come in pages that do not overlap', async () => {
    await using testbed = await foreignTestbed(pets());
    for (let at = 0; at < 5; at += 1) testbed.call('POST', '/pets', { name: `Pet ${at}` });
    const ids = [0, 3, 6].flatMap((offset) =>
      testbed.call('GET', `/pets?limit=3&offset=${offset}`).body.items.map((pet: { id: number }) => pet.id),
    );
    expect(new Set(ids).size).toBe(8);
    expect(testbed.call('GET', '/pets?limit=3').body.next).toBe('/pets?limit=3&offset=3');
  });

  it('are the same for the same calls', async () => {
    const play = async (): Promise<string[]> => {
      await using testbed = await foreignTestbed(pets());
      return [
        testbed.call('GET', '/pets'),
        testbed.call('POST', '/pets', { name: 'Rex' }),
        testbed.call('GET', '/pets'),
      ].map(({ text }) => text);
    };
    expect(await play()).toEqual(await play());
  });

  it('stay as they are while others are written', async () => {
    const moment = { type: 'string', format: 'date-time' };
    const task = {
      type: 'object',
      required: ['id', 'createdAt'],
      properties: { id: { type: 'integer' }, createdAt: moment },
    };
    const report = { type: 'object', required: ['asOf'], properties: { asOf: moment } };
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/tasks': {
          get: answering({ type: 'object', properties: { items: { type: 'array', items: task }, asOf: moment } }),
          post: { requestBody: jsonBody({ type: 'object' }), responses: { 201: { description: '' } } },
        },
        '/tasks/{taskId}': {
          parameters: [{ name: 'taskId', in: 'path', required: true, schema: { type: 'integer' } }],
          get: answering(task),
          delete: { responses: { 204: { description: '' } } },
        },
        '/report': { get: answering(report) },
      }),
    );
    const { items } = testbed.call('GET', '/tasks').body;
    const read = () => ['/tasks', `/tasks/${items[0].id}`, '/report'].map((path) => testbed.call('GET', path).text);
    const before = read();
    const made = testbed.call('POST', '/tasks', {});
    testbed.call('DELETE', String(made.headers['location']));
    expect(read()).toEqual(before);
  });
});

describe('answers of a document nobody here wrote', () => {
  it('refuse what does not fit with a status the operation declares, in the body it declares', async () => {
    const problem = {
      type: 'object',
      required: ['detail', 'code'],
      properties: { detail: { type: 'string' }, code: { type: 'integer' } },
      additionalProperties: false,
    };
    const limited: Part = {
      ...answering({ type: 'string' }),
      parameters: [{ name: 'size', in: 'query', required: true, schema: { type: 'integer', maximum: 9 } }],
    };
    Object.assign(limited['responses'] as object, {
      422: { description: 'Wrong', content: { 'application/problem+json': { schema: problem } } },
    });
    await using testbed = await foreignTestbed(foreignDocument({ '/a': { get: limited } }));
    const refused = testbed.call('GET', '/a?size=10');
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: 'query parameter "size": expected a number <= 9, got 10 (number)', code: 422 },
    });
    expect(refused.headers['content-type']).toBe('application/problem+json');
    expect(testbed.call('GET', '/a').body.detail).toMatch(/"size": expected a value, it is required/);
    expect(testbed.call('GET', '/a?size=1&other=2').body.detail).toMatch(
      /"other": expected one of size, got an unknown name/,
    );
    expect(testbed.call('PUT', '/a')).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    expect(testbed.call('GET', '/%E0%A4%A').status).toBe(400);
  });

  it('ask for credentials where the document does, and take any well-formed one', async () => {
    const securitySchemes = {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: { type: 'http', scheme: 'bearer' },
    };
    await using testbed = await foreignTestbed(
      foreignDocument(
        { '/closed': { get: answering({ const: 1 }) }, '/open': { get: answering({ const: 2 }, { security: [] }) } },
        { components: { securitySchemes }, security: [{ key: [] }, { token: [] }] },
      ),
    );
    expect(testbed.call('GET', '/closed')).toMatchObject({
      status: 401,
      body: {
        message: 'credentials: expected header "X-Key", or header "authorization" with bearer credentials, got none',
      },
    });
    expect(testbed.call('GET', '/closed', undefined, { authorization: 'Basic abc' }).status).toBe(401);
    expect(testbed.call('GET', '/closed', undefined, { authorization: 'Bearer abc' }).body).toBe(1);
    expect(testbed.call('GET', '/closed', undefined, { 'x-key': 'abc' }).body).toBe(1);
    expect(testbed.call('GET', '/open').body).toBe(2);
  });

  it('are the example where it fits, else drawn from the schema', async () => {
    const schema = {
      type: 'object',
      required: ['size'],
      properties: { size: { type: 'integer', minimum: 5, maximum: 6 }, label: { type: 'string' } },
    };
    const withExample = (example: unknown) => ({
      get: { responses: { 200: { description: '', content: { 'application/json': { schema, example } } } } },
    });
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/fits': withExample({ size: 5, label: 'told' }),
        '/misfits': withExample({ size: 50, label: 'told' }),
      }),
    );
    expect(testbed.call('GET', '/fits').body).toEqual({ size: 5, label: 'told' });
    expect(testbed.call('GET', '/misfits').body).toEqual({
      size: expect.toSatisfy((size: number) => size === 5 || size === 6),
      label: 'told',
    });
  });

  it.each([
    [{ 204: { description: '' } }, 204, ''],
    [{ '2XX': { description: '', content: { 'text/plain': { schema: { const: 'plain' } } } } }, 200, 'plain'],
    [{ default: { description: '', content: { 'application/json': { schema: { const: 1 } } } } }, 200, '1'],
    [{ 202: { description: '' }, 400: { description: '' } }, 202, ''],
    [
      {
        200: {
          description: '',
          content: {
            'text/csv': {
              schema: {
                type: 'array',
                items: { type: 'object', required: ['a'], properties: { a: { const: 'x"y' } } },
              },
            },
          },
        },
      },
      200,
      '"a"\r\n"x""y"\r\n"x""y"\r\n"x""y"',
    ],
  ])('follow the declared status and media: %j', async (responses, status, text) => {
    await using testbed = await foreignTestbed(foreignDocument({ '/a': { get: { responses } } }));
    expect(testbed.call('GET', '/a')).toMatchObject({ status, text });
  });
});

describe('an address in an answer', () => {
  const text = { type: 'string' };
  const port = { type: 'object', required: ['id'], properties: { id: text, name: text } };
  const page = {
    type: 'object',
    properties: {
      items: { type: 'array', items: port },
      next: { type: ['string', 'null'], format: 'uri' },
      previous: { type: ['string', 'null'] },
    },
  };
  const headers = { Link: { schema: text } };
  const offset = { name: 'offset', in: 'query', schema: { type: 'integer' } };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', default: 2 } };
  const document = foreignDocument({
    '/ports': {
      get: {
        parameters: [limit, offset],
        responses: { 200: { description: '', headers, content: { 'application/json': { schema: page } } } },
      },
      post: {
        requestBody: jsonBody({ type: 'object', properties: { name: text } }),
        responses: { 201: { description: '', content: { 'application/json': { schema: port } } } },
      },
    },
    '/ports/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: answering(port),
    },
  });

  it.each(['/zoo', '/ns/lab/zoo'])('leads back to the platform at %s', async (place) => {
    await using zoo = await servedDocument(document);
    await fetch(`${zoo.fake.control}/namespaces/lab/reset`, { method: 'POST' });
    const list = `${zoo.fake.api}${place}/ports`;
    const body = JSON.stringify({ name: 'uplink' });
    const made = await fetch(list, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const read = await fetch(new URL(made.headers.get('location') ?? '', made.url));
    expect(await read.json()).toEqual(await made.json());

    const first = await fetch(list);
    const { next } = (await first.json()) as { next: string };
    expect(first.headers.get('link')).toContain(`<${next}>; rel="next"`);
    const second = (await (await fetch(new URL(next, first.url))).json()) as Record<string, unknown>;
    expect(second).toMatchObject({ items: [expect.anything(), expect.anything()], next: null });
    expect((await fetch(String(second['previous']))).status).toBe(200);
  });
});
