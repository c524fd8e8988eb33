/** Sign-in of operators at an OpenID provider: who is let in, and every answer that lets nobody in. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Operators } from '../approvals/operators.ts';
import { ConsoleVisitor, hiddenFields } from '../test/support/console-visitor.ts';
import { type BentToken, startProvider } from '../test/support/openid-provider.ts';
import { operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';
import { freePort } from '../test/support/programs.ts';

const CLIENT = 'console';
const SECRET = 'client-secret-of-the-console';
const ORIGIN = 'https://ops.example';
const PASSWORD = 'correct horse battery';

let open = new AsyncDisposableStack();
afterEach(async () => {
  await open.disposeAsync();
  open = new AsyncDisposableStack();
});

/** A browser behind the proxy that ends TLS: the console sees the host and the origin of its own address. */
class Behind extends ConsoleVisitor {
  protected override sent(url: URL, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
    const own = new Headers(headers);
    if (own.has('origin')) own.set('origin', ORIGIN);
    if (body) own.set('content-type', 'application/x-www-form-urlencoded');
    return new Promise((resolve, reject) => {
      const given = { ...Object.fromEntries(own), host: 'ops.example' };
      const sent = request(url, { method, headers: given }, async (answer) => {
        const text = (await answer.toArray()).join('');
        const pairs = answer.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1] ?? '']] : []));
        resolve(new Response(text, { status: answer.statusCode ?? 0, headers: pairs as [string, string][] }));
      });
      sent.on('error', reject).end(body ? String(body) : undefined);
    });
  }
}

async function start(variables: Record<string, string> = {}) {
  const provider = open.use(await startProvider(CLIENT, SECRET));
  const folder = mkdtempSync(join(tmpdir(), 'console-oidc-'));
  open.defer(() => rmSync(folder, { recursive: true, force: true }));
  const secret = join(folder, 'client-secret');
  writeFileSync(secret, `${SECRET}\n`, { mode: 0o600 });
  const port = await freePort();
  const bed = open.use(
    await operatorTestbed({
      SVC_MCP_CONSOLE_PORT: String(port),
      SVC_MCP_CONSOLE_URL: ORIGIN,
      SVC_MCP_CONSOLE_OIDC_ISSUER: provider.issuer,
      SVC_MCP_CONSOLE_OIDC_CLIENT_ID: CLIENT,
      SVC_MCP_CONSOLE_OIDC_CLIENT_SECRET_PATH: secret,
      SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl',
      ...variables,
    }),
  );
  const people = new Operators(bed.config.approvals.operatorsPath);
  people.addIdentity('ada', { issuer: provider.issuer, subject: 'subject-of-ada' });
  const visitor = (at = port) => new Behind(`http://127.0.0.1:${at}`);
  return { bed, provider, people, visitor };
}
type Started = Awaited<ReturnType<typeof start>>;

interface Journey {
  subject?: string;
  next?: string;
  change?: (answer: URLSearchParams) => void;
  by?: ConsoleVisitor;
}

/** To the provider and back; `change` may bend what the browser brings. */
async function signIn(
  { provider, visitor }: Pick<Started, 'provider' | 'visitor'>,
  { subject = 'subject-of-ada', next = '/calls', change, by = visitor() }: Journey = {},
) {
  const sent = await by.send(`/sign-in/oidc?next=${encodeURIComponent(next)}`);
  const url = sent.headers.get('location') ?? '';
  const answer = new URLSearchParams({
    code: provider.code(url, subject),
    state: new URL(url).searchParams.get('state') ?? '',
    iss: provider.issuer,
  });
  change?.(answer);
  const back = await by.send(`/sign-in/oidc/callback?${answer}`);
  return { by, sent, url: new URL(url), answer, back };
}

const isIn = async (by: ConsoleVisitor) => (await by.send('/calls')).status === 200;

describe('who is let in', () => {
  test('an operator by subject, with code, PKCE, state and nonce, to the page that was asked for', async () => {
    const s = await start();
    const page = await s.visitor().send('/sign-in?next=/calls');
    expect(page.text).toContain('<a href="/sign-in/oidc?next=%2Fcalls">Sign in with 127.0.0.1');
    const { by, sent, url, back } = await signIn(s);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT,
      redirect_uri: `${ORIGIN}/sign-in/oidc/callback`,
      scope: 'openid',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(sent.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-svc_mcp_oidc=\S+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect([back.status, back.headers.get('refresh')]).toEqual([200, '0; url=/calls']);
    expect(back.headers.getSetCookie()[0]).toMatch(/^__Host-svc_mcp_console=\S+; .*HttpOnly; SameSite=Strict; Secure$/);
    expect([...by.cookies.keys()]).toEqual(['__Host-svc_mcp_console']);
    expect((await by.send('/calls')).text).toContain('<span class="who">ada</span>');
    expect(s.provider.asked).toHaveLength(1);
    const audit = readFileSync(s.bed.config.auditLog ?? '', 'utf8');
    expect(audit).toMatch(/"kind":"sign_in","event":"accepted","operator":"ada"/);
    expect(`${audit}${s.bed.log.join('\n')}`).not.toContain(SECRET);
  });

  test('approves without a password and is named in the answer; an own agent’s request is refused', async () => {
    const s = await start();
    s.people.addIdentity('ada', { issuer: s.provider.issuer, subject: 'subject-of-ada' }, []);
    s.people.addIdentity('eve', { issuer: s.provider.issuer, subject: 'subject-of-eve' }, ['anonymous']);
    const call = await s.bed.agent.previewed('mgmt_update_auth_server', PATCH);
    const id = String((await call.apply()).approval_id);
    const { by: eve } = await signIn(s, { subject: 'subject-of-eve' });
    expect((await eve.answer(id, 'approve')).text).toContain('Who asks never approves');
    const { by: ada } = await signIn(s);
    expect((await ada.answer(id, 'approve')).status).toBe(303);
    await call.apply();
    expect(s.bed.upstream.writes).toHaveLength(1);
    expect((await ada.send(`/approvals/${id}`)).text).toContain('<strong>ada</strong> said approve (console');
  });

  test('two for a destructive request are two subjects, and one subject is never two operators', async () => {
    const s = await start({ SVC_MCP_APPROVALS: 'two-for-destructive' });
    const { issuer } = s.provider;
    expect(() => s.people.addIdentity('ada2', { issuer, subject: 'subject-of-ada' })).toThrow(
      /already the operator ada/,
    );
    s.people.addIdentity('bob', { issuer, subject: 'subject-of-bob' });
    const call = await s.bed.agent.previewed('mgmt_delete_auth_server', { name: 'radius-1' });
    const id = String((await call.apply()).approval_id);
    const { object } = (await s.bed.operators.service.read(id))?.requests[0] ?? { object: '' };
    for (const _ of [1, 2]) {
      const { by } = await signIn(s);
      await by.answer(id, 'approve', { object });
      expect(await call.apply()).toMatchObject({ code: 'approval_pending' });
    }
    const { by: bob } = await signIn(s, { subject: 'subject-of-bob' });
    await bob.answer(id, 'approve', { object });
    await call.apply();
    expect(s.bed.upstream.writes).toHaveLength(1);
    // Written by hand under two names, it is a file that counts for nobody.
    const path = s.bed.config.approvals.operatorsPath;
    writeFileSync(path, readFileSync(path, 'utf8').replace('subject-of-bob', 'subject-of-ada'));
    expect(() => s.people.names()).toThrow(/should be a file of operators/);
  });

  test('a removed operator is out at once, and one of another provider or by password is another one', async () => {
    const s = await start();
    const { by } = await signIn(s);
    expect(await isIn(by)).toBe(true);
    s.people.addIdentity('ada', { issuer: 'https://other.example', subject: 'subject-of-ada' });
    expect(await isIn(by)).toBe(false);
    expect((await signIn(s)).back.status).toBe(403);
    await s.people.add('ada', PASSWORD);
    const typed = s.visitor();
    const { text } = await typed.send('/sign-in');
    await typed.post('/sign-in', { ...hiddenFields(text), name: 'ada', password: PASSWORD });
    expect([await isIn(by), await isIn(typed), (await signIn(s)).back.status]).toEqual([false, true, 403]);
    s.people.addIdentity('ada', { issuer: s.provider.issuer, subject: 'subject-of-ada' });
    expect([await isIn(typed), await s.people.verify('ada', PASSWORD)]).toEqual([false, undefined]);
  });

  test('a sign-in that began at one replica ends at another, once', async () => {
    const s = await start();
    const port = await freePort();
    await s.bed.replica({ SVC_MCP_CONSOLE_PORT: String(port) });
    const one = s.visitor();
    const other = s.visitor(port);
    const url = (await one.send('/sign-in/oidc')).headers.get('location') ?? '';
    for (const [name, value] of one.cookies) other.cookies.set(name, value);
    const state = new URL(url).searchParams.get('state') ?? '';
    // Each with a code of its own: it is the state that counts once.
    const path = () =>
      `/sign-in/oidc/callback?${new URLSearchParams({ code: s.provider.code(url, 'subject-of-ada'), state })}`;
    expect((await other.send(path())).status).toBe(200);
    expect((await one.send(path())).status).toBe(403);
    expect([await isIn(other), await isIn(one)]).toEqual([true, false]);
  });
});

describe('nobody is let in', () => {
  const now = Math.floor(Date.now() / 1000);
  const BENT: Record<string, BentToken> = {
    'another audience': { claims: { aud: 'another-client' } },
    'two audiences, and made for the other': { claims: { aud: [CLIENT, 'b'], azp: 'b' } },
    'two audiences without the one it is for': { claims: { aud: [CLIENT, 'b'] } },
    'another issuer': { claims: { iss: 'https://evil.example' } },
    'another nonce': { claims: { nonce: 'another' } },
    'no nonce': { claims: { nonce: undefined } },
    'no subject': { claims: { sub: undefined } },
    'an empty subject': { claims: { sub: '' } },
    'a subject that is no text': { claims: { sub: 7 } },
    expired: { claims: { iat: now - 500, exp: now - 120 } },
    'made long ago': { claims: { iat: now - 7_200, exp: now + 7_200 } },
    'without an end': { claims: { exp: undefined } },
    'another key': { strangeKey: true },
    'the client secret as key': { symmetric: true },
    'no signature': { text: `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` },
    'no token': { text: 'not a token' },
  };
  test('with an ID token of another client, issuer, sign-in, time or key', async () => {
    const s = await start();
    const found: unknown[] = [];
    for (const [name, bent] of Object.entries(BENT)) {
      s.provider.bend(bent);
      const { by, back } = await signIn(s);
      found.push([name, back.status, back.headers.getSetCookie(), by.cookies.has('__Host-svc_mcp_console')]);
      expect([name, back.text]).toEqual([name, expect.stringContaining('The provider did not confirm who you are.')]);
    }
    expect(found).toEqual(Object.keys(BENT).map((name) => [name, 403, [], false]));
    s.provider.bend({});
    expect((await signIn(s)).back.status).toBe(200);
  });

  test('who is no operator here is told the subject to add, and that is on record', async () => {
    const s = await start();
    const { by, back } = await signIn(s, { subject: 'x"><script>' });
    expect(back.status).toBe(403);
    expect(back.text).toContain('knows you as x&quot;&gt;&lt;script&gt;');
    expect(await isIn(by)).toBe(false);
    expect(readFileSync(s.bed.config.auditLog ?? '', 'utf8')).toContain('"event":"refused","operator":"oidc:x');
  });

  test('without the cookie of the very sign-in, with another state, or a second time; the code is not even asked for', async () => {
    const s = await start();
    const victim = s.visitor();
    // An attacker's own answer in a browser that began no sign-in, or another one.
    const attacker = s.visitor();
    const url = (await attacker.send('/sign-in/oidc')).headers.get('location') ?? '';
    const state = new URL(url).searchParams.get('state') ?? '';
    const theirs = `/sign-in/oidc/callback?${new URLSearchParams({ code: s.provider.code(url, 'subject-of-ada'), state })}`;
    expect((await victim.send(theirs)).status).toBe(403);
    await victim.send('/sign-in/oidc');
    expect((await victim.send(theirs)).status).toBe(403);
    for (const change of [
      (answer: URLSearchParams) => answer.delete('state'),
      (answer: URLSearchParams) => answer.set('state', ''),
      (answer: URLSearchParams) => answer.set('state', `${answer.get('state')}a`),
    ])
      expect((await signIn(s, { change })).back.status).toBe(403);
    expect(s.provider.asked).toEqual([]);
    const { by, answer } = await signIn(s);
    by.cookies.delete('__Host-svc_mcp_console');
    const again = s.visitor();
    const cookie = (await again.send('/sign-in/oidc')).headers.getSetCookie();
    expect(cookie).toHaveLength(1);
    expect((await again.send(`/sign-in/oidc/callback?${answer}`)).status).toBe(403);
    expect([await isIn(victim), await isIn(again), s.provider.asked.length]).toEqual([false, false, 1]);
  });

  test('a session that somebody planted is not the one that a sign-in makes', async () => {
    const s = await start();
    const planted = (await signIn(s, { subject: 'subject-of-ada' })).by.cookies.get('__Host-svc_mcp_console') ?? '';
    s.people.addIdentity('bob', { issuer: s.provider.issuer, subject: 'subject-of-bob' });
    const by = s.visitor();
    by.cookies.set('__Host-svc_mcp_console', planted);
    await signIn(s, { subject: 'subject-of-bob', by });
    expect(by.cookies.get('__Host-svc_mcp_console')).not.toBe(planted);
    expect((await by.send('/calls')).text).toContain('<span class="who">bob</span>');
    const thief = s.visitor();
    thief.cookies.set('__Host-svc_mcp_console', planted);
    expect(await isIn(thief)).toBe(false);
  });

  test('where the provider refuses, answers for another issuer, or leads to a page that is not of the console', async () => {
    const s = await start();
    const refused = await signIn(s, {
      change: (answer) => {
        answer.delete('code');
        answer.set('error', 'access_denied');
      },
    });
    expect([refused.back.status, refused.back.text.includes('did not confirm')]).toEqual([403, true]);
    expect((await signIn(s, { change: (answer) => answer.set('iss', 'https://evil.example') })).back.status).toBe(403);
    expect((await signIn(s, { change: (answer) => answer.set('code', 'guessed') })).back.status).toBe(403);
    const away = await signIn(s, { next: 'https://evil.example/' });
    expect(away.back.headers.get('refresh')).toBe('0; url=/approvals');
  });

  test.each([
    { issuer: 'https://evil.example' },
    { issuer: 'OWN/another-tenant' },
    { token_endpoint: 'http://evil.example/token' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { jwks_uri: '' },
  ])('where the configuration of the provider is not its own or not safe: %j', async (other) => {
    const s = await start();
    const { issuer, ...more } = other as Record<string, string>;
    const named = issuer === undefined ? {} : { issuer: issuer.replace('OWN', s.provider.issuer) };
    s.provider.configured({ ...named, ...more });
    const sent = await s.visitor().send('/sign-in/oidc');
    expect([sent.status, sent.headers.get('location'), sent.text.includes('cannot be asked')]).toEqual([
      503,
      null,
      true,
    ]);
  });

  test('while the provider is down; a password still opens the console', async () => {
    const s = await start();
    await s.people.add('bob', PASSWORD);
    const by = s.visitor();
    const url = (await by.send('/sign-in/oidc')).headers.get('location') ?? '';
    const state = new URL(url).searchParams.get('state') ?? '';
    await s.provider[Symbol.asyncDispose]();
    const back = await by.send(`/sign-in/oidc/callback?${new URLSearchParams({ code: 'a', state })}`);
    expect([back.status, back.text.includes('The provider cannot be asked')]).toEqual([503, true]);
    expect(s.bed.log.some((line) => line.includes('console.oidc'))).toBe(true);
    const { text } = await by.send('/sign-in');
    expect((await by.post('/sign-in', { ...hiddenFields(text), name: 'bob', password: PASSWORD })).status).toBe(303);
  });
});
