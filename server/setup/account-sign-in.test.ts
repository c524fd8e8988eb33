/** The sign-in of the setup, as a process, at a real authorization server: what is stored, what is printed, and what the router then sends. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, packageRoot } from '../config/config.ts';
import { openDispatch } from '../dispatch/open-dispatch.ts';
import { Egress } from '../egress/egress.ts';
import { importDocument } from '../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../import/user-platform.ts';
import { openIdConfiguration } from '../oidc/authorization-server.ts';
import { openCatalog } from '../open-catalog.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { signIn } from './account-sign-in.ts';

const SETUP = join(packageRoot, 'server/cli/setup.mjs');
const CLIENT_SECRET = 'client-secret-of-the-test';

let folder: string;
let authorization: Server;
let issuer: string;
let platform: Server;
let base: string;
const received: IncomingHttpHeaders[] = [];

const listening = async (server: Server) => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  authorization = createServer((request, response) => provider.callback()(request, response));
  issuer = await listening(authorization);
  // @ts-expect-error The package has no types.
  const imported: unknown = await import('oidc-provider');
  const { default: Provider } = imported as {
    default: new (issuer: string, configuration: unknown) => { callback: () => RequestListener };
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'shop-client',
        client_secret: CLIENT_SECRET,
        token_endpoint_auth_method: 'client_secret_post',
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ],
    cookies: { keys: ['a key of the test'] },
    scopes: ['openid', 'offline_access', 'orders:read'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
  });
  platform = createServer((request, response) => {
    received.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"open":3}');
  });
  base = await listening(platform);
});
afterAll(() => {
  authorization.close();
  platform.close();
});
beforeEach(() => {
  received.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'sign-in-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A browser of the person: it keeps cookies, signs in, consents, and stops before the redirect to this machine. */
async function browse(start: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  let init: RequestInit = {};
  for (let step = 0; step < 20; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    init = {};
    if (location !== null) {
      url = new URL(location, url).href;
      if (new URL(url).pathname === '/callback') return url;
      continue;
    }
    const page = await response.text();
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    url = new URL(action, url).href;
    const body = new URLSearchParams({ prompt, login: 'person', password: 'theirs' }).toString();
    init = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  }
  throw new Error('the authorization server never redirected back');
}

const SHOP = () => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: base }],
  components: {
    securitySchemes: {
      person: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: `${issuer}/auth`,
            tokenUrl: `${issuer}/token`,
            scopes: { 'orders:read': 'reads' },
          },
        },
      },
    },
  },
  paths: {
    '/orders': {
      get: {
        operationId: 'countOrders',
        security: [{ person: ['orders:read'] }],
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
  },
});

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  SVC_MCP_CONFIG_DIR: join(folder, 'own'),
  TOKEN_CACHE_DIR: join(folder, 'tokens'),
  SVC_MCP_STATE_DIR: join(folder, 'state'),
});

async function addShop(): Promise<void> {
  const path = join(folder, 'shop.json');
  writeFileSync(path, JSON.stringify(SHOP()));
  const taken = await importDocument(path, base);
  writeUserPlatform(join(folder, 'own'), definePlatform({ name: 'shop', baseUrl: base }, taken), taken);
}

const QUICK = ['--yes', '--toolsets', 'mgmt', '--skip-install', '--skip-catalog', '--skip-doctor'];
const named = () => [
  ...['--account', 'shop.client_id=shop-client', '--account', `shop.token_url=${issuer}/token`],
  ...['--secret-file', `shop.client_secret=${join(folder, 'given')}`],
];

/** Runs the setup; `open` gets the address that it prints and the way to paste. */
async function setup(words: readonly string[], open: (url: string, paste: (text: string) => void) => Promise<void>) {
  const child = spawn(process.execPath, [SETUP, '--directory', folder, ...QUICK, ...words], { env: environment() });
  const printed: string[] = [];
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed.push(line);
    if (line.startsWith(`${issuer}/auth`)) void open(line, (text) => child.stdin.write(`${text}\n`));
  });
  const code = await new Promise((done) => child.once('close', done));
  return { code, printed: printed.join('\n'), errors: errors.join('') };
}

const token = () => join(folder, 'secrets/shop_refresh_token');

/** The address for this sign-in as it must be, or what is wrong with it. */
const authorizationParameters = (url: string) => {
  const { searchParams } = new URL(url);
  return Object.fromEntries(
    ['response_type', 'client_id', 'code_challenge_method', 'scope', 'prompt'].map((name) => [
      name,
      searchParams.get(name),
    ]),
  );
};

test.each(['redirect', 'paste'])(
  'by %s: the refresh token is stored, and the router calls with an access token got by it',
  async (way) => {
    await addShop();
    writeFileSync(join(folder, 'given'), `${CLIENT_SECRET}\n`, { mode: 0o600 });
    let asked = {};
    const { code, printed, errors } = await setup(
      [...named(), '--sign-in', 'shop=openid offline_access orders:read'],
      async (url, paste) => {
        asked = authorizationParameters(url);
        const back = await browse(url);
        // A page that guesses the port cannot end the sign-in.
        const guessed = await fetch(back.replace(/state=[^&]+/, 'state=guessed'));
        expect(guessed.status).toBe(400);
        if (way === 'paste') paste(back);
        else expect((await fetch(back)).status).toBe(200);
      },
    );
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(asked).toEqual({
      response_type: 'code',
      client_id: 'shop-client',
      code_challenge_method: 'S256',
      scope: 'openid offline_access orders:read',
      prompt: 'consent',
    });
    const secret = readFileSync(token(), 'utf8').trim();
    expect(secret.length).toBeGreaterThan(20);
    expect(statSync(token()).mode & 0o777).toBe(0o600);
    expect(printed).not.toContain(secret);
    expect(printed).not.toContain(CLIENT_SECRET);
    expect(readFileSync(join(folder, 'config/credentials.yaml'), 'utf8')).not.toMatch(/refresh_token|client_secret/);

    using installation = sampleInstallation();
    const config = loadConfig({ env: environment(), cwd: folder, root: installation.root });
    const { catalog } = openCatalog(config);
    const { dispatch, close } = openDispatch(config, catalog, createLogger('silent'));
    const result = await dispatch.invoke({
      dispatcher: 'invoke_read_tool',
      name: 'shop_count_orders',
      arguments: {},
      principal: 'local',
      approver: approver(),
    });
    await close();
    catalog.close();
    expect(result).toMatchObject({ kind: 'done' });
    expect(received).toHaveLength(1);
    expect(received[0]?.authorization).toMatch(/^Bearer \S{20,}$/);
    expect(received[0]?.authorization).not.toContain(secret);

    const again = await setup(['--sign-in', 'shop'], async () => undefined);
    expect(again).toMatchObject({ code: 2, errors: expect.stringContaining('--force replaces it') });
    expect(readFileSync(token(), 'utf8').trim()).toBe(secret);
  },
);

test('without the token URL named by the operator nothing is opened or sent', async () => {
  await addShop();
  writeFileSync(join(folder, 'given'), `${CLIENT_SECRET}\n`, { mode: 0o600 });
  const { code, printed, errors } = await setup(
    ['--account', 'shop.client_id=shop-client', '--sign-in', 'shop'],
    async () => undefined,
  );
  expect({ code, errors }).toEqual({
    code: 2,
    errors: expect.stringMatching(
      /only you decide where .* --account shop\.token_url=… --account shop\.authorization_url=…/,
    ),
  });
  expect(printed).not.toContain(issuer);
  expect(existsSync(token())).toBe(false);
});

describe('a sign-in', () => {
  const request = () => ({
    title: 'Shop',
    authorizationUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    clientId: 'shop-client',
    clientSecret: CLIENT_SECRET,
    scopes: ['openid', 'offline_access'],
  });
  const never = () => new Promise<string>(() => undefined);
  const shown = (open: (url: string) => unknown) => ({
    egress: new Egress(),
    pasted: never,
    show: (url: string) => void open(url),
  });
  const back = async (url: string, change: (found: URL) => void) => {
    const found = new URL(await browse(url));
    change(found);
    return fetch(found);
  };

  test('that the person declines ends with the error code of the server and no other word of it', async () => {
    const open = (url: string) =>
      back(url, (found) => {
        found.searchParams.delete('code');
        found.searchParams.set('error', 'access_denied');
        found.searchParams.set('error_description', 'words of a stranger');
      });
    await expect(signIn(request(), shown(open))).rejects.toThrow(
      'Shop: the authorization server refused the sign-in (access_denied)',
    );
  });

  test('with another code, another issuer or without offline access gives no token', async () => {
    const wrongCode = (url: string) => back(url, (found) => found.searchParams.set('code', 'guessed'));
    await expect(signIn(request(), shown(wrongCode))).rejects.toThrow(/refused the code \(400, invalid_grant\)/);
    const another = (url: string) => back(url, (found) => found.searchParams.set('iss', 'https://evil.test'));
    await expect(signIn({ ...request(), issuer }, shown(another))).rejects.toThrow('another authorization server');
    const plain = (url: string) => back(url, () => undefined);
    await expect(signIn({ ...request(), scopes: ['openid'] }, shown(plain))).rejects.toThrow('gave no refresh token');
  });

  test('by a pasted address of another sign-in, over plain http to another host, or never ended is refused', async () => {
    const means = { egress: new Egress(), show: () => undefined };
    const pasted = async () => 'http://127.0.0.1:1/callback?code=x&state=another';
    await expect(signIn(request(), { ...means, pasted })).rejects.toThrow('not the answer to this sign-in');
    const clear = { ...request(), authorizationUrl: 'http://id.test/auth' };
    await expect(signIn(clear, { ...means, pasted: never })).rejects.toThrow('needs an https address');
    await expect(signIn(request(), { ...means, pasted: never, timeoutMs: 20 })).rejects.toThrow('nobody signed in');
  });

  test('finds both addresses in an OpenID configuration, and only in one of its own issuer', async () => {
    const path = '/.well-known/openid-configuration';
    expect(await openIdConfiguration(new Egress(), `${issuer}${path}`)).toEqual({
      issuer,
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      keysUrl: `${issuer}/jwks`,
    });
    await expect(
      openIdConfiguration(new Egress(), `${issuer.replace('127.0.0.1', 'localhost')}${path}`),
    ).rejects.toThrow('an OpenID configuration of its own');
  });
});
