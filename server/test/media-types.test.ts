/** Answers that are not JSON, through a real client and a real server: bytes as an embedded resource, rows, texts and charsets. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importDocument } from '../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../import/user-platform.ts';
import { openCatalog } from '../open-catalog.ts';
import { document, oddFolder } from './support/malformed-documents.ts';
import { sampleInstallation } from './support/sample-installation.ts';
import { serving } from './support/serving.ts';
import { sessionClient } from './support/session-client.ts';

const TOKEN = 'media-token-31337';
const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0]), randomBytes(2_000)]);
const ANSWERS: Record<string, { type: string; body: Buffer }> = {
  image: { type: 'image/png', body: PNG },
  big: { type: 'application/zip', body: Buffer.concat([Buffer.from([0x50, 0x4b, 0, 0xff]), randomBytes(3_000_000)]) },
  leak: { type: 'application/octet-stream', body: Buffer.concat([Buffer.from([0, 0xff]), Buffer.from(TOKEN)]) },
  rows: { type: 'application/x-ndjson', body: Buffer.from('{"n":1}\n{"n":2}\n\n{"n":3}') },
  sequence: { type: 'application/json-seq', body: Buffer.from('\u001e{"n":1}\n\u001e{"n":2}\n') },
  broken: { type: 'application/x-ndjson', body: Buffer.from('{"n":1}\n{"n":') },
  text: { type: 'text/plain; charset=iso-8859-1', body: Buffer.from([0x67, 0x72, 0xfc, 0x6e]) },
  csv: { type: 'text/csv', body: Buffer.from('a,b\n1,2\n') },
  yang: { type: 'application/yang-data+json', body: Buffer.from('{"mtu":1500}') },
  octets: { type: 'application/octet-stream', body: Buffer.from('only text') },
};

let platform: Server;
let router: Awaited<ReturnType<typeof serving>>;
let client: Awaited<ReturnType<typeof sessionClient>>;
const accepted: Record<string, string | undefined> = {};
let installation: ReturnType<typeof sampleInstallation>;

beforeAll(async () => {
  platform = createServer(({ url = '', headers }, response) => {
    const name = url.slice(1);
    accepted[name] = headers.accept;
    const { type, body } = ANSWERS[name] ?? { type: 'text/plain', body: Buffer.from('?') };
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  installation = sampleInstallation();
  using folder = oddFolder();
  const paths = Object.entries(ANSWERS).map(([name, { type }]) => [
    `/${name}`,
    { get: { operationId: name, responses: { 200: { description: 'ok', content: { [type]: {} } } } } },
  ]);
  const taken = await importDocument(folder.write('media.json', document(Object.fromEntries(paths))));
  const { configDir } = installation.config();
  writeUserPlatform(configDir, definePlatform({ name: 'media', baseUrl: base, auth: 'bearer-token' }, taken), taken);
  openCatalog(installation.config()).catalog.close();
  router = await serving({ SVC_MCP_CONFIG_DIR: configDir, SVC_MEDIA_API_TOKEN: TOKEN });
  client = await sessionClient(router.url);
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await router?.[Symbol.asyncDispose]();
  platform?.close();
  installation?.[Symbol.dispose]();
});

interface Content {
  type: string;
  text?: string;
  resource?: { uri: string; mimeType: string; blob: string };
}

async function read(name: string): Promise<{ value: unknown; rest: Content[] }> {
  const result = await client.client.callTool({ name: 'invoke_read_tool', arguments: { name: `media_${name}` } });
  const [first, ...rest] = result['content'] as Content[];
  return { value: JSON.parse(first?.text ?? 'null'), rest };
}

test('an image comes as an embedded resource, with its description as text', async () => {
  const sha256 = createHash('sha256').update(PNG).digest('hex');
  const uri = `svc-mcp://answer/sha256/${sha256}`;
  const { value, rest } = await read('image');
  expect(value).toEqual({ content_type: 'image/png', bytes: PNG.length, sha256, resource: uri });
  expect(rest).toEqual([{ type: 'resource', resource: { uri, mimeType: 'image/png', blob: PNG.toString('base64') } }]);
  expect(accepted['image']).toBe('image/png');
});

test('JSON of a type of its own is asked for by that type', async () => {
  expect((await read('yang')).value).toEqual({ mtu: 1500 });
  expect(accepted['yang']).toBe('application/yang-data+json');
});

test('bytes beyond the bound of an answer stay away, and their description says so', async () => {
  const { value, rest } = await read('big');
  expect(value).toMatchObject({
    content_type: 'application/zip',
    bytes: 3_000_004,
    left_out: expect.stringContaining('SVC_MCP_ROUTER_RESPONSE_MAX_BYTES (200000)'),
  });
  expect(rest).toEqual([]);
});

test('bytes that hold a credential of the router stay away', async () => {
  const { value, rest } = await read('leak');
  expect(value).toMatchObject({ left_out: 'it holds a credential of this router' });
  expect(rest).toEqual([]);
});

test.each<[string, unknown]>([
  ['rows', { items: [{ n: 1 }, { n: 2 }, { n: 3 }] }],
  ['sequence', { items: [{ n: 1 }, { n: 2 }] }],
  ['broken', { code: 'upstream_error', message: expect.stringContaining('text that is no JSON in line 2') }],
  ['text', 'grün'],
  ['csv', 'a,b\n1,2\n'],
  ['octets', 'only text'],
])('%s', async (name, expected) => {
  const { value, rest } = await read(name);
  if (typeof expected === 'string') expect(JSON.stringify(value)).toContain(JSON.stringify(expected).slice(1, -1));
  else expect(value).toMatchObject(expected as object);
  expect(rest).toEqual([]);
});
