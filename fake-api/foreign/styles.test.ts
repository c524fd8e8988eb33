/** Habits of other APIs: envelopes, paging, patches, forms and parameters in styles our own documents do not have. */
import { describe, expect, it } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', pattern: '^[a-z0-9]{6}$' },
    label: { type: 'string' },
    parts: { type: 'array', items: { type: 'string' } },
  },
};
const named = (name: string, schema: Part = { type: 'string' }, more: Part = {}): Part => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const making = {
  requestBody: jsonBody({ type: 'object', properties: { label: { type: 'string' } } }),
  responses: { 201: { description: '', content: { 'application/json': { schema: thing } } } },
};

function things(list: Part, item: Part = {}): Part {
  return foreignDocument({
    '/things': { get: list, post: making },
    '/things/{thing_id}': {
      parameters: [{ name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } }],
      get: answering(thing),
      delete: { responses: { 204: { description: '' } } },
      ...item,
    },
  });
}

describe('lists', () => {
  it('go on after a cursor', async () => {
    const page = {
      type: 'object',
      required: ['data', 'has_more'],
      properties: { data: { type: 'array', items: thing }, has_more: { type: 'boolean' } },
    };
    await using testbed = await foreignTestbed(
      things(answering(page, { parameters: [named('limit', { type: 'integer' }), named('starting_after')] })),
    );
    testbed.call('POST', '/things', { label: 'last' });
    const first = testbed.call('GET', '/things?limit=2').body;
    const second = testbed.call('GET', `/things?limit=2&starting_after=${first.data[1].id}`).body;
    expect([first.data.length, first.has_more, second.data.length, second.has_more]).toEqual([2, true, 2, false]);
    expect(new Set([...first.data, ...second.data].map((entry) => entry.id)).size).toBe(4);
  });

  it('tell the next page and the total in headers where declared', async () => {
    const list = answering(
      { type: 'array', items: thing },
      { parameters: [named('page', { type: 'integer' }), named('per_page', { type: 'integer' })] },
    );
    Object.assign((list['responses'] as Record<number, Part>)[200] as Part, {
      headers: { Link: { schema: { type: 'string' } }, 'X-Total': { schema: { type: 'integer' } } },
    });
    await using testbed = await foreignTestbed(things(list));
    expect(testbed.call('GET', '/things?per_page=2').headers).toMatchObject({
      link: '</things?per_page=2&page=2>; rel="next", </things?per_page=2&page=2>; rel="last"',
      'x-total': '3',
    });
    const last = testbed.call('GET', '/things?per_page=2&page=2');
    expect(last.body).toHaveLength(1);
    expect(last.headers['link']).not.toContain('next');
  });

  it('keep each value of a repeated filter in the link to the next page', async () => {
    const list = answering(
      { type: 'array', items: thing },
      {
        parameters: [
          named('page', { type: 'integer' }),
          named('per_page', { type: 'integer' }),
          named('label', { type: 'array', items: { type: 'string' } }),
        ],
      },
    );
    Object.assign((list['responses'] as Record<number, Part>)[200] as Part, {
      headers: { Link: { schema: { type: 'string' } } },
    });
    await using testbed = await foreignTestbed(things(list));
    for (const label of ['red', 'blue', 'green', 'red']) testbed.call('POST', '/things', { label });
    const first = testbed.call('GET', '/things?label=red&label=blue&per_page=2');
    const next = /<(.*?)>/.exec(String(first.headers['link']))?.[1] ?? '';
    expect(next).toBe('/things?label=red&label=blue&per_page=2&page=2');
    expect(testbed.call('GET', next).body).toHaveLength(1);
  });

  it('lead on from a page that was asked for by the row after it', async () => {
    const list = answering(
      { type: 'array', items: thing },
      { parameters: [named('limit', { type: 'integer' }), named('starting_after'), named('ending_before')] },
    );
    Object.assign((list['responses'] as Record<number, Part>)[200] as Part, {
      headers: { Link: { schema: { type: 'string' } } },
    });
    await using testbed = await foreignTestbed(things(list));
    const ids = testbed.call('GET', '/things').body.map((entry: Part) => entry['id']);
    const page = testbed.call('GET', `/things?limit=2&ending_before=${ids[1]}`);
    expect(page.body).toHaveLength(1);
    const next = /<(.*?)>/.exec(String(page.headers['link']))?.[1] ?? '';
    expect(testbed.call('GET', next).body[0].id).toBe(ids[1]);
  });

  it('are found in an embedded envelope', async () => {
    const hal = {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        _embedded: { type: 'object', properties: { things: { type: 'array', items: thing } } },
      },
    };
    await using testbed = await foreignTestbed(things(answering(hal)));
    const made = testbed.call('POST', '/things', { label: 'new' }).body;
    expect(testbed.call('GET', '/things').body).toMatchObject({
      count: 4,
      _embedded: { things: expect.arrayContaining([made]) },
    });
  });
});

describe('changes', () => {
  it('come as a list of steps', async () => {
    const patch = {
      requestBody: { content: { 'application/json-patch+json': { schema: { type: 'array' } } } },
      ...answering(thing),
    };
    await using testbed = await foreignTestbed(things(answering({ type: 'array', items: thing }), { patch }));
    const { id } = testbed.call('POST', '/things', { label: 'before' }).body;
    const steps = [
      { op: 'replace', path: '/label', value: 'after' },
      { op: 'add', path: '/parts', value: ['a'] },
      { op: 'add', path: '/parts/-', value: 'b' },
      { op: 'test', path: '/parts/1', value: 'b' },
    ];
    testbed.call('PATCH', `/things/${id}`, steps, { 'content-type': 'application/json-patch+json' });
    expect(testbed.call('GET', `/things/${id}`).body).toEqual({ id, label: 'after', parts: ['a', 'b'] });
  });

  it('come as POST on the thing itself', async () => {
    const post = {
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: { label: { type: 'string' }, parts: { type: 'array', items: { type: 'string' } } },
            },
          },
        },
      },
      ...answering(thing),
    };
    await using testbed = await foreignTestbed(things(answering({ type: 'array', items: thing }), { post }));
    const { id } = testbed.call('POST', '/things', { label: 'before' }).body;
    testbed.call('POST', `/things/${id}`, 'parts[]=a&parts[]=b', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(testbed.call('GET', `/things/${id}`).body).toEqual({ id, label: 'before', parts: ['a', 'b'] });
  });

  it('come as POST on a thing that was there from the start, and leave what they do not say', async () => {
    const labelled = { type: 'object', properties: { label: { type: 'string' } } };
    const post = { requestBody: jsonBody(labelled), ...answering(thing) };
    await using testbed = await foreignTestbed(things(answering({ type: 'array', items: thing }), { post }));
    const [first] = testbed.call('GET', '/things').body;
    const before = testbed.call('GET', `/things/${first.id}`).body;
    expect(before.parts).toHaveLength(1);
    testbed.call('POST', `/things/${first.id}`, { label: 'after' });
    expect(testbed.call('GET', `/things/${first.id}`).body).toEqual({ ...before, label: 'after' });
  });

  it('come as parts of a form, files as their digest', async () => {
    const upload = {
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['file', 'size'],
              properties: { file: { type: 'string', format: 'binary' }, size: { type: 'integer' } },
            },
          },
        },
      },
      responses: { 204: { description: '' } },
    };
    await using testbed = await foreignTestbed(foreignDocument({ '/upload': { post: upload } }));
    const form = (size: string): string =>
      `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n--x\r\nContent-Disposition: form-data; name="size"\r\n\r\n${size}\r\n--x--\r\n`;
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(testbed.call('POST', '/upload', form('5'), type).status).toBe(204);
    expect(testbed.call('POST', '/upload', form('large'), type).body.message).toMatch(
      /request body at \/size: expected a whole number, got "large"/,
    );
    expect(testbed.call('POST', '/upload', '{}', { 'content-type': 'application/json' }).status).toBe(415);
  });

  it('keep to keys that others have not', async () => {
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/labels': {
          get: answering({ type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } }),
          post: {
            requestBody: jsonBody({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } }),
            responses: { 201: { description: '' }, 409: { description: 'taken' } },
          },
        },
        '/labels/{name}': {
          parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
          get: answering({ type: 'object', properties: { name: { type: 'string' } } }),
        },
      }),
    );
    expect([1, 2].map(() => testbed.call('POST', '/labels', { name: 'a/b c' }).status)).toEqual([201, 409]);
    expect(testbed.call('GET', '/labels/a%2Fb%20c').body).toEqual({ name: 'a/b c' });
  });
});

describe('parameters', () => {
  it('are read in their styles', async () => {
    const parameters = [
      named(
        'filter',
        { type: 'object', properties: { size: { type: 'integer' } }, additionalProperties: false },
        { style: 'deepObject' },
      ),
      named('ids', { type: 'array', items: { type: 'integer' } }),
      named(
        'tags',
        { type: 'array', items: { type: 'string' }, minItems: 2 },
        { style: 'pipeDelimited', explode: false },
      ),
    ];
    await using testbed = await foreignTestbed(
      foreignDocument({ '/a': { get: answering({ const: 1 }, { parameters }) } }),
    );
    for (const query of ['filter[size]=3', 'ids=1&ids=2', 'ids=1,2', 'tags=a%7Cb'])
      expect(testbed.call('GET', `/a?${query}`).status).toBe(200);
    for (const query of ['filter[size]=big', 'filter[colour]=red', 'ids=1&ids=b', 'tags=a'])
      expect(testbed.call('GET', `/a?${query}`).status).toBe(400);
  });
});

describe('several operations of one address', () => {
  const only = (where: string, name: string, value: string): Part => ({
    name,
    in: where,
    required: true,
    schema: { type: 'string', enum: [value] },
  });
  const says = (name: string): Part => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
  });

  it('are told apart by a parameter that has one value', async () => {
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/#Target=A.List': { post: answering(says('listed'), { parameters: [only('header', 'X-Target', 'A.List')] }) },
        '/#Target=A.Drop': { post: answering(says('dropped'), { parameters: [only('header', 'X-Target', 'A.Drop')] }) },
        '/#Action=Read': { get: answering(says('read'), { parameters: [only('query', 'Action', 'Read')] }) },
        '/#Action=Send': { get: answering(says('sent'), { parameters: [only('query', 'Action', 'Send')] }) },
        '/things': { get: answering({ type: 'array', items: thing }) },
        '/things#shared': { get: answering(says('shared'), { parameters: [only('query', 'kind', 'shared')] }) },
      }),
    );
    const keys = (method: string, path: string, target?: string) =>
      Object.keys(testbed.call(method, path, undefined, target === undefined ? {} : { 'x-target': target }).body);
    expect(keys('POST', '/', 'A.Drop')).toEqual(['dropped']);
    expect(keys('POST', '/', 'A.List')).toEqual(['listed']);
    expect(keys('GET', '/?Action=Send')).toEqual(['sent']);
    expect(keys('GET', '/?Action=Read')).toEqual(['read']);
    expect(Array.isArray(testbed.call('GET', '/things').body)).toBe(true);
    expect(keys('GET', '/things?kind=shared')).toEqual(['shared']);
    expect(testbed.call('POST', '/', undefined, { 'x-target': 'A.Other' }).status).toBe(400);
  });
});

describe('paths with a query', () => {
  it('are told apart by what they state and by what a request has', async () => {
    const says = (name: string): Part => ({
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'string' } },
    });
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/rest?method=echo': { get: answering(says('echo')) },
        '/rest?method=list': { get: answering(says('list')) },
        '/weather?city={city}': {
          get: answering(says('city'), {
            parameters: [named('city', { type: 'string' }, { in: 'path', required: true })],
          }),
        },
        '/weather?lat={lat}&lon={lon}': { get: answering(says('place')) },
      }),
    );
    const keys = (path: string) => Object.keys(testbed.call('GET', path).body);
    expect(keys('/rest?method=list')).toEqual(['list']);
    expect(keys('/rest?method=echo')).toEqual(['echo']);
    expect(keys('/weather?city=Bern')).toEqual(['city']);
    expect(keys('/weather?lon=7&lat=46')).toEqual(['place']);
    expect(testbed.call('GET', '/weather?lat=46').status).toBe(400);
  });
});

describe('a body of a text', () => {
  it('whose schema says what its elements are is taken as it is', async () => {
    const body = { content: { 'application/xml': { schema: thing } } };
    await using testbed = await foreignTestbed(
      foreignDocument({ '/notes': { post: { requestBody: body, responses: { 204: { description: '' } } } } }),
    );
    expect(
      testbed.call('POST', '/notes', '<note><id>abc123</id></note>', { 'content-type': 'application/xml' }).status,
    ).toBe(204);
  });
});

describe('what is sent is shown', () => {
  const list = answering({ type: 'object', properties: { items: { type: 'array', items: thing } } });
  const at = (name: string): Part => ({ name, in: 'path', required: true, schema: { type: 'string' } });

  it('where the verb ends the operationId', async () => {
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/update-groups': { get: list, post: { ...making, operationId: 'UpdateGroups_Post' } },
        '/update-groups/{id}': { parameters: [at('id')], get: answering(thing) },
      }),
    );
    testbed.call('POST', '/update-groups', { label: 'ours' });
    expect(JSON.stringify(testbed.call('GET', '/update-groups').body)).toContain('"ours"');
  });

  it('where the list stands at a path that ends in a parameter', async () => {
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/flags/{project}': { parameters: [at('project')], get: list, post: { ...making, operationId: 'postFlag' } },
        '/flags/{project}/{flag}': { parameters: [at('project'), at('flag')], get: answering(thing) },
      }),
    );
    testbed.call('POST', '/flags/p1', { label: 'ours' });
    expect(JSON.stringify(testbed.call('GET', '/flags/p1').body)).toContain('"ours"');
    expect(JSON.stringify(testbed.call('GET', '/flags/p2').body)).not.toContain('"ours"');
  });

  it('where the list has a path of its own, called by the plural', async () => {
    const script = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
    const other = { type: 'object', properties: { key: { type: 'string' }, size: { type: 'integer' } } };
    const item = (shown: Part) => ({
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: answering(shown),
      put: { requestBody: jsonBody(shown), ...answering(shown) },
      delete: { responses: { 204: { description: '' } } },
    });
    const listed = (shown: Part) => ({ get: answering({ type: 'array', items: shown }) });
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/scripts': listed(script),
        '/script': { post: { requestBody: jsonBody(script), ...answering(script) } },
        '/script/{id}': item(script),
        '/entries': listed(other),
        '/entry/{id}': item(script),
      }),
    );
    testbed.call('PUT', '/script/ours', { name: 'nightly' });
    expect(testbed.call('GET', '/scripts').body).toContainEqual({ id: 'ours', name: 'nightly' });
    const made = testbed.call('POST', '/script', { name: 'weekly' }).body;
    expect(testbed.call('GET', '/scripts').body).toContainEqual(made);
    expect(testbed.call('GET', `/script/${made.id}`).body).toMatchObject({ name: 'weekly' });
    const [{ id }] = testbed.call('GET', '/scripts').body;
    testbed.call('DELETE', `/script/${id}`);
    expect(testbed.call('GET', '/scripts').body.map((row: Part) => row['id'])).not.toContain(id);
    testbed.call('PUT', '/entry/ours', { name: 'nightly' });
    expect(JSON.stringify(testbed.call('GET', '/entries').body)).not.toContain('ours');
  });

  it('where POST sets the one thing that a path has', async () => {
    const settings = {
      type: 'object',
      properties: { zone: { type: 'string' }, names: { type: 'array', items: { type: 'string' } } },
    };
    await using testbed = await foreignTestbed(
      foreignDocument({
        '/settings': {
          get: answering(settings),
          post: { requestBody: jsonBody(settings), responses: { 204: { description: '' } } },
        },
      }),
    );
    expect(testbed.call('POST', '/settings', { zone: 'ours' }).status).toBe(204);
    expect(testbed.call('GET', '/settings').body).toMatchObject({ zone: 'ours' });
  });
});
