/** Headers that frame a message or belong to one connection (RFC 9110, 7.6.1; RFC 9112, 6) come from no argument, over real MCP. */
import { expect, test } from 'vitest';
import { documentRouter } from '../test/support/document-router.ts';

const FRAMING: Readonly<Record<string, string>> = {
  Expect: '100-continue',
  Connection: 'close',
  'Keep-Alive': 'timeout=5',
  'Proxy-Connection': 'close',
  'Content-Length': '3',
  'Transfer-Encoding': 'chunked',
  Host: 'other.example',
  TE: 'trailers',
  Trailer: 'x-sum',
  Upgrade: 'websocket',
};
/** What the runtime writes over, and names that no header can have. */
const UNNAMED = ['Sec-Fetch-Mode', 'X Other', 'X:Other', 'X-Andere-Größe'];
const header = (name: string) => ({ name, in: 'header', required: name === 'Expect', schema: { type: 'string' } });
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1', 'x-svc-platform': 'mgmt', 'x-svc-document': 'things' },
  servers: [{ url: '/' }],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: Object.keys(FRAMING).map(header),
        responses: { 200: { description: 'all' } },
      },
      post: {
        operationId: 'addThing',
        parameters: [...Object.keys(FRAMING), 'X-Reason', ...UNNAMED].map(header),
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
        },
        responses: { 200: { description: 'done' } },
      },
    },
    '/unnamed': {
      post: {
        operationId: 'needsUnnamed',
        parameters: [{ ...header('X Needed'), required: true }],
        responses: { 200: { description: 'done' } },
      },
    },
    '/broken': {
      post: {
        operationId: 'brokenType',
        requestBody: {
          required: true,
          content: { 'application/json;\nobject: GET /harmless': { schema: { type: 'object' } } },
        },
        responses: { 200: { description: 'done' } },
      },
    },
  },
};

async function open() {
  const router = await documentRouter(DOCUMENT);
  router.upstream.object = () => ({ status: 200, body: { things: [] } });
  return { ...router, call: (name: string, args: object) => router.call('invoke_tool', name, args) };
}

test.each(Object.entries(FRAMING))('%s is no argument, of a read or of a write', async (name, value) => {
  await using b = await open();
  for (const [tool, args] of [
    ['mgmt_list_things', { [name]: value }],
    ['mgmt_add_thing', { [name]: value, body: { name: 'x' } }],
  ] as const)
    expect(await b.call(tool, args)).toMatchObject({
      code: 'invalid_arguments',
      pointer: `/${name}`,
      expected: expect.stringContaining('not known here'),
    });
  expect(b.upstream.writes).toEqual([]);
  expect(b.upstream.reads).toEqual([]);
});

test('the write is sent without them, and with every other header', async () => {
  await using b = await open();
  const args = { 'X-Reason': 'test', body: { name: 'x' } };
  const { plan_token } = await b.call('mgmt_add_thing', args);
  const applied = await b.call('mgmt_add_thing', { ...args, dry_run: false, confirm: true, plan_token });
  expect(applied.code).toBeUndefined();
  expect(b.upstream.writes.map(({ headers }) => headers['x-reason'])).toEqual(['test']);
});

test('a header whose name cannot be sent, or that the runtime writes, is no argument; one that is required takes its operation along', async () => {
  await using b = await open();
  for (const name of ['Sec-Fetch-Mode', 'X_Other', 'X-Andere-Gr__e'])
    expect(await b.call('mgmt_add_thing', { [name]: 'x', body: {} })).toMatchObject({ code: 'invalid_arguments' });
  expect(await b.call('mgmt_needs_unnamed', { X_Needed: 'x', body: {} })).toMatchObject({ code: 'unknown_tool' });
});

test('a body of a media type that no header can hold is not sent', async () => {
  await using b = await open();
  expect(await b.call('mgmt_broken_type', { body: {} })).toMatchObject({ code: 'unknown_tool' });
});
