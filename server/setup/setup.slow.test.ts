/** The setup as a process: what it writes, with which modes, what it keeps, what it refuses, and what it never prints. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../config/config.ts';
import { readPlatformFiles } from '../config/platform-file.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { readTables, writeTables } from '../config/toml-tables.ts';
import { startProcess } from '../test/support/running-process.ts';
import { type Answers, checkAnswers, envValues, openUnder, withWrites } from './answers.ts';
import { addFlags, answersOf, type Flags } from './flags.ts';
import { earlierAnswers } from './previous-answers.ts';
import { writeAnswers } from './write-answers.ts';

const SETUP = join(packageRoot, 'server/cli/setup.mjs');
const QUICK = ['--yes', '--skip-install', '--skip-catalog', '--skip-doctor'];
const SECRET = 'a-secret-typed-by-a-person';

let folder: string;
let source: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-setup-'));
  source = mkdtempSync(join(tmpdir(), 'svc-mcp-secret-source-'));
  writeFileSync(join(source, 'secret'), `${SECRET}\n`, { mode: 0o600 });
});
afterEach(() => {
  for (const path of [folder, source]) rmSync(path, { recursive: true, force: true });
});

function setup(words: readonly string[], umask = '022') {
  const { status, stdout, stderr } = spawnSync(
    '/bin/sh',
    ['-c', `umask ${umask}; exec "$0" "$@"`, process.execPath, SETUP, '--directory', folder, ...QUICK, ...words],
    { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', HOME: source } },
  );
  return { code: status, stdout, stderr };
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const picture = () =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, read(name)]),
  );
const withSecret = () => ['--secret-file', `mgmt.client_secret=${join(source, 'secret')}`];
const account = ['--account', 'mgmt.base_url=https://api.mgmt.test', '--account', 'mgmt.client_id=client-1'];

describe.each(['000', '077'])('under umask %s', (umask) => {
  test.each([
    ['host', []],
    ['container', ['--docker']],
  ])('the %s form leaves files of mode 0600 in folders of mode 0700', (_, words) => {
    mkdirSync(join(folder, 'secrets'), { mode: 0o755 });
    const { code, stderr } = setup([...words, ...account, ...withSecret()], umask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const modes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
      const found = statSync(join(folder, name));
      return [name, (found.mode & 0o777).toString(8), found.isDirectory() ? '700' : '600'] as const;
    });
    expect(modes.length).toBeGreaterThan(6);
    expect(modes.filter(([, mode, expected]) => mode !== expected)).toEqual([]);
  });
});

test('a second run changes nothing, and corrects loosened file modes', () => {
  setup([...account, ...withSecret(), '--products', 'nac', '--router-mode', 'default', '--port', '8123']);
  const before = picture();
  chmodSync(join(folder, '.env'), 0o666);
  const again = setup([]);
  expect(again.code).toBe(0);
  expect(again.stdout).not.toContain('[written]');
  expect(picture()).toEqual(before);
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
});

test('a folder that is not there yet is made, and the next steps are commands for it', () => {
  const inner = join(folder, 'one', 'two');
  const { code, stdout } = setup(['--directory', inner]);
  expect(code).toBe(0);
  expect(statSync(inner).mode & 0o777).toBe(0o700);
  expect(stdout).toContain(`Next, in ${packageRoot}\n`);
  expect(stdout).toContain(`npm run doctor -- --directory ${inner}\n`);
  expect(stdout).toContain(`./tool-router --directory ${inner}\n`);
});

test('while the doctor finds a failure, the next steps are to correct it and to look again', async () => {
  const other = createServer((_, response) => response.end('another program'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const words = ['--directory', folder, '--yes', '--skip-install', '--skip-catalog', '--port', String(port)];
  const { ended } = startProcess(process.execPath, [SETUP, ...words], {
    env: { PATH: process.env['PATH'] ?? '', HOME: source },
  });
  const { code, stdout } = await ended;
  other.close();
  expect(code).toBe(1);
  expect(stdout).toContain(`[FAIL] port: ${port} is in use by another program. Remedy: `);
  expect(stdout.split('\n\n').at(-1)).toBe(
    [
      `Next, in ${packageRoot}`,
      '  correct      each [FAIL] above, by its remedy',
      `  look again   npm run doctor -- --directory ${folder}\n`,
    ].join('\n'),
  );
});

describe('configurations for MCP hosts', () => {
  const token = 'Bearer $' + '{MCP_HTTP_BEARER_TOKEN}';
  const started = () => ({
    command: process.execPath,
    args: [join(packageRoot, 'server/cli/router.mjs'), '--directory', folder],
    env: { MCP_TRANSPORT: 'stdio', MCP_HTTP_BEARER_TOKEN: '', MCP_HTTP_BEARER_TOKEN_FILE: '' },
  });
  const url = 'http://127.0.0.1:8127/mcp';
  const json = (path: string) => JSON.parse(read(path));

  test('each form names this router, over stdio, over HTTP or both, and holds no token', () => {
    setup(['--port', '8127']);
    expect(json(LAYOUT.clients.stdio)).toEqual({ mcpServers: { 'tool-router': started() } });
    expect(json(LAYOUT.clients.http)).toEqual({
      mcpServers: { 'tool-router': { type: 'http', url, headers: { Authorization: token } } },
    });
    expect(json(LAYOUT.clients['http-env'])).toEqual({
      mcpServers: { 'tool-router': { url, headers: { Authorization: token.replace('{', '{env:') } } },
    });
    expect(json(LAYOUT.clients.editor).servers).toEqual({
      'tool-router': { type: 'http', url, headers: { Authorization: 'Bearer $' + '{input:bearer}' } },
      'tool-router-stdio': { type: 'stdio', ...started() },
    });
    const { command, args } = started();
    expect(read(LAYOUT.clients.toml)).toBe(
      [
        '[mcp_servers.tool-router]',
        `url = "${url}"`,
        'bearer_token_env_var = "MCP_HTTP_BEARER_TOKEN"',
        '',
        '[mcp_servers.tool-router-stdio]',
        `command = "${command}"`,
        `args = [${args.map((word) => `"${word}"`).join(', ')}]`,
        '',
        '[mcp_servers.tool-router-stdio.env]',
        'MCP_TRANSPORT = "stdio"',
        'MCP_HTTP_BEARER_TOKEN = ""',
        'MCP_HTTP_BEARER_TOKEN_FILE = ""',
        '',
        '',
      ].join('\n'),
    );
    const bearer = read(LAYOUT.bearer).trim();
    for (const path of Object.values(LAYOUT.clients)) expect(read(path)).not.toMatch(new RegExp(`${bearer}|\\{\\{`));
  });

  test('what is in TOML can be read back', () => {
    const tables = {
      a: { text: 'with "quotes", \\ and ü', list: ['one', 'two","three'], inner: { empty: '' } },
      b: { x: 'y' },
    };
    expect(readTables(writeTables(tables))).toEqual(tables);
    expect(readTables('[a]\nkey = bare\n')).toBeUndefined();
  });

  test('of a container, no form starts anything on this host', () => {
    setup(['--docker', '--port', '8127']);
    const texts = Object.values(LAYOUT.clients).flatMap((path) => (existsSync(join(folder, path)) ? [read(path)] : []));
    expect(texts).toHaveLength(4);
    expect(texts.filter((text) => !text.includes(url) || text.includes('router.mjs'))).toEqual([]);
  });
});

test('a secret is a file of its own, is printed nowhere, and is replaced only by --force', () => {
  const first = setup([...account, ...withSecret()]);
  const bearer = read(LAYOUT.bearer).trim();
  expect(bearer).toMatch(/^[0-9a-f]{64}$/);
  expect(read('secrets/mgmt_client_secret')).toBe(`${SECRET}\n`);
  writeFileSync(join(source, 'secret'), 'another-secret\n');
  const kept = setup(withSecret());
  expect([read(LAYOUT.bearer).trim(), read('secrets/mgmt_client_secret').trim()]).toEqual([bearer, SECRET]);
  const forced = setup([...withSecret(), '--force']);
  expect(read('secrets/mgmt_client_secret')).toBe('another-secret\n');
  const rotated = read(LAYOUT.bearer).trim();
  expect(rotated).not.toBe(bearer);
  const said = [first, kept, forced].flatMap(({ stdout, stderr }) => [stdout, stderr]).join('');
  for (const secret of [SECRET, 'another-secret', bearer, rotated]) {
    expect(said).not.toContain(secret);
    const places = Object.entries(picture()).filter(([, text]) => text.includes(secret));
    expect(places.every(([name]) => name.startsWith('secrets/') && !name.endsWith('.yaml'))).toBe(true);
  }
});

test('.env gets knobs and names of files; what stands in it stays byte for byte, and secrets in it are named', () => {
  const mine =
    '# mine\r\n  GITHUB_TOKEN = "left here"   # why\nSVC_NAC_CLIENT_SECRET=also-left\nMCP_PORT=1\n\nexport OTHER=x\n';
  writeFileSync(join(folder, '.env'), mine);
  const { code, stdout } = setup(['--port', '8124']);
  expect(code).toBe(0);
  expect(stdout).toContain('left as they are: GITHUB_TOKEN, SVC_NAC_CLIENT_SECRET\n');
  expect(stdout).not.toMatch(/left here|also-left/);
  const text = read('.env');
  expect(text.startsWith(mine.replace('MCP_PORT=1\n', 'MCP_PORT=8124\n'))).toBe(true);
  expect(parseEnv(text)).toMatchObject({ MCP_PORT: '8124', MCP_HTTP_BEARER_TOKEN_FILE: LAYOUT.bearer });
  const before = picture();
  setup(['--port', '8124']);
  expect(picture()).toEqual(before);
});

describe('a gate that was left closed', () => {
  const gates = () =>
    Object.fromEntries(
      Object.entries(parseEnv(read('.env')))
        .filter(([name, value]) => /_WRITES$/.test(name) && value === '1')
        .map(([name]) => [name, '1']),
    );

  test('stays closed where --writes names others, whatever access products had before', () => {
    setup(['--products', 'nac,sse', '--product-access', 'read-write']);
    expect(gates()).toEqual({ SVC_MCP_NAC_WRITES: '1', SVC_MCP_SSE_WRITES: '1' });
    setup([]);
    expect(parseEnv(read('.env'))['SVC_MCP_PRODUCT_ACCESS'], 'nothing was said').toBe('read-write');
    setup(['--writes', 'mgmt']);
    expect(gates()).toEqual({ SVC_MCP_MGMT_WRITES: '1' });
    expect(parseEnv(read('.env'))['SVC_MCP_PRODUCT_ACCESS']).toBe('read-only');
  });

  test('stays closed where it is unticked: what is open is offered ticked, and the choice alone decides', () => {
    const platforms = readPlatformFiles(join(packageRoot, 'server/platforms'));
    const before: Answers = {
      ...earlierAnswers(folder, false, platforms),
      products: ['nac', 'sse'],
      productAccess: 'read-write',
    };
    expect(openUnder(before, platforms)).toEqual(['nac', 'sse']);
    const openAfter = (writes: string[]) => {
      const after = withWrites(before, writes, platforms);
      const values = Object.entries(envValues(after, platforms, []));
      return values.filter(([name, value]) => /_WRITES$|_ACCESS$/.test(name) && /^1$|^read-write$/.test(value));
    };
    expect(openAfter(['mgmt', 'nac'])).toEqual([
      ['SVC_MCP_MGMT_WRITES', '1'],
      ['SVC_MCP_NAC_WRITES', '1'],
    ]);
    expect(openAfter(['nac', 'sse'])).toEqual([
      ['SVC_MCP_PRODUCT_ACCESS', 'read-write'],
      ['SVC_MCP_NAC_WRITES', '1'],
      ['SVC_MCP_SSE_WRITES', '1'],
    ]);
    expect(openAfter([])).toEqual([]);
  });
});

test('credentials that exist keep their comments and what nobody asked about', () => {
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, LAYOUT.credentials), '# ours\ntarget:\n  client_id: two # second account\n');
  setup(account);
  expect(read(LAYOUT.credentials)).toMatch(/^# ours\ntarget:\n {2}client_id: two # second account\n/);
  expect(parse(read(LAYOUT.credentials))).toMatchObject({
    mgmt: { client_id: 'client-1' },
    target: { client_id: 'two' },
  });
});

describe('refused, with nothing written', () => {
  const targets = [
    LAYOUT.env,
    LAYOUT.credentials,
    LAYOUT.bearer,
    LAYOUT.clients.http,
    'secrets',
    'config',
    'config/clients',
  ];
  test.each(targets)('a link in the place of %s', (path) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    const target = join(source, path.includes('.') || path.includes('token') ? 'elsewhere' : '.');
    symlinkSync(target, join(folder, path));
    const before = readdirSync(folder, { recursive: true }).length;
    const { code, stderr } = setup(account);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/TARGET_REFUSED: .* got a link/) });
    expect(readdirSync(folder, { recursive: true }).length).toBe(before);
    expect(existsSync(join(source, 'elsewhere'))).toBe(false);
  });

  test('credentials that are not YAML', () => {
    mkdirSync(join(folder, 'config'));
    writeFileSync(join(folder, LAYOUT.credentials), 'mgmt: [\n');
    expect(setup(account)).toMatchObject({ code: 3, stderr: expect.stringContaining('CREDENTIALS_INVALID') });
    expect(Object.keys(picture())).toEqual([LAYOUT.credentials]);
  });

  test('an .env in another encoding', () => {
    writeFileSync(join(folder, '.env'), Buffer.from('\uFEFFSVC_MCP_READONLY=1\n', 'utf16le'));
    expect(setup(account)).toMatchObject({ code: 2, stderr: expect.stringContaining('should be text in UTF-8') });
    expect(readdirSync(folder)).toEqual(['.env']);
  });

  test('a folder that is a file', () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, stderr } = setup(['--directory', join(folder, 'file')]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/TARGET_REFUSED: .* \(ENOTDIR\)\n {2}remedy: .*--directory/),
    });
  });

  test('no terminal and no --yes', () => {
    const { status, stderr } = spawnSync(process.execPath, [SETUP, '--directory', folder, '--skip-install'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: source },
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('in a terminal, or with --yes') });
  });
});

/** Errors of flags, before anything on the disk is read. */
describe('refused flags', () => {
  const platforms = readPlatformFiles(join(packageRoot, 'server/platforms'));
  const decide = (words: readonly string[]) => {
    const program = addFlags(new Command('setup').exitOverride().configureOutput({ writeErr: () => undefined }));
    const given = answersOf(program.parse([...words], { from: 'user' }).opts<Flags>(), platforms);
    const answers = { ...earlierAnswers(folder, false, platforms), ...given };
    checkAnswers(answers, platforms, given);
    return answers;
  };

  test('and one that is not', () => {
    expect(decide(['--expose', '192.0.2.7', '--expose', '192.0.2.7']).expose).toBe('192.0.2.7');
    const long = '2001:0DB8::0001';
    expect(decide(['--expose', long, '--expose', long]).expose).toBe('2001:db8::1');
  });

  test.each<[string[], string]>([
    [['--expose', '192.0.2.7'], 'given twice'],
    [['--expose', '192.0.2.7', '--expose', '192.0.2.8'], 'given twice'],
    [['--expose', 'router.test', '--expose', 'router.test'], 'an IP address'],
    [['--expose', 'fe80::1%eth0', '--expose', 'fe80::1%eth0'], 'without a zone'],
    [['--port', '70000'], 'a whole number from 1 to 65535'],
    [['--host', '*.example.com'], 'one host name'],
    [['--products', 'toaster'], 'got "toaster"'],
    [['--writes', 'nac'], 'do not serve'],
    [['--writes', 'analytics'], '--writes should be a list of'],
    [['--access-profile', 'safe-read-only', '--writes', 'mgmt'], 'contradicts'],
    [['--access-profile', 'safe-read-only', '--product-access', 'read-write'], 'contradicts'],
    [['--access-profile', 'admin'], 'Allowed choices'],
    [['--account', `mgmt.client_secret=${SECRET}`], '--account should be <section.field>=<value>'],
    [['--account', 'mgmt.base_url=ftp://x'], 'an http or https address'],
    [['--account', 'nac.client_id=router'], '--account nac.… is of what --toolsets and --products do not serve'],
    [['--secret-file', 'mgmt.client_secret=/nowhere'], 'the path of a file'],
  ])('%j', (words, message) => {
    expect(() => decide(words)).toThrow(message);
    expect(() => decide(words)).not.toThrow(SECRET);
  });

  test('a wrong name is refused before the first question', () => {
    const asking = [SETUP, '--directory', folder, '--skip-install', '--products', 'nacc'];
    const { status, stderr } = spawnSync(process.execPath, asking, { encoding: 'utf8', env: { HOME: source } });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('got "nacc"; did you mean "nac"?'),
    });
  });

  test('as a process: exit 2, and nothing is written', () => {
    const { code, stderr } = setup(['--account', `mgmt.client_secret=${SECRET}`]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('RouterError USAGE: --account should be'),
    });
    expect(stderr).not.toContain(SECRET);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('--docker', () => {
  const products = ['--products', 'nac,fabric', '--account', 'nac.client_id=nac-1'];
  const overlay = () => parse(read(LAYOUT.overlay));

  test('writes the files of the specification and no others', () => {
    const fabric = ['--secret-file', `fabric.password=${join(source, 'secret')}`];
    const { code, stdout } = setup(['--docker', ...account, ...products, ...withSecret(), ...fabric]);
    expect(code).toBe(0);
    expect(stdout).not.toContain(SECRET);
    expect(Object.keys(picture()).sort()).toEqual(
      [
        '.env',
        LAYOUT.overlay,
        ...Object.values(LAYOUT.clients).filter((path) => path !== LAYOUT.clients.stdio),
        LAYOUT.containerCredentials,
        LAYOUT.bearer,
        'secrets/fabric_password',
        'secrets/mgmt_client_secret',
        'secrets/workspace_client_secret',
      ].sort(),
    );
    expect(read(LAYOUT.containerCredentials)).not.toMatch(/secret:|password:|token:/);
    expect(Object.keys(parseEnv(read('.env'))).sort()).toEqual(
      [
        ...['ROUTER_MODE', 'TOOLSETS', 'PRODUCTS', 'ACCESS_PROFILE', 'PRODUCT_ACCESS'].map((name) => `SVC_MCP_${name}`),
        ...readPlatformFiles(join(packageRoot, 'server/platforms')).flatMap(({ gate }) =>
          gate ? [gate.variable] : [],
        ),
      ].sort(),
    );
  });

  test('the overlay publishes one literal line, refuses every write by default, and mounts one secret per file', () => {
    setup(['--docker', ...account, ...products, ...withSecret(), '--port', '8125', '--host', 'router.lan']);
    const { services, secrets } = overlay();
    const router = services['mcp-router'];
    expect(Object.keys(services)).toEqual(['mcp-router']);
    expect(router.ports).toEqual(['127.0.0.1:8125:8125']);
    expect(router.environment.MCP_ALLOWED_HOSTS).toBe('127.0.0.1:*,localhost:*,router.lan:*');
    const gates = Object.entries(router.environment).filter(([name]) => name.endsWith('_WRITES'));
    expect(gates).toHaveLength(9);
    expect(gates.filter(([name, value]) => value !== `\${${name}:-0}`)).toEqual([]);
    const files = Object.values<{ file: string }>(secrets).map(({ file }) => file);
    expect(files.sort()).toEqual(
      [LAYOUT.containerCredentials, LAYOUT.bearer, 'secrets/mgmt_client_secret', 'secrets/workspace_client_secret']
        .map((path) => `./${path}`)
        .sort(),
    );
    expect([...router.secrets].sort()).toEqual(Object.keys(secrets).sort());
    for (const name of ['MCP_HTTP_BEARER_TOKEN', 'SOURCE_CLIENT_SECRET', 'SVC_WORKSPACE_CLIENT_SECRET'])
      expect(router.environment[`${name}_FILE`]).toMatch(/^\/run\/secrets\/[a-z_]+$/);
    expect(read(LAYOUT.overlay)).not.toContain(SECRET);
  });

  const platforms = readPlatformFiles(join(packageRoot, 'server/platforms'));
  /** The steps of setup after all answers are known, in this process. Answers without a name stay as before. */
  const write = (change: Partial<Answers> = {}, { force = false, skipCredentials = false } = {}) =>
    writeAnswers(
      { ...earlierAnswers(folder, true, platforms), ...change },
      { directory: folder, root: packageRoot, platforms, force, skipCredentials, places: { node: '', router: '' } },
    ).map(({ status, label }) => `${status} ${label}`);

  test('without accounts, in a fresh folder, everything else is written, and only what is there changes its owner', () => {
    const steps = write({}, { skipCredentials: true });
    expect(steps).toContain(`skipped ${LAYOUT.containerCredentials}`);
    expect(steps.at(-1)).toBe('done owner of the secrets');
    expect(Object.keys(picture())).toEqual(expect.arrayContaining([LAYOUT.bearer, '.env', LAYOUT.overlay]));
    expect(existsSync(join(folder, LAYOUT.containerCredentials))).toBe(false);
  });

  describe('secrets that stand among the accounts', () => {
    const hold = (text: string) => {
      mkdirSync(join(folder, 'secrets'), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, LAYOUT.containerCredentials), text, { mode: 0o600 });
    };
    const HELD = 'a-secret-that-stood-among-accounts';
    const held = `# ours\nmgmt:\n  client_id: one # who\n  client_secret: ${HELD}\nnac: { client_secret: nac-${HELD} }\n`;
    const given = { secrets: { mgmt: { client_secret: SECRET } } };

    test('are moved into files of their own, also of a platform that is not served', () => {
      hold(held);
      const { code, stdout, stderr } = setup(['--docker']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(read(LAYOUT.containerCredentials)).toMatch(/^# ours\nmgmt:\n {2}client_id: one # who\n/);
      expect(read(LAYOUT.containerCredentials)).not.toMatch(/client_secret|stood-among/);
      expect(read('secrets/mgmt_client_secret')).toBe(`${HELD}\n`);
      expect(read('secrets/nac_client_secret')).toBe(`nac-${HELD}\n`);
      expect(statSync(join(folder, 'secrets/mgmt_client_secret')).mode & 0o777).toBe(0o600);
      expect(overlay().secrets.mgmt_client_secret.file).toBe('./secrets/mgmt_client_secret');
      expect(stdout).not.toContain(HELD);
      const before = [read(LAYOUT.containerCredentials), read('secrets/mgmt_client_secret')];
      write();
      expect([read(LAYOUT.containerCredentials), read('secrets/mgmt_client_secret')]).toEqual(before);
    });

    test('stay what they are without --force, and with it give way to the one that is given', () => {
      hold(held);
      expect(write(given)).toContain('kept secrets/mgmt_client_secret');
      expect(read('secrets/mgmt_client_secret')).toBe(`${HELD}\n`);
      hold(held);
      write(given, { force: true });
      expect(read('secrets/mgmt_client_secret')).toBe(`${SECRET}\n`);
    });

    test.each<[string, string, string]>([
      ['whose file holds another', `mgmt: { client_secret: ${HELD} }`, 'secrets/mgmt_client_secret holds another'],
      ['that nothing reads from a file', `target: { client_secret: ${HELD} }`, 'no platform reads it from a file'],
      ['of two lines', `mgmt: { api_token: "${HELD}\\nand more" }`, 'it is not one line of plain text'],
      [
        'that another place refers to',
        `mgmt: { password: &p ${HELD} }\nnac: { password: *p }`,
        'not one line of plain',
      ],
    ])('one %s is refused by name, and nothing is written', (_, text, problem) => {
      hold(`${text}\n`);
      if (problem.includes('another')) writeFileSync(join(folder, 'secrets/mgmt_client_secret'), 'another\n');
      const before = picture();
      const message = expect.stringMatching(
        new RegExp(`^secrets/credentials\\.yaml: \`[a-z]+\\.[a-z_]+\` is a secret, and .*${problem}`),
      );
      expect(() => write()).toThrow(expect.objectContaining({ code: 'CREDENTIALS_INVALID', message }));
      expect(() => write()).not.toThrow(HELD);
      expect(picture()).toEqual(before);
    });
  });

  test('keeps an overlay that differs, and reports it; --force replaces it', () => {
    setup(['--docker', '--port', '8125']);
    const kept = setup(['--docker', '--port', '8126']);
    expect(kept.stdout).toContain(`[warn] ${LAYOUT.overlay}: kept, and it differs`);
    expect(overlay().services['mcp-router'].ports).toEqual(['127.0.0.1:8125:8125']);
    setup(['--docker', '--port', '8126', '--force']);
    expect(overlay().services['mcp-router'].ports).toEqual(['127.0.0.1:8126:8126']);
  });

  test('run again it changes nothing, and offers where it was published', () => {
    const expose = ['--expose', '192.0.2.7', '--expose', '192.0.2.7', '--host', 'router.lan'];
    setup(['--docker', '--port', '8125', '--rag-image', 'ingestion', '--rag-backend', 'redis', ...expose]);
    const before = picture();
    const { code, stdout } = setup(['--docker']);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/\[written\]|\[warn\]/);
    expect(stdout).toContain('curl http://192.0.2.7:8125/livez');
    expect(picture()).toEqual(before);
  });

  test('from Redis there is a way back to embedded vectors, and it stays taken', () => {
    const backend = () => [
      parseEnv(read('.env'))['SVC_MCP_RAG_BACKEND'],
      earlierAnswers(folder, true, platforms).ragBackend,
    ];
    write({ ragBackend: 'redis' });
    write();
    expect(backend(), 'nothing was said').toEqual(['redis', 'redis']);
    write({ ragBackend: 'embedded' }, { force: true });
    expect(backend()).toEqual(['embedded', 'embedded']);
    const { environment } = overlay().services['mcp-router'];
    expect(Object.keys(environment).filter((name) => /REDIS|RAG|OLLAMA/.test(name))).toEqual([]);
    const before = picture();
    write();
    expect(picture()).toEqual(before);
  });

  test('retrieval and publication reach the overlay', () => {
    const expose = ['--expose', '192.0.2.7', '--expose', '192.0.2.7'];
    setup(['--docker', '--rag-backend', 'redis', '--rag-image', 'ingestion', ...expose]);
    const router = overlay().services['mcp-router'];
    expect(router.build.args).toEqual({ INSTALL_EXTRAS: 'ingestion,redis' });
    expect(Object.keys(router.depends_on)).toEqual(['redis', 'ollama']);
    expect(router.environment).toMatchObject({ SVC_MCP_REDIS_PASSWORD_PATH: '/run/redis/password' });
    expect(router.volumes).toEqual(['redis-password:/run/redis:ro']);
    expect(router.ports).toEqual(['192.0.2.7:8010:8010']);
    expect(router.environment.MCP_ALLOWED_HOSTS).toContain('192.0.2.7:*');
    expect(parseEnv(read('.env'))['SVC_MCP_RAG_BACKEND']).toBe('redis');
  });
});
