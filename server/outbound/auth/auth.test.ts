/** Each strategy as a platform sees it: what one read and one write carry, and what happens when the login is refused. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CredentialsStore } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { RouterError } from '../../errors.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { MASK } from '../../telemetry/redact.ts';
import { OutboundClient } from '../client.ts';
import { Logins } from '../logins.ts';
import { TokenCache } from '../token-cache.ts';

const BASE = 'http://installation.test';
const PASSWORD = 'a-password-that-stays-here';
const TOKEN = 'a-fixed-token-that-stays-here';

interface Seen {
  url: string;
  headers: Record<string, string>;
  body: string;
}

const logins: Seen[] = [];
const reads: Seen[] = [];
let refuseOnce = false;
let loginStatus = 200;

const see = async (request: Request): Promise<Seen> => ({
  url: request.url.replace(BASE, ''),
  headers: Object.fromEntries(request.headers),
  body: await request.text(),
});

const network = setupServer(
  http.post(`${BASE}/login`, async ({ request }) => {
    logins.push(await see(request));
    if (loginStatus !== 200) return HttpResponse.json({ error: PASSWORD }, { status: loginStatus });
    const number = logins.length;
    return HttpResponse.json({
      access_token: `token-${number}`,
      expires_in: 900,
      token: `token-${number}`,
      result: { sid: `session-${number}`, csrf: `csrf-${number}` },
    });
  }),
  http.get(`${BASE}/things`, async ({ request }) => {
    reads.push(await see(request));
    if (!refuseOnce) return HttpResponse.json({ name: 'thing' });
    refuseOnce = false;
    return HttpResponse.json({ message: 'expired' }, { status: 401 });
  }),
);

let cache: string;
beforeEach(() => {
  network.listen({ onUnhandledFrame: 'error' });
  cache = mkdtempSync(join(tmpdir(), 'svc-mcp-auth-'));
  logins.length = 0;
  reads.length = 0;
  refuseOnce = false;
  loginStatus = 200;
});
afterEach(() => {
  network.close();
  rmSync(cache, { recursive: true, force: true });
});

type Auth = Omit<PlatformDefinition['auth'], 'section' | 'variables'>;

function client(auth: Auth) {
  const platform: PlatformDefinition = {
    id: 'installation',
    title: 'installation',
    kind: 'user',
    words: [],
    documents: 'nowhere',
    backends: {},
    auth: { ...auth, section: 'installation', variables: {} },
    gate: null,
    rate: { burst: 2 },
    overrides: {},
  };
  const account = {
    base_url: BASE,
    client_id: 'me',
    client_secret: PASSWORD,
    username: 'operator',
    password: PASSWORD,
    api_token: TOKEN,
    workspace_id: 'campus-1',
  };
  const logger = createLogger('silent');
  let slept = 0;
  const clock = {
    now: () => performance.now() + slept,
    sleep: async (ms: number) => {
      slept += ms;
    },
  };
  const outbound = new OutboundClient({
    access: { profile: 'custom', readonly: false, productAccess: 'read-only', gates: {} },
    credentials: new CredentialsStore(join(cache, 'no-file.yaml'), { installation: account }, (secrets) =>
      logger.secrets.hold('credentials', secrets),
    ),
    logins: new Logins({ cache: new TokenCache(cache, () => {}), secrets: logger.secrets, clock }),
    ratePerSecond: 0,
    timeoutMs: 60_000,
    logger,
    clock,
  });
  const read = (query = '') =>
    outbound.send({ platform, capability: 'read', method: 'GET', path: '/things', query, headers: {} });
  return { outbound, platform, read, secrets: logger.secrets };
}

const SESSION: Auth = {
  strategy: 'session',
  login_path: '/login',
  header: 'X-CSRF-Token',
  session_parameter: 'session-id',
  answer: { session: 'result.sid', csrf: 'result.csrf' },
};

test.each<[Auth, string, Record<string, string>, string | null]>([
  [
    { strategy: 'oauth2-client-credentials', token_path: '/login', workspace_header: 'X-Workspace-Id' },
    '/things',
    { authorization: 'Bearer token-1', 'x-workspace-id': 'campus-1' },
    `grant_type=client_credentials&client_id=me&client_secret=${PASSWORD}`,
  ],
  [{ strategy: 'bearer-token' }, '/things', { authorization: `Bearer ${TOKEN}` }, null],
  [
    { strategy: 'api-key', header: 'Authorization', prefix: 'Token ' },
    '/things',
    { authorization: `Token ${TOKEN}` },
    null,
  ],
  [{ strategy: 'api-key', header: 'X-Auth-Token' }, '/things', { 'x-auth-token': TOKEN }, null],
  [
    { strategy: 'login-token', login_path: '/login', header: 'AuthToken' },
    '/things',
    { authtoken: 'token-1' },
    JSON.stringify({ username: 'operator', password: PASSWORD }),
  ],
  [SESSION, '/things?session-id=session-1', { 'x-csrf-token': 'csrf-1' }, `username=operator&password=${PASSWORD}`],
])('%j', async (auth, url, headers, login) => {
  await client(auth).read();
  expect(reads).toMatchObject([{ url, headers }]);
  expect(logins.map(({ body }) => body)).toEqual(login === null ? [] : [login]);
});

const LOGINS: Auth[] = [
  { strategy: 'oauth2-client-credentials', token_path: '/login' },
  { strategy: 'login-token', login_path: '/login', header: 'AuthToken' },
  SESSION,
];

test.each(LOGINS)('$strategy: many callers share one login, and the next process finds it on disk', async (auth) => {
  const { read } = client(auth);
  await Promise.all(Array.from({ length: 10 }, () => read()));
  await client(auth).read();
  expect(logins).toHaveLength(1);
  expect(readdirSync(cache)).toEqual([expect.stringMatching(/^installation-[0-9a-f]{12}\.json$/)]);
});

test.each(LOGINS)('$strategy: a login that the platform forgot is made once more for a read', async (auth) => {
  refuseOnce = true;
  const answer = await client(auth).read();
  expect(answer).toMatchObject({ status: 200, body: { name: 'thing' } });
  expect(logins).toHaveLength(2);
});

test.each(LOGINS)('$strategy: refused credentials name the host, and no secret enters the message', async (auth) => {
  loginStatus = 401;
  const error = await client(auth)
    .read()
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RouterError);
  expect((error as RouterError).code).toBe('UPSTREAM_FORBIDDEN');
  expect((error as RouterError).message).toContain('at installation.test refused the');
  expect(JSON.stringify(error) + String(error)).not.toContain(PASSWORD);
  expect(reads).toEqual([]);
});

test('the query of a session stays beside that of the call, and its values are among those to mask', async () => {
  const { read, secrets } = client(SESSION);
  await read('limit=5');
  expect(reads[0]?.url).toBe('/things?limit=5&session-id=session-1');
  expect(secrets.scrub(`session-1 csrf-1 ${PASSWORD} csrf-2`)).toBe(`${MASK} ${MASK} ${MASK} csrf-2`);
});
