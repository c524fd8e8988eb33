/** Bodies and answers that are XML or CSV: what a real server received, and what the caller gets. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDispatch } from '../dispatch/open-dispatch.ts';
import { openCatalog } from '../open-catalog.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { document, oddFolder } from '../test/support/malformed-documents.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { importDocument } from './import-document.ts';
import { definePlatform, writeUserPlatform } from './user-platform.ts';

const ANSWERS = {
  '/xml': ['application/xml; charset=utf-8', '<?xml version="1.0"?><orders><order id="1">ä</order></orders>'],
  '/csv': ['text/csv', 'id,name\n1,"a, b"\n'],
} as const;

let server: Server;
let base: string;
const received: { contentType: string | undefined; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'GET') received.push({ contentType: request.headers['content-type'], body });
    const [type, text] = ANSWERS[(request.url ?? '') as keyof typeof ANSWERS] ?? ['text/plain', 'taken'];
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function opened() {
  const read = (type: string) => ({ responses: { 200: { description: 'ok', content: { [type]: { schema: {} } } } } });
  const write = (type: string) => ({
    requestBody: { required: true, content: { [type]: { schema: { type: 'object' } } } },
    responses: { 200: { description: 'ok' } },
  });
  using folder = oddFolder();
  const file = folder.write(
    'things.json',
    document({
      '/xml': {
        get: { operationId: 'getXml', ...read('application/xml') },
        post: { operationId: 'createXml', ...write('application/xml') },
      },
      '/csv': {
        get: { operationId: 'getCsv', ...read('text/csv') },
        put: { operationId: 'replaceCsv', ...write('text/csv') },
      },
    }),
  );
  const installation = sampleInstallation();
  const taken = await importDocument(file);
  const platform = definePlatform({ name: 'shop', baseUrl: base, auth: 'none' }, taken);
  writeUserPlatform(installation.config().configDir, platform, taken);
  const config = installation.config({ SVC_MCP_SHOP_WRITES: '1' });
  const { catalog } = openCatalog(config);
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  const invoke = async (name: string, values: Record<string, unknown>) => {
    const dispatcher = /get/.test(name) ? 'invoke_read_tool' : 'invoke_tool';
    const result = await dispatch.invoke({
      dispatcher,
      name,
      arguments: values,
      principal: 'local',
      approver: approver(),
    });
    return (result.kind === 'done' ? result.result : result.kind === 'refused' ? result.refusal : result) as Record<
      string,
      unknown
    >;
  };
  return { installation, catalog, invoke };
}

test('an answer that is XML or CSV is text; a body that is only XML or CSV is a string, sent as it is', async () => {
  const { installation, catalog, invoke } = await opened();
  using _ = installation;
  for (const [name, path] of [
    ['shop_get_xml', '/xml'],
    ['shop_get_csv', '/csv'],
  ] as const)
    expect(JSON.stringify(await invoke(name, {}))).toContain(JSON.stringify(ANSWERS[path][1]).slice(1, -1));
  for (const [name, contentType, body] of [
    ['shop_create_xml', 'application/xml', '<order><name>a &amp; ü</name></order>\n'],
    ['shop_replace_csv', 'text/csv', 'id,name\r\n1,a\r\n'],
  ] as const) {
    const preview = await invoke(name, { body });
    received.length = 0;
    await invoke(name, { body, dry_run: false, confirm: true, plan_token: preview['plan_token'] });
    expect(received).toEqual([{ contentType, body }]);
    received.length = 0;
    expect(await invoke(name, { body: { order: 1 } })).toMatchObject({ code: 'invalid_arguments' });
    expect(received).toEqual([]);
  }
  catalog.close();
});
