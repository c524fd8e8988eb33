/** Credentials and requests go to the origins that the operator named, and a second server that records hears nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Grant, issueGrant } from '../access/grant.ts';
import { CredentialsStore } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import { createLogger } from '../telemetry/logger.ts';
import { OutboundClient } from './client.ts';
import { Logins } from './logins.ts';
import { TokenCache } from './token-cache.ts';

interface Recording {
  server: Server;
  url: string;
  heard: string[];
}

/** Answers `/token` and `/login` with a token, anything else with a redirect to `elsewhere` or with an object. */
async function recording(redirectTo?: { status: number; url: string; paths: RegExp }): Promise<Recording> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    request.resume();
    const path = request.url ?? '';
    if (redirectTo?.paths.test(path))
      return void response.writeHead(redirectTo.status, { location: `${redirectTo.url}${path}` }).end();
    const body = { access_token: 'token-1', token: 'token-1', expires_in: 900, name: 'x' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

let folder: string;
let elsewhere: Recording;
const open: Recording[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-origins-'));
  elsewhere = await recording();
});
afterEach(() => {
  for (const { server } of [elsewhere, ...open.splice(0)]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function platformThat(redirects?: { status: number; paths: RegExp }): Promise<Recording> {
  const platform = await recording(redirects && { ...redirects, url: elsewhere.url });
  open.push(platform);
  return platform;
}

const SECRETS = {
  client_id: 'me',
  client_secret: 'a-secret-of-the-account',
  api_token: 'a-token-of-the-account',
  username: 'operator',
  password: 'a-password-of-the-account',
};
const OAUTH: PlatformDefinition['auth'] = {
  strategy: 'oauth2-client-credentials',
  token_path: '/token',
  section: 'mine',
  variables: {},
};

function calls(
  auth: PlatformDefinition['auth'],
  account: Record<string, string>,
  { listed, ...more }: Partial<PlatformDefinition> & { listed?: string[] } = {},
) {
  const platform: PlatformDefinition = {
    id: 'mine',
    title: 'mine',
    kind: 'user',
    words: [],
    documents: 'x',
    backends: {},
    auth,
    gate: { variable: 'SVC_MCP_MINE_WRITES', default: 'off' },
    rate: { burst: 1 },
    overrides: {},
    ...more,
  };
  const logger = createLogger('silent');
  const egress = new Egress({ listed });
  const client = new OutboundClient({
    access: { profile: 'custom', readonly: false, productAccess: 'read-only', gates: { SVC_MCP_MINE_WRITES: true } },
    credentials: new CredentialsStore(join(folder, 'no-file.yaml'), { mine: { ...SECRETS, ...account } }),
    logins: new Logins({ cache: new TokenCache(join(folder, 'cache'), () => {}), secrets: logger.secrets, egress }),
    egress,
    ratePerSecond: 0,
    timeoutMs: 60_000,
    logger,
  });
  const request = { platform, path: '/things', query: '', headers: {} };
  const grant = (): Grant => ({
    platform: 'mine',
    capability: 'write',
    method: 'POST',
    path: '/things',
    account: client.accountOf(platform).identity,
  });
  return {
    read: () => client.send({ ...request, capability: 'read', method: 'GET' }),
    write: () =>
      client.send({
        ...request,
        capability: 'write',
        method: 'POST',
        body: { text: '{}', contentType: 'application/json' },
        grant: issueGrant(grant()),
      }),
    stream: () => client.collect({ platform, path: '/stream', maxEvents: 1, maxBytes: 1_000, timeMs: 60_000 }),
  };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('expected a refusal'),
    (reason: unknown) => reason,
  );
  if (error instanceof RouterError) return error.code;
  throw error;
};

describe.each([301, 302, 303, 307, 308])('a redirect with %i to another origin', (status) => {
  test('is followed by no read, no write, no stream', async () => {
    const platform = await platformThat({ status, paths: /^\/(things|stream)/ });
    const { read, write, stream } = calls(OAUTH, { base_url: platform.url });
    expect(await codeOf(read())).toBe('UPSTREAM_REDIRECTED');
    expect(await codeOf(write())).toBe('OUTCOME_UNKNOWN');
    expect(await codeOf(stream())).toBe('UPSTREAM_UNREACHABLE');
    expect(platform.heard.filter((line) => line.endsWith('/things'))).toEqual(['GET /things', 'POST /things']);
    expect(elsewhere.heard).toEqual([]);
  });

  test.each([
    OAUTH,
    { ...OAUTH, strategy: 'login-token', token_path: undefined, login_path: '/login', header: 'x-token' },
  ] as PlatformDefinition['auth'][])('is followed by no login of $strategy', async (auth) => {
    const platform = await platformThat({ status, paths: /^\/(token|login)/ });
    expect(await codeOf(calls(auth, { base_url: platform.url }).read())).toBe('UPSTREAM_FAILED');
    expect(platform.heard).toHaveLength(1);
    expect(elsewhere.heard).toEqual([]);
  });
});

describe('a token URL on another server', () => {
  test("of a user's platform file, where no flag named it, gets no secret", async () => {
    const platform = await platformThat();
    const auth = { ...OAUTH, token_path: `${elsewhere.url}/token` };
    for (const call of Object.values(calls(auth, { base_url: platform.url })))
      expect(await codeOf(call())).toBe('EGRESS_REFUSED');
    expect([...platform.heard, ...elsewhere.heard]).toEqual([]);
  });

  test('is used where the account, a flag of the operator or a shipped file names it', async () => {
    const platform = await platformThat();
    const auth = { ...OAUTH, token_path: `${elsewhere.url}/token` };
    const account = { base_url: platform.url };
    await calls(OAUTH, { ...account, token_url: `${elsewhere.url}/mine/token` }).read();
    await calls({ ...auth, section: 'mine' }, account, { named_origins: [elsewhere.url] }).read();
    rmSync(join(folder, 'cache'), { recursive: true, force: true });
    await calls(auth, account, { kind: 'product' }).read();
    expect(elsewhere.heard).toEqual(['POST /mine/token', 'POST /token', 'POST /token']);
  });
});

describe('a base URL that only a document states', () => {
  test.each([
    OAUTH,
    { ...OAUTH, strategy: 'bearer-token', token_path: undefined },
    { ...OAUTH, strategy: 'api-key', token_path: undefined, header: 'x-key' },
  ] as PlatformDefinition['auth'][])('gets no credentials of $strategy', async (auth) => {
    const { read } = calls(auth, {}, { stated_base_url: elsewhere.url });
    expect(await codeOf(read())).toBe('CREDENTIALS_MISSING');
    expect(elsewhere.heard).toEqual([]);
  });

  test('serves calls without credentials', async () => {
    const auth: PlatformDefinition['auth'] = { strategy: 'none', section: 'mine', variables: {} };
    expect((await calls(auth, {}, { stated_base_url: elsewhere.url }).read()).status).toBe(200);
  });
});

test('an origin that is not on SVC_MCP_EGRESS gets no request, not even a login', async () => {
  const platform = await platformThat();
  const listed = ['https://listed.example'];
  for (const call of Object.values(calls(OAUTH, { base_url: platform.url, token_url: elsewhere.url }, { listed })))
    expect(await codeOf(call())).toBe('EGRESS_REFUSED');
  expect([...platform.heard, ...elsewhere.heard]).toEqual([]);
});
