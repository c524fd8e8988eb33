import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFakeApi } from '../fake.ts';
import { foreignDocument, foreignTestbed, type Part } from '../test/foreign-sample-document.ts';

const bytes = { type: 'string', format: 'binary' };
const named = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const takes = (media: string, schema: Part = bytes): Part => ({
  requestBody: { required: true, content: { [media]: { schema } } },
  responses: { 204: { description: '' } },
});
const gives = (media: string, schema: Part = bytes): Part => ({
  responses: { 200: { description: '', content: { [media]: { schema } } } },
});
const removes: Part = { responses: { 204: { description: '' } } };
const DOCUMENT = foreignDocument(
  {
    '/files/{id}': {
      parameters: [named],
      get: gives('application/octet-stream'),
      put: takes('application/octet-stream'),
      delete: removes,
    },
    '/icons/{id}': { parameters: [named], get: gives('image/*'), put: takes('image/*') },
    '/config': { get: gives('text/plain', { type: 'string' }), put: takes('text/plain', { type: 'string' }) },
    '/about': { get: gives('text/plain', { type: 'object', required: ['a'], properties: { a: { const: 1 } } }) },
  },
  { openapi: '3.0.3' },
);

test('bytes that nobody sent are bytes, and an object is one whatever its media type', async () => {
  await using testbed = await foreignTestbed(DOCUMENT);
  const { headers, text } = testbed.call('GET', '/files/a');
  expect([headers['content-type'], text]).toEqual(['application/octet-stream', expect.stringMatching(/^[\w-]+$/)]);
  expect(testbed.call('GET', '/about').text).toBe('{"a":1}');
});

test('what is sent as a whole is read at its path, in the sent type of a range, until it is removed', async () => {
  await using testbed = await foreignTestbed(DOCUMENT);
  const sent = (target: string, media: string) =>
    testbed.call('PUT', target, 'hö\u0000', { 'content-type': media }).status;
  expect(sent('/files/a', 'application/octet-stream')).toBe(204);
  expect(sent('/icons/a', 'image/gif')).toBe(204);
  expect(sent('/config', 'text/plain')).toBe(204);
  for (const [target, media] of [
    ['/files/a', 'application/octet-stream'],
    ['/icons/a', 'image/gif'],
    ['/config', 'text/plain'],
  ] as const) {
    const { headers, text } = testbed.call('GET', target);
    expect([headers['content-type'], Buffer.from(text, 'latin1').toString()]).toEqual([media, 'hö\u0000']);
  }
  expect(testbed.call('GET', '/files/b').text).not.toContain('h');
  expect(testbed.call('DELETE', '/files/a').status).toBe(204);
  expect(testbed.call('GET', '/files/a').status).toBe(404);
});

test('the bytes on the wire are those that were sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foreign-'));
  const file = join(folder, 'files.json');
  await writeFile(file, JSON.stringify(DOCUMENT));
  const fake = await startFakeApi({ platformIds: [], foreign: [{ file, name: 'files' }], port: 0, controlPort: 0 });
  try {
    const body = new Uint8Array([0x89, 0x50, 0xff, 0x00, 0xc3, 0x0a]);
    const url = `${fake.platforms['files']}/files/a`;
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await fetch(url, { method: 'PUT', body, headers })).status).toBe(204);
    expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(body);
  } finally {
    await fake.close();
    await rm(folder, { recursive: true });
  }
});
