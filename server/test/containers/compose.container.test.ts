import { chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { LAYOUT } from '../../config/setup-layout.ts';
import {
  BASE,
  type Checkout,
  checkout,
  docker,
  done,
  imageOr,
  NGINX,
  REDIS,
  STARTED_BY,
} from '../support/container-engine.ts';
import { commandIn, setupIn } from '../support/container-setup.ts';
import { type Action, modernClient } from '../support/modern-client.ts';
import { freePort } from '../support/programs.ts';
import { ANSWERS, asked, bannerIn, calledAs } from '../support/setup-answers.ts';

const here = describe.skipIf(inject('noEngine') !== '');
const BEARER = '0123456789abcdef'.repeat(4);
const OTHER = 'fedcba9876543210'.repeat(4);
const ROUTERS = ['router-1', 'router-2', 'router-3'];
const OLLAMA = `FROM ${BASE}\nCMD ["node", "-e", "require('http').createServer((q, r) => r.end('Ollama is running')).listen(11434)"]\n`;

/** Asked once more where a connection was kept from before a restart. */
async function bearerStatus(url: string, token: string): Promise<number> {
  const ask = () => fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  return (await ask().catch(ask)).status;
}
/** Past the token, whatever is said about the empty request. */
const isLetIn = async (url: string, token: string) => (await bearerStatus(url, token)) !== 401;
/** The log of the router since its creation. Compose begins each of its own lines with a control sequence. */
const saidIn = (project: Checkout) => {
  const id = project.compose('--profile', 'router', 'ps', '--quiet', 'mcp-router');
  return docker(['logs', id]).stderr;
};
const running = (project: Checkout) =>
  project.compose('--profile', '*', 'ps', '--services', '--status', 'running').split('\n').sort();

here('without the setup', () => {
  const OVERLAY = ['-f', 'compose.yaml', '-f', 'docker/compose.overlay.yaml', '--profile', 'router'];
  let project: Checkout;
  let url: string;
  const at = (path: string) => join(project.folder, path);
  beforeAll(async () => {
    project = checkout({}, STARTED_BY);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const overlay = readFileSync(at('docker/compose.overlay.yaml'), 'utf8');
    writeFileSync(at('docker/compose.overlay.yaml'), overlay.replace('127.0.0.1:8010:8010', `127.0.0.1:${port}:8010`));
    writeFileSync(at('secrets/mcp_http_bearer_token'), `${BEARER}\n`, { mode: 0o600 });
    const account = 'mgmt: { base_url: "https://mgmt.lan", client_id: router, client_secret: not-shown }\n';
    writeFileSync(at('secrets/credentials.yaml'), account, { mode: 0o600 });
    // Files of a user who is neither root nor the user of the container.
    if (process.getuid?.() === 0)
      for (const name of ['mcp_http_bearer_token', 'credentials.yaml']) chownSync(at(`secrets/${name}`), 4711, 4711);
    project.compose(...OVERLAY, 'up', '-d', '--wait', 'mcp-router');
  });
  afterAll(() => project[Symbol.dispose]());

  test('two secrets of mode 0600 are enough, whoever owns them; naming the router starts it alone', async () => {
    expect(running(project)).toEqual(['mcp-router']);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect([await isLetIn(`${url}/mcp`, BEARER), await isLetIn(`${url}/mcp`, OTHER)]).toEqual([true, false]);
    for (const name of ['mcp_http_bearer_token', 'credentials.yaml']) {
      const { mode, uid, gid } = statSync(at(`secrets/${name}`));
      expect({ mode: mode & 0o777, uid, gid }).toEqual({ mode: 0o600, uid: 10001, gid: 10001 });
    }
    expect(statSync(at('secrets/README.md')).uid).toBe(process.getuid?.());
  });

  test('a secret that was rewritten is read at the next start, also one that is a new file', async () => {
    done([
      'run',
      '--rm',
      '--user',
      '10001',
      '--entrypoint',
      'node',
      '--volume',
      `${at('secrets/mcp_http_bearer_token')}:/secret`,
      'svc-mcp-router:test',
      '-e',
      `require('fs').writeFileSync('/secret', '${OTHER}\\n')`,
    ]);
    expect(await isLetIn(`${url}/mcp`, BEARER)).toBe(true);
    project.compose(...OVERLAY, 'restart', 'mcp-router');
    await healthy(url);
    expect([await isLetIn(`${url}/mcp`, BEARER), await isLetIn(`${url}/mcp`, OTHER)]).toEqual([false, true]);
    rmSync(at('secrets/mcp_http_bearer_token'));
    writeFileSync(at('secrets/mcp_http_bearer_token'), `${BEARER}\n`, { mode: 0o600 });
    project.compose(...OVERLAY, 'up', '-d', '--force-recreate', '--wait', 'mcp-router');
    expect([await isLetIn(`${url}/mcp`, BEARER), await isLetIn(`${url}/mcp`, OTHER)]).toEqual([true, false]);
  });

  test('a setting in .env needs `up`; a restart keeps the old one', async () => {
    const products = () => /^ {2}products +(.*)$/gm;
    const last = () => [...saidIn(project).matchAll(products())].at(-1)?.[1];
    writeFileSync(at('.env'), 'SVC_MCP_PRODUCTS=nac\n');
    project.compose(...OVERLAY, 'restart', 'mcp-router');
    await healthy(url);
    expect(last()).toBe('none');
    project.compose(...OVERLAY, 'up', '-d', '--wait', 'mcp-router');
    expect(last()).toBe('nac');
  });
});

async function healthy(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const alive = await fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (alive) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url}/livez does not answer`);
}

here('the setup', () => {
  test('setup, then the command and the address it names, and the router serves; nothing of anybody is in the image', async () => {
    using project = checkout();
    const port = await freePort();
    const said = setupIn(project, ['--port', String(port), '--account', 'mgmt.client_id=router']);
    const [program, ...words] = commandIn(said, 'start');
    expect([program, ...words].join(' ')).toBe(
      'docker compose -f compose.yaml -f config/compose.overlay.yaml --profile router up -d --build mcp-router',
    );
    const before = performance.now();
    done(words, { cwd: project.folder, env: project.env });
    const [, address = ''] = commandIn(said, 'verify');
    await healthy(address.replace('/livez', ''));
    process.stderr.write(
      `setup to serving, from a warm cache: ${((performance.now() - before) / 1000).toFixed(1)} s\n`,
    );
    expect(await (await fetch(address)).json()).toEqual({ status: 'ok' });
    const bearer = project.compose(
      '--profile',
      'router',
      'exec',
      '-T',
      'mcp-router',
      'cat',
      `/run/secrets/mcp_http_bearer_token`,
    );
    const client = modernClient(`http://127.0.0.1:${port}/mcp`, bearer);
    expect((await client.list()).map(({ name }) => name)).toContain('find_tool');
    expect(said).not.toContain(bearer);
    expect(
      done([
        'run',
        '--rm',
        '--entrypoint',
        'sh',
        'svc-mcp-router:test',
        '-c',
        `grep -rlF ${bearer} /app /home || true`,
      ]),
    ).toBe('');
    const again = setupIn(project, ['--port', String(port)]);
    expect(again).toContain(`[kept] ${LAYOUT.bearer}`);
  });

  let project: Checkout;
  beforeAll(() => {
    project = checkout({}, STARTED_BY);
  });
  afterAll(() => project[Symbol.dispose]());

  test.each(Object.entries(ANSWERS))('%s is what the container does', async (_, answer) => {
    for (const path of ['.env', 'config']) rmSync(join(project.folder, path), { recursive: true, force: true });
    for (const name of readdirSync(join(project.folder, 'secrets')))
      if (!/README|example/.test(name)) rmSync(join(project.folder, 'secrets', name));
    const port = await freePort();
    const words = commandIn(setupIn(project, [...answer.words, '--port', String(port)]), 'start').slice(1);
    done([...words.filter((word) => word !== '--build'), '--wait', '--timeout', '12'], {
      cwd: project.folder,
      env: project.env,
    });
    const where = ['-f', 'compose.yaml', '-f', LAYOUT.overlay, '--profile', 'router'];
    expect(bannerIn(saidIn(project))).toMatchObject(answer.banner);
    const bearer = project.compose(...where, 'exec', '-T', 'mcp-router', 'cat', '/run/secrets/mcp_http_bearer_token');
    const url = `http://${answer.published ?? '127.0.0.1'}:${port}/mcp`;
    expect(await bearerStatus(url, `${bearer}x`)).toBe(401);
    if (answer.published !== undefined)
      expect([await calledAs(url, 'router.lan:1'), await calledAs(url, 'other.lan:1')]).toEqual([401, 403]);
    const client = modernClient(url, bearer);
    if (answer.tools !== undefined) expect(await client.list()).toHaveLength(answer.tools);
    await asked(client, answer);
  });
});

here('Redis', () => {
  test('with the setup’s backend redis, the three it names start, and nobody comes to Redis without the password', async () => {
    using project = checkout({ OLLAMA_IMAGE: imageOr('ollama/ollama:0.12.6', OLLAMA) }, STARTED_BY);
    const said = setupIn(project, ['--rag-backend', 'redis', '--port', String(await freePort())]);
    const words = commandIn(said, 'start').slice(1);
    expect(words.slice(-3)).toEqual(['mcp-router', 'redis', 'ollama']);
    done([...words.filter((word) => word !== '--build'), '--wait'], { cwd: project.folder, env: project.env });
    expect(running(project)).toEqual(['mcp-router', 'ollama', 'redis']);
    const inRouter = (script: string) =>
      project.compose('--profile', 'router', 'exec', '-T', 'mcp-router', 'node', '-e', script);
    const ask = (first: string) =>
      inRouter(`const net = require('net'), fs = require('fs'), c = net.connect(6379, 'redis');
        c.end(${first} + 'PING\\r\\nQUIT\\r\\n'); c.on('data', (b) => process.stdout.write(String(b)));`);
    expect(ask("''")).toContain('NOAUTH');
    expect(ask("'AUTH ' + fs.readFileSync('/run/redis/password', 'utf8').trim() + '\\r\\n'")).toContain('+PONG');
    expect(inRouter("fetch('http://ollama:11434/').then(async (r) => console.log(await r.text()))")).toBe(
      'Ollama is running',
    );
    const outside = "fetch('http://192.0.2.1/', { signal: AbortSignal.timeout(3000) }).catch(() => {})";
    expect(inRouter(outside)).toBe('');
    const logs = project.compose('--profile', 'router', 'logs');
    expect(logs).not.toContain(
      inRouter("process.stdout.write(require('fs').readFileSync('/run/redis/password', 'utf8'))").trim(),
    );
  });

  test.each([
    ['an empty password file', ''],
    ['a password that is two words', 'two words\n'],
  ])('%s starts no Redis', (_, content) => {
    using project = checkout({}, STARTED_BY);
    const file = join(project.folder, 'password');
    writeFileSync(file, content, { mode: 0o644 });
    const mounts = [
      '--volume',
      `${file}:/password:ro`,
      '--volume',
      `${join(project.folder, 'docker/redis-start.sh')}:/start.sh:ro`,
    ];
    const env = ['--env', 'REDIS_PASSWORD_FILE=/password', '--env', 'REDIS_PASSWORD_MAKE=1', '--tmpfs', '/tmp'];
    const { status, stderr } = docker([
      'run',
      '--rm',
      '--read-only',
      '--network',
      'none',
      ...mounts,
      ...env,
      '--entrypoint',
      'sh',
      REDIS,
      '/start.sh',
    ]);
    expect({ status, stderr }).toEqual({ status: 78, stderr: expect.stringContaining('redis is not started') });
  });
});

here('three routers behind one address', () => {
  const SERVED_BY = ['-f', 'compose.yaml', '-f', 'own.yaml', '--profile', 'scale', '--profile', 'fake'];
  const FAKE = { FAKE_IMAGE: 'svc-mcp-fake-api:test' };
  let project: Checkout;
  let url: string;
  beforeAll(async () => {
    done(['compose', '--profile', 'fake', 'build', 'fake-api'], { env: FAKE });
    const port = await freePort();
    const ports = { MCP_PORT: String(port), FAKE_PORT: String(await freePort()) };
    project = checkout({ ...FAKE, ...ports, NGINX_IMAGE: imageOr('nginx:1.28-bookworm', NGINX) }, STARTED_BY);
    const secret = (name: string, content: string) =>
      writeFileSync(join(project.folder, 'secrets', name), content, { mode: 0o600 });
    for (const name of ['mcp_http_bearer_token', 'signing_keys']) secret(name, `${BEARER}\n`);
    const accounts = readFileSync(join(project.folder, 'docker/demo/accounts.yaml'), 'utf8');
    secret('credentials.yaml', `${/^mgmt: .*$/m.exec(accounts)?.[0].replace('//127.0.0.1:', '//fake-api:')}\n`);
    const settings = '{ SVC_MCP_METRICS: "1", SVC_MCP_METRICS_HTTP: "1", SVC_MCP_MGMT_WRITES: "1" }';
    const routers = ROUTERS.map((name) => `  ${name}: { environment: ${settings} }`);
    writeFileSync(join(project.folder, 'own.yaml'), `services:\n${routers.join('\n')}\n`);
    project.compose(...SERVED_BY, 'up', '-d', '--wait', 'nginx', 'fake-api');
    url = `http://127.0.0.1:${port}/mcp`;
    await healthy(`http://127.0.0.1:${port}`);
  });
  afterAll(() => project?.[Symbol.dispose]());

  test('every call is answered, and each of them answers some', async () => {
    expect(running(project)).toEqual(['fake-api', 'nginx', 'redis', ...ROUTERS]);
    expect(await bearerStatus(url, OTHER)).toBe(401);
    const client = modernClient(url, BEARER);
    const CALLS = 30;
    for (let n = 0; n < CALLS; n++) {
      const { isError, texts } = await client.call('find_tool', { query: 'list sites' });
      expect({ isError, found: JSON.parse(texts[0] ?? '[]').length > 0 }).toEqual({ isError: false, found: true });
    }
    const script = `fetch('http://127.0.0.1:8010/metrics', { headers: { authorization: 'Bearer ' + require('fs').readFileSync('/run/secrets/mcp_http_bearer_token', 'utf8').trim() } })
      .then(async (r) => console.log(await r.text()))`;
    const calls = ROUTERS.map((name) => {
      const metrics = project.compose(...SERVED_BY, 'exec', '-T', name, 'node', '-e', script);
      const rows = [...metrics.matchAll(/^svc_mcp_\w*calls_total\{[^}]*\} (\d+)$/gm)].map(([, value]) => Number(value));
      return rows.length > 0 ? Math.max(...rows) : 0;
    });
    process.stderr.write(`calls answered by each of three routers: ${calls.join(', ')}\n`);
    expect(calls.filter((count) => count > 0)).toHaveLength(3);
  });

  test('a destructive call is sent once, after the person typed its object, whichever routers its steps reach', async () => {
    const client = modernClient(url, BEARER);
    const call = (controls: object, action?: Action) =>
      client.call(
        'invoke_tool',
        { name: 'mgmt_delete_auth_server', arguments: { name: 'radius-spare', ...controls } },
        action,
      );
    const ledger = `fetch('http://127.0.0.1:8021/namespaces/default/ledger').then(async (r) => console.log(await r.text()))`;
    const deleted = () => {
      const text = project.compose(...SERVED_BY, 'exec', '-T', 'fake-api', 'node', '-e', ledger);
      const { entries } = JSON.parse(text) as { entries: { method: string; path: string }[] };
      return entries.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
    };
    const confirmed = async () => {
      const { plan_token } = JSON.parse((await call({})).texts[0] ?? '{}');
      return { dry_run: false, confirm: true, plan_token };
    };
    const untyped = await call(await confirmed(), 'accept-without-object');
    expect({ isError: untyped.isError, deleted: deleted() }).toEqual({ isError: true, deleted: [] });
    const controls = await confirmed();
    const { isError, asked, texts } = await call(controls, 'accept');
    expect({ isError, texts }).toEqual({ isError: false, texts: [expect.any(String)] });
    expect(asked).toEqual([expect.stringMatching(/^confirm_object: "radius-spare"$/m)]);
    const again = await call(controls, 'accept');
    expect(again.isError).toBe(true);
    expect(deleted()).toEqual([expect.stringMatching(/\/auth-servers\/radius-spare$/)]);
  });
});
