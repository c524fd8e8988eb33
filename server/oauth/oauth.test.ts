/** Access tokens over real HTTP: what is let in, what a challenge tells, and which tool each scope opens. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Egress } from '../egress/egress.ts';
import { hashOf, newBearer } from '../principals/bearer-hash.ts';
import { createLogger } from '../telemetry/logger.ts';
import { messageIn, modernRequest } from '../test/support/modern-client.ts';
import { type Serving, serving } from '../test/support/serving.ts';
import {
  claimsIn,
  confusedToken,
  RESOURCE,
  type SigningKey,
  signingKey,
  startTokenIssuer,
  type TokenIssuer,
  unsignedToken,
} from '../test/support/token-issuer.ts';
import { metadataUrls } from './issuer-metadata.ts';
import { KeySet, usableKeys } from './key-set.ts';
import { lookAtIssuer } from './look-at-issuer.ts';
import { nameOf } from './oauth-callers.ts';
import { scopedAccess } from './oauth-scopes.ts';
import { TokenVerifier } from './token-verifier.ts';

let issuer: TokenIssuer;
let folder: string;
beforeAll(async () => {
  issuer = await startTokenIssuer();
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-oauth-'));
});
afterAll(async () => {
  await issuer?.[Symbol.asyncDispose]();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const oauth = (more: Record<string, string> = {}) => ({
  SVC_MCP_OAUTH_ISSUER: issuer.issuer,
  SVC_MCP_OAUTH_RESOURCE: RESOURCE,
  SVC_MCP_MGMT_WRITES: '1',
  ...more,
});
const served = (more: Record<string, string> = {}) => serving(oauth(more));

async function asked(
  { url }: Serving,
  bearer: string | undefined,
  name = 'find_tool',
  args: object = { query: 'sites' },
) {
  const message = modernRequest(name, args as Record<string, unknown>, bearer === undefined ? {} : { bearer });
  const response = await fetch(url, { method: 'POST', ...message });
  const text = await response.text();
  const content = response.ok ? (messageIn(text).result?.['content'] as { text: string }[]) : undefined;
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    body: JSON.parse(content?.[0]?.text ?? text),
  };
}

const METADATA = 'https://router.example/.well-known/oauth-protected-resource/mcp';

describe('a client without a token', () => {
  test('is told where to get one, and what to ask for', async () => {
    await using router = await served();
    const { status, challenge } = await asked(router, undefined);
    expect(status).toBe(401);
    expect(challenge).toBe(`Bearer scope="mcp:read mcp:diagnostic", resource_metadata="${METADATA}"`);
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const response = await fetch(new URL(path, router.url));
      expect(response.status).toBe(200);
      const { scopes_supported, ...rest } = (await response.json()) as { scopes_supported: string[] };
      expect(rest).toEqual({
        resource: RESOURCE,
        authorization_servers: [issuer.issuer],
        bearer_methods_supported: ['header'],
        resource_name: 'MCP Tool Router',
      });
      expect(scopes_supported).toContain('mgmt:destructive');
      expect((await fetch(new URL(path, router.url), { method: 'POST' })).status).toBe(405);
    }
    expect((await fetch(`${router.url}?access_token=${await issuer.token()}`, { method: 'POST' })).status).toBe(401);
  });

  test('finds no metadata on a router without OAuth', async () => {
    await using router = await serving({ MCP_HTTP_BEARER_TOKEN: newBearer() });
    const response = await fetch(new URL('/.well-known/oauth-protected-resource', router.url));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="mcp"');
  });
});

describe('a token', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const stranger = signingKey('first');
  test.each<[string, () => Promise<string> | string, string]>([
    ['that expired', () => issuer.token({ exp: now() - 61 }), 'expired'],
    ['without an expiry', () => issuer.token({ exp: undefined }), 'no_expiry'],
    ['that is not valid yet', () => issuer.token({ nbf: now() + 120 }), 'not_yet_valid'],
    ['issued an hour ahead', () => issuer.token({ iat: now() + 3600, exp: now() + 7200 }), 'not_yet_valid'],
    [
      'of an issuer whose clock is an hour behind',
      () => issuer.token({ iat: now() - 3600, exp: now() - 3300 }),
      'expired',
    ],
    ['of another issuer', () => issuer.token({ iss: 'https://evil.example' }), 'other_issuer'],
    ['for another audience', () => issuer.token({ aud: 'https://other.example/mcp' }), 'other_audience'],
    ['without an audience', () => issuer.token({ aud: undefined }), 'other_audience'],
    ['without a subject', () => issuer.token({ sub: undefined }), 'no_subject'],
    ['with another signature', () => issuer.token({}, { key: stranger }), 'signature'],
    ['of an unknown key', () => issuer.token({}, { header: { kid: 'unknown' } }), 'unknown_key'],
    ['of another type', () => issuer.token({}, { header: { typ: 'dpop+jwt' } }), 'other_type'],
    ['bound to a key', () => issuer.token({ cnf: { jkt: 'x' } }), 'bound_to_a_key'],
    ['without a signature', async () => unsignedToken(claimsIn(await issuer.token())), 'algorithm'],
    [
      'signed with the public key as a secret',
      async () => confusedToken(claimsIn(await issuer.token()), issuer.keys[0] as SigningKey),
      'algorithm',
    ],
    ['that is too long', () => issuer.token({ more: 'x'.repeat(8_000) }), 'too_long'],
  ])('%s is refused, and the log tells why without it', async (_, tokenOf, reason) => {
    await using router = await served();
    const token = await tokenOf();
    const { status, challenge, body } = await asked(router, token);
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'unauthorized' });
    expect(challenge).toMatch(/^Bearer error="invalid_token", scope=/);
    const [line] = router.log.filter((text) => text.includes('oauth.token_refused'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ reason });
    expect(router.log.join()).not.toContain(token.split('.')[2] || token);
  });

  test.each<SigningKey['alg']>(['RS256', 'ES256', 'EdDSA'])(
    'signed by %s with what its scopes give is let in',
    async (alg) => {
      await using own = await startTokenIssuer();
      own.keys = [signingKey('own', alg)];
      await using router = await served({ SVC_MCP_OAUTH_ISSUER: own.issuer });
      const token = await own.token({ aud: ['https://other.example', RESOURCE] }, { header: { typ: 'JWT' } });
      expect((await asked(router, token)).status).toBe(200);
      expect((await asked(router, token)).status).toBe(200);
      expect(own.fetches()).toBe(1);
    },
  );

  test('is refused any number of times, and the log tells each reason once a second, with how often', async () => {
    const log: string[] = [];
    const logger = createLogger('info', (line) => log.push(line));
    const keys = new KeySet({ issuer: issuer.issuer, jwksUrl: undefined, egress: new Egress(), logger });
    const settings = { issuer: issuer.issuer, audience: RESOURCE, skewSeconds: 60 };
    const verifier = new TokenVerifier({ settings, keys, logger });
    const refusals = () => log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'oauth.token_refused');
    for (let n = 0; n < 500; n++) await verifier.verify(`a.b.${n}`);
    await verifier.verify(await issuer.token({ aud: 'https://other.example/mcp' }));
    expect(refusals().map(({ reason }) => reason)).toContain('other_audience');
    expect(refusals().length).toBeLessThan(20);
    await new Promise((done) => setTimeout(done, 1_050));
    await verifier.verify('a.b.c');
    const malformed = refusals().filter(({ reason }) => reason === 'malformed');
    expect(malformed.reduce((sum, { untold = 0 }) => sum + 1 + untold, 0)).toBe(501);
  });

  test('lives on for the skew and no longer, also where it is kept', async () => {
    let time = Date.now();
    const logger = createLogger('silent');
    const keys = new KeySet({ issuer: issuer.issuer, jwksUrl: undefined, egress: new Egress(), logger });
    const settings = { issuer: issuer.issuer, audience: RESOURCE, skewSeconds: 60 };
    const verifier = new TokenVerifier({ settings, keys, logger, now: () => time });
    const token = await issuer.token({ exp: Math.floor(time / 1000) + 10 });
    expect(await verifier.verify(token)).toMatchObject({ claims: { sub: 'ada' } });
    // The first one fetched the keys, so it was not kept.
    expect(await verifier.verify(token)).toMatchObject({ claims: { sub: 'ada' } });
    time += 60_000;
    expect(verifier.verify(token)).not.toBeInstanceOf(Promise);
    time += 15_000;
    expect(await verifier.verify(token)).toBe('invalid');
  });
});

describe('keys', () => {
  const verifierOf = (own: TokenIssuer, log: string[] = []) => {
    const clock = { at: 0 };
    const logger = createLogger('info', (line) => log.push(line));
    const keys = new KeySet({
      issuer: own.issuer,
      jwksUrl: undefined,
      egress: new Egress(),
      logger,
      now: () => clock.at,
    });
    const settings = { issuer: own.issuer, audience: RESOURCE, skewSeconds: 60 };
    return { verifier: new TokenVerifier({ settings, keys, logger }), clock };
  };

  test('of a server that lets requests time out are asked for once, and then not before the pause is over', async () => {
    const clock = { at: 0 };
    const asked: string[] = [];
    const egress = {
      fetch: async (url: string) => {
        asked.push(url);
        clock.at += 5_000;
        throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
      },
    } as unknown as Egress;
    const logger = createLogger('silent');
    const keys = new KeySet({ issuer: 'https://id.example', jwksUrl: undefined, egress, logger, now: () => clock.at });
    const settings = { issuer: 'https://id.example', audience: RESOURCE, skewSeconds: 60 };
    const verifier = new TokenVerifier({ settings, keys, logger });
    const token = await issuer.token();
    expect(await verifier.verify(token)).toBe('unavailable');
    expect(asked).toEqual(metadataUrls('https://id.example'));
    expect([await verifier.verify(token), asked.length]).toEqual(['unavailable', 2]);
    clock.at += 10_001;
    expect([await verifier.verify(token), asked.length]).toEqual(['unavailable', 4]);
  });

  test('that rotate are fetched again, and a token of a withdrawn key ends', async () => {
    await using own = await startTokenIssuer();
    const { verifier, clock } = verifierOf(own);
    const [old] = own.keys as [SigningKey];
    const before = await own.token();
    expect(await verifier.verify(before)).toBeTypeOf('object');
    own.keys = [signingKey('second')];
    const after = await own.token();
    // Within the cooldown nobody can make the router ask again.
    expect(await verifier.verify(after)).toBe('invalid');
    expect(own.fetches()).toBe(1);
    clock.at += 10_001;
    expect(await verifier.verify(after)).toBeTypeOf('object');
    expect(own.fetches()).toBe(2);
    expect(await verifier.verify(before)).toBe('invalid');
    expect(await verifier.verify(await own.token({}, { key: old }))).toBe('invalid');
  });

  test('that are all withdrawn end too, until there is another one', async () => {
    await using own = await startTokenIssuer();
    const log: string[] = [];
    const { verifier, clock } = verifierOf(own, log);
    const [withdrawn] = own.keys as [SigningKey];
    const token = await own.token();
    expect(await verifier.verify(token)).toBeTypeOf('object');
    own.keys = [];
    clock.at += 10_001;
    // A token of any unknown key makes the router ask.
    expect(await verifier.verify(await own.token({}, { key: signingKey('unknown') }))).toBe('invalid');
    expect(await verifier.verify(token)).toBe('invalid');
    expect(await verifier.verify(await own.token({ sub: 'bob' }, { key: withdrawn }))).toBe('invalid');
    expect(log.filter((line) => line.includes('"keys":0')).map((line) => JSON.parse(line).level)).toEqual(['error']);
    own.keys = [signingKey('second')];
    clock.at += 10_001;
    expect(await verifier.verify(await own.token())).toBeTypeOf('object');
  });

  test('that are known go on while the issuer is away, and tokens of others are refused', async () => {
    await using own = await startTokenIssuer();
    const log: string[] = [];
    const { verifier, clock } = verifierOf(own, log);
    own.isUp = false;
    expect(await verifier.verify(await own.token())).toBe('unavailable');
    own.isUp = true;
    clock.at += 10_001;
    expect(await verifier.verify(await own.token())).toBeTypeOf('object');
    own.isUp = false;
    clock.at += 300_001;
    expect(await verifier.verify(await own.token({ sub: 'bob' }))).toBeTypeOf('object');
    clock.at += 10_001;
    expect(await verifier.verify(await own.token({}, { key: signingKey('new') }))).toBe('unavailable');
    expect(log.filter((line) => line.includes('oauth.keys_unreachable')).length).toBeGreaterThan(0);
  });

  test('of a set that is too large, has a shared secret alone, or is none are not taken', () => {
    expect(() => usableKeys({ keys: Array.from({ length: 65 }, () => ({ kty: 'EC' })) })).toThrow('at most 64');
    expect(() => usableKeys({ keys: [{ kty: 'oct', k: 'c2VjcmV0' }] })).toThrow('a public key');
    expect(() => usableKeys({})).toThrow('at most 64');
  });

  test('unreachable from the start answer 503, and not a challenge that would throw the token away', async () => {
    await using router = await served({ SVC_MCP_OAUTH_JWKS_URL: 'http://127.0.0.1:9/keys' });
    expect(await asked(router, await issuer.token())).toMatchObject({ status: 503, challenge: null });
  });

  test('are looked for where RFC 8414 and OpenID Connect put the metadata', () => {
    expect(metadataUrls('https://id.example/realms/one/')).toEqual([
      'https://id.example/.well-known/oauth-authorization-server/realms/one',
      'https://id.example/.well-known/openid-configuration/realms/one',
      'https://id.example/realms/one/.well-known/openid-configuration',
    ]);
  });
});

describe('scopes', () => {
  const READ = 'mgmt_list_auth_servers';
  const WRITE = 'mgmt_delete_auth_server';
  const write = { name: WRITE, arguments: { name: 'radius-1' } };

  test('missing ones are a challenge that names them beside those of the token, in both revisions', async () => {
    await using router = await served();
    const token = await issuer.token({ scope: 'openid mgmt:read' });
    const { status, challenge, body } = await asked(router, token, 'invoke_tool', write);
    expect({ status, missing: body.missing }).toEqual({ status: 403, missing: ['mgmt:destructive'] });
    expect(challenge).toBe(
      `Bearer error="insufficient_scope", scope="mgmt:read mgmt:destructive", resource_metadata="${METADATA}"`,
    );
    const earlier = await fetch(router.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'invoke_tool', arguments: write },
      }),
    });
    expect(earlier.status).toBe(403);
    const batch = { calls: [{ name: READ }, { name: WRITE, arguments: { name: 'radius-1' } }] };
    const together = await asked(router, token, 'invoke_tools_batch', batch);
    expect(together).toMatchObject({ status: 403, body: { missing: ['mgmt:destructive'] } });
  });

  test('that are there admit the call, also after a step-up', async () => {
    await using router = await served();
    const token = await issuer.token({ scope: 'mgmt:read mgmt:destructive' });
    const { status, body } = await asked(router, token, 'invoke_tool', write);
    expect(status).toBe(200);
    expect(['insufficient_scope', 'forbidden', 'blocked']).not.toContain(body.code);
  });

  test('do not widen what the server permits, and find_tool names the one that is missing', async () => {
    await using router = await served({ SVC_MCP_MGMT_WRITES: '0' });
    const all = await issuer.token({ scope: 'mcp:read mcp:write mcp:destructive' });
    expect((await asked(router, all, 'invoke_tool', write)).body).toMatchObject({ code: 'blocked' });
    const find = async (scope: string) => {
      const query = { query: 'list access points', capability: 'read', top_k: 1 };
      return (await asked(router, await issuer.token({ scope }), 'find_tool', query)).body[0];
    };
    expect(await find('mcp:write')).toMatchObject({ missing_scope: 'mgmt:read' });
    expect(await find('mgmt:read')).not.toHaveProperty('missing_scope');
  });

  test('of a token: unknown ones give nothing, whatever their form', () => {
    const supported = new Set(['mcp:read', 'mgmt:write']);
    const of = (claim: unknown) => scopedAccess(claim, supported).granted;
    expect(of('mcp:read root mgmt:write mcp:read')).toEqual(['mcp:read', 'mgmt:write']);
    expect(of(['mgmt:write', 7, null])).toEqual(['mgmt:write']);
    expect(of(undefined)).toEqual([]);
    expect(of({ 'mcp:read': true })).toEqual([]);
  });
});

describe('principals of the file', () => {
  const file = (text: string) => {
    const path = join(folder, 'principals.yaml');
    writeFileSync(path, `principals:\n${text}`, { mode: 0o600 });
    chmodSync(path, 0o600);
    return { SVC_MCP_PRINCIPALS_PATH: path };
  };
  const ada = '  - name: ada\n    oauth: { claim: client_id, value: agent-one }\n';

  test('narrow the scopes of the token that has their claim; others have their scopes, or nothing', async () => {
    const narrowed = file(`${ada}    capabilities: [read]\n`);
    const token = await issuer.token({ client_id: 'agent-one', scope: 'mcp:read mcp:destructive' });
    const other = await issuer.token({ client_id: 'agent-two', scope: 'mcp:read' });
    const listed = await issuer.token({ client_id: ['agent-one'], scope: 'mcp:read' });
    const remove = { name: 'mgmt_delete_auth_server', arguments: { name: 'radius-1' } };
    {
      await using router = await served(narrowed);
      expect((await asked(router, token, 'invoke_tool', remove)).body).toMatchObject({ code: 'forbidden' });
      expect((await asked(router, other)).status).toBe(200);
    }
    await using router = await served({ ...narrowed, SVC_MCP_OAUTH_UNLISTED: 'refuse' });
    expect((await asked(router, token)).status).toBe(200);
    expect(await asked(router, other)).toMatchObject({ status: 403, challenge: null });
    expect(await asked(router, listed)).toMatchObject({ status: 403, challenge: null });
  });

  test('with static bearers call beside those with tokens', async () => {
    const bearer = newBearer();
    await using router = await served(file(`${ada}  - name: bob\n    bearers: [${hashOf(bearer)}]\n`));
    expect((await asked(router, bearer)).status).toBe(200);
    expect((await asked(router, newBearer())).status).toBe(401);
  });

  test.each([
    ['two with one claim', `${ada}${ada.replace('ada', 'bob')}`, /`\/principals\/1\/oauth` should be the only one/],
    ['one that cannot prove itself', '  - name: ada\n', /`\/principals\/0` should have `bearers` or `oauth`/],
    ['a claim without a value', '  - name: ada\n    oauth: { claim: sub }\n', /`\/principals\/0\/oauth/],
  ])('%s refuse the start', async (_, text, message) => {
    await expect(served(file(text))).rejects.toThrow(message);
  });

  test('with a claim refuse the start of a router without OAuth', async () => {
    await expect(serving(file(ada))).rejects.toThrow(
      /oauth` should not be there while SVC_MCP_OAUTH_ISSUER is not set/,
    );
  });
});

test.each<[Record<string, string>, string]>([
  [{ SVC_MCP_OAUTH_SCOPES: 'mcp:read,mcp:admin' }, 'got "mcp:admin"'],
  [{ MCP_HTTP_BEARER_TOKEN: 'x'.repeat(43) }, 'SVC_MCP_OAUTH_ISSUER contradicts MCP_HTTP_BEARER_TOKEN'],
  [{ SVC_MCP_OAUTH_ISSUER: 'http://id.example' }, 'SVC_MCP_OAUTH_ISSUER should be an https:// address'],
  [{ SVC_MCP_OAUTH_UNLISTED: 'refuse' }, 'SVC_MCP_OAUTH_UNLISTED=refuse contradicts'],
  [{ SVC_MCP_OAUTH_CLOCK_SKEW_SECONDS: '3600' }, 'SVC_MCP_OAUTH_CLOCK_SKEW_SECONDS'],
  [{ SVC_MCP_OAUTH_RESOURCE: '' }, 'SVC_MCP_OAUTH_RESOURCE should be the URL'],
])('settings that make no sense refuse the start: %j', async (more, message) => {
  await expect(served(more)).rejects.toThrow(message);
});

test('the doctor sees an issuer that is well, and one whose clock is off by an hour', async () => {
  await using router = await served();
  const { config } = router.installation;
  const place = config({ MCP_TRANSPORT: 'streamable-http', ...oauth() });
  if (place.oauth === undefined) throw new Error('OAuth should be configured');
  expect(await lookAtIssuer(place.oauth, place)).toEqual({
    keys: 1,
    aheadSeconds: expect.any(Number),
    hasProofKeys: true,
  });
  const late = () => Date.now() + 3_600_000;
  const { aheadSeconds } = await lookAtIssuer(place.oauth, place, late);
  expect(Math.round((aheadSeconds ?? 0) / 10)).toBe(-360);
  const other = { ...place.oauth, issuer: place.oauth.issuer.replace('127.0.0.1', 'localhost') };
  await expect(lookAtIssuer(other, place)).rejects.toThrow('should name the issuer');
});

test('two subjects have two names, however they are spelled, and none is a name of the file', () => {
  const names = [
    nameOf('ada', 'https://id.example'),
    nameOf('ada ', 'https://id.example'),
    nameOf('ada', 'https://id.example/other'),
    nameOf(`ada${'x'.repeat(250)}`, 'https://id.example'),
    nameOf(`ada${'x'.repeat(251)}`, 'https://id.example'),
  ];
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[\w.-]{1,24}@[\w.-]+~[0-9a-f]{24}$/);
});

test('a session of one subject does not exist for another', async () => {
  await using router = await served();
  const [ada, bob] = [await issuer.token(), await issuer.token({ sub: 'bob' })];
  const headers = (bearer: string) => ({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${bearer}`,
    'mcp-protocol-version': '2025-11-25',
  });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const opened = await fetch(router.url, { method: 'POST', headers: headers(ada), body });
  const id = opened.headers.get('mcp-session-id') ?? '';
  expect(id).not.toBe('');
  await opened.text();
  const list = (bearer: string) =>
    fetch(router.url, {
      method: 'POST',
      headers: { ...headers(bearer), 'mcp-session-id': id },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
    });
  expect((await list(bob)).status).toBe(404);
  const own = await list(ada);
  expect(own.status).toBe(200);
  await own.text();
});
