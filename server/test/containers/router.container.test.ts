/** One router in one container, locked up: what it answers, what it refuses, what it keeps to itself, what it costs. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { median } from '../bench/statistics.ts';
import { docker, done, IMAGE } from '../support/container-engine.ts';
import { modernClient } from '../support/modern-client.ts';
import { freePort } from '../support/programs.ts';
import { type RouterContainer, routerContainer, secretFolder } from '../support/router-container.ts';
import { bannerIn } from '../support/setup-answers.ts';

const BEARER = 'b'.repeat(32) + '0123456789abcdef'.repeat(2);
const CLIENT_SECRET = 'client-secret-nobody-sees';
const ACCOUNT = 'mgmt:\n  base_url: https://mgmt.lan\n  client_id: router\n';
const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;

describe.skipIf(inject('noEngine') !== '')('without credentials', () => {
  test('it is alive and not ready, and says what is missing', async () => {
    await using router = await routerContainer();
    expect(await statusOf(`${router.base}/livez`)).toBe(200);
    const ready = await fetch(`${router.base}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'not_ready', detail: { creds_path_exists: false } });
  });
});

/** The words of the quick look on docs/containers.md, as somebody would copy them, with a port and an image of this test. */
function quickLook(port: number): string[] {
  const page = readFileSync(join(packageRoot, 'docs/containers.md'), 'utf8');
  const command = /^docker (run .*-p 127\.0\.0\.1:8010:8010[\s\S]*?) svc-mcp-router:local$/m.exec(page)?.[1];
  if (command === undefined) expect.fail('docs/containers.md should hold the command of the quick look');
  const words = command.replaceAll("'", '').replaceAll('\\\n', ' ').split(/\s+/);
  return words.map((word) => (word === '127.0.0.1:8010:8010' ? `127.0.0.1:${port}:8010` : word));
}

describe.skipIf(inject('noEngine') !== '')('the quick look', () => {
  test.each(['full-read-write', 'custom'])(
    'starts without a bearer token, opens no gate under the profile %s, and says so',
    async (profile) => {
      const port = await freePort();
      const [run = '', ...words] = quickLook(port);
      const gates = [`SVC_MCP_ACCESS_PROFILE=${profile}`, ...(profile === 'custom' ? ['SVC_MCP_MGMT_WRITES=1'] : [])];
      const opened = gates.flatMap((setting) => ['--env', setting]);
      const id = done([run, '--detach', ...words, ...opened, IMAGE]);
      try {
        while (!(await answers(`http://127.0.0.1:${port}/livez`)))
          await new Promise((resolve) => setTimeout(resolve, 50));
        const client = modernClient(`http://127.0.0.1:${port}/mcp`);
        const write = { name: 'mgmt_create_wlan_ssid', arguments: { confirm: true } };
        const { isError, texts, asked } = await client.call('invoke_tool', write, 'accept');
        expect({ isError, asked, said: JSON.parse(texts[0] ?? '{}') }).toMatchObject({
          isError: true,
          asked: [],
          said: { code: 'blocked', gate: { state: 'disabled', source: 'open_binding' } },
        });
        const banner = docker(['logs', id]).stderr;
        expect(bannerIn(banner)).toMatchObject({ 'open gates': 'none', bearer: 'disabled' });
        expect(banner).toContain(
          'WARNING: 0.0.0.0 is not loopback; without a bearer token every write gate stays shut',
        );
      } finally {
        done(['rm', '--force', id]);
      }
    },
  );
});

describe.skipIf(inject('noEngine') !== '')('with credentials and a bearer token in files', () => {
  const secrets = secretFolder({ bearer: `${BEARER}\n`, client: `${CLIENT_SECRET}\n`, 'credentials.yaml': ACCOUNT });
  const own = (name: string) => join(secrets.folder, name);
  let router: RouterContainer;
  beforeAll(async () => {
    chownToContainer(secrets.folder);
    router = await routerContainer({
      environment: {
        MCP_HTTP_BEARER_TOKEN_FILE: '/run/secrets/bearer',
        SOURCE_CLIENT_SECRET_FILE: '/run/secrets/client',
        CREDS_PATH: '/run/secrets/credentials.yaml',
        SVC_MCP_LOG_LEVEL: 'debug',
      },
      files: Object.fromEntries(Object.entries(FILES).map(([path, name]) => [path, own(name)])),
    });
  });
  afterAll(async () => {
    await router?.[Symbol.asyncDispose]();
    secrets[Symbol.dispose]();
  });

  test('it is ready', async () => {
    const ready = await fetch(`${router.base}/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toMatchObject({
      status: 200,
      body: { status: 'ok', detail: { credentials_loadable: true } },
    });
  });

  test('no request without the bearer token is accepted', async () => {
    const url = `${router.base}/mcp`;
    expect(await statusOf(url, { method: 'POST' })).toBe(401);
    expect(await statusOf(url, { method: 'POST', headers: { authorization: `Bearer ${BEARER.slice(1)}0` } })).toBe(401);
    expect((await modernClient(url, BEARER).list()).map(({ name }) => name)).toEqual([
      'find_tool',
      'invoke_read_tool',
      'invoke_tool',
    ]);
  });

  test('a write is refused', async () => {
    const { isError, texts } = await modernClient(`${router.base}/mcp`, BEARER).call(
      'invoke_tool',
      { name: 'mgmt_create_wlan_ssid', arguments: { confirm: true } },
      'accept',
    );
    expect({ isError, code: JSON.parse(texts[0] ?? '{}').code }).toEqual({ isError: true, code: 'blocked' });
  });

  test('its root cannot be written, its own folders can', async () => {
    const write = (path: string) =>
      router.started.exec(['node', '-e', `require('fs').writeFileSync(${JSON.stringify(path)}, 'x')`]);
    for (const path of ['/app/x', '/app/server/x', '/app/var/catalog/x', '/etc/x', '/x']) {
      const { exitCode, output } = await write(path);
      expect({ path, failed: exitCode !== 0, why: /EROFS|EACCES/.exec(output)?.[0] }).toMatchObject({
        failed: true,
        why: expect.any(String),
      });
    }
    for (const path of ['/app/state/x', '/home/mcp/x']) expect((await write(path)).exitCode).toBe(0);
  });

  test('its secrets are in no log, no setting and no environment that can be looked at', async () => {
    const id = router.started.getId();
    const seen = [
      docker(['logs', id]).stdout,
      docker(['logs', id]).stderr,
      done(['inspect', id]),
      (await router.started.exec(['env'])).output,
      (await router.started.exec(['cat', '/proc/1/environ'])).output,
      (await router.started.exec(['cat', '/proc/1/cmdline'])).output,
    ];
    expect(seen[1]).toContain('entrypoint: MCP_HTTP_BEARER_TOKEN is read from its file');
    expect(seen[3]).toContain('MCP_HTTP_BEARER_TOKEN_FILE=/run/secrets/bearer');
    for (const text of seen) for (const secret of [BEARER, CLIENT_SECRET]) expect(text).not.toContain(secret);
  });

  test('SIGTERM ends it with 0', () => {
    const id = router.started.getId();
    done(['stop', '--time', '12', id]);
    expect(done(['inspect', '--format', '{{.State.ExitCode}}', id])).toBe('0');
  });
});

const FILES = {
  '/run/secrets/bearer': 'bearer',
  '/run/secrets/client': 'client',
  '/run/secrets/credentials.yaml': 'credentials.yaml',
};

/** By the same program that compose runs before a start, whoever runs the tests. */
function chownToContainer(folder: string): void {
  const caps = ['CHOWN', 'FOWNER', 'DAC_READ_SEARCH'].flatMap((name) => ['--cap-add', name]);
  const locked = ['--read-only', '--network', 'none', '--cap-drop', 'ALL', ...caps, '--user', '0:0'];
  const words = ['--volume', `${folder}:/secrets`, '--entrypoint', 'node', IMAGE, 'docker/own-secrets.mjs', '/secrets'];
  done(['run', '--rm', ...locked, ...words]);
}

describe.skipIf(inject('noEngine') !== '')('a start is refused, and no secret is repeated', () => {
  const SHORT = BEARER.slice(0, 23);
  const secrets = secretFolder({
    empty: '',
    token: `${BEARER}\n`,
    short: `${SHORT}\n`,
    twoLines: 'one\ntwo\n',
    openKeys: `${BEARER}\n`,
  });
  beforeAll(() => {
    chownToContainer(secrets.folder);
    const { folder } = secrets;
    done(['run', '--rm', '--volume', `${folder}/openKeys:/keys`, '--entrypoint', 'chmod', IMAGE, '644', '/keys']);
    writeFileSync(join(secrets.folder, 'unreadable'), `${BEARER}\n`, { mode: 0o000 });
  });
  afterAll(() => secrets[Symbol.dispose]());
  const start = (environment: Record<string, string>, file?: string, mounts: readonly string[] = []) =>
    docker([
      'run',
      '--rm',
      '--read-only',
      '--network',
      'none',
      ...mounts,
      ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      ...(file ? ['--volume', `${join(secrets.folder, file)}:/run/secrets/token:ro`] : []),
      IMAGE,
      ...(file === 'token' ? ['router', '--version'] : []),
    ]);
  const named = { MCP_HTTP_BEARER_TOKEN_FILE: '/run/secrets/token' };

  test.each<[string, Record<string, string>, string | undefined, RegExp]>([
    ['a file that is not there', named, undefined, /ENOENT/],
    ['one that its user cannot read', named, 'unreadable', /EACCES\)\s+remedy: .*chown 10001/],
    ['an empty one', named, 'empty', /with one line/],
    ['one with two lines', named, 'twoLines', /with one line/],
    [
      'a variable that is set to nothing beside it',
      { ...named, MCP_HTTP_BEARER_TOKEN: '' },
      'token',
      /not be set at all/,
    ],
  ])('%s', (_, environment, file, why) => {
    const { status, stderr, stdout } = start(environment, file);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(why) });
    expect(`${stdout}${stderr}`).not.toContain(BEARER);
  });

  const names = (entry: string) => ({ MCP_HOST: '0.0.0.0', MCP_ALLOWED_HOSTS: entry, MCP_ALLOWED_ORIGINS: entry });
  const keys = { SVC_MCP_SIGNING_KEYS_PATH: '/run/secrets/token' };
  test.each<[string, Record<string, string>, string | undefined, RegExp]>([
    [
      'no bearer token where the lists name another host',
      names('router.lan:*'),
      undefined,
      /UnsafeHttpBindingError[\s\S]*MCP_HTTP_BEARER_TOKEN should be set/,
    ],
    [
      'a bearer token of 23 characters',
      { ...names('127.0.0.1:*'), ...named },
      'short',
      /UnsafeHttpBindingError[\s\S]*at least 24 characters, got 23\n/,
    ],
    ['signing keys that others can read', keys, 'openKeys', /0600\), and has mode 0644\n.*chmod 600/],
  ])('%s', (_, environment, file, why) => {
    const { status, stderr, stdout } = start(environment, file, ['--tmpfs', '/app/state:uid=10001,mode=0700']);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(why) });
    for (const secret of [BEARER, SHORT]) expect(`${stdout}${stderr}`).not.toContain(secret);
  });

  test('a state folder of the host that others can write', () => {
    const state = mkdtempSync(join(tmpdir(), 'svc-mcp-state-'));
    chmodSync(state, 0o777);
    try {
      expect(start({}, undefined, ['--volume', `${state}:/app/state`])).toMatchObject({
        status: 3,
        stderr: expect.stringMatching(/mode 0777\n.*chmod 700 \/app\/state/),
      });
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });

  test('a value wins over a file, and a file for what is no secret is left alone, loudly', () => {
    const wins = start({ MCP_HTTP_BEARER_TOKEN: 'x'.repeat(64), ...named }, 'token');
    expect({ status: wins.status, stderr: wins.stderr }).toEqual({ status: 0, stderr: '' });
    const ignored = start({ MCP_PORT_FILE: '/run/secrets/token' }, 'token');
    expect({ status: ignored.status, stderr: ignored.stderr }).toEqual({
      status: 0,
      stderr: 'entrypoint: MCP_PORT_FILE is NOT read, only secrets come as files\n',
    });
  });
});

/** The least one can start on the same SDK, in the same image. */
function emptyServer(folder: string): string {
  const source = readFileSync(join(packageRoot, 'server/test/bench/bare-mcp.ts'), 'utf8');
  const listens = "{ host: '127.0.0.1', port: 0 }";
  expect(source.split(listens)).toHaveLength(2);
  const file = join(folder, 'empty.mjs');
  writeFileSync(file, stripTypeScriptTypes(source).replace(listens, "{ host: '0.0.0.0', port: 8010 }"), {
    mode: 0o644,
  });
  return file;
}

describe.skipIf(inject('noEngine') !== '')('beside an empty server on the same SDK', () => {
  const folder = secretFolder({});
  afterAll(() => folder[Symbol.dispose]());
  const CALLED = '/app/docker/empty.mjs';
  const MEGABYTE = 2 ** 20;
  const STARTS = 5;
  /** What an empty server takes on a quiet machine; on one where it takes longer, so may the router. */
  const EMPTY_MS = 600;

  test('idle, it has at most 60 MB more', async () => {
    await using router = await routerContainer();
    await using empty = await routerContainer({
      image: await emptyImage(),
      files: { [CALLED]: emptyServer(folder.folder) },
      readyPath: '/mcp',
    });
    const [own, least] = [await residentBytes(router), await residentBytes(empty)];
    process.stderr.write(
      `idle: ${(own / MEGABYTE).toFixed(0)} MB, an empty server ${(least / MEGABYTE).toFixed(0)} MB\n`,
    );
    expect(own).toBeLessThanOrEqual(least + 60 * MEGABYTE);
  });

  test('it answers /livez within 1.5 s of its start', async () => {
    const file = emptyServer(folder.folder);
    const least = await bestStart(['--volume', `${file}:${CALLED}:ro`, '--entrypoint', 'node', IMAGE, CALLED], '/mcp');
    const own = await bestStart([IMAGE], '/livez');
    process.stderr.write(
      `cold start, best of ${STARTS}: ${own.toFixed(0)} ms, an empty server ${least.toFixed(0)} ms\n`,
    );
    expect(own).toBeLessThanOrEqual(1_500 * Math.max(1, least / EMPTY_MS));
  });

  /** The same image, that starts another file. */
  async function emptyImage(): Promise<string> {
    const tag = 'svc-mcp-router:test-empty';
    const text = `FROM ${IMAGE}\nENTRYPOINT ["node", "${CALLED}"]\n`;
    writeFileSync(join(folder.folder, 'Dockerfile'), text);
    done(['build', '--quiet', '--tag', tag, folder.folder]);
    return tag;
  }

  async function residentBytes({ started }: RouterContainer): Promise<number> {
    const samples: number[] = [];
    for (let n = 0; n < 7; n++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { output } = await started.exec(['cat', '/proc/1/status']);
      samples.push(Number(/^VmRSS:\s+(\d+) kB/m.exec(output)?.[1]) * 1024);
    }
    return median(samples);
  }

  async function bestStart(words: readonly string[], path: string): Promise<number> {
    const times: number[] = [];
    for (let n = 0; n < STARTS; n++) {
      const port = await freePort();
      const names = ['MCP_HOST=0.0.0.0', 'MCP_ALLOWED_HOSTS=127.0.0.1:*', 'MCP_ALLOWED_ORIGINS=127.0.0.1:*'];
      const settings = [...names.flatMap((name) => ['--env', name]), '--publish', `127.0.0.1:${port}:8010`];
      const id = done(['create', '--read-only', '--tmpfs', '/tmp', ...settings, ...words]);
      try {
        const before = performance.now();
        done(['start', id]);
        while (!(await answers(`http://127.0.0.1:${port}${path}`)))
          await new Promise((resolve) => setTimeout(resolve, 10));
        times.push(performance.now() - before);
      } finally {
        done(['rm', '--force', id]);
      }
    }
    return Math.min(...times);
  }
});

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );
