/** Entity tags (RFC 9110 §8.8.3 and §13): a change of what has moved on is refused, a read of what the caller has is short. */
import { describe, expect, it } from 'vitest';
import { answering, foreignDocument, foreignTestbed, jsonBody, type Part } from '../test/foreign-sample-document.ts';

const text = { type: 'string' };
const port: Part = { type: 'object', required: ['id'], properties: { id: text, name: text } };
const headers = { ETag: { schema: text } };
const tagged = (status: number): Part => ({
  responses: {
    [status]: { description: '', headers, content: { 'application/json': { schema: port } } },
    412: { description: 'moved on' },
  },
});
const condition = (name: string): Part => ({ name, in: 'header', schema: text });
const body = jsonBody({ type: 'object', properties: { name: text } });
const document = foreignDocument({
  '/ports': { get: answering({ type: 'array', items: port }), post: { requestBody: body, ...tagged(201) } },
  '/ports/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: { parameters: [condition('If-None-Match')], ...tagged(200) },
    put: { parameters: [condition('If-Match'), condition('If-None-Match')], requestBody: body, ...tagged(200) },
    patch: { parameters: [condition('if-match')], requestBody: body, ...tagged(200) },
    delete: { parameters: [condition('If-Match')], responses: { 204: { description: '' }, 412: { description: '' } } },
  },
});

async function onePort() {
  const testbed = await foreignTestbed(document);
  const made = testbed.call('POST', '/ports', { name: 'uplink' });
  const at = `/ports/${made.body.id}`;
  const send = (method: string, value: unknown, sent: Record<string, string>) => testbed.call(method, at, value, sent);
  return { testbed, at, tag: String(made.headers['etag']), send };
}

describe('a tag', () => {
  it('is that of the state: it changes with a change and stays without one', async () => {
    const { testbed, at, tag, send } = await onePort();
    expect(tag).toMatch(/^"[0-9a-f]{20}"$/);
    expect(testbed.call('GET', at).headers['etag']).toBe(tag);
    const changed = send('PATCH', { name: 'core' }, {}).headers['etag'];
    expect(changed).not.toBe(tag);
    expect(testbed.call('GET', at).headers['etag']).toBe(changed);
    expect(send('PUT', { name: 'uplink' }, {}).headers['etag']).toBe(tag);
    await testbed[Symbol.asyncDispose]();
  });
});

describe('a condition', () => {
  it.each(['PUT', 'PATCH', 'DELETE'])(
    '%s is refused for what has moved on, and done for what has not',
    async (method) => {
      const { testbed, at, tag, send } = await onePort();
      const value = method === 'DELETE' ? undefined : { name: 'mine' };
      send('PATCH', { name: 'theirs' }, {});
      expect(send(method, value, { 'if-match': tag }).status).toBe(412);
      expect(testbed.call('GET', at).body.name).toBe('theirs');
      const now = String(testbed.call('GET', at).headers['etag']);
      expect(send(method, value, { 'if-match': `"other", W/${now}` }).status).toBe(method === 'DELETE' ? 204 : 200);
      await testbed[Symbol.asyncDispose]();
    },
  );

  it('on a read of what the caller has is answered without it', async () => {
    const { testbed, tag, send } = await onePort();
    expect(send('GET', undefined, { 'if-none-match': tag })).toMatchObject({
      status: 304,
      text: '',
      headers: { etag: tag },
    });
    expect(send('GET', undefined, { 'if-none-match': '"other"' }).status).toBe(200);
    await testbed[Symbol.asyncDispose]();
  });

  it('that nothing be there lets a thing be made once', async () => {
    await using testbed = await foreignTestbed(document);
    const put = () => testbed.call('PUT', '/ports/lab', { name: 'lab' }, { 'if-none-match': '*' }).status;
    expect([put(), put()]).toEqual([200, 412]);
    testbed.call('DELETE', '/ports/lab');
    expect(testbed.call('PUT', '/ports/lab', { name: 'lab' }, { 'if-match': '*' }).status).toBe(412);
    expect(put()).toBe(200);
  });
});
