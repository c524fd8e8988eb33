/** Ending on a signal, with a real process, a slow platform and real sockets. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { modernRequest } from '../test/support/modern-client.ts';
import { type RunningProcess, startProcess } from '../test/support/running-process.ts';
import { type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';

const ROUTER = join(import.meta.dirname, '..', 'cli', 'router.mjs');
let installation: SampleInstallation;
let platform: Server;
/** Reads that the platform has not answered yet. */
let asked: ServerResponse[];
let child: RunningProcess;

beforeEach(async () => {
  installation = sampleInstallation();
  asked = [];
  platform = createServer((request, response) => {
    if (request.url?.includes('/as/token'))
      return response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ access_token: 'a-token-of-the-test', expires_in: 7200, token_type: 'Bearer' }));
    asked.push(response);
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(platform, 'listening');
  // One document and one platform of the package are enough; where it lies is not.
  writeFileSync(
    join(installation.root, 'config/credentials.yaml'),
    stringify({
      mgmt: {
        base_url: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
        client_id: 'sample-client',
        client_secret: 'sample-secret',
        workspace_id: 'sample',
      },
    }),
  );
});
afterEach(async () => {
  await child.stop('SIGKILL');
  for (const response of asked) response.destroy();
  platform.closeAllConnections();
  platform.close();
  installation[Symbol.dispose]();
});

async function startRouter(env: Record<string, string> = {}): Promise<number> {
  child = startProcess(process.execPath, [ROUTER, '--json'], {
    env: {
      PATH: process.env['PATH'],
      MCP_TRANSPORT: 'streamable-http',
      MCP_PORT: '0',
      SVC_MCP_LOG_LEVEL: 'warn',
      CREDS_PATH: join(installation.root, 'config/credentials.yaml'),
      TOKEN_CACHE_DIR: join(installation.root, 'cache'),
      SVC_MCP_STATE_DIR: join(installation.root, 'state'),
      SVC_MCP_CONFIG_DIR: join(installation.root, 'user'),
      ...env,
    },
  });
  return Number(new URL((JSON.parse(await child.line()) as { url: string }).url).port);
}

const READ = { name: 'mgmt_list_auth_servers', arguments: {} };

/** A raw connection, because what matters is which connection a request comes over. */
async function connection(port: number): Promise<Socket & { text: string }> {
  const socket = Object.assign(connect(port, '127.0.0.1'), { text: '' });
  socket.on('data', (chunk) => {
    socket.text += String(chunk);
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

function sendCall(socket: Socket): void {
  const { headers, body } = modernRequest('invoke_read_tool', READ);
  const lines = Object.entries({ host: '127.0.0.1', 'content-length': String(Buffer.byteLength(body)), ...headers });
  socket.write(
    `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`,
  );
}

test('an in-flight call is answered, new ones are refused, /readyz gives the reason, and the exit code is 0', async () => {
  const port = await startRouter();
  const [calling, idle, early, late] = [
    await connection(port),
    await connection(port),
    await connection(port),
    await connection(port),
  ];
  idle.write('GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await expect.poll(() => idle.text).toContain('"status":"ok"');
  sendCall(calling);
  await expect.poll(() => asked.length).toBe(1);
  child.signal('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 100));
  early.write('GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await once(early, 'close');
  // An idle keep-alive connection is closed after a moment.
  await once(idle, 'close');
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow('fetch failed');
  // Over connections that came in before the signal and ask only now.
  expect(early.text).toMatch(/HTTP\/1\.1 503[\s\S]*"status":"not_ready"[\s\S]*"stopping":true/);
  sendCall(late);
  await once(late, 'close');
  expect(late.text).toMatch(/HTTP\/1\.1 503[\s\S]*retry-after: 1[\s\S]*nothing was done/);
  expect(child.isRunning()).toBe(true);
  asked[0]!.setHeader('content-type', 'application/json').end('{"auth-server":[{"name":"slow-one"}],"total":1}');
  const { code } = await child.ended;
  await expect.poll(() => calling.closed).toBe(true);
  expect(calling.text).toContain('slow-one');
  expect(calling.text).toMatch(/^connection: close/im);
  expect(code).toBe(0);
});

test('a call that never ends is cut in time, and the exit code is 0', async () => {
  const port = await startRouter();
  const calling = await connection(port);
  sendCall(calling);
  await expect.poll(() => asked.length).toBe(1);
  const began = performance.now();
  const { code } = await child.stop();
  expect(performance.now() - began).toBeGreaterThan(8_000);
  expect(performance.now() - began).toBeLessThan(10_500);
  expect(code).toBe(0);
});

test('over stdio an in-flight call is answered too', async () => {
  child = startProcess(process.execPath, [ROUTER], {
    stdin: { open: true },
    env: {
      PATH: process.env['PATH'],
      SVC_MCP_LOG_LEVEL: 'warn',
      CREDS_PATH: join(installation.root, 'config/credentials.yaml'),
      TOKEN_CACHE_DIR: join(installation.root, 'cache'),
      SVC_MCP_STATE_DIR: join(installation.root, 'state'),
      SVC_MCP_CONFIG_DIR: join(installation.root, 'user'),
    },
  });
  child.process.stdin.write(`${modernRequest('invoke_read_tool', READ).body}\n`);
  await expect.poll(() => asked.length).toBe(1);
  child.signal('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 200));
  asked[0]!.setHeader('content-type', 'application/json').end('{"auth-server":[{"name":"slow-one"}],"total":1}');
  const { code, stdout } = await child.ended;
  expect(stdout).toContain('slow-one');
  expect(code).toBe(0);
});
