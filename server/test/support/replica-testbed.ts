/** Several routers as processes behind a real nginx without affinity, with a real Redis and the fake platform behind them. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoAccount, startFake } from './child-process.ts';
import { freePort, type Redis, startRedis, untilListening } from './programs.ts';
import { type Ended, type RunningProcess, startProcess } from './running-process.ts';

const root = join(import.meta.dirname, '..', '..', '..');

export interface ReplicaProcess {
  port: number;
  /** Address of its console; undefined where the testbed has none. */
  consoleUrl: string | undefined;
  /** Ends it as a power cut would. */
  kill: () => Promise<Ended>;
  /** Asks it to end. */
  stop: () => Promise<Ended>;
  start: () => Promise<void>;
}

export interface TestbedOptions {
  replicas?: number;
  variables?: Record<string, string>;
  /** Whether each router serves a console. */
  consoles?: boolean;
  /** Where the package of the routers lies: this one, or a patched copy of it. */
  package?: string;
}

export interface ReplicaTestbed {
  /** What clients call: nginx. */
  url: string;
  routers: readonly ReplicaProcess[];
  redis: Redis;
  /** When each request reached the platform, in ms of `performance.now()`, tokens left out. */
  arrivals: { at: number; method: string; path: string }[];
  /** The fake's own record of what it received since the last reset. */
  ledger: () => Promise<LedgerLine[]>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

export interface LedgerLine {
  method: string;
  path: string;
  capability: string;
  status: number;
  bodyHash: string | null;
}

export async function startTestbed(options: TestbedOptions): Promise<ReplicaTestbed> {
  const closing = new AsyncDisposableStack();
  try {
    return await testbedOf(options, closing);
  } catch (cause) {
    await closing.disposeAsync();
    throw cause;
  }
}

async function testbedOf(
  { replicas = 3, variables = {}, consoles = false, package: from = root }: TestbedOptions,
  closing: AsyncDisposableStack,
): Promise<ReplicaTestbed> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-replicas-'));
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const fake = closing.use(await startFake('mgmt'));
  const arrivals: ReplicaTestbed['arrivals'] = [];
  const stamp = await stampingProxy(fake.base, arrivals);
  closing.defer(() => {
    stamp.server.closeAllConnections();
    stamp.server.close();
  });
  const redis = closing.use(await startRedis());
  writeFileSync(join(folder, 'signing-keys'), 'ab'.repeat(32), { mode: 0o600 });
  const env = {
    PATH: process.env['PATH'] ?? '',
    MCP_TRANSPORT: 'streamable-http',
    ...demoAccount(stamp.url),
    SVC_MCP_MGMT_WRITES: '1',
    SVC_MCP_REPLICAS: String(replicas),
    SVC_MCP_REDIS_URL: redis.url,
    SVC_MCP_REDIS_PASSWORD_PATH: redis.passwordPath,
    SVC_MCP_SIGNING_KEYS_PATH: join(folder, 'signing-keys'),
    SVC_MCP_CATALOG_DIR: join(root, 'var', 'catalog'),
    SVC_MCP_CONFIG_DIR: join(folder, 'user'),
    SVC_MCP_LOG_LEVEL: 'error',
    CREDS_PATH: join(folder, 'credentials.yaml'),
    ...variables,
  };
  const routers: ReplicaProcess[] = [];
  for (let n = 1; n <= replicas; n++) {
    const own = join(folder, `router-${n}`);
    mkdirSync(own);
    const router = await startReplica(from, own, {
      ...env,
      MCP_PORT: String(await freePort()),
      ...(consoles ? { SVC_MCP_CONSOLE_PORT: String(await freePort()) } : {}),
    });
    closing.defer(async () => {
      await router.kill();
    });
    routers.push(router);
  }
  const nginx = await startNginx(
    folder,
    routers.map(({ port }) => port),
  );
  closing.defer(async () => {
    await nginx.child.stop();
  });
  return {
    url: `http://127.0.0.1:${nginx.port}/mcp`,
    routers,
    redis,
    arrivals,
    ledger: async () =>
      (await readJson<{ entries: LedgerLine[] }>(`${String(fake.ready['control'])}/namespaces/default/ledger`)).entries,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

function readJson<T>(url: string): Promise<T> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      resolve(JSON.parse(text) as T);
    }).on('error', reject);
  });
}

async function startReplica(from: string, cwd: string, env: Record<string, string>): Promise<ReplicaProcess> {
  const start = async () => {
    const child = startProcess(process.execPath, [join(from, 'server', 'cli', 'router.mjs'), '--json'], {
      cwd,
      env: { ...env, TOKEN_CACHE_DIR: join(cwd, 'tokens'), SVC_MCP_STATE_DIR: join(cwd, 'state') },
    });
    await child.line();
    return child;
  };
  let child = await start();
  return {
    port: Number(env['MCP_PORT']),
    consoleUrl: env['SVC_MCP_CONSOLE_PORT'] && `http://127.0.0.1:${env['SVC_MCP_CONSOLE_PORT']}`,
    start: async () => {
      child = await start();
    },
    kill: () => child.stop('SIGKILL'),
    stop: () => child.stop(),
  };
}

/** The configuration that is shipped, with the addresses of this testbed; and it says which router answered. */
async function startNginx(folder: string, ports: readonly number[]): Promise<{ child: RunningProcess; port: number }> {
  const port = await freePort();
  const shipped = readFileSync(join(root, 'docker', 'nginx.conf'), 'utf8');
  const own = shipped
    .replace(/router-(\d+):8010/g, (_, n) => `127.0.0.1:${ports[Number(n) - 1] ?? ports[0]}`)
    .replace('listen 8010;', `listen 127.0.0.1:${port};\n    add_header x-upstream $upstream_addr always;`)
    .replaceAll('/tmp/nginx', join(folder, 'nginx'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, own);
  const child = startProcess('nginx', ['-c', file, '-p', folder, '-g', 'daemon off;']);
  await untilListening(port);
  return { child, port };
}

/** Passes everything on and notes when it came: the fake's own clock stands still between writes. */
async function stampingProxy(
  target: string,
  arrivals: ReplicaTestbed['arrivals'],
): Promise<{ url: string; server: Server }> {
  const { hostname, port, pathname } = new URL(target);
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (!path.includes('/as/token'))
      arrivals.push({
        at: performance.now(),
        method: String(incoming.method),
        path: path.replace(/^[^?]*?(?=\/network)/, ''),
      });
    const passed = request(
      { hostname, port, path, method: incoming.method, headers: incoming.headers, agent },
      (answer: IncomingMessage) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`.replace(/\/$/, ''), server };
}
