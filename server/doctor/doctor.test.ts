/** The doctor on a whole setup, then on one fault after the other: each is found, and its remedy turns the line [OK]. */
import { execFileSync, execSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Operators } from '../approvals/operators.ts';
import { loadConfig, packageRoot } from '../config/config.ts';
import { readPlatformFiles } from '../config/platform-file.ts';
import { exposedKeyFile } from '../config/private-path.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { EmbeddedStore } from '../knowledge/embedded-store.ts';
import { openCatalog } from '../open-catalog.ts';
import type { Answers } from '../setup/answers.ts';
import { type ClientName, clientFiles } from '../setup/host-files.ts';
import { earlierAnswers } from '../setup/previous-answers.ts';
import { writeAnswers } from '../setup/write-answers.ts';
import { startProvider, type TestProvider } from '../test/support/openid-provider.ts';
import { freePort } from '../test/support/programs.ts';
import { type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import type { ContainerForm } from './container-form.ts';
import { CHECKS_FOLDER, countsLine, examine, lineOf, loadChecks, type Report, reportLines } from './examine.ts';
import { commandFor, installationOf, installedCommand } from './installation.ts';

let installation: SampleInstallation;
let port: number;
let healthyEnv: string;
const at = (...parts: string[]) => join(installation.root, ...parts);
const CREDENTIALS = { mgmt: { base_url: 'http://127.0.0.1:1/mgmt', client_id: 'client-1', workspace_id: 'one' } };
const SECRET = 'a-client-secret-of-the-doctor-test';
/** The command keeps no compiled code, and here it may use what the others keep. */
const COMPILED = join(packageRoot, 'node_modules', '.cache', 'compile');

const write = (path: string, text: string, mode = 0o600) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text, { mode });
  chmodSync(at(path), mode);
};
const setEnv = (...lines: string[]) => write('.env', `${healthyEnv}${lines.map((line) => `${line}\n`).join('')}`);
const build = () => {
  const { catalog } = openCatalog(loadConfig({ env: environment(), cwd: installation.root, root: installation.root }));
  catalog.close();
  return catalog.folder;
};

/** The folder of commands that the container check calls. */
const programs = (compose: string, buildx = true) => {
  write(
    'bin/docker',
    `#!/bin/sh\ncase "$1" in\n compose) echo ${compose} ;;\n buildx) exit ${buildx ? 0 : 1} ;;\nesac\n`,
    0o755,
  );
  write('bin/npm', '#!/bin/sh\n', 0o755);
};

const environment = (): Record<string, string> => ({
  PATH: `${at('bin')}:/usr/bin:/bin`,
  SVC_MCP_CONFIG_DIR: at('user'),
  SVC_MCP_STATE_DIR: at('state'),
  TOKEN_CACHE_DIR: at('cache'),
});
const doctor = (env: Record<string, string> = {}, directory = installation.root): Promise<Report> =>
  examine(installationOf({ env: { ...environment(), ...env }, directory, root: installation.root }));

const clients = (bearer = true) =>
  clientFiles(packageRoot, Object.keys(LAYOUT.clients) as ClientName[], {
    node: process.execPath,
    router: join(packageRoot, 'server/cli/router.mjs'),
    directory: installation.root,
    url: `http://127.0.0.1:${port}/mcp`,
    bearer,
    startable: true,
  });
const OVERLAY = {
  services: { 'mcp-router': { secrets: ['mcp_http_bearer_token'] } },
  secrets: { mcp_http_bearer_token: { file: `./${LAYOUT.bearer}` } },
};

beforeAll(async () => {
  installation = sampleInstallation();
  port = await freePort();
  healthyEnv = [
    'MCP_TRANSPORT=streamable-http',
    `MCP_PORT=${port}`,
    'SVC_MCP_TOOLSETS=mgmt',
    `MCP_HTTP_BEARER_TOKEN_FILE=${LAYOUT.bearer}`,
    'SOURCE_CLIENT_SECRET_FILE=secrets/mgmt_client_secret',
    '',
  ].join('\n');
  copyFileSync(join(packageRoot, 'package.json'), at('package.json'));
  for (const name of Object.keys(JSON.parse(readFileSync(at('package.json'), 'utf8')).dependencies))
    write(`node_modules/${name}/package.json`, '{}');
  cpSync(join(packageRoot, 'server/setup/clients'), at('server/setup/clients'), { recursive: true });
  write('.env', healthyEnv);
  write(LAYOUT.credentials, stringify(CREDENTIALS));
  write(LAYOUT.bearer, `${'ab'.repeat(32)}\n`);
  write('secrets/mgmt_client_secret', `${SECRET}\n`);
  for (const [path, text] of Object.entries(clients())) write(path, text);
  programs('2.26.1');
  build();
  provider = await startProvider('console', 'a-secret-of-the-console');
});
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]();
  installation?.[Symbol.dispose]();
});

describe('the doctor', () => {
  test('finds nothing wrong with a whole setup', async () => {
    const { findings, counts } = await doctor();
    expect(findings.filter(({ label }) => label !== 'ok').map(lineOf)).toEqual([]);
    expect(countsLine(counts)).toBe(`0 fail, 0 warn, ${findings.length} ok`);
  });

  test('runs every file of its folder, each by its name and in an order of its own', async () => {
    const checks = await loadChecks();
    const names = readdirSync(CHECKS_FOLDER).map((name) => name.replace('.ts', ''));
    expect(checks.map(({ id }) => id).sort()).toEqual(names.sort());
    expect(new Set(checks.map(({ order }) => order)).size).toBe(checks.length);
    const { findings } = await doctor();
    expect([...new Set(findings.map(({ check }) => check))]).toEqual(checks.map(({ id }) => id));
  });

  test('changes nothing: no file is created, removed or written', async () => {
    const picture = () =>
      Object.fromEntries(
        readdirSync(installation.root, { recursive: true, encoding: 'utf8' }).map((name) => {
          const { mode, size, mtimeMs, ino } = statSync(at(name));
          return [name, [mode, size, mtimeMs, ino].join(' ')];
        }),
      );
    const before = picture();
    await doctor();
    expect(picture()).toEqual(before);
    const child = execFileSync(process.execPath, [join(packageRoot, 'server/cli/doctor.mjs'), '--json'], {
      cwd: installation.root,
      env: { ...environment(), HOME: installation.root, NODE_COMPILE_CACHE: COMPILED },
      encoding: 'utf8',
    });
    expect(JSON.parse(child)).toMatchObject({ ok: true, counts: { fail: 0 } });
    expect(picture()).toEqual(before);
  });
});

interface Fault {
  /** The check that must find it. */
  check: string;
  label: 'warn' | 'fail';
  seed: () => unknown;
  says: RegExp;
  remedy: RegExp;
  /** Does what the remedy says; by default what was seeded is taken back by hand. */
  apply: (remedy: string) => unknown;
  env?: Record<string, string>;
  /** Looked at in the place of the folder that is set up. */
  directory?: string;
}

const plainEnv = () => write('.env', healthyEnv);
const plainCredentials = () => write(LAYOUT.credentials, stringify(CREDENTIALS));
const shell = (remedy: string) => execSync(remedy, { stdio: 'ignore' });
const setting = (line: string, check: string, says: RegExp, remedy: RegExp, label: Fault['label'] = 'fail'): Fault => ({
  check,
  label,
  seed: () => setEnv(line),
  says,
  remedy,
  apply: plainEnv,
});
const credentials = (change: object, says: RegExp, remedy = /put your own|set them in/): Fault => ({
  check: 'accounts',
  label: 'warn',
  seed: () => write(LAYOUT.credentials, stringify({ mgmt: { ...CREDENTIALS.mgmt, ...change } })),
  says,
  remedy,
  apply: plainCredentials,
});
const mode = (path: string, bits: number, label: Fault['label']): Fault => ({
  check: 'file-modes',
  label,
  seed: () => chmodSync(at(path), bits),
  says: /by others \(0\d\d\d\)/,
  remedy: /^chmod [67]00 /,
  apply: shell,
});

/** One document, its vectors marked as made by somebody or nobody. */
function corpus(mark = ''): void {
  rmSync(at('state/knowledge'), { recursive: true, force: true });
  using store = new EmbeddedStore(at('state/knowledge/corpus.sqlite'));
  const metadata = { path: 'a.md', title: 'A', source: 's', doc_type: 's', platform: '', version: '', date: '' };
  const passages = [{ section: 'top', heading: '', text: 'text' }];
  store.put('default', 'hash', { metadata: { ...metadata, licence: '', superseded_by: '' }, passages });
  const [document] = store.marks?.waiting('default', '-') ?? [];
  if (document) store.marks?.finish(document, mark);
}

let provider: TestProvider;
const CONSOLE_OIDC = [
  'SVC_MCP_CONSOLE_PORT=8020',
  'SVC_MCP_CONSOLE_URL=https://ops.example',
  'SVC_MCP_CONSOLE_OIDC_CLIENT_ID=console',
  'SVC_MCP_OPERATORS_PATH=operators.json',
  'SVC_MCP_AUDIT_LOG=1',
];

let catalogFolder = () => '';
let server: Server | undefined;

const FAULTS: Record<string, Fault> = {
  'a manifest that is not JSON': {
    check: 'package',
    label: 'fail',
    seed: () => writeFileSync(at('package.json'), '{'),
    says: /should be JSON with name and version/,
    remedy: /install this package again/,
    apply: () => copyFileSync(join(packageRoot, 'package.json'), at('package.json')),
  },
  'a folder that is not there': {
    check: 'folder',
    label: 'fail',
    directory: 'meant',
    seed: () => undefined,
    says: /meant is not there/,
    remedy: /--directory, or svc-mcp-setup --directory \S+meant$/,
    apply: () => symlinkSync(installation.root, at('meant')),
  },
  'a folder that is a file': {
    check: 'folder',
    label: 'fail',
    directory: 'mistaken',
    seed: () => write('mistaken', ''),
    says: /mistaken is no folder/,
    remedy: /name a folder/,
    apply: () => {
      rmSync(at('mistaken'));
      symlinkSync(installation.root, at('mistaken'));
    },
  },
  'an old Node.js': {
    check: 'node-version',
    label: 'fail',
    seed: () => manifest((content) => ({ ...content, engines: { node: '>=99.1' } })),
    says: /is older than 99\.1/,
    remedy: /install Node\.js 99\.1/,
    apply: () => copyFileSync(join(packageRoot, 'package.json'), at('package.json')),
  },
  'no npm': {
    check: 'package-manager',
    label: 'warn',
    seed: () => renameSync(at('bin/npm'), at('bin/npm-away')),
    env: { PATH: '{bin}' },
    says: /is not in PATH/,
    remedy: /install npm/,
    apply: () => renameSync(at('bin/npm-away'), at('bin/npm')),
  },
  'a package that is not installed': {
    check: 'modules',
    label: 'fail',
    seed: () => manifest((content) => ({ ...content, dependencies: { 'not-a-package-of-ours': '1.0.0' } })),
    says: /not-a-package-of-ours is not installed/,
    remedy: /npm ci/,
    apply: () => copyFileSync(join(packageRoot, 'package.json'), at('package.json')),
  },
  'a platform file with a wrong key': {
    check: 'platform-files',
    label: 'fail',
    seed: () => installation.writePlatform({ kind: 'toaster' }),
    says: /mgmt\.yaml: `\/kind`/,
    remedy: /correct that place/,
    apply: () => installation.writePlatform({}),
  },
  'a platform file that is not YAML': {
    check: 'platform-files',
    label: 'fail',
    seed: () => writeFileSync(at('server/platforms/mgmt.yaml'), 'id: [mgmt\n'),
    says: /mgmt\.yaml:\d+: not YAML/,
    remedy: /correct that place/,
    apply: () => installation.writePlatform({}),
  },
  'no .env': {
    check: 'env-file',
    label: 'warn',
    seed: () => rmSync(at('.env')),
    says: /is not there/,
    remedy: /svc-mcp-setup/,
    apply: plainEnv,
  },
  'an .env that cannot be read': {
    check: 'env-file',
    label: 'fail',
    seed: () => {
      rmSync(at('.env'));
      mkdirSync(at('.env'));
    },
    says: /cannot be read/,
    remedy: /UTF-8 text file that you may read/,
    apply: () => {
      rmSync(at('.env'), { recursive: true });
      plainEnv();
    },
  },
  'a secret in .env': setting(
    'SVC_NAC_CLIENT_SECRET=left-in-the-open',
    'env-file',
    /looks like a secret/,
    /SVC_NAC_CLIENT_SECRET_FILE/,
    'warn',
  ),
  "another program's secret in .env": setting(
    'GITHUB_TOKEN=left-in-the-open',
    'env-file',
    /GITHUB_TOKEN|secret/,
    /move it/,
    'warn',
  ),
  'a misspelt gate': setting(
    'SVC_MCP_MGMT_WRITE=1',
    'unknown-names',
    /SVC_MCP_MGMT_WRITE is not/,
    /correct its spelling/,
    'warn',
  ),
  'a file for what is no secret': setting(
    'MCP_HOST_FILE=host',
    'unknown-names',
    /MCP_HOST_FILE is not read/,
    /remove it/,
    'warn',
  ),
  'a port that is none': setting('MCP_PORT=many', 'settings', /whole number from 0 to 65535/, /correct the value/),
  'an unknown mode': setting(
    'SVC_MCP_ROUTER_MODE=huge',
    'settings',
    /one of minimal, default, direct/,
    /correct the value/,
  ),
  'a flag that is neither on nor off': setting(
    'SVC_MCP_METRICS=maybe',
    'settings',
    /1, true, yes or on/,
    /correct the value/,
  ),
  'a number out of range': setting(
    'SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS=900',
    'settings',
    /from 1 to 200/,
    /correct the value/,
  ),
  'an unknown profile': setting('SVC_MCP_ACCESS_PROFILE=admin', 'settings', /safe-read-only/, /correct the value/),
  'an unknown toolset': setting('SVC_MCP_TOOLSETS=mgmt,toaster', 'selection', /got "toaster"/, /names of that list/),
  'an unknown product': setting('SVC_MCP_PRODUCTS=toaster', 'selection', /got "toaster"/, /names of that list/),
  'nothing to serve': setting('SVC_MCP_TOOLSETS=rag', 'selection', /none is served/, /SVC_MCP_TOOLSETS/, 'warn'),
  'a gate that is neither open nor closed': setting(
    'SVC_MCP_MGMT_WRITES=maybe',
    'access',
    /SVC_MCP_MGMT_WRITES should be/,
    /set it to 1 or 0/,
  ),
  'a read-only profile with an open gate': {
    ...setting('SVC_MCP_ACCESS_PROFILE=safe-read-only', 'access', /contradicts SVC_MCP_MGMT_WRITES=1/, /remove one/),
    seed: () => setEnv('SVC_MCP_ACCESS_PROFILE=safe-read-only', 'SVC_MCP_MGMT_WRITES=1'),
  },
  'a read-write profile with a closed gate': {
    ...setting('', 'access', /contradicts SVC_MCP_MGMT_WRITES=0/, /remove one/),
    seed: () => setEnv('SVC_MCP_ACCESS_PROFILE=full-read-write', 'SVC_MCP_MGMT_WRITES=0'),
  },
  'a read-write profile and the kill switch': {
    ...setting('', 'access', /contradicts SVC_MCP_READONLY=1/, /remove one/),
    seed: () => setEnv('SVC_MCP_ACCESS_PROFILE=full-read-write', 'SVC_MCP_READONLY=1'),
  },
  'a bind address without allow-lists': setting('MCP_HOST=0.0.0.0', 'binding', /not loopback/, /bind to 127\.0\.0\.1/),
  'a bare wildcard': setting('MCP_ALLOWED_HOSTS=*', 'binding', /entries like host/, /name each host/),
  'rebinding protection off': setting('MCP_DNS_REBINDING_PROTECTION=0', 'binding', /lets any web page/, /leave it on/),
  'rebinding protection off, and meant': {
    ...setting('', 'binding', /Host and Origin are not checked/, /remove MCP_DNS/, 'warn'),
    seed: () => setEnv('MCP_DNS_REBINDING_PROTECTION=0', 'SVC_MCP_ALLOW_INSECURE_HTTP_BINDING=1'),
  },
  'a bearer token over stdio': setting(
    'MCP_TRANSPORT=stdio',
    'binding',
    /has no HTTP to protect/,
    /or remove the token/,
  ),
  'no bearer token beyond loopback, for a quick look': {
    ...setting(
      '',
      'binding',
      /without a bearer token: every write gate stays shut/,
      /MCP_HTTP_BEARER_TOKEN_FILE/,
      'warn',
    ),
    seed: () =>
      write(
        '.env',
        `${healthyEnv.replace(/^MCP_HTTP_BEARER.*\n/m, '')}MCP_HOST=0.0.0.0\nMCP_ALLOWED_HOSTS=127.0.0.1:*\nMCP_ALLOWED_ORIGINS=127.0.0.1:*\n`,
      ),
  },
  'no bearer token where others can call': {
    ...setting('', 'binding', /MCP_HTTP_BEARER_TOKEN should be set, got nothing/, /MCP_HTTP_BEARER_TOKEN_FILE/),
    seed: () =>
      write(
        '.env',
        `${healthyEnv.replace(/^MCP_HTTP_BEARER.*\n/m, '')}MCP_HOST=0.0.0.0\nMCP_ALLOWED_HOSTS=router.test:*\nMCP_ALLOWED_ORIGINS=router.test:*\n`,
      ),
  },
  'a bearer token that is too short to start with': {
    check: 'bearer',
    label: 'fail',
    seed: () => write(LAYOUT.bearer, 'short\n'),
    says: /at least 24 characters, got 5: the router does not start/,
    remedy: /openssl rand -hex 32$/,
    apply: (remedy) => write(LAYOUT.bearer, execSync(remedy.slice(remedy.indexOf('openssl')), { encoding: 'utf8' })),
  },
  'a short bearer token': {
    check: 'bearer',
    label: 'warn',
    seed: () => write(LAYOUT.bearer, 'a-bearer-of-28-characters-ok\n'),
    says: /fewer than 32/,
    remedy: /openssl rand -hex 32$/,
    apply: (remedy) => write(LAYOUT.bearer, execSync(remedy.slice(remedy.indexOf('openssl')), { encoding: 'utf8' })),
  },
  'a port that another program has': {
    check: 'http-port',
    label: 'fail',
    seed: async () => {
      server = createServer((_, response) => response.end('not a router')).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    says: /in use by another program/,
    remedy: /stop that program/,
    apply: async () => {
      server?.closeAllConnections();
      server?.close();
      await once(server as Server, 'close');
    },
  },
  'an address that this machine does not have': {
    ...setting('', 'http-port', /cannot listen at fd00::1 \(E[A-Z]+\)/, /MCP_HOST to an address of this machine/),
    seed: () => setEnv('MCP_HOST=fd00::1', 'MCP_ALLOWED_HOSTS=[fd00::1]:*', 'MCP_ALLOWED_ORIGINS=[fd00::1]:*'),
  },
  'a secret file that is not there': {
    check: 'secret-files',
    label: 'fail',
    seed: () => rmSync(at('secrets/mgmt_client_secret')),
    says: /SOURCE_CLIENT_SECRET_FILE should name a file that can be read/,
    remedy: /write the secret into/,
    apply: () => write('secrets/mgmt_client_secret', `${SECRET}\n`),
  },
  'an empty secret file': {
    check: 'secret-files',
    label: 'fail',
    seed: () => write('secrets/mgmt_client_secret', '\n'),
    says: /a file with one line/,
    remedy: /write the secret into/,
    apply: () => write('secrets/mgmt_client_secret', `${SECRET}\n`),
  },
  'a secret file with an example in it': {
    check: 'secret-files',
    label: 'warn',
    seed: () => write('secrets/mgmt_client_secret', 'your-client-secret\n'),
    says: /still holds an example/,
    remedy: /put the secret into/,
    apply: () => write('secrets/mgmt_client_secret', `${SECRET}\n`),
  },
  'a variable set to nothing beside its file': setting(
    'SOURCE_CLIENT_SECRET=',
    'secret-files',
    /should be a value or not be set/,
    /remove the name|write the secret/,
  ),
  'no credentials file': {
    check: 'credentials-file',
    label: 'warn',
    seed: () => rmSync(at(LAYOUT.credentials)),
    says: /is not there/,
    remedy: /svc-mcp-setup/,
    apply: plainCredentials,
  },
  'credentials that are not YAML': {
    check: 'credentials-file',
    label: 'fail',
    seed: () => write(LAYOUT.credentials, 'mgmt: [base_url\n'),
    says: /syntax error/,
    remedy: /correct that place/,
    apply: plainCredentials,
  },
  'credentials with an unknown field': {
    check: 'credentials-file',
    label: 'fail',
    seed: () => write(LAYOUT.credentials, 'mgmt:\n  user: someone\n'),
    says: /`mgmt.*` should hold only/,
    remedy: /correct that place/,
    apply: plainCredentials,
  },
  'credentials that are a folder': {
    check: 'credentials-file',
    label: 'fail',
    seed: () => {
      rmSync(at(LAYOUT.credentials));
      mkdirSync(at(LAYOUT.credentials));
    },
    says: /cannot be read/,
    remedy: /correct that place/,
    apply: () => {
      rmSync(at(LAYOUT.credentials), { recursive: true });
      plainCredentials();
    },
  },
  'an account without a client, at an address of an example': credentials(
    { client_id: '', base_url: 'https://us.mgmt.svc.example' },
    /lacks mgmt\.client_id \(SOURCE_CLIENT_ID\); base_url of `mgmt` still has an example value/,
  ),
  'an address of an example': credentials(
    { base_url: 'https://api.example.net' },
    /base_url of `mgmt` still has an example/,
  ),
  'a client of an example': credentials({ client_id: '<client id>' }, /client_id of `mgmt` still has an example/),
  'secrets in the clear': credentials(
    { base_url: 'http://platform.test/mgmt' },
    /travel in the clear/,
    /https address/,
  ),
  'an address without its scheme, in the file': {
    check: 'credentials-file',
    label: 'fail',
    seed: () => write(LAYOUT.credentials, stringify({ mgmt: { ...CREDENTIALS.mgmt, base_url: '10.0.0.5' } })),
    says: /`mgmt\.base_url` should be an http or https URL/,
    remedy: /correct that place/,
    apply: plainCredentials,
  },
  'an address without its scheme, of the account': {
    check: 'accounts',
    label: 'fail',
    seed: () => write(LAYOUT.credentials, stringify({ mgmt: { ...CREDENTIALS.mgmt, base_url: '10.0.0.5' } })),
    says: /`mgmt\.base_url` should be an http or https URL/,
    remedy: /correct it in \S+ or SOURCE_BASE_URL/,
    apply: plainCredentials,
  },
  'a secret file that others can read': mode('secrets/mgmt_client_secret', 0o640, 'warn'),
  'a secret file that all can write': mode('secrets/mgmt_client_secret', 0o666, 'fail'),
  'credentials that others can read': mode(LAYOUT.credentials, 0o644, 'warn'),
  'an .env that a group can write': mode('.env', 0o660, 'fail'),
  'a client file that all can write': mode(LAYOUT.clients.stdio, 0o666, 'fail'),
  'a state folder that others can read': {
    ...mode('state', 0o755, 'warn'),
    seed: () => mkdirSync(at('state'), { mode: 0o755 }),
  },
  'a lost client template': {
    check: 'client-templates',
    label: 'fail',
    seed: () => rmSync(at('server/setup/clients/http.json')),
    says: /is missing or not JSON/,
    remedy: /git checkout server\/setup\/clients/,
    apply: () =>
      copyFileSync(join(packageRoot, 'server/setup/clients/http.json'), at('server/setup/clients/http.json')),
  },
  ...Object.fromEntries(
    (
      [
        ['that is not there', () => rmSync(at(LAYOUT.clients.stdio)), 'warn', /is not there/, LAYOUT.clients.stdio],
        [
          'that is not JSON',
          () => write(LAYOUT.clients.http, '{'),
          'fail',
          /not a configuration of an MCP host/,
          LAYOUT.clients.http,
        ],
        [
          'that is not TOML',
          () => write(LAYOUT.clients.toml, '[mcp_servers'),
          'fail',
          /not a configuration of an MCP host/,
          LAYOUT.clients.toml,
        ],
        [
          'in TOML without the token',
          () => change(LAYOUT.clients.toml, /bearer_token_env_var.*\n/, ''),
          'fail',
          /bearer_token_env_var/,
          LAYOUT.clients.toml,
        ],
        [
          'with its placeholders',
          () => copyFileSync(at('server/setup/clients/stdio.json'), at(LAYOUT.clients.stdio)),
          'warn',
          /placeholder/,
          LAYOUT.clients.stdio,
        ],
        [
          'of a folder that is gone',
          () => change(LAYOUT.clients.stdio, installation.root, '/nowhere/at/all'),
          'fail',
          /\/nowhere\/at\/all is not there/,
          LAYOUT.clients.stdio,
        ],
        [
          'without its transport',
          () => change(LAYOUT.clients.stdio, '"stdio"', '"http"'),
          'fail',
          /MCP_TRANSPORT/,
          LAYOUT.clients.stdio,
        ],
        [
          'of another port',
          () => change(LAYOUT.clients.http, String(port), '1'),
          'fail',
          /MCP_PORT is/,
          LAYOUT.clients.http,
        ],
        [
          'of another path',
          () => change(LAYOUT.clients.editor, '/mcp', '/'),
          'fail',
          /end in \/mcp/,
          LAYOUT.clients.editor,
        ],
        [
          'without the token',
          () => write(LAYOUT.clients.http, clients(false)[LAYOUT.clients.http] ?? ''),
          'fail',
          /Authorization/,
          LAYOUT.clients.http,
        ],
      ] as const
    ).map(([name, seed, label, says, path]): [string, Fault] => [
      `a client file ${name}`,
      {
        check: 'client-files',
        label,
        seed,
        says,
        remedy: /svc-mcp-setup/,
        apply: () => write(path, clients()[path] ?? ''),
      },
    ]),
  ),
  'lost documents': {
    check: 'documents',
    label: 'fail',
    seed: () => renameSync(at('var/openapi'), at('var/away')),
    says: /none for mgmt/,
    remedy: /svc-mcp-catalog build/,
    apply: () => renameSync(at('var/away'), at('var/openapi')),
  },
  'a platform of the user that cannot be used': {
    check: 'own-platforms',
    label: 'warn',
    seed: () => write('user/platforms/shop.yaml', 'id: shop\n'),
    says: /the platform is left out/,
    remedy: /correct the file, or remove it/,
    apply: () => rmSync(at('user'), { recursive: true }),
  },
  'a folder in the place of a platform of the user': {
    check: 'own-platforms',
    label: 'warn',
    seed: () => mkdirSync(at('user/platforms/shop.yaml'), { recursive: true }),
    says: /shop\.yaml cannot be read \(EISDIR\): the platform is left out/,
    remedy: /correct the file, or remove it/,
    apply: () => rmSync(at('user'), { recursive: true }),
  },
  'an operation that the operator lowered and that changed since': {
    check: 'lowered-operations',
    label: 'warn',
    seed: () => {
      const paths = { '/find': { post: { operationId: 'findAll', responses: {} } } };
      write('user/platforms/shop/api.json', JSON.stringify({ openapi: '3.0.3', paths }));
      write(
        'user/platforms/shop.yaml',
        stringify({
          id: 'shop',
          title: 'Shop',
          kind: 'user',
          words: ['shop'],
          documents: 'shop',
          backends: {},
          auth: { strategy: 'none', section: 'shop' },
          gate: null,
          rate: { burst: 2 },
          overrides: { 'POST /find': { capability: 'read', why: 'it only reads', operation_digest: 'A'.repeat(43) } },
        }),
      );
    },
    says: /shop: POST \/find is called read in the platform file, but the operation changed since/,
    remedy: /add the document again with --read-operation/,
    apply: () => rmSync(at('user'), { recursive: true }),
  },
  'a security scheme that the router does not send': {
    check: 'accounts',
    label: 'warn',
    seed: () => {
      write('user/platforms/shop/api.json', JSON.stringify({ openapi: '3.1.0', paths: {} }));
      const scheme = {
        id: 'tls',
        name: 'tls',
        documents: ['api'],
        about: 'mutualTLS',
        ways: [],
        unsendable: 'no setting',
      };
      write(
        'user/platforms/shop.yaml',
        stringify({
          id: 'shop',
          title: 'Shop',
          kind: 'user',
          words: ['shop'],
          documents: 'shop',
          backends: {},
          base_url: 'https://shop.test',
          auth: { strategy: 'declared', section: 'shop', schemes: [scheme] },
          gate: null,
          rate: { burst: 2 },
          overrides: {},
        }),
      );
    },
    says: /the scheme "tls" \(mutualTLS\) is not sent: no setting; calls that need it are refused/,
    remedy: /add the documents again with --auth/,
    apply: () => rmSync(at('user'), { recursive: true }),
  },
  'no catalog': {
    check: 'catalog',
    label: 'warn',
    seed: () => rmSync(at('var/catalog'), { recursive: true }),
    says: /not built/,
    remedy: /svc-mcp-catalog build/,
    apply: build,
  },
  'a stale catalog': {
    check: 'catalog',
    label: 'warn',
    seed: () => {
      const file = at('var/openapi/mgmt/config-security.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"Sample"', '"Changed"'));
      utimesSync(file, 1, 1);
    },
    says: /is older than/,
    remedy: /svc-mcp-catalog build/,
    apply: build,
  },
  'a catalog of another version': {
    check: 'catalog',
    label: 'warn',
    seed: () => change('var/catalog/current.json', /"format": ?\d+/, '"format": 1'),
    says: /another version/,
    remedy: /svc-mcp-catalog build/,
    apply: build,
  },
  'a damaged catalog': {
    check: 'catalog',
    label: 'fail',
    seed: () => writeFileSync(join(catalogFolder(), 'catalog.sqlite'), 'not a database'),
    says: /is not whole/,
    remedy: /svc-mcp-catalog build/,
    apply: build,
  },
  'indexes of an earlier version under a catalog that is older as well': {
    check: 'search-index',
    label: 'warn',
    seed: () => {
      const file = at('var/openapi/mgmt/config-security.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"title": ?"[^"]*"/, '"title":"Later"'));
      utimesSync(file, 2, 2);
      for (const name of ['search.idx', 'spec-index.sqlite'])
        writeFileSync(join(catalogFolder(), name), 'another form');
    },
    says: /is of an earlier version/,
    remedy: /^svc-mcp-catalog build --directory \S+$/,
    apply: build,
  },
  'a broken search index': {
    check: 'search-index',
    label: 'fail',
    seed: () => writeFileSync(join(catalogFolder(), 'search.idx'), 'not an index'),
    says: /cannot be read/,
    remedy: /^remove .*, then svc-mcp-catalog build --directory \S+$/,
    apply: () => {
      rmSync(catalogFolder(), { recursive: true });
      build();
    },
  },
  'a broken spec index': {
    check: 'spec-index',
    label: 'fail',
    seed: () => writeFileSync(join(catalogFolder(), 'spec-index.sqlite'), 'not an index'),
    says: /cannot be read/,
    remedy: /^remove .*, then svc-mcp-catalog build --directory \S+$/,
    apply: () => {
      rmSync(catalogFolder(), { recursive: true });
      build();
    },
  },
  'a corpus that cannot be read': {
    check: 'corpus',
    label: 'fail',
    seed: () => {
      mkdirSync(at('state'), { recursive: true, mode: 0o700 });
      write('state/knowledge/corpus.sqlite', 'this is no corpus, and long enough to be looked at as one');
    },
    says: /corpus\.sqlite cannot be read/,
    remedy: /remove it, then svc-mcp-ingest/,
    apply: () => rmSync(at('state/knowledge'), { recursive: true }),
  },
  'a corpus of an earlier version': {
    check: 'corpus',
    label: 'warn',
    seed: () => {
      corpus();
      using database = new DatabaseSync(at('state/knowledge/corpus.sqlite'));
      database.exec('PRAGMA user_version = 1');
    },
    says: /1 documents, 1 passages, in a form of an earlier version/,
    remedy: /svc-mcp-ingest/,
    apply: () => corpus(),
  },
  'an embedder and no document': {
    check: 'corpus',
    label: 'warn',
    seed: () => rmSync(at('state/knowledge'), { recursive: true, force: true }),
    env: { OLLAMA_URL: 'http://127.0.0.1:1' },
    says: /no document/,
    remedy: /svc-mcp-ingest/,
    apply: () => corpus('embedded/nomic-embed-text'),
  },
  'documents with vectors of another model': {
    check: 'corpus',
    label: 'warn',
    seed: () => corpus('embedded/another-model'),
    env: { OLLAMA_URL: 'http://127.0.0.1:1' },
    says: /1 of 1 documents have no vectors of nomic-embed-text in embedded/,
    remedy: /svc-mcp-ingest/,
    apply: () => corpus('embedded/nomic-embed-text'),
  },
  'a file where the state folder should be': {
    check: 'state-folder',
    label: 'fail',
    seed: () => write('in-the-way', ''),
    env: { SVC_MCP_STATE_DIR: '{root}/in-the-way' },
    says: /is a file/,
    remedy: /remove the file at this path/,
    apply: () => rmSync(at('in-the-way')),
  },
  'a file where the folder of the catalog should be': {
    check: 'catalog',
    label: 'fail',
    seed: () => write('no-folder', ''),
    env: { SVC_MCP_CATALOG_DIR: '{root}/no-folder/catalog' },
    says: /has to be built, and .*no-folder is a file/,
    remedy: /SVC_MCP_CATALOG_DIR/,
    apply: () => {
      rmSync(at('no-folder'));
      symlinkSync(at('var'), at('no-folder'));
    },
  },
  'an account that the list of origins leaves out': setting(
    'SVC_MCP_EGRESS=https://elsewhere.example',
    'accounts',
    /not on SVC_MCP_EGRESS: every call is refused/,
    /add .* to SVC_MCP_EGRESS/,
    'warn',
  ),
  // Where this user may make a disk of its own.
  ...(process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0
    ? {
        'a full disk': {
          check: 'state-folder',
          label: 'fail' as const,
          seed: () => {
            mkdirSync(at('small'));
            execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0700', 'tmpfs', at('small')]);
            spawnSync('dd', ['if=/dev/zero', `of=${at('small/fill')}`], { stdio: 'ignore' });
          },
          env: { SVC_MCP_STATE_DIR: '{root}/small/state' },
          says: /the disk of .*small is full/,
          remedy: /free space there/,
          apply: () => execFileSync('umount', [at('small')]),
        },
      }
    : {}),
  'a state folder that others can write': {
    check: 'state-folder',
    label: 'fail',
    seed: () => {
      mkdirSync(at('open-state'));
      chmodSync(at('open-state'), 0o777);
    },
    env: { SVC_MCP_STATE_DIR: '{root}/open-state' },
    says: /0700.*mode 0777/,
    remedy: /chmod 700/,
    apply: shell,
  },
  'a key file that others can read': {
    check: 'signing-keys',
    label: 'fail',
    seed: () => {
      write('keys', `${'ab'.repeat(32)}\n`);
      chmodSync(at('keys'), 0o640);
    },
    env: { SVC_MCP_SIGNING_KEYS_PATH: '{root}/keys' },
    says: /0600.*mode 0640/,
    remedy: /chmod 600/,
    apply: shell,
  },
  'a key file of another form': {
    check: 'signing-keys',
    label: 'fail',
    seed: () => {
      write('keys', 'too short\n');
      chmodSync(at('keys'), 0o600);
    },
    env: { SVC_MCP_SIGNING_KEYS_PATH: '{root}/keys' },
    says: /64 hex digits/,
    remedy: /openssl rand -hex 32 > /,
    apply: shell,
  },
  'a key file that is not there': {
    check: 'signing-keys',
    label: 'fail',
    seed: () => rmSync(at('keys'), { force: true }),
    env: { SVC_MCP_SIGNING_KEYS_PATH: '{root}/keys' },
    says: /is not there/,
    remedy: /chmod 600/,
    apply: shell,
  },
  'an audit log that is a folder': {
    check: 'audit-log',
    label: 'fail',
    seed: () => mkdirSync(at('audit')),
    env: { SVC_MCP_AUDIT_LOG: '{root}/audit' },
    says: /is not a file/,
    remedy: /set SVC_MCP_AUDIT_LOG to a file/,
    apply: () => rmSync(at('audit'), { recursive: true }),
  },
  'an audit log that others can read': {
    check: 'audit-log',
    label: 'fail',
    seed: () => write('audit.jsonl', '', 0o644),
    env: { SVC_MCP_AUDIT_LOG: '{root}/audit.jsonl' },
    says: /can be read or written by others/,
    remedy: /chmod 600/,
    apply: shell,
  },
  'a key of the audit log that others can read': {
    check: 'audit-log',
    label: 'fail',
    seed: () => write('state/audit-key', `${'a'.repeat(64)}\n`, 0o644),
    env: { SVC_MCP_AUDIT_LOG: '{root}/log.jsonl', SVC_MCP_STATE_DIR: '{root}/state' },
    says: /audit-key .*mode 0644/,
    remedy: /chmod 600/,
    apply: shell,
  },
  'an approval webhook whose key is too short': {
    check: 'approvals',
    label: 'fail',
    seed: () => {
      write('operators.json', '{"operators":[{"name":"ada"}]}');
      write('webhook.key', 'short');
    },
    env: {
      SVC_MCP_APPROVALS: 'operator',
      SVC_MCP_APPROVAL_WEBHOOK: 'https://hooks.example/approvals',
      SVC_MCP_APPROVAL_WEBHOOK_KEY_PATH: '{root}/webhook.key',
      SVC_MCP_OPERATORS_PATH: '{root}/operators.json',
      SVC_MCP_AUDIT_LOG: '{root}/log.jsonl',
    },
    says: /a key of at least 32 characters, got 5/,
    remedy: /openssl rand -hex 32/,
    apply: shell,
  },
  'operators who approve, and no operator': {
    check: 'approvals',
    label: 'fail',
    seed: () => rmSync(at('operators.json'), { force: true }),
    env: {
      SVC_MCP_APPROVALS: 'operator',
      SVC_MCP_OPERATORS_PATH: '{root}/operators.json',
      SVC_MCP_AUDIT_LOG: '{root}/audit.jsonl',
    },
    says: /needs at least 1, got 0 operators/,
    remedy: /svc-mcp-approvals operator-add/,
    apply: () => write('operators.json', '{"operators":[{"name":"ada"}]}'),
  },
  'two operators for what destroys, and only one': {
    check: 'approvals',
    label: 'fail',
    seed: () => write('operators.json', '{"operators":[{"name":"ada"}]}'),
    env: {
      SVC_MCP_APPROVALS: 'two-for-destructive',
      SVC_MCP_OPERATORS_PATH: '{root}/operators.json',
      SVC_MCP_AUDIT_LOG: '{root}/audit.jsonl',
    },
    says: /needs at least 2, got 1 operator/,
    remedy: /svc-mcp-approvals operator-add/,
    apply: () => write('operators.json', '{"operators":[{"name":"ada"},{"name":"bob"}]}'),
  },
  'operators that others can read': {
    check: 'approvals',
    label: 'fail',
    seed: () => {
      write('operators.json', '{"operators":[{"name":"ada"}]}');
      chmodSync(at('operators.json'), 0o644);
    },
    env: {
      SVC_MCP_CONSOLE_PORT: '8020',
      SVC_MCP_OPERATORS_PATH: '{root}/operators.json',
      SVC_MCP_AUDIT_LOG: '{root}/audit.jsonl',
    },
    says: /0600.*mode 0644/,
    remedy: /chmod 600/,
    apply: shell,
  },
  'a client certificate without its key': {
    check: 'client-certificates',
    label: 'fail',
    seed: () =>
      write(
        LAYOUT.credentials,
        stringify({ ...CREDENTIALS, mgmt: { ...CREDENTIALS.mgmt, client_cert_path: 'none.pem' } }),
      ),
    says: /both client_cert_path and client_key_path, got the first alone/,
    remedy: /correct client_cert_path and client_key_path/,
    apply: () => write(LAYOUT.credentials, stringify(CREDENTIALS)),
  },
  'a principal that asks for more than the server has': {
    check: 'principals',
    label: 'fail',
    seed: () => write('principals.yaml', principalsFile('full-read-write')),
    env: {
      MCP_TRANSPORT: 'streamable-http',
      SVC_MCP_PRINCIPALS_PATH: '{root}/principals.yaml',
    },
    says: /principals\.yaml:4: `\/principals\/0\/profile`/,
    remedy: /correct the file/,
    apply: () => write('principals.yaml', principalsFile('safe-read-only')),
  },
  'an authorization server that nobody reaches': {
    check: 'oauth',
    label: 'fail',
    seed: () => {
      const oauth = 'SVC_MCP_OAUTH_ISSUER=http://127.0.0.1:9\nSVC_MCP_OAUTH_RESOURCE=https://router.example/mcp\n';
      write('.env', healthyEnv.replace(/^MCP_HTTP_BEARER_TOKEN_FILE=.*$/m, oauth));
    },
    says: /the authorization server at 127\.0\.0\.1:9 could not be reached/,
    remedy: /correct the SVC_MCP_OAUTH_ variables/,
    apply: plainEnv,
  },
  'an OpenID provider of operators that nobody reaches': {
    check: 'operator-sign-in',
    label: 'fail',
    seed: () => setEnv(...CONSOLE_OIDC, 'SVC_MCP_CONSOLE_OIDC_ISSUER=http://127.0.0.1:9'),
    says: /the authorization server at 127\.0\.0\.1:9 could not be asked/,
    remedy: /correct the SVC_MCP_CONSOLE_OIDC_ variables/,
    apply: plainEnv,
  },
  'an OpenID provider at which no operator signs in': {
    check: 'operator-sign-in',
    label: 'warn',
    seed: () => {
      setEnv(...CONSOLE_OIDC, `SVC_MCP_CONSOLE_OIDC_ISSUER=${provider.issuer}`);
      write('operators.json', '{"operators":[]}');
    },
    says: /no operator signs in at http:\/\/127\.0\.0\.1/,
    remedy: /operator-add NAME --oidc-subject SUBJECT/,
    apply: () =>
      new Operators(at('operators.json')).addIdentity('ada', { issuer: provider.issuer, subject: 'subject-of-ada' }),
  },
  'a client secret of the console that others can read': {
    check: 'operator-sign-in',
    label: 'fail',
    seed: () => {
      write('console-secret', 'a-secret-of-the-console\n', 0o644);
      setEnv(
        ...CONSOLE_OIDC,
        `SVC_MCP_CONSOLE_OIDC_ISSUER=${provider.issuer}`,
        `SVC_MCP_CONSOLE_OIDC_CLIENT_SECRET_PATH=${at('console-secret')}`,
      );
    },
    says: /0600.*mode 0644/,
    remedy: /chmod 600/,
    apply: shell,
  },
  'writes that an operator stopped': {
    check: 'approvals',
    label: 'warn',
    seed: () => {
      mkdirSync(at('stopped'), { mode: 0o700 });
      write('stopped/write-switch.json', '{"number":1,"writes":"stopped","by":"ada","at":0}');
    },
    env: { SVC_MCP_STATE_DIR: '{root}/stopped' },
    says: /all writes are stopped by ada/,
    remedy: /resume-writes/,
    apply: () => rmSync(at('stopped/write-switch.json')),
  },
  'replicas that share nothing': setting('SVC_MCP_REPLICAS=3', 'redis', /share no Redis/, /SVC_MCP_REDIS_URL/, 'warn'),
  'a Redis without its password': {
    check: 'redis',
    label: 'fail',
    seed: () => rmSync(at('redis-password'), { force: true }),
    env: { SVC_MCP_REDIS_URL: 'redis://127.0.0.1:1', SVC_MCP_REDIS_PASSWORD_PATH: '{root}/redis-password' },
    says: /holds no password/,
    remedy: /write the password/,
    apply: () => write('redis-password', 'a-password\n'),
  },
  'a setting that only the start refuses': setting(
    'SVC_MCP_REDIS_URL=redis://127.0.0.1:1',
    'start',
    /refused: SVC_MCP_REDIS_PASSWORD_PATH should be set/,
    /correct the variable/,
  ),
  'an overlay that is not YAML': {
    check: 'container',
    label: 'fail',
    seed: () => write(LAYOUT.overlay, 'services: [\n'),
    says: /is not YAML/,
    remedy: /--docker --force/,
    apply: () => rmSync(at(LAYOUT.overlay)),
  },
  'an overlay whose secrets are gone': {
    check: 'container',
    label: 'fail',
    seed: () => write(LAYOUT.overlay, stringify({ ...OVERLAY, secrets: { gone: { file: './secrets/gone' } } })),
    says: /secrets\/gone is not there/,
    remedy: /--docker --force/,
    apply: () => rmSync(at(LAYOUT.overlay)),
  },
  'an empty secret of the container': {
    check: 'container',
    label: 'fail',
    seed: () => {
      write(LAYOUT.overlay, stringify({ ...OVERLAY, secrets: { empty: { file: './secrets/empty' } } }));
      write('secrets/empty', '');
    },
    says: /secrets\/empty is empty/,
    remedy: /--docker --force/,
    apply: () => rmSync(at(LAYOUT.overlay)),
  },
  'an overlay without the services that it changes': {
    check: 'container',
    label: 'warn',
    seed: () => {
      write(LAYOUT.overlay, stringify(OVERLAY));
      rmSync(at('compose.yaml'), { force: true });
    },
    says: /compose\.yaml is not beside/,
    remedy: /checkout/,
    apply: () => write('compose.yaml', 'services: {}\n'),
  },
  'an old Compose': {
    check: 'container',
    label: 'warn',
    seed: () => {
      write(LAYOUT.overlay, stringify(OVERLAY));
      programs('2.20.1');
    },
    says: /compose 2\.20\.1 is older/,
    remedy: /2\.20\.2 or newer/,
    apply: () => {
      rmSync(at(LAYOUT.overlay));
      programs('2.20.2');
    },
  },
  'no BuildKit': {
    check: 'container',
    label: 'warn',
    seed: () => {
      write(LAYOUT.overlay, stringify(OVERLAY));
      programs('2.26.1', false);
    },
    says: /BuildKit/,
    remedy: /buildx/,
    apply: () => {
      rmSync(at(LAYOUT.overlay));
      programs('2.26.1');
    },
  },
};

const principalsFile = (profile: string): string =>
  `principals:\n  - name: ada\n    bearers: [sha256:${'0'.repeat(64)}]\n    profile: ${profile}\n`;

function manifest(edit: (content: Record<string, unknown>) => Record<string, unknown>): void {
  writeFileSync(at('package.json'), JSON.stringify(edit(JSON.parse(readFileSync(at('package.json'), 'utf8')))));
}

function change(path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(at(path), 'utf8');
  const changed = typeof from === 'string' ? text.replaceAll(from, to) : text.replace(from, to);
  if (changed === text) throw new Error(`${path} should hold ${from}`);
  writeFileSync(at(path), changed);
}

describe('a seeded fault', () => {
  catalogFolder = () =>
    at('var/catalog', JSON.parse(readFileSync(at('var/catalog/current.json'), 'utf8')).digest as string);

  test('there are at least forty of them, over every check', async () => {
    const faults = Object.values(FAULTS);
    expect(faults.length).toBeGreaterThanOrEqual(40);
    const checks = (await loadChecks()).map(({ id }) => id);
    expect([...new Set(faults.map(({ check }) => check))].sort()).toEqual(checks.sort());
  });

  test.each(Object.entries(FAULTS))('%s is found, and its remedy helps', async (_, fault) => {
    const env = Object.fromEntries(
      Object.entries(fault.env ?? {}).map(([name, value]) => [
        name,
        value.replace('{root}', installation.root).replace('{bin}', at('bin')),
      ]),
    );
    await fault.seed();
    const folder = fault.directory === undefined ? installation.root : at(fault.directory);
    const { findings } = await doctor(env, folder);
    const found = findings.filter(({ check, label }) => check === fault.check && label === fault.label);
    expect(found.map(lineOf).join('\n')).toMatch(fault.says);
    const finding = found.find(({ detail, subject }) => fault.says.test(`${subject}: ${detail}`));
    expect(finding?.remedy).toMatch(fault.remedy);
    expect(findings.map(lineOf).join('\n')).not.toMatch(/left-in-the-open|a-client-secret|a-password/);
    await fault.apply(finding?.remedy ?? '');
    const after = await doctor(env, folder);
    expect(after.findings.filter(({ label }) => label !== 'ok').map(lineOf)).toEqual([]);
  });
});

test('a folder that was never set up has one line for its client files', async () => {
  using own = sampleInstallation();
  rmSync(join(own.root, 'config/clients'), { recursive: true, force: true });
  const place = installationOf({ env: { PATH: '/usr/bin:/bin' }, directory: own.root, root: own.root });
  const { findings } = await examine(place);
  expect(findings.filter(({ check }) => check === 'client-files').map(lineOf)).toEqual([
    expect.stringMatching(/^\[WARN\] clients: none of config\/clients\/stdio\.json, .* is there\. Remedy: /),
  ]);
});

test('what was not looked at is one line for each reason, after its cause', async () => {
  using own = sampleInstallation();
  const env = { PATH: '/usr/bin:/bin', SVC_MCP_CONFIG_DIR: join(own.root, 'user'), MCP_PORT: '80a' };
  const report = await examine(installationOf({ env, directory: own.root, root: own.root }));
  const left = report.findings.filter(({ unexamined }) => unexamined === true);
  expect(left.length).toBeGreaterThan(10);
  const lines = reportLines(report, { print: false, by: '--all' });
  const folded = lines.filter((line) => line.includes('not looked at'));
  expect(folded).toEqual([
    `[WARN] ${left.length} checks (listed by --all): not looked at, because the settings cannot be read. Remedy: correct the failures above, then run the doctor again`,
  ]);
  expect(lines.findIndex((line) => line.startsWith('[FAIL] MCP_PORT'))).toBeLessThan(lines.indexOf(folded[0] ?? ''));
  expect(lines.at(-1)).toBe(countsLine(report.counts));
  expect(lines.filter((line) => line.includes('80a'))).toHaveLength(1);
  const all = reportLines(report, { print: true, by: '--all' });
  expect(all.filter((line) => line.includes('not looked at'))).toHaveLength(left.length);
});

test('a default build is told, and is a fault only where one of the writes that it hides may be called', async () => {
  using own = sampleInstallation();
  own.writePlatform({ kind: 'product' });
  const ask = async (variables: Record<string, string>) => {
    const env = { PATH: '/usr/bin:/bin', SVC_MCP_CONFIG_DIR: join(own.root, 'user'), ...variables };
    const place = installationOf({ env, directory: own.root, root: own.root });
    const report = await examine(place);
    printed = reportLines(report, { print: false, by: '--all' }).join('\n');
    return report.findings.filter(({ check }) => check === 'catalog').map(lineOf);
  };
  let printed = '';
  const hold = (complete: boolean) =>
    openCatalog(own.config({ SVC_MCP_PRODUCTS: 'all' }), { products: 'all', complete }).catalog.close();
  hold(false);
  const left = 'without the write tools of';
  expect(await ask({ SVC_MCP_TOOLSETS: 'rag' })).toEqual([
    expect.stringMatching(`^\\[OK\\].*, ${left} optional products \\(--complete-catalog adds them\\)$`),
  ]);
  const closed = { SVC_MCP_PRODUCTS: 'all', SVC_MCP_MGMT_WRITES: '0' };
  expect(printed, 'no product is served').not.toContain(left);
  expect(await ask(closed)).toEqual([expect.stringMatching(`^\\[OK\\].*, ${left} mgmt \\(`)]);
  expect(printed, 'not folded with what passed').toContain(left);
  const open = { SVC_MCP_PRODUCTS: 'all', SVC_MCP_MGMT_WRITES: '1' };
  expect(await ask(open)).toEqual([
    expect.stringMatching(
      `^\\[WARN\\].*${left} optional products, and writes of mgmt are enabled.*svc-mcp-catalog build --directory \\S+ --complete-catalog`,
    ),
  ]);
  hold(true);
  expect(await ask(open)).toEqual([expect.stringMatching(/^\[OK\].* 0 operations set aside$/)]);
});

describe('a folder set up for a container', () => {
  const folder = () => at('boxed');
  const look = () =>
    installationOf({
      env: { ...environment(), SOURCE_CLIENT_ID: 'client-1' },
      directory: folder(),
      root: installation.root,
    });
  const wrong = async (place = look()) =>
    (await examine(place)).findings.filter(({ label }) => label !== 'ok').map(lineOf);
  const answers = (): Answers => ({
    ...earlierAnswers(folder(), true, installationPlatforms()),
    toolsets: ['mgmt'],
    port: 8125,
    writes: ['mgmt'],
    accounts: CREDENTIALS,
    secrets: { mgmt: { client_secret: SECRET } },
  });
  const installationPlatforms = () => readPlatformFiles(at('server/platforms'));

  const writing = () => {
    const places = { node: process.execPath, router: join(packageRoot, 'server/cli/router.mjs') };
    writeAnswers(answers(), {
      directory: folder(),
      root: packageRoot,
      platforms: installationPlatforms(),
      force: false,
      skipCredentials: false,
      places,
    });
  };

  /** The one of the checkout, for the one platform of this installation. */
  const writeCompose = () => {
    const text = readFileSync(join(packageRoot, 'compose.yaml'), 'utf8');
    write('boxed/compose.yaml', text.replace(/^ *SVC_MCP_(?!MGMT_)[A-Z]+_WRITES: .*\n/gm, ''));
  };

  beforeAll(() => {
    mkdirSync(folder());
    writing();
    writeCompose();
  });
  afterAll(() => rmSync(folder(), { recursive: true }));

  test('is looked at as compose would start it: nothing is asked for that only a router on the host needs', async () => {
    const owner = process.getuid?.() === 0 ? [] : [expect.stringContaining('container secrets')];
    expect(await wrong()).toEqual(owner);
    const { findings } = await examine(look());
    const said = findings.map(lineOf).join('\n');
    expect(said).toContain('[OK] access: profile custom; open gates: mgmt\n');
    expect(said).toContain('[OK] binding: published as 127.0.0.1:8125:8125\n');
    expect(said).toContain('[OK] bearer: enabled\n');
    expect(said).toContain('[OK] state-folder: is inside the container\n');
  });

  describe('and its .env', () => {
    let before = '';
    const add = (...lines: string[]) => {
      before = readFileSync(at('boxed/.env'), 'utf8');
      writeFileSync(at('boxed/.env'), `${before}\n${lines.join('\n')}\n`);
    };
    afterEach(() => writeFileSync(at('boxed/.env'), before));

    test('may throw the kill switch and limit writes: the container is given both', () => {
      add('SVC_MCP_READONLY=1', 'SVC_MCP_WRITE_WINDOWS=Sat-Sun 22:00-04:00', 'SVC_MCP_WRITES_PER_HOUR=2');
      const { container, config } = look();
      expect(container?.unpassed).toEqual([]);
      expect(container?.environment).toMatchObject({ SVC_MCP_READONLY: '1', SVC_MCP_WRITES_PER_HOUR: '2' });
      expect(config).toMatchObject({
        access: { readonly: true },
        writes: { perHour: 2, windows: [expect.anything()] },
      });
    });

    test('says nothing of what neither compose file passes, and each such name is a warning', async () => {
      add('SVC_MCP_OAUTH_UNLISTED=refuse', 'SVC_MCP_LOG_LEVEL=debug', 'SVC_MCP_RAEDONLY=1', 'COMPOSE_PROJECT_NAME=x');
      expect(look().config).toMatchObject({ logLevel: 'info' });
      const named = (await wrong()).filter((line) => line.includes('does not reach the router'));
      expect(named.map((line) => line.split(':')[0]).sort()).toEqual(
        ['SVC_MCP_LOG_LEVEL', 'SVC_MCP_OAUTH_UNLISTED', 'SVC_MCP_RAEDONLY'].map((name) => `[WARN] .env ${name}`),
      );
    });

    test('does not close what an earlier compose.yaml leaves open', async () => {
      add('SVC_MCP_READONLY=1');
      change('boxed/compose.yaml', / *SVC_MCP_READONLY: .*\n/g, '');
      const { findings } = await examine(look());
      writeCompose();
      const said = findings.map(lineOf).join('\n');
      expect(said).toContain('[OK] access: profile custom; open gates: mgmt\n');
      expect(said).toContain('[WARN] .env SVC_MCP_READONLY: does not reach the router');
    });
  });

  test('a secret among its accounts is named, and the setup that is told to moves it', async () => {
    const path = at('boxed/secrets/credentials.yaml');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, `${before}  client_secret: ${SECRET}\n`);
    const lines = (await wrong()).filter((line) => line.includes('holds a secret'));
    expect(lines).toEqual([
      `[WARN] credentials: ${path} says who the router is, and holds a secret: mgmt.client_secret. Remedy: svc-mcp-setup --directory ${folder()} --docker moves it to a file of its own`,
    ]);
    writing();
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect((await wrong()).filter((line) => line.includes('holds a secret'))).toEqual([]);
  });

  test('its faults are found there, and its remedies are those of this form', async () => {
    rmSync(at('boxed/secrets/credentials.yaml'));
    const lines = (await wrong()).join('\n');
    expect(lines).toMatch(/credentials: \S+boxed\/secrets\/credentials\.yaml is not there/);
    expect(lines).toContain(`Remedy: svc-mcp-setup --directory ${folder()} --docker\n`);
  });

  test('secrets that only the user of the container can read are not opened, and the report states it', async () => {
    const place = look();
    const container = { ...(place.container as ContainerForm), locked: ['secrets/mgmt_client_secret'] };
    const lines = (await wrong({ ...place, container })).filter((line) => line.includes('not looked at'));
    expect(lines.map((line) => line.split(':')[0])).toEqual(
      ['bearer', 'secret-files', 'credentials-file', 'accounts', 'client-certificates'].map((id) => `[WARN] ${id}`),
    );
    expect(lines[0]).toContain(`Remedy: sudo svc-mcp-doctor --directory ${folder()}`);
  });
});

test.each([
  [true, '/srv/router', 'npm run setup -- --directory /srv/router --docker --force'],
  [true, packageRoot, 'npm run setup -- --docker --force'],
  [false, '/with space', "svc-mcp-setup --directory '/with space' --docker --force"],
])('a remedy is a command that can be typed (checkout: %s, folder: %s)', (checkout, directory, typed) => {
  const root = checkout ? packageRoot : installation.root;
  expect(commandFor(directory, { root, docker: true })('setup', '--docker', '--force')).toBe(typed);
});

test('a command that is no script of the checkout is typed with npx there, its folder behind the subcommand', () => {
  const typed = (root: string) => {
    const command = commandFor('/srv/my router', { root });
    return [command('approvals', 'operator-add', 'NAME'), command('ingest', 'PATH…')];
  };
  expect(typed(packageRoot)).toEqual([
    "npx svc-mcp-approvals operator-add NAME --directory '/srv/my router'",
    "npx svc-mcp-ingest --directory '/srv/my router' PATH…",
  ]);
  expect(typed(installation.root)[0]).toBe("svc-mcp-approvals operator-add NAME --directory '/srv/my router'");
});

test('a remedy with a path is a command that a shell takes, whatever the path is', () => {
  const path = at("it's my key");
  writeFileSync(path, 'x');
  chmodSync(path, 0o644);
  execSync(exposedKeyFile(path)?.remedy ?? 'false');
  expect(exposedKeyFile(path)).toBeUndefined();
  rmSync(path);
});

test.each([
  ['/srv/here/node_modules/svc-mcp-router/dist', '/srv/here', 'npx svc-mcp-router'],
  ['/srv/here/node_modules/svc-mcp-router/dist', '/srv/here/below', 'npx svc-mcp-router'],
  ['/srv/here/node_modules/.store/svc-mcp-router/node_modules/svc-mcp-router/dist', '/srv/here', 'npx svc-mcp-router'],
  ['/srv/here/node_modules/svc-mcp-router/dist', '/srv/hereafter', 'svc-mcp-router'],
  ['/usr/lib/node_modules/svc-mcp-router/dist', '/srv/here', 'svc-mcp-router'],
  ['/app', '/app', 'svc-mcp-router'],
])('a command installed at %s is typed in %s as %s', (root, cwd, typed) => {
  expect(installedCommand('router', root, cwd)).toBe(typed);
});

test('.env is not judged where the environment of the process leaves it aside', async () => {
  chmodSync(at('.env'), 0o644);
  const found = async (env: Record<string, string>) =>
    (await examine(installationOf({ env: { ...environment(), ...env }, directory: installation.root }))).findings
      .filter(({ check }) => check === 'env-file')
      .map(lineOf);
  writeFileSync(at('.env'), `${readFileSync(at('.env'), 'utf8')}\nOTHER_PASSWORD=x\n`);
  const [read, aside] = [await found({}), await found({ SVC_MCP_DOTENV: '0' })];
  plainEnv();
  expect(read.join('\n')).toContain('.env OTHER_PASSWORD: looks like a secret');
  expect(aside).toEqual(['[OK] .env: is left aside, because SVC_MCP_DOTENV is off in the environment of the process']);
});

test('a bearer token with a blank in it is a failure, because no request can carry it', async () => {
  const before = readFileSync(at(LAYOUT.bearer));
  write(LAYOUT.bearer, 'twenty-four characters and a blank\n');
  const { findings } = await doctor();
  write(LAYOUT.bearer, before.toString());
  const found = findings.filter(({ check }) => check === 'bearer').map(lineOf);
  expect(found).toEqual([
    expect.stringMatching(/^\[FAIL\] bearer: should be ASCII without blanks.*: the router does not start\. Remedy: /),
  ]);
});

describe('an .env whose settings are not read', () => {
  const found = async (content: string | Buffer) => {
    writeFileSync(at('.env'), content);
    const { findings } = await doctor();
    plainEnv();
    return findings.filter(({ check }) => check === 'env-file').map(lineOf);
  };

  test('in another encoding is a failure', async () => {
    expect(await found(Buffer.from(`\uFEFF${healthyEnv}`, 'utf16le'))).toEqual([
      expect.stringMatching(/^\[FAIL\] \.env: .*Remedy: make \S+ a UTF-8 text file/),
    ]);
  });

  test('by a line that is none is a warning with the number of the line', async () => {
    expect(await found(`SVC_MCP_READONLY: 1\n${healthyEnv}`)).toEqual([
      '[OK] .env: sets 5 names',
      expect.stringMatching(
        /^\[WARN\] \.env: line 1 of \.env does not set SVC_MCP_READONLY: .*Remedy: correct that line/,
      ),
    ]);
  });
});

describe('svc-mcp-doctor', () => {
  const run = (...words: string[]) => {
    try {
      const stdout = execFileSync(process.execPath, [join(packageRoot, 'server/cli/doctor.mjs'), ...words], {
        cwd: '/',
        env: { ...environment(), HOME: installation.root, NODE_COMPILE_CACHE: COMPILED },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return { code: 0, stdout };
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string };
      return { code: status, stdout };
    }
  };
  const folder = () => ['--directory', installation.root];

  test('prints what needs attention, one line for what passed, and the counts last', () => {
    chmodSync(at('.env'), 0o644);
    const [whole, folded] = [run(...folder(), '--all'), run(...folder())].map(({ stdout }) =>
      stdout.trim().split('\n'),
    );
    plainEnv();
    const needy = whole?.filter((line) => /^\[(WARN|FAIL)\]/.test(line)) ?? [];
    const passed = whole?.filter((line) => line.startsWith('[OK]')) ?? [];
    expect(needy).not.toEqual([]);
    expect(passed.length).toBeGreaterThan(10);
    expect(folded).toEqual([...needy, `[OK] ${passed.length} passed (listed by --all)`, whole?.at(-1)]);
  });

  test('--all prints one labelled line per finding and the counts last', () => {
    const { code, stdout } = run(...folder(), '--all');
    const lines = stdout.trim().split('\n');
    expect(code).toBe(0);
    expect(lines.slice(0, -1).filter((line) => !/^\[(OK|WARN|FAIL)\] [^:]+: ./.test(line))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^0 fail, \d+ warn, \d+ ok$/);
  });

  test('exits 1 on a failure, and on a warning only when asked to be strict', () => {
    expect(run(...folder()).code).toBe(0);
    chmodSync(at('.env'), 0o644);
    expect(run(...folder()).code).toBe(0);
    expect(run(...folder(), '--strict').code).toBe(1);
    chmodSync(at('.env'), 0o666);
    const failed = run(...folder(), '--json');
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ ok: false, counts: { fail: 1 } });
    plainEnv();
    expect(run('--loud').code).toBe(2);
  });
});

test('the results page has how many faults are seeded', () => {
  const count = Object.keys(FAULTS).length;
  expect(readFileSync(join(packageRoot, 'docs/results.md'), 'utf8')).toContain(
    `turns the line \`[OK]\` | ${count} of ${count} |`,
  );
});
