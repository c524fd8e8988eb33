import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIP, type LookupFunction } from 'node:net';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RouterError } from '../errors.ts';
import { Egress } from './egress.ts';

let server: Server;
let port: number;
let heard: string[];
let base: string;

beforeEach(async () => {
  heard = [];
  server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    if (request.url === '/misdirected') response.writeHead(421);
    response.end('ok');
  });
  server.on('upgrade', (request, socket) => {
    heard.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  base = `http://127.0.0.1:${port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Resolves as its table says. */
const resolving =
  (table: Record<string, string[]>): LookupFunction =>
  (hostname, options, callback) => {
    const found = (table[hostname] ?? []).map((address) => ({ address, family: isIP(address) }));
    setImmediate(() =>
      options.all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family ?? 4),
    );
  };

const failure = async (work: Promise<unknown>): Promise<RouterError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RouterError);
  return error as RouterError;
};

const named = (...origins: string[]) => new Set(origins);

test('an origin that is named is reached', async () => {
  const response = await new Egress().fetch(`${base}/things?a=b`, {}, { named: named(base) });
  expect(response.status).toBe(200);
  expect(heard).toEqual(['GET /things?a=b']);
});

describe('nothing is sent', () => {
  test('to an origin that nobody named: another port, another scheme, another name of the same machine', async () => {
    const egress = new Egress();
    for (const origin of [`http://localhost:${port}`, `https://127.0.0.1:${port}`, 'http://127.0.0.1']) {
      const error = await failure(egress.fetch(`${base}/x`, {}, { named: named(origin) }));
      expect(error).toMatchObject({ code: 'EGRESS_REFUSED', details: { origin: base, sent: false } });
    }
    await failure(egress.webSocket(`${base}/stream`, {}, { named: named() }));
    expect(heard).toEqual([]);
  });

  test('to one that is not on the list, although it is named', async () => {
    const egress = new Egress({ listed: ['https://elsewhere.test'] });
    const error = await failure(egress.fetch(`${base}/x`, {}, { named: named(base) }));
    expect(error.message).toContain('is not on SVC_MCP_EGRESS');
    expect(heard).toEqual([]);
    expect((await new Egress({ listed: [base] }).fetch(`${base}/x`, {}, { named: named(base) })).status).toBe(200);
  });

  test('to one that is listed and that no account names', async () => {
    await failure(new Egress({ listed: [base] }).fetch(`${base}/x`, {}, { named: named() }));
    expect(heard).toEqual([]);
  });

  test('to a special address, whoever named it', async () => {
    const origin = 'http://169.254.169.254';
    const error = await failure(new Egress({ listed: [origin] }).fetch(`${origin}/`, {}, { named: named(origin) }));
    expect(error.message).toContain('link-local');
  });
});

describe('a name is resolved when the connection is made', () => {
  test('and leads where it did then', async () => {
    const egress = new Egress({ resolve: resolving({ 'platform.test': ['127.0.0.1'] }) });
    const url = `http://platform.test:${port}`;
    expect((await egress.fetch(`${url}/x`, {}, { named: named(url) })).status).toBe(200);
  });

  test.each([
    ['169.254.169.254'],
    ['::ffff:169.254.169.254'],
    ['64:ff9b::a9fe:a9fe'],
    ['0.0.0.0'],
    ['127.0.0.1', '169.254.169.254'],
  ])('%s among its addresses refuses it, whether it reads, writes or streams', async (...addresses) => {
    const egress = new Egress({ resolve: resolving({ 'rebound.test': addresses }) });
    const url = `http://rebound.test:${port}`;
    for (const once of [false, true]) {
      const error = await failure(egress.fetch(`${url}/x`, { method: 'POST' }, { named: named(url), once }));
      expect(error.code).toBe('EGRESS_REFUSED');
      expect(error.message).toContain('rebound.test resolves to');
    }
    const error = await failure(egress.webSocket(`${url}/stream`, {}, { named: named(url) }));
    expect(error.message).toContain('rebound.test resolves to');
    expect(heard).toEqual([]);
  });

  test('also where it changes between a look before and the connection of a stream', async () => {
    let looks = 0;
    const turning: LookupFunction = (hostname, options, callback) =>
      resolving({ 'rebound.test': [looks++ === 0 ? '127.0.0.1' : '169.254.169.254'] })(hostname, options, callback);
    const url = `http://rebound.test:${port}`;
    const socket = await new Egress({ resolve: turning }).webSocket(`${url}/stream`, {}, { named: named(url) });
    await new Promise((resolve) => socket.addEventListener('error', resolve));
    expect([looks, heard]).toEqual([2, []]);
  });

  test('and a name that was fine before is looked at again', async () => {
    const table = { 'platform.test': ['127.0.0.1'] };
    const egress = new Egress({ resolve: resolving(table) });
    const url = `http://platform.test:${port}`;
    const init = { headers: { connection: 'close' } };
    await (await egress.fetch(`${url}/first`, init, { named: named(url) })).text();
    server.closeAllConnections();
    table['platform.test'] = ['169.254.169.254'];
    expect((await failure(egress.fetch(`${url}/second`, init, { named: named(url) }))).code).toBe('EGRESS_REFUSED');
    expect(heard).toEqual(['GET /first']);
  });
});

test('a redirect is not followed, whatever the caller asks for', async () => {
  const other = createServer((request, response) => {
    heard.push(`other ${request.url}`);
    response.end();
  });
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  server.prependListener('request', (_, response) => response.writeHead(307, { location: `${elsewhere}/x` }));
  for (const redirect of ['follow', 'manual', undefined] as const) {
    const init: RequestInit = redirect === undefined ? {} : { redirect };
    expect((await new Egress().fetch(`${base}/x`, init, { named: named(base, elsewhere) })).status).toBe(307);
  }
  await expect(new Egress().fetch(`${base}/x`, { redirect: 'error' }, { named: named(base) })).rejects.toThrow();
  expect(heard.filter((line) => line.startsWith('other'))).toEqual([]);
  other.close();
});

test('the runtime does not repeat a single-send request, and repeats a read', async () => {
  const egress = new Egress();
  await egress.fetch(`${base}/misdirected`, { method: 'POST' }, { named: named(base), once: true }).catch(() => {});
  expect(heard).toEqual(['POST /misdirected']);
});

describe('the sources', () => {
  const root = join(import.meta.dirname, '..');
  /** Opens connections; each of these says why it may. */
  const ALLOWED: Record<string, string> = {
    'audit/syslog-receiver.ts':
      'sends audit lines to the receiver that SVC_MCP_AUDIT_SYSLOG names, which speaks no HTTP',
    'console/pages/live-script.ts': 'what a browser runs, which asks the console it came from',
    'egress/egress.ts': 'this is the place',
    'egress/dispatcher.ts': 'fetches a data: URL, to have the runtime load its HTTP client',
    'doctor/checks/http-port.ts': 'a command of its own, which asks the router on this machine whether it lives',
    'setup/https-file.ts': 'svc-mcp-index download, a command of its own',
  };
  const OPENS =
    /(?<![.\w])fetch\s*\(|globalThis\.fetch|\bnew\s+(WebSocket|EventSource)\b|\bWebSocket as\b|from 'node:(http2|https|tls)'|\b(request|get|connect|createConnection)\b[^;]*from 'node:(http|net)'|from 'undici'/;
  const product = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/^test\/|\.(test|bench)\.ts$/.test(file),
  );

  test('open connections only where it is stated', () => {
    const found = product.filter((file) => OPENS.test(withoutComments(readFileSync(join(root, file), 'utf8'))));
    expect(found.map((file) => relative('', file)).sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  test.each([
    "const answer = await fetch(url, { method: 'POST' });",
    'const socket = new WebSocket(url);',
    "import { request } from 'node:http';",
    "import { get } from 'node:https';",
    "import { connect } from 'node:net';",
  ])('and the pattern finds %s', (line) => {
    expect(OPENS.test(line)).toBe(true);
  });

  function withoutComments(text: string): string {
    return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  }
});
