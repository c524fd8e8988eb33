/** Connections through a company's proxy and with its certificate authority: what the proxy and the platform saw. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import type { NetworkSettings } from './dispatcher.ts';
import { proxySecrets } from './dispatcher.ts';
import { Egress } from './egress.ts';

const PASSWORD = 'proxy-password-31337';
const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-proxy-'));
const file = (name: string) => join(folder, name);
let platform: Server;
let plain: Server;
let proxy: Server;
const asked: { line: string; authorization: string | undefined }[] = [];
const seen: string[] = [];
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));

beforeAll(async () => {
  const words = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=platform.test';
  const names = [
    '-addext',
    'subjectAltName=DNS:platform.test,DNS:localhost',
    '-keyout',
    file('key.pem'),
    '-out',
    file('ca.pem'),
  ];
  execFileSync('openssl', ['req', ...words.split(' '), ...names], { stdio: 'ignore' });
  const pair = { key: readFileSync(file('key.pem')), cert: readFileSync(file('ca.pem')) };
  platform = createSecureServer(pair, (request, response) => {
    seen.push(`https ${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    response.end('secure');
  });
  plain = createServer((request, response) => {
    seen.push(`http ${request.method} ${request.url}`);
    response.end('plain');
  });
  proxy = createServer();
  // Every name leads to the platform of this test, as in a network where only the proxy resolves names.
  proxy.on('connect', (request, socket) => {
    asked.push({ line: `CONNECT ${request.url}`, authorization: request.headers['proxy-authorization'] });
    const to = connect(portOf(request.url?.endsWith(':80') ? plain : platform), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      to.pipe(socket).pipe(to);
    });
    to.on('error', () => socket.destroy());
    socket.on('error', () => to.destroy());
  });
  proxy.on('request', (request, response) => {
    asked.push({ line: `${request.method} ${request.url}`, authorization: request.headers['proxy-authorization'] });
    response.end('by the proxy');
  });
  await Promise.all([platform, plain, proxy].map(listen));
});
afterAll(() => {
  for (const server of [platform, plain, proxy]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  asked.length = 0;
  seen.length = 0;
});

const network = (env: Record<string, string>): NetworkSettings =>
  loadConfig({ env: { SVC_MCP_CONFIG_DIR: folder, ...env }, cwd: folder }).network;
const proxied = (more: Record<string, string> = {}) =>
  network({
    HTTPS_PROXY: `http://me:${PASSWORD}@127.0.0.1:${portOf(proxy)}`,
    SVC_MCP_CA_PATH: file('ca.pem'),
    ...more,
  });
const HERE = 'https://platform.test';
const fetched = async (egress: Egress, url: string, init: RequestInit = {}) => {
  const response = await egress.fetch(url, init, { named: new Set([new URL(url).origin]) });
  return response.text();
};

test('https goes through the proxy, which sees host and port and not what is sent', async () => {
  const egress = new Egress({ network: proxied() });
  expect(await fetched(egress, `${HERE}/things?key=1`, { headers: { authorization: 'Bearer platform-token' } })).toBe(
    'secure',
  );
  expect(seen).toEqual(['https GET /things?key=1 Bearer platform-token']);
  const basic = `Basic ${Buffer.from(`me:${PASSWORD}`).toString('base64')}`;
  expect(asked).toEqual([{ line: 'CONNECT platform.test:443', authorization: basic }]);
});

test('a write through the proxy is sent once', async () => {
  const egress = new Egress({ network: proxied() });
  const request = { method: 'POST', body: '{}' };
  await egress.fetch(`${HERE}/things`, request, { named: new Set([HERE]), once: true });
  expect(seen).toEqual(['https POST /things']);
});

test('without the certificate authority the platform is not trusted, and nothing is sent', async () => {
  const egress = new Egress({ network: network({ HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` }) });
  await expect(fetched(egress, `${HERE}/things`)).rejects.toThrow();
  expect(seen).toEqual([]);
});

test('the certificate authority also counts without a proxy', async () => {
  const url = `https://localhost:${portOf(platform)}`;
  await expect(fetched(new Egress(), url)).rejects.toThrow();
  expect(await fetched(new Egress({ network: network({ SVC_MCP_CA_PATH: file('ca.pem') }) }), url)).toBe('secure');
});

test('a proxy opens no way to what the operator did not name or list, or to a special address', async () => {
  const settings = proxied();
  for (const [url, egress, named] of [
    ['https://elsewhere.test/', new Egress({ network: settings }), HERE],
    [`${HERE}/`, new Egress({ network: settings, listed: ['https://elsewhere.test'] }), HERE],
    ['https://169.254.169.254/', new Egress({ network: settings }), 'https://169.254.169.254'],
  ] as const)
    await expect(egress.fetch(url, {}, { named: new Set([named]) })).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
  expect([asked, seen]).toEqual([[], []]);
});

test.each(['platform.test', '.test', '*', 'other.corp,platform.test:443'])(
  'NO_PROXY=%s goes around it',
  async (direct) => {
    const lookup = ((_name: string, options: { all?: boolean }, callback: (...found: unknown[]) => void) =>
      setImmediate(() =>
        options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
      )) as never;
    const egress = new Egress({ network: proxied({ NO_PROXY: direct }), resolve: lookup });
    // Nothing listens on its port 443 here: what counts is that the proxy was not asked.
    await fetched(egress, `${HERE}/things`).catch(() => {});
    expect(asked).toEqual([]);
  },
);

test('this machine is reached without the proxy', async () => {
  const egress = new Egress({ network: network({ HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` }) });
  expect(await fetched(egress, `http://127.0.0.1:${portOf(plain)}/local`)).toBe('plain');
  expect(asked).toEqual([]);
});

test('http goes through HTTP_PROXY', async () => {
  const egress = new Egress({ network: network({ http_proxy: `http://127.0.0.1:${portOf(proxy)}` }) });
  await fetched(egress, 'http://platform.test/things');
  expect(asked.map(({ line }) => line)).toEqual([
    expect.stringMatching(/^(GET http:\/\/platform\.test\/things|CONNECT platform\.test:80)$/),
  ]);
});

test('the password of a proxy is among what is masked, and a wrong setting is refused without repeating it', () => {
  expect(proxySecrets(proxied())).toContain(PASSWORD);
  for (const text of [`ftp://me:${PASSWORD}@proxy.test`, `http://me:${PASSWORD}@proxy.test/path`, PASSWORD]) {
    let message = '';
    try {
      network({ HTTPS_PROXY: text });
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('HTTPS_PROXY should be http[s]://');
    expect(message).not.toContain(PASSWORD);
  }
  expect(() => network({ SVC_MCP_CA_PATH: file('key.pem') })).toThrow('should be a file of certificates in PEM');
  expect(() => network({ SVC_MCP_CA_PATH: file('none.pem') })).toThrow('should be a file of certificates in PEM');
});
