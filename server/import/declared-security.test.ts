/**
 * Every security scheme of OpenAPI, alone, together (AND) and as alternatives (OR): what a real server received, and what is
 * refused without a request.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDispatch } from '../dispatch/open-dispatch.ts';
import { openCatalog, trialBuild } from '../open-catalog.ts';
import { createLogger } from '../telemetry/logger.ts';
import { approver } from '../test/support/approvers.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import { importDocument } from './import-document.ts';
import type { ImportOptions } from './import-options.ts';
import { definePlatform, writeUserPlatform } from './user-platform.ts';

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Server;
let base: string;
const received: Received[] = [];
const tokens: Record<string, string>[] = [];
/** The `WWW-Authenticate` of a server that wants digest; undefined for one that lets everybody in. */
let challenge: string | undefined;
/** Status of answers that repeat what was received; 0 for none. */
let echo = 0;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    if (url.startsWith('/token')) {
      tokens.push(Object.fromEntries(new URLSearchParams(body)));
      const answer = {
        access_token: `access-${tokens.length}-abcdef`,
        expires_in: 900,
        refresh_token: undefined as string | undefined,
      };
      if (tokens.at(-1)?.['grant_type'] === 'refresh_token') answer.refresh_token = `rotated-${tokens.length}-abcdef`;
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }
    if (challenge !== undefined && !headers.authorization?.startsWith('Digest '))
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    received.push({ method, url, headers, body });
    if (echo > 0)
      return response
        .writeHead(echo, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message: `${url} ${headers.cookie}`, got: headers }));
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{"seen":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  received.length = 0;
  tokens.length = 0;
  challenge = undefined;
});

const SCHEMES = {
  inQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
  inHeader: { type: 'apiKey', in: 'header', name: 'X_App.Key' },
  inCookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  plain: { type: 'http', scheme: 'Basic' },
  token: { type: 'http', scheme: 'bearer' },
  digested: { type: 'http', scheme: 'digest' },
  worded: { type: 'http', scheme: 'SSWS' },
  machine: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: '/token', scopes: { 'read:things': '', 'write:things': '' } } },
  },
  person: {
    type: 'oauth2',
    flows: { authorizationCode: { authorizationUrl: 'https://id.test/a', tokenUrl: '/token', scopes: { all: '' } } },
  },
  connect: { type: 'openIdConnect', openIdConnectUrl: 'https://id.test/.well-known/openid-configuration' },
  certificate: { type: 'mutualTLS' },
  kerberos: { type: 'http', scheme: 'negotiate' },
  mac: { type: 'http', scheme: 'Hawk' },
  signed: { type: 'http', scheme: 'EG1-HMAC-SHA256' },
  // As harmful as names get.
  constructor: { type: 'apiKey', in: 'query', name: 'toString' },
  override: { type: 'apiKey', in: 'header', name: 'X-HTTP-Method-Override' },
};
type SchemeName = keyof typeof SCHEMES;
const KEY = 'k-31337-of the/test';

interface Sent {
  url?: string;
  headers?: Record<string, string | RegExp | undefined>;
}

async function added(
  names: readonly string[],
  security: unknown,
  options: Partial<ImportOptions> = {},
  more: readonly object[] = [],
) {
  const installation = sampleInstallation();
  using folder = oddFolder();
  const parameters = [
    { name: 'api_key', in: 'query', schema: { type: 'string' } },
    { name: 'q', in: 'query', schema: { type: 'string' } },
    ...more,
  ];
  const taken = await importDocument(
    folder.write(
      'things.json',
      document(
        {
          '/things': {
            get: {
              operationId: 'listThings',
              parameters,
              ...(security === undefined ? {} : { security }),
              responses: OK,
            },
            post: {
              operationId: 'createThing',
              ...(security === undefined ? {} : { security }),
              requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
              responses: OK,
            },
          },
          '/open': { get: { operationId: 'getOpen', security: [], responses: OK } },
        },
        {
          openapi: '3.1.0',
          components: { securitySchemes: Object.fromEntries(names.map((name) => [name, SCHEMES[name as SchemeName]])) },
        },
      ),
    ),
  );
  const platform = definePlatform({ name: 'shop', baseUrl: base, ...options }, taken);
  writeUserPlatform(installation.config().configDir, platform, taken);
  return { installation, platform };
}

async function call(
  installation: SampleInstallation,
  env: Record<string, string>,
  name = 'shop_list_things',
  args: Record<string, unknown> = {},
) {
  const config = installation.config({ SVC_MCP_SHOP_WRITES: '1', ...env });
  const { catalog } = openCatalog(config);
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  const somebody = approver();
  const invoke = async (values: Record<string, unknown>) => {
    const dispatcher = name === 'shop_create_thing' ? 'invoke_tool' : 'invoke_read_tool';
    const result = await dispatch.invoke({
      dispatcher,
      name,
      arguments: values,
      principal: 'local',
      approver: somebody,
    });
    return (result.kind === 'done' ? result.result : result.kind === 'refused' ? result.refusal : result) as Record<
      string,
      unknown
    >;
  };
  let answer = await invoke(args);
  if (answer['plan_token'])
    answer = await invoke({ ...args, dry_run: false, confirm: true, plan_token: answer['plan_token'] });
  catalog.close();
  return { answer, asked: somebody.asked };
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('one scheme', () => {
  const cases: [SchemeName, Record<string, string>, Sent, Record<string, string>?][] = [
    ['inQuery', { SVC_SHOP_API_TOKEN: KEY }, { url: '/things?q=1&api_key=k-31337-of+the%2Ftest' }],
    ['constructor', { SVC_SHOP_API_TOKEN: KEY }, { url: '/things?q=1&toString=k-31337-of+the%2Ftest' }],
    ['inHeader', { SVC_SHOP_API_TOKEN: KEY }, { url: '/things?q=1', headers: { 'x_app.key': KEY } }],
    ['inCookie', { SVC_SHOP_API_TOKEN: 'c-31337' }, { headers: { cookie: 'session=c-31337' } }],
    [
      'plain',
      { SVC_SHOP_USERNAME: 'ann', SVC_SHOP_PASSWORD: 'pä:ss' },
      { headers: { authorization: basic('ann', 'pä:ss') } },
    ],
    ['token', { SVC_SHOP_API_TOKEN: 'tok-31337' }, { headers: { authorization: 'Bearer tok-31337' } }],
    ['worded', { SVC_SHOP_API_TOKEN: 'tok-31337' }, { headers: { authorization: 'SSWS tok-31337' } }],
    [
      'machine',
      { SVC_SHOP_CLIENT_ID: 'me', SVC_SHOP_CLIENT_SECRET: 'secret-31337' },
      { headers: { authorization: 'Bearer access-1-abcdef' } },
      { grant_type: 'client_credentials', client_id: 'me', client_secret: 'secret-31337', scope: 'read:things' },
    ],
    ['machine', { SVC_SHOP_API_TOKEN: 'tok-31337' }, { headers: { authorization: 'Bearer tok-31337' } }],
    [
      'person',
      { SVC_SHOP_CLIENT_ID: 'me', SVC_SHOP_REFRESH_TOKEN: 'refresh-31337' },
      { headers: { authorization: 'Bearer access-1-abcdef' } },
      { grant_type: 'refresh_token', refresh_token: 'refresh-31337', client_id: 'me' },
    ],
    ['person', { SVC_SHOP_API_TOKEN: 'tok-31337' }, { headers: { authorization: 'Bearer tok-31337' } }],
    ['connect', { SVC_SHOP_API_TOKEN: 'tok-31337' }, { headers: { authorization: 'Bearer tok-31337' } }],
  ];
  test.each(cases)('%s with %j', async (name, env, { url, headers = {} }, token) => {
    const { installation } = await added([name], [{ [name]: name === 'machine' ? ['read:things'] : [] }]);
    const { answer } = await call(installation, env, 'shop_list_things', { q: '1' });
    expect(answer).toEqual({ seen: true });
    expect(received).toHaveLength(1);
    if (url !== undefined) expect(received[0]?.url).toBe(url);
    for (const [header, value] of Object.entries(headers)) expect(received[0]?.headers[header]).toBe(value);
    expect(tokens).toEqual(token === undefined ? [] : [token]);
    installation[Symbol.dispose]();
  });

  test.each<SchemeName>([
    'inQuery',
    'inHeader',
    'inCookie',
    'plain',
    'token',
    'worded',
    'digested',
    'machine',
    'person',
    'connect',
  ])(
    '%s without credentials is refused, and nothing is sent; an operation without security is called bare',
    async (name) => {
      const { installation } = await added([name], [{ [name]: [] }]);
      const { answer } = await call(installation, {});
      expect(answer).toMatchObject({ code: 'credentials_missing', message: expect.stringContaining('shop.') });
      expect([received, tokens]).toEqual([[], []]);
      expect((await call(installation, {}, 'shop_get_open')).answer).toEqual({ seen: true });
      expect(received[0]?.headers).not.toHaveProperty('authorization');
      installation[Symbol.dispose]();
    },
  );

  test.each<[SchemeName, RegExp]>([
    ['certificate', /mutualTLS\) is not sent by this router: it needs a client certificate/],
    ['kerberos', /http negotiate\) is not sent by this router/],
    ['mac', /http hawk\) is not sent by this router/i],
    ['signed', /http eg1-hmac-sha256\) is not sent by this router/i],
    ['override', /would make the request another one/],
  ])('%s is said at add and refused at the call, never called bare', async (name, message) => {
    const { installation, platform } = await added([name], [{ [name]: [] }]);
    expect(platform.auth.schemes).toEqual([
      expect.objectContaining({ name, ways: [], unsendable: expect.any(String) }),
    ]);
    const { answer } = await call(installation, { SVC_SHOP_API_TOKEN: KEY });
    expect(answer).toMatchObject({ code: 'credentials_missing', message: expect.stringMatching(message) });
    expect(received).toEqual([]);
    installation[Symbol.dispose]();
  });

  test('the parameter that the scheme fills is no argument of a call', async () => {
    const { installation } = await added(['inQuery'], [{ inQuery: [] }]);
    const env = { SVC_SHOP_API_TOKEN: KEY };
    const { answer } = await call(installation, env, 'shop_list_things', { api_key: 'mine' });
    expect(answer).toMatchObject({ code: 'invalid_arguments' });
    installation[Symbol.dispose]();
  });

  test.each([
    ['inQuery', 'query', { api_key: 'mine' }],
    ['inQuery', 'query', { q: 'a', api_key: ['mine', 'yours'] }],
    ['inCookie', 'cookie', { session: 'mine' }],
  ] as const)('%s: nor is it by a name within an object that is exploded into the %s', async (name, place, given) => {
    const free = { name: 'free', in: place, schema: { type: 'object', additionalProperties: {} } };
    const { installation } = await added([name], [{ [name]: [] }], {}, [free]);
    const send = (value: object) =>
      call(installation, { SVC_SHOP_API_TOKEN: KEY }, 'shop_list_things', { free: value });
    const { answer } = await send(given);
    expect(answer).toMatchObject({
      code: 'invalid_arguments',
      expected: 'should name no parameter that holds a credential of this router',
    });
    expect(received).toEqual([]);
    expect((await send({ other: 'mine' })).answer).toEqual({ seen: true });
    installation[Symbol.dispose]();
  });

  test('a refresh token of an OpenID provider goes only where the operator says', async () => {
    const { installation } = await added(['connect'], [{ connect: [] }]);
    const env = { SVC_SHOP_CLIENT_ID: 'me', SVC_SHOP_REFRESH_TOKEN: 'refresh-31337' };
    expect((await call(installation, env)).answer).toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('`shop.token_url` should be set'),
    });
    expect([received, tokens]).toEqual([[], []]);
    installation[Symbol.dispose]();
    const named = await added(['connect'], [{ connect: [] }], { tokenUrl: '/token' });
    expect((await call(named.installation, env)).answer).toEqual({ seen: true });
    expect(received[0]?.headers.authorization).toBe('Bearer access-1-abcdef');
    named.installation[Symbol.dispose]();
  });
});

describe('digest', () => {
  const env = { SVC_SHOP_USERNAME: 'ann', SVC_SHOP_PASSWORD: 'open sesame' };
  /** The response by RFC 7616, 3.4.1, from what was received and the password. */
  const expected = (algorithm: 'md5' | 'sha256', { method }: Received, parts: Record<string, string>) => {
    const hash = (text: string) => createHash(algorithm).update(text).digest('hex');
    const [a1, a2] = [hash('ann:shop floor:open sesame'), hash(`${method}:${parts['uri']}`)];
    return parts['qop']
      ? hash(`${a1}:${parts['nonce']}:${parts['nc']}:${parts['cnonce']}:auth:${a2}`)
      : hash(`${a1}:${parts['nonce']}:${a2}`);
  };
  const partsOf = ({ headers }: Received) =>
    Object.fromEntries(
      [...(headers.authorization ?? '').matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map((m) => [
        m[1],
        m[2] ?? m[3] ?? '',
      ]),
    ) as Record<string, string>;

  test.each<[string, 'md5' | 'sha256']>([
    ['Digest realm="shop floor", nonce="n1", qop="auth,auth-int", opaque="o1"', 'md5'],
    ['Digest realm="shop floor", nonce="n1"', 'md5'],
    [
      'Basic realm="x", Digest realm="shop floor", nonce="m", algorithm=MD5, Digest realm="shop floor", nonce="n1", algorithm=SHA-256, qop="auth"',
      'sha256',
    ],
  ])('answers %s for a read and for a write, which is sent once', async (header, algorithm) => {
    challenge = header;
    const { installation } = await added(['digested'], [{ digested: [] }]);
    expect((await call(installation, env, 'shop_list_things', { q: 'ü &' })).answer).toEqual({ seen: true });
    const { answer, asked } = await call(installation, env, 'shop_create_thing', { body: { name: 'x' } });
    expect(answer).toMatchObject({ object: { seen: true } });
    const sent = received.filter(({ url, method }) => method === 'POST' || url.includes('q='));
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /things?q=%C3%BC%20%26', 'POST /things']);
    for (const one of sent) {
      const parts = partsOf(one);
      expect(parts).toMatchObject({ username: 'ann', realm: 'shop floor', nonce: 'n1', uri: one.url });
      expect(parts['response']).toBe(expected(algorithm, one, parts));
    }
    expect(asked.join()).toContain('authorization: ******** (added by the router)');
    installation[Symbol.dispose]();
  });

  test.each([
    'Digest realm="r", nonce="n", qop="auth-int"',
    'Digest realm="r", nonce="n", algorithm=SHA-512-256',
    'Basic realm="r"',
  ])('a challenge that it cannot answer, %s, ends the call without the password', async (header) => {
    challenge = header;
    const { installation } = await added(['digested'], [{ digested: [] }]);
    expect((await call(installation, env)).answer).toMatchObject({ code: 'upstream_error' });
    expect(received).toEqual([]);
    installation[Symbol.dispose]();
  });
});

describe('several schemes', () => {
  const both = { SVC_SHOP_INHEADER_API_TOKEN: 'h-31337', SVC_SHOP_INQUERY_API_TOKEN: 'q-31337' };

  test('AND: all of them are sent together, and none when one is missing', async () => {
    const names = ['inHeader', 'inQuery', 'inCookie', 'plain'] as const;
    const { installation } = await added(names, [{ inHeader: [], inQuery: [], inCookie: [], plain: [] }]);
    const env = {
      ...both,
      SVC_SHOP_INCOOKIE_API_TOKEN: 'c-31337',
      SVC_SHOP_PLAIN_USERNAME: 'ann',
      SVC_SHOP_PLAIN_PASSWORD: 'password-31337',
    };
    expect((await call(installation, env)).answer).toEqual({ seen: true });
    expect(received[0]).toMatchObject({
      url: '/things?api_key=q-31337',
      headers: { 'x_app.key': 'h-31337', cookie: 'session=c-31337', authorization: basic('ann', 'password-31337') },
    });
    received.length = 0;
    const { SVC_SHOP_INCOOKIE_API_TOKEN: _, ...less } = env;
    expect((await call(installation, less)).answer).toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('SVC_SHOP_INCOOKIE_API_TOKEN'),
    });
    expect(received).toEqual([]);
    installation[Symbol.dispose]();
  });

  test.each<[string, Record<string, string>, Record<string, string | undefined>, string]>([
    ['the first where both are set', both, { 'x_app.key': 'h-31337' }, '/things'],
    [
      'the second where only it is',
      { SVC_SHOP_INQUERY_API_TOKEN: 'q-31337' },
      { 'x_app.key': undefined },
      '/things?api_key=q-31337',
    ],
  ])('OR: %s', async (_, env, headers, url) => {
    const { installation } = await added(['inHeader', 'inQuery'], [{ inHeader: [] }, { inQuery: [] }]);
    expect((await call(installation, env)).answer).toEqual({ seen: true });
    expect(received[0]?.url).toBe(url);
    for (const [name, value] of Object.entries(headers)) expect(received[0]?.headers[name]).toBe(value);
    installation[Symbol.dispose]();
  });

  test('OR: none set is a refusal that names both', async () => {
    const { installation } = await added(['inHeader', 'inQuery'], [{ inHeader: [] }, { inQuery: [] }]);
    expect((await call(installation, {})).answer).toMatchObject({
      code: 'credentials_missing',
      message: expect.stringMatching(/\(1\).*SVC_SHOP_INHEADER_API_TOKEN.*\(2\).*SVC_SHOP_INQUERY_API_TOKEN/),
    });
    expect(received).toEqual([]);
    installation[Symbol.dispose]();
  });

  test('OR: an alternative that cannot be sent is passed over; AND with one is refused', async () => {
    const either = await added(['certificate', 'inQuery'], [{ certificate: [] }, { inQuery: [] }]);
    expect((await call(either.installation, both)).answer).toEqual({ seen: true });
    expect(received[0]?.url).toBe('/things?api_key=q-31337');
    either.installation[Symbol.dispose]();
    received.length = 0;
    const together = await added(['certificate', 'inQuery'], [{ certificate: [], inQuery: [] }]);
    expect((await call(together.installation, both)).answer).toMatchObject({ code: 'credentials_missing' });
    expect(received).toEqual([]);
    together.installation[Symbol.dispose]();
  });

  test('AND: two that need the same header are refused', async () => {
    const { installation } = await added(['plain', 'token'], [{ plain: [], token: [] }]);
    const env = { SVC_SHOP_PLAIN_USERNAME: 'a', SVC_SHOP_PLAIN_PASSWORD: 'b', SVC_SHOP_TOKEN_API_TOKEN: 'c' };
    expect((await call(installation, env)).answer).toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('header authorization'),
    });
    expect(received).toEqual([]);
    installation[Symbol.dispose]();
  });

  test('an optional credential is sent where it is set, and missed by nobody', async () => {
    const { installation } = await added(['inHeader'], [{}, { inHeader: [] }]);
    await call(installation, {});
    await call(installation, { SVC_SHOP_API_TOKEN: 'h-31337' });
    expect(received.map(({ headers }) => headers['x_app.key'])).toEqual([undefined, 'h-31337']);
    installation[Symbol.dispose]();
  });

  test('a document that nowhere says which operation needs its schemes gets each as an alternative', async () => {
    const installation = sampleInstallation();
    using folder = oddFolder();
    const taken = await importDocument(
      folder.write(
        'things.json',
        document(
          { '/things': { get: { operationId: 'listThings', responses: OK } } },
          { components: { securitySchemes: { inQuery: SCHEMES.inQuery, plain: SCHEMES.plain } } },
        ),
      ),
    );
    writeUserPlatform(installation.config().configDir, definePlatform({ name: 'shop', baseUrl: base }, taken), taken);
    expect((await call(installation, {})).answer).toMatchObject({ code: 'credentials_missing' });
    expect((await call(installation, both)).answer).toEqual({ seen: true });
    expect(received.map(({ url }) => url)).toEqual(['/things?api_key=q-31337']);
    installation[Symbol.dispose]();
  });

  test('each operation gets a token of its own scopes', async () => {
    const installation = sampleInstallation();
    using folder = oddFolder();
    const needs = (...scopes: string[]) => ({ security: [{ machine: scopes }], responses: OK });
    const taken = await importDocument(
      folder.write(
        'things.json',
        document(
          {
            '/things': { get: { operationId: 'listThings', ...needs('read:things') } },
            '/open': { get: { operationId: 'getOpen', ...needs('read:things', 'write:things') } },
          },
          { components: { securitySchemes: { machine: SCHEMES.machine } } },
        ),
      ),
    );
    writeUserPlatform(installation.config().configDir, definePlatform({ name: 'shop', baseUrl: base }, taken), taken);
    const env = { SVC_SHOP_CLIENT_ID: 'me', SVC_SHOP_CLIENT_SECRET: 'secret-31337' };
    for (const name of ['shop_list_things', 'shop_get_open', 'shop_list_things'])
      expect((await call(installation, env, name)).answer).toEqual({ seen: true });
    expect(tokens.map(({ scope }) => scope)).toEqual(['read:things', 'read:things write:things']);
    installation[Symbol.dispose]();
  });
});

test('the person who approves sees no key of query, cookie or header, and the approval binds the scheme', async () => {
  const { installation } = await added(['inQuery', 'inCookie', 'plain'], [{ inQuery: [], inCookie: [], plain: [] }]);
  const env = {
    SVC_SHOP_INQUERY_API_TOKEN: 'query-key-31337',
    SVC_SHOP_INCOOKIE_API_TOKEN: 'cookie-key-31337',
    SVC_SHOP_PLAIN_USERNAME: 'ann',
    SVC_SHOP_PLAIN_PASSWORD: 'password-31337',
  };
  const { answer, asked } = await call(installation, env, 'shop_create_thing', { body: { name: 'x' } });
  expect(answer).toMatchObject({ object: { seen: true } });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('POST /things?api_key=********');
  expect(asked[0]).toContain('cookie: session=********');
  expect(asked[0]).toContain('client "ann"');
  expect(asked[0]).not.toMatch(/31337/);
  expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  installation[Symbol.dispose]();
});

test('a platform that repeats the keys it got, in an answer or an error, repeats them to nobody', async () => {
  const { installation } = await added(['inQuery', 'inCookie', 'plain'], [{ inQuery: [], inCookie: [], plain: [] }]);
  const log = join(installation.root, 'audit.jsonl');
  const lines: string[] = [];
  const config = installation.config({
    SVC_SHOP_INQUERY_API_TOKEN: 'query key/31337',
    SVC_SHOP_INCOOKIE_API_TOKEN: 'cookie-key-31337',
    SVC_SHOP_PLAIN_USERNAME: 'ann',
    SVC_SHOP_PLAIN_PASSWORD: 'password-31337',
    SVC_MCP_AUDIT_LOG: log,
  });
  const { catalog } = openCatalog(config);
  const logger = createLogger('debug', (line) => lines.push(line));
  const { dispatch } = openDispatch(config, catalog, logger);
  const call = {
    dispatcher: 'invoke_read_tool',
    name: 'shop_list_things',
    principal: 'local',
    approver: approver(),
  } as const;
  for (const status of [200, 400, 500]) {
    echo = status;
    const result = await dispatch.invoke({ ...call, arguments: { q: 'x' } });
    // Every result leaves through this mask (server/protocol).
    const shown = logger.secrets.scrub(JSON.stringify(result));
    expect(shown).toContain('/things?q=x');
    expect(shown).not.toMatch(/31337|YW5uOnBhc3N3b3Jk/);
  }
  echo = 0;
  expect(received.at(-1)?.url).toContain('31337');
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n') + readFileSync(log, 'utf8')).not.toMatch(/31337|YW5uOnBhc3N3b3Jk/);
  catalog.close();
  installation[Symbol.dispose]();
});

describe('by the operator’s word', () => {
  test.each<[Partial<ImportOptions>, Record<string, string>, Sent]>([
    [
      { auth: 'basic' },
      { SVC_SHOP_USERNAME: 'a', SVC_SHOP_PASSWORD: 'b' },
      { headers: { authorization: basic('a', 'b') } },
    ],
    [{ auth: 'api-key-query', parameter: 'key' }, { SVC_SHOP_API_TOKEN: 'k' }, { url: '/things?key=k' }],
    [{ auth: 'api-key-cookie', parameter: 'sid' }, { SVC_SHOP_API_TOKEN: 'k' }, { headers: { cookie: 'sid=k' } }],
    [
      { auth: 'oauth2-refresh-token', tokenUrl: '/token' },
      { SVC_SHOP_CLIENT_ID: 'me', SVC_SHOP_REFRESH_TOKEN: 'r', SVC_SHOP_CLIENT_SECRET: 's' },
      { headers: { authorization: 'Bearer access-1-abcdef' } },
    ],
    [{ auth: 'none' }, {}, { url: '/things', headers: { authorization: undefined } }],
  ])('%j replaces what the document declares', async (options, env, { url, headers = {} }) => {
    const { installation } = await added(['certificate'], [{ certificate: [] }], options);
    expect((await call(installation, env)).answer).toEqual({ seen: true });
    if (url !== undefined) expect(received[0]?.url).toBe(url);
    for (const [header, value] of Object.entries(headers)) expect(received[0]?.headers[header]).toBe(value);
    installation[Symbol.dispose]();
  });
});

test.each([
  ['no token URL', {}],
  ['a token URL that is none', { tokenUrl: 'ask us' }],
])('a document with %s is taken, and setup asks for the rest', async (_, stated) => {
  using folder = oddFolder();
  const flow = { clientCredentials: { scopes: {}, ...stated } };
  const file = folder.write(
    'api.json',
    document(
      { '/a': { get: { responses: OK } } },
      { components: { securitySchemes: { own: { type: 'oauth2', flows: flow } } }, security: [{ own: [] }] },
    ),
  );
  const { auth } = definePlatform({ name: 'acme' }, await importDocument(file));
  expect(auth.strategy).toBe('declared');
  expect(auth.schemes?.[0]?.ways.map(({ strategy, ...way }) => [strategy, 'token_path' in way])).toEqual([
    ['oauth2-client-credentials', false],
    ['bearer-token', false],
  ]);
});

describe('of several declared schemes of which one is used', () => {
  const NAMED = { name: 'acme', baseUrl: 'https://acme.test' };
  const header = (name: string) => ({ type: 'apiKey', in: 'header', name });
  const machine = (tokenUrl: string) => ({ type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } });
  const person = (tokenUrl: string) => ({ type: 'oauth2', flows: { password: { tokenUrl, scopes: {} } } });

  async function authOf(unused: object, used: object, options: Partial<ImportOptions> = {}) {
    using folder = oddFolder();
    const more = { components: { securitySchemes: { Old: unused, New: used } }, security: [{ New: [] }] };
    const content = document({ '/a': { get: { responses: OK } } }, more);
    const taken = await importDocument(folder.write('api.json', content));
    const { section: _, variables: __, ...auth } = definePlatform({ ...NAMED, ...options }, taken).auth;
    return auth;
  }

  test.each<[string, object, object, object]>([
    [
      'a key goes in the header of that one',
      header('X-Old-Key'),
      header('X-New-Key'),
      { strategy: 'api-key', header: 'X-New-Key' },
    ],
    [
      'a header that is none, of the other one, is nowhere',
      header('X Old (deprecated)'),
      header('X-New'),
      { strategy: 'api-key', header: 'X-New' },
    ],
    [
      'a client secret goes to the token URL of that one',
      machine('https://acme.test/sandbox/token'),
      machine('https://acme.test/token'),
      { strategy: 'oauth2-client-credentials', token_path: 'https://acme.test/token' },
    ],
    [
      'the token URL of another server stays a statement, whatever the other one states',
      machine('https://acme.test/sandbox/token'),
      machine('https://elsewhere.test/token'),
      { strategy: 'oauth2-client-credentials', stated_token_url: 'https://elsewhere.test/token' },
    ],
    [
      'one without a token URL has none of the other one',
      machine('https://acme.test/sandbox/token'),
      machine(''),
      { strategy: 'declared' },
    ],
  ])('%s', async (_, unused, used, auth) => {
    const found = await authOf(unused, used);
    expect(found).toEqual({ ...auth, ...(found.schemes ? { schemes: found.schemes } : {}) });
    expect(JSON.stringify(found)).not.toMatch(/sandbox|Old/);
  });

  test.each<[Partial<ImportOptions>, object, object, object]>([
    [{ auth: 'api-key' }, header('X-Old'), header('X-New'), { header: 'X-New' }],
    [{ auth: 'api-key' }, header('X-Old'), { type: 'http', scheme: 'bearer' }, { header: 'X-Old' }],
    [{ auth: 'api-key' }, header('X Old (deprecated)'), { type: 'http', scheme: 'bearer' }, { header: 'X-API-Key' }],
    [
      { auth: 'api-key-query' },
      { type: 'apiKey', in: 'query', name: 'old' },
      { type: 'apiKey', in: 'query', name: 'new' },
      { parameter: 'new' },
    ],
    [{ auth: 'oauth2-client-credentials' }, machine('/sandbox/token'), machine('/token'), { token_path: '/token' }],
    [{ auth: 'oauth2-refresh-token' }, person('/sandbox/token'), person('/token'), { token_path: '/token' }],
    [
      { auth: 'oauth2-refresh-token', tokenUrl: '/token' },
      { type: 'openIdConnect', openIdConnectUrl: 'https://old.test/openid' },
      { type: 'oauth2', flows: { authorizationCode: { authorizationUrl: 'https://new.test/sign-in' } } },
      { token_path: '/token', stated_authorization_url: 'https://new.test/sign-in' },
    ],
  ])(
    '%j takes what it leaves open from the one that is used, else from another',
    async (options, unused, used, auth) => {
      expect(await authOf(unused, used, options)).toEqual({ strategy: options.auth, ...auth });
    },
  );
});

describe('a scheme that operations name and the document does not declare', () => {
  const key = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } };
  const paths = { '/a': { get: { responses: OK } }, '/b': { get: { security: [{ other: [] }], responses: OK } } };

  async function added(more: object, options: Partial<ImportOptions> = {}) {
    using folder = oddFolder();
    const taken = await importDocument(folder.write('api.json', document(paths, more)));
    const platform = definePlatform({ name: 'acme', ...options }, taken);
    const documents = taken.documents.map(({ id, content }) => ({ id, file: id, content }));
    const { tools, quarantined } = trialBuild(platform, documents);
    return {
      strategy: platform.auth.strategy,
      findings: taken.findings.map(({ pointer, message, remedy }) => `${pointer} ${message}; ${remedy}`),
      tools: tools.map(({ tool }) => tool.path),
      setAside: quarantined.map(({ operation, reason }) => `${operation} ${reason}`),
    };
  }

  test('is reported where the document declares none at all, with what is done', async () => {
    expect(await added({ security: [{ missing: [] }] })).toEqual({
      strategy: 'none',
      findings: [
        '/components/securitySchemes operations name the security schemes "missing", "other", which are not declared: they are called without a credential; declare them in the document, or say with --auth which credential calls get',
      ],
      tools: ['/a', '/b'],
      setAside: [],
    });
  });

  test('is no finding where the operator says how calls are authorised', async () => {
    const { strategy, findings } = await added({ security: [{ missing: [] }] }, { auth: 'bearer-token' });
    expect([strategy, findings]).toEqual(['bearer-token', []]);
  });

  test('sets its operation aside where others have a scheme of the document, and no call gets the wrong one', async () => {
    const found = await added({ components: key, security: [{ key: [] }] });
    expect([found.strategy, found.tools]).toEqual(['declared', ['/a']]);
    expect(found.setAside).toEqual([expect.stringContaining('GET /b its `security` names "other"')]);
  });
});

test('a scheme of several documents is one credential, whichever scopes each of them lists', async () => {
  using folder = oddFolder();
  const scheme = (scope: string, tokenUrl = 'https://acme.test/token') => ({
    type: 'oauth2',
    description: `for ${scope}`,
    flows: { clientCredentials: { tokenUrl, scopes: { [scope]: '' } } },
  });
  const write = (name: string, own: object, scope: string) =>
    folder.write(
      `${name}.json`,
      document(
        { [`/${name}`]: { get: { security: [{ own: [scope] }], responses: OK } } },
        { components: { securitySchemes: { own } } },
      ),
    );
  write('a', scheme('a'), 'a');
  write('b', scheme('b'), 'b');
  write('c', scheme('c', 'https://acme.test/other'), 'c');
  const { auth } = definePlatform({ name: 'acme' }, await importDocument(folder.path));
  expect(auth.schemes?.map(({ id, documents }) => [id, documents])).toEqual([
    ['own', ['a', 'b']],
    ['own2', ['c']],
  ]);
});
