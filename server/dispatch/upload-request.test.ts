/** Files of the operator's folder in a request: what a real server received, what a person saw, and what is never opened or sent. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importDocument } from '../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../import/user-platform.ts';
import { openCatalog } from '../open-catalog.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import { openDispatch } from './open-dispatch.ts';
import { MOST_REQUEST_BYTES, MOST_UPLOAD_BYTES } from './upload-folder.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0, 0xff]);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const received: { url: string; type: string; body: Buffer }[] = [];
let server: Server;
let base: string;
let installation: SampleInstallation;
let folder: string;
const at = (...parts: string[]) => join(folder, ...parts);

const binary = { type: 'string', format: 'binary' };
const post = (operationId: string, content: object) => ({
  post: { operationId, requestBody: { required: true, content }, responses: OK },
});
const PHOTO = {
  type: 'object',
  required: ['photo'],
  properties: {
    photo: binary,
    pages: { type: 'array', items: { $ref: '#/components/schemas/Page' } },
    title: { type: 'string' },
    note: { type: ['string', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    about: { type: 'object' },
    areas: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
  },
};
const PATHS = {
  '/photos': post('addPhoto', {
    'multipart/form-data': {
      schema: { allOf: [PHOTO] },
      encoding: { photo: { contentType: 'image/png, image/jpeg' } },
    },
  }),
  '/firmware': post('setFirmware', { 'application/octet-stream': { schema: binary } }),
  '/logo': post('setLogo', { 'image/png': {} }),
  '/icon': post('setIcon', { 'image/*': { schema: binary } }),
  '/blob': post('setBlob', { 'application/*': { schema: binary } }),
  '/images': post('addImage', {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: binary, meta: { type: 'object', additionalProperties: true }, note: {} },
      },
      encoding: { meta: { style: 'form', explode: true }, note: { contentType: 'application/xml' } },
    },
  }),
  // A converter of Swagger 2 offers both; a form cannot hold a file.
  '/both': post('addBoth', {
    'application/x-www-form-urlencoded': { schema: PHOTO },
    'multipart/form-data': { schema: PHOTO },
  }),
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const type = request.headers['content-type'] ?? '';
    if (request.method === 'POST') received.push({ url: request.url ?? '', type, body: Buffer.concat(chunks) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  installation = sampleInstallation();
  using odd = oddFolder();
  const components = { schemas: { Page: binary } };
  const taken = await importDocument(odd.write('photos.json', document(PATHS, { components })));
  const platform = definePlatform({ name: 'shop', baseUrl: base, auth: 'none' }, taken);
  writeUserPlatform(installation.config().configDir, platform, taken);
});
afterAll(() => {
  server.close();
  installation[Symbol.dispose]();
});
beforeEach(() => {
  received.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-upload-'));
  mkdirSync(at('in', 'deep'), { recursive: true });
  writeFileSync(at('in', 'deep', 'a "b".png'), PNG);
  writeFileSync(at('in', 'page.txt'), 'page one');
  writeFileSync(at('secret.txt'), 'outside');
  return () => rmSync(folder, { recursive: true, force: true });
});

type Refusal = Record<string, unknown> & { plan_token?: string };

function opened(env: Record<string, string> = { SVC_MCP_UPLOAD_DIR: at('in') }) {
  const config = installation.config({ SVC_MCP_SHOP_WRITES: '1', ...env });
  const { catalog } = openCatalog(config);
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  const somebody = approver();
  const invoke = async (name: string, args: Record<string, unknown>): Promise<Refusal> => {
    const result = await dispatch.invoke({
      dispatcher: 'invoke_tool',
      name,
      arguments: args,
      principal: 'local',
      approver: somebody,
    });
    return (result.kind === 'done' ? result.result : result.kind === 'refused' ? result.refusal : result) as Refusal;
  };
  const apply = async (name: string, args: Record<string, unknown>) => {
    const preview = await invoke(name, args);
    const end = await invoke(name, { ...args, dry_run: false, confirm: true, plan_token: preview.plan_token });
    return { preview, end };
  };
  return { invoke, apply, asked: somebody.asked, close: () => catalog.close() };
}

test('a multipart form holds files, lists of files, texts, lists and objects, as the person saw it', async () => {
  const { apply, asked, close } = opened();
  const body = {
    photo: 'deep/a "b".png',
    pages: ['page.txt', 'page.txt'],
    title: 'Sea, "x"\r\n--y',
    note: null,
    tags: ['a', 'b'],
    about: { n: 1 },
    areas: [[1, 2], [], [3]],
  };
  const { preview, end } = await apply('shop_add_photo', { body });
  expect(end).toMatchObject({ object: { done: true } });
  const shown = { field: 'photo', file: 'deep/a "b".png', bytes: PNG.length, sha256: sha256(PNG) };
  expect(preview['request']).toMatchObject({ body, files: [shown, { field: 'pages' }, { field: 'pages' }] });
  expect(received).toHaveLength(1);
  const [{ type, body: bytes }] = received as [(typeof received)[number]];
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const photo = form.get('photo') as File;
  expect([photo.name, photo.type]).toEqual(['a "b".png', 'image/png']);
  expect(Buffer.from(await photo.arrayBuffer())).toEqual(PNG);
  expect(await Promise.all((form.getAll('pages') as File[]).map((page) => page.text()))).toEqual([
    'page one',
    'page one',
  ]);
  expect(form.get('title')).toBe('Sea, "x"\r\n--y');
  expect(form.has('note'), 'no text "null"').toBe(false);
  expect(form.getAll('tags')).toEqual(['a', 'b']);
  expect(form.getAll('areas')).toEqual(['[1,2]', '[]', '[3]']);
  // With a media type of its own it is a part of JSON.
  expect(bytes.toString('latin1')).toContain('name="about"\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain(
    `"photo" (image/png): file "deep/a \\"b\\".png", ${PNG.length} bytes, SHA-256 ${sha256(PNG)}`,
  );
  expect(asked[0]).toContain('"title": "Sea, \\"x\\"\\r\\n--y"');
  close();
});

test.each([
  ['shop_set_firmware', 'application/octet-stream', '/firmware'],
  ['shop_set_logo', 'image/png', '/logo'],
])('%s sends one file as its body', async (name, type, url) => {
  const { apply, asked, close } = opened();
  const { end } = await apply(name, { body: 'deep/a "b".png' });
  expect(end).toMatchObject({ object: { done: true } });
  expect(received).toEqual([{ url, type, body: PNG }]);
  expect(asked[0]).toContain(sha256(PNG));
  close();
});

test.each([
  ['shop_set_icon', 'a.png', 'image/png'],
  ['shop_set_icon', 'a.JPG', 'image/jpeg'],
  ['shop_set_icon', 'a.svg', 'image/svg+xml'],
  ['shop_set_icon', 'a', 'application/octet-stream'],
  ['shop_set_blob', 'a.png', 'application/octet-stream'],
])('%s, which takes a range of types, sends %s as %s', async (name, file, type) => {
  writeFileSync(at('in', file), PNG);
  const { apply, asked, close } = opened();
  const { end } = await apply(name, { body: file });
  expect(end).toMatchObject({ object: { done: true } });
  expect(received).toMatchObject([{ type, body: PNG }]);
  expect(asked[0]).toContain(type);
  close();
});

test('a text is a part of the type that the document states for it', async () => {
  const { apply, asked, close } = opened();
  await apply('shop_add_image', { body: { file: 'page.txt', note: '<a/>' } });
  expect(received[0]?.body.toString()).toContain('name="note"\r\nContent-Type: application/xml\r\n\r\n<a/>\r\n');
  expect(asked[0]).toContain('"note" (application/xml): "<a/>"');
  close();
});

test('of the types that a part may have the one of the file is sent', async () => {
  writeFileSync(at('in', 'a.jpeg'), PNG);
  const { apply, close } = opened();
  await apply('shop_add_photo', { body: { photo: 'a.jpeg' } });
  expect(received[0]?.body.toString('latin1')).toContain('filename="a.jpeg"\r\nContent-Type: image/jpeg\r\n');
  close();
});

test('a form that could also be written as plain pairs goes as multipart, because pairs hold no file', async () => {
  const { apply, close } = opened();
  await apply('shop_add_both', { body: { photo: 'page.txt' } });
  expect(received.map(({ type }) => type.split(';')[0])).toEqual(['multipart/form-data']);
  close();
});

describe('what was approved is what is sent', () => {
  test('a file that changed after the preview makes the plan stale, and nothing is sent', async () => {
    const { invoke, asked, close } = opened();
    const args = { body: { photo: 'page.txt' } };
    const preview = await invoke('shop_add_photo', args);
    writeFileSync(at('in', 'page.txt'), 'page two');
    const end = await invoke('shop_add_photo', {
      ...args,
      dry_run: false,
      confirm: true,
      plan_token: preview.plan_token,
    });
    expect(end).toMatchObject({
      ok: false,
      code: 'plan_stale',
      message: expect.stringContaining('the content of a file or the arguments differ from what was previewed'),
    });
    expect([received, asked]).toEqual([[], []]);
    close();
  });

  test('a file that changes once the apply has begun is sent as it was previewed', async () => {
    const config = installation.config({ SVC_MCP_SHOP_WRITES: '1', SVC_MCP_UPLOAD_DIR: at('in') });
    const { catalog } = openCatalog(config);
    const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
    const somebody = approver();
    const call = {
      dispatcher: 'invoke_tool',
      name: 'shop_set_firmware',
      principal: 'local',
      approver: somebody,
    } as const;
    const preview = await dispatch.invoke({ ...call, arguments: { body: 'page.txt' } });
    const { plan_token } = (preview as { result: Refusal }).result;
    const running = dispatch.invoke({
      ...call,
      arguments: { body: 'page.txt', dry_run: false, confirm: true, plan_token },
    });
    writeFileSync(at('in', 'page.txt'), 'page two');
    await running;
    expect(received.map(({ body }) => body.toString())).toEqual(['page one']);
    catalog.close();
  });
});

describe('never opened', () => {
  test.each([
    ['../secret.txt'],
    ['deep/../../secret.txt'],
    ['/etc/passwd'],
    ['deep\\..\\..\\secret.txt'],
    ['C:secret.txt'],
    ['link.txt'],
    ['away/secret.txt'],
    ['deep'],
    ['nothing.txt'],
    ['.'],
  ])('%s', async (path) => {
    symlinkSync(at('secret.txt'), at('in', 'link.txt'));
    symlinkSync(folder, at('in', 'away'));
    const { invoke, close } = opened();
    const refused = await invoke('shop_add_photo', { body: { photo: path } });
    expect(refused).toMatchObject({ code: 'invalid_arguments', pointer: '/body/photo' });
    expect(JSON.stringify(refused)).not.toContain(folder);
    expect(received).toEqual([]);
    close();
  });

  test('a file beyond the limit', async () => {
    writeFileSync(at('in', 'big.bin'), '');
    truncateSync(at('in', 'big.bin'), MOST_UPLOAD_BYTES + 1);
    const { invoke, close } = opened();
    expect(await invoke('shop_set_firmware', { body: 'big.bin' })).toMatchObject({
      code: 'invalid_arguments',
      pointer: '/body',
      expected: `should have at most ${MOST_UPLOAD_BYTES} bytes`,
    });
    close();
  });

  test('files that are too much together, however often one of them is named', async () => {
    writeFileSync(at('in', 'big.bin'), '');
    truncateSync(at('in', 'big.bin'), MOST_UPLOAD_BYTES);
    const { invoke, close } = opened();
    const pages = Array<string>(5).fill('big.bin');
    expect(await invoke('shop_add_photo', { body: { photo: 'page.txt', pages } })).toMatchObject({
      code: 'invalid_arguments',
      pointer: '/body/pages',
      expected: expect.stringContaining(String(MOST_REQUEST_BYTES)),
    });
    close();
  });

  test('a part whose name makes the request another one', async () => {
    const { invoke, close } = opened();
    const refused = await invoke('shop_add_image', { body: { file: 'page.txt', meta: { _method: 'DELETE' } } });
    expect(refused).toMatchObject({ code: 'invalid_arguments', got: '"_method"' });
    expect(received).toEqual([]);
    close();
  });

  test('anything, where the operator named no folder', async () => {
    const { invoke, close } = opened({});
    expect(await invoke('shop_add_photo', { body: { photo: 'page.txt' } })).toMatchObject({
      code: 'invalid_arguments',
      expected: expect.stringContaining('SVC_MCP_UPLOAD_DIR'),
    });
    expect(received).toEqual([]);
    close();
  });
});

describe('never half', () => {
  test.each<[string, object, RegExp]>([
    [
      'a file inside an object',
      {
        'multipart/form-data': {
          schema: { type: 'object', properties: { a: { type: 'object', properties: { f: binary } } } },
        },
      },
      /a file inside an object/,
    ],
    [
      'alternatives with files',
      { 'multipart/form-data': { schema: { oneOf: [PHOTO, { type: 'object' }] } } },
      /alternatives with files/,
    ],
    [
      'a form of pairs with a file',
      { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { f: binary } } } },
      /which this router does not write/,
    ],
    [
      'bytes with a structure',
      { 'application/octet-stream': { schema: { type: 'object', properties: { a: {} } } } },
      /which this router does not write/,
    ],
  ])('%s sets the operation aside', async (_, content, reason) => {
    using odd = oddFolder();
    const taken = await importDocument(
      odd.write(
        'odd.json',
        document({ '/odd': post('addOdd', content), '/things': { get: { operationId: 'getThings', responses: OK } } }),
      ),
    );
    const { trialBuild } = await import('../open-catalog.ts');
    const built = trialBuild(
      definePlatform({ name: 'odd' }, taken),
      taken.documents.map(({ id, content: read }) => ({ id, file: id, content: read })),
    );
    expect(built.tools.map(({ tool }) => tool.name)).toEqual(['odd_get_things']);
    expect(built.quarantined).toEqual([expect.objectContaining({ reason: expect.stringMatching(reason) })]);
  });
});
