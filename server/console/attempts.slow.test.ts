/**
 * Attempts to have a write sent without an operator's yes: each is made against a running router and console with a pending
 * approval, and the recording upstream must get nothing. Each attempt that could have approved leaves the approval as it was.
 */
import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Operators } from '../approvals/operators.ts';
import { principalOf } from '../http/bearer-check.ts';
import { writeCheapOperators } from '../test/support/cheap-operators.ts';
import { ConsoleVisitor, formTo, hiddenFields } from '../test/support/console-visitor.ts';
import { modernMessage } from '../test/support/modern-client.ts';
import { type OperatorTestbed, operatorTestbed, PATCH, type PreviewedCall } from '../test/support/operator-testbed.ts';

const PASSWORD = 'correct horse battery';
const BEARER = 'bearer-of-the-agents-0123456789';

interface Scene {
  bed: OperatorTestbed;
  /** Signed in; her agents are none. */
  ada: ConsoleVisitor;
  /** Signed in; the agent that asks is his. */
  bob: ConsoleVisitor;
  call: PreviewedCall;
  id: string;
  digest: string;
  /** Fields of the form that approves it, as the page has them. */
  form: Record<string, string>;
}

let bed: OperatorTestbed;
let people: Operators;
let ada: ConsoleVisitor;
let bob: ConsoleVisitor;
beforeAll(async () => {
  bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: '0', MCP_HTTP_BEARER_TOKEN: BEARER });
  people = new Operators(bed.config.approvals.operatorsPath);
  writeCheapOperators(bed.config.approvals.operatorsPath, [
    { name: 'ada', password: PASSWORD },
    { name: 'bob', password: PASSWORD, principals: [principalOf(BEARER)] },
    // An operator who was careless: the password is the token of the agents.
    { name: 'carol', password: BEARER },
  ]);
  ada = await signedIn('ada');
  bob = await signedIn('bob');
});
afterAll(() => bed[Symbol.asyncDispose]());
beforeEach(() => {
  bed.upstream.writes.length = 0;
});

/** What an attempt left open is no other attempt's matter. */
afterEach(async () => {
  for (const { id } of await bed.operators.service.pending()) await bed.operators.service.withdraw(id);
});

async function signedIn(name: string, password = PASSWORD): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(bed.consoleUrl ?? '');
  await visitor.signIn(name, password);
  return visitor;
}
const stranger = () => new ConsoleVisitor(bed.consoleUrl ?? '');

/** A pending approval, and the page of it as Ada sees it. */
async function scene(name = 'mgmt_update_auth_server', args: object = PATCH): Promise<Scene> {
  const call = await bed.agent.previewed(name, args);
  const { approval_id: id } = await call.apply();
  const { text } = await ada.send(`/approvals/${id}`);
  const form = hiddenFields(formTo(text, `/approvals/${id}/answer`));
  return { bed, ada, bob, call, id, digest: form['digest'] ?? '', form };
}

const answerPath = ({ id }: Scene) => `/approvals/${id}/answer`;
const yes = (s: Scene, more: Record<string, string> = {}) => ({
  ...s.form,
  verdict: 'approve',
  password: PASSWORD,
  ...more,
});
/** Something the browser of Ada is made to do: her cookies go along. */
const withAda = (s: Scene, method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(new URL(path, s.bed.consoleUrl), {
    method,
    redirect: 'manual',
    headers: { cookie: ada.cookieHeader(), ...headers },
    ...(body === undefined ? {} : { body }),
  });
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const encoded = (s: Scene) => new URLSearchParams(yes(s)).toString();
const own = () => ({ origin: new URL(bed.consoleUrl ?? '').origin });

/** Bytes as nobody's library would send them. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(bed.consoleUrl ?? '');
    const socket = connect(Number(port), hostname);
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket
      .on('end', () => resolve(got))
      .on('close', () => resolve(got))
      .on('error', reject);
    // The console closes what it refuses and what asks it to; the limit ends a test that would hang.
    setTimeout(() => socket.destroy(), 20_000).unref();
    socket.write(text);
  });

/** A host that the HTTP library would not let through otherwise. */
const withHost = (host: string, s: Scene) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(bed.consoleUrl ?? '');
    const body = encoded(s);
    const headers = {
      ...FORM,
      host,
      origin: `http://${host}`,
      cookie: ada.cookieHeader(),
      'content-length': body.length,
    };
    const sent = httpRequest({ hostname, port, method: 'POST', path: answerPath(s), headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const mcp = (
  headers: Record<string, string>,
  message = modernMessage('tools/call', { name: 'invoke_tool', arguments: {} }),
) => fetch(bed.url, { method: 'POST', headers: { ...message.headers, ...headers }, body: message.body });

/** Each is one attempt; what it answers does not matter, what the platform gets does. */
const ATTEMPTS: Record<string, (s: Scene) => Promise<unknown>> = {
  // A link that is followed, by a person, a chat client or a proxy.
  'GET of the approval link, signed in': (s) => withAda(s, 'GET', `/approvals/${s.id}`),
  'GET of the answer, signed in': (s) => withAda(s, 'GET', answerPath(s)),
  'GET of the answer with the whole form in the query': (s) => withAda(s, 'GET', `${answerPath(s)}?${encoded(s)}`),
  'HEAD of the answer with the form in the query': (s) => withAda(s, 'HEAD', `${answerPath(s)}?${encoded(s)}`),
  'OPTIONS of the answer': (s) => withAda(s, 'OPTIONS', answerPath(s), own()),
  'prefetch of the link': (s) =>
    withAda(s, 'GET', `/approvals/${s.id}`, { purpose: 'prefetch', 'sec-purpose': 'prefetch' }),
  'GET that says it is a POST by a header': (s) =>
    withAda(s, 'GET', `${answerPath(s)}?${encoded(s)}`, { 'x-http-method-override': 'POST', ...own() }),
  'PUT of the form': (s) => withAda(s, 'PUT', answerPath(s), { ...FORM, ...own() }, encoded(s)),
  'PATCH of the form': (s) => withAda(s, 'PATCH', answerPath(s), { ...FORM, ...own() }, encoded(s)),
  'link unfurled without a session': (s) =>
    stranger().send(`/approvals/${s.id}`, { headers: { 'user-agent': 'chat-bot' } }),
  // Another page in the operator's browser.
  'form of another origin': (s) =>
    withAda(s, 'POST', answerPath(s), { ...FORM, origin: 'https://evil.example' }, encoded(s)),
  'form without an origin': (s) => withAda(s, 'POST', answerPath(s), FORM, encoded(s)),
  'form of an opaque origin': (s) => withAda(s, 'POST', answerPath(s), { ...FORM, origin: 'null' }, encoded(s)),
  'form of another port': (s) =>
    withAda(s, 'POST', answerPath(s), { ...FORM, origin: 'http://127.0.0.1:1' }, encoded(s)),
  'form of the same host by https': (s) =>
    withAda(s, 'POST', answerPath(s), { ...FORM, origin: own().origin.replace('http:', 'https:') }, encoded(s)),
  'form of the same site by another name': (s) =>
    withAda(s, 'POST', answerPath(s), { ...FORM, origin: own().origin.replace('127.0.0.1', 'localhost') }, encoded(s)),
  'form of an origin that begins like ours': (s) =>
    withAda(s, 'POST', answerPath(s), { ...FORM, origin: `${own().origin}.evil.example` }, encoded(s)),
  'form that a browser calls cross-site': (s) =>
    withAda(s, 'POST', answerPath(s), { ...FORM, ...own(), 'sec-fetch-site': 'cross-site' }, encoded(s)),
  'form that a browser calls same-site': (s) =>
    withAda(s, 'POST', answerPath(s), { ...FORM, ...own(), 'sec-fetch-site': 'same-site' }, encoded(s)),
  'form with the token of nobody': (s) => ada.post(answerPath(s), yes(s, { token: 'x'.repeat(43) })),
  'form without a token': (s) => ada.post(answerPath(s), yes(s, { token: '' })),
  'form with the token of another session': async (s) => {
    const { text } = await bob.send('/approvals');
    return ada.post(answerPath(s), yes(s, hiddenFields(formTo(text, '/sign-out'))));
  },
  'form with the token of a visitor': async (s) => {
    const { text } = await stranger().send('/sign-in');
    return ada.post(answerPath(s), yes(s, { token: hiddenFields(text)['token'] ?? '' }));
  },
  'form with two tokens, one of them right': (s) =>
    ada.send(answerPath(s), { method: 'POST', fields: { ...yes(s), token: ['x', s.form['token'] ?? ''] } }),
  'form as JSON': (s) =>
    withAda(s, 'POST', answerPath(s), { 'content-type': 'application/json', ...own() }, JSON.stringify(yes(s))),
  'form as text, as a page without CORS can send it': (s) =>
    withAda(s, 'POST', answerPath(s), { 'content-type': 'text/plain', ...own() }, encoded(s)),
  'form as multipart': (s) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(yes(s))) body.append(name, value);
    return fetch(new URL(answerPath(s), bed.consoleUrl), {
      method: 'POST',
      headers: { cookie: ada.cookieHeader(), ...own() },
      body,
    });
  },
  'name that points to the console (rebinding)': (s) => withHost('evil.example', s),
  'name of another port': (s) => withHost('127.0.0.1:1', s),
  'two Host headers': (s) =>
    raw(
      `POST ${answerPath(s)} HTTP/1.1\r\nHost: ${new URL(bed.consoleUrl ?? '').host}\r\nHost: evil.example\r\nOrigin: ${own().origin}\r\nCookie: ${ada.cookieHeader()}\r\nContent-Type: ${FORM['content-type']}\r\nContent-Length: ${encoded(s).length}\r\nConnection: close\r\n\r\n${encoded(s)}`,
    ),
  'two lengths (smuggling)': (s) =>
    raw(
      `POST /sign-in HTTP/1.1\r\nHost: ${new URL(bed.consoleUrl ?? '').host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\nPOST ${answerPath(s)} HTTP/1.1\r\n\r\n`,
    ),
  // No session, or one that should not count.
  'form without a session': (s) => stranger().post(answerPath(s), yes(s)),
  'form with an empty cookie': (s) => stranger().post(answerPath(s), yes(s), { cookie: 'svc_mcp_console=' }),
  'form with a made-up session': (s) =>
    stranger().post(answerPath(s), yes(s), {
      cookie: `svc_mcp_console=${Buffer.from('{"id":"x","name":"ada","stamp":"","until":9e15}').toString('base64url')}.${'a'.repeat(43)}`,
    }),
  'form with a session that was changed by one character': (s) => {
    const cookie = ada.cookieHeader();
    return stranger().post(answerPath(s), yes(s), {
      cookie: `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`,
    });
  },
  'form with a session and padding behind it': (s) =>
    stranger().post(answerPath(s), yes(s), { cookie: `${ada.cookieHeader()}=` }),
  'form with two sessions': (s) =>
    stranger().post(answerPath(s), yes(s), { cookie: `svc_mcp_console=x; ${ada.cookieHeader()}` }),
  'form with two sessions, the right one first': (s) =>
    stranger().post(answerPath(s), yes(s), { cookie: `${ada.cookieHeader()}; svc_mcp_console=x` }),
  'form with a plan token as the session': (s) =>
    stranger().post(answerPath(s), yes(s), { cookie: `svc_mcp_console=${s.call.preview.plan_token}` }),
  'form after the sign-out': async (s) => {
    const carl = await signedIn('ada');
    const { text } = await carl.send(`/approvals/${s.id}`);
    const cookie = carl.cookieHeader();
    await carl.post('/sign-out', hiddenFields(formTo(text, '/sign-out')));
    return stranger().post(
      answerPath(s),
      { ...hiddenFields(formTo(text, answerPath(s))), verdict: 'approve', password: PASSWORD },
      { cookie },
    );
  },
  'form after the password was changed': async (s) => {
    await people.add('dora', PASSWORD);
    const dora = await signedIn('dora');
    const { text } = await dora.send(`/approvals/${s.id}`);
    await people.add('dora', 'another long password');
    return dora.post(answerPath(s), {
      ...hiddenFields(formTo(text, answerPath(s))),
      verdict: 'approve',
      password: PASSWORD,
    });
  },
  'form after the operator was removed': async (s) => {
    await people.add('dora', PASSWORD);
    const dora = await signedIn('dora');
    const { text } = await dora.send(`/approvals/${s.id}`);
    people.remove('dora');
    return dora.post(answerPath(s), {
      ...hiddenFields(formTo(text, answerPath(s))),
      verdict: 'approve',
      password: PASSWORD,
    });
  },
  'session planted before the sign-in (fixation)': async (s) => {
    const victim = stranger();
    victim.cookies.set('svc_mcp_console', 'planted');
    await victim.signIn('ada', PASSWORD);
    return stranger().post(answerPath(s), yes(s), { cookie: 'svc_mcp_console=planted' });
  },
  'session of before a second sign-in in the same browser': async (s) => {
    const twice = await signedIn('ada');
    const { text } = await twice.send(`/approvals/${s.id}`);
    const before = twice.cookieHeader();
    await twice.signIn('ada', PASSWORD);
    return stranger().post(
      answerPath(s),
      { ...hiddenFields(formTo(text, answerPath(s))), verdict: 'approve', password: PASSWORD },
      { cookie: before },
    );
  },
  'sign-in form of another page (login CSRF)': async () => {
    const { text } = await stranger().send('/sign-in');
    const { status } = await stranger().post('/sign-in', { ...hiddenFields(text), name: 'ada', password: PASSWORD });
    expect(status).toBe(403);
  },
  'sign-in that leads to the answer': async (s) => {
    const visitor = stranger();
    const { text } = await visitor.send('/sign-in');
    const fields = { ...hiddenFields(text), next: `${answerPath(s)}?${encoded(s)}`, name: 'ada', password: PASSWORD };
    const { headers } = await visitor.post('/sign-in', fields);
    expect(headers.get('location')).toBe('/approvals');
  },
  'sign-in that leads to another site': async () => {
    const visitor = stranger();
    const { text } = await visitor.send('/sign-in?next=//evil.example');
    const { headers } = await visitor.post('/sign-in', {
      ...hiddenFields(text),
      next: '//evil.example',
      name: 'ada',
      password: PASSWORD,
    });
    expect(headers.get('location')).toBe('/approvals');
  },
  'session stolen by a page on another port, without the password': (s) =>
    stranger().post(answerPath(s), yes(s, { password: '' }), { cookie: ada.cookieHeader() }),
  'session stolen by a page on another port, with the bearer as the password': (s) =>
    stranger().post(answerPath(s), yes(s, { password: BEARER }), { cookie: ada.cookieHeader() }),
  'session of one operator, password of another': async (s) => {
    await people.add('erin', 'a password of her own');
    const erin = await signedIn('erin', 'a password of her own');
    return erin.answer(s.id, 'approve', { password: PASSWORD });
  },
  // The agent and its token.
  'bearer of the agent at the page': async (s) => {
    const { status } = await stranger().send(`/approvals/${s.id}`, { headers: { authorization: `Bearer ${BEARER}` } });
    expect(status).toBe(401);
  },
  'bearer of the agent at the answer': (s) =>
    stranger().post(answerPath(s), yes(s), { authorization: `Bearer ${BEARER}` }),
  'bearer of the agent as Basic': (s) =>
    stranger().post(answerPath(s), yes(s), {
      authorization: `Basic ${Buffer.from(`ada:${BEARER}`).toString('base64')}`,
    }),
  'bearer of the agent as the session': (s) =>
    stranger().post(answerPath(s), yes(s), { cookie: `svc_mcp_console=${BEARER}` }),
  'bearer of the agent as the password of an operator who has it': async (s) => {
    const carol = stranger();
    const { status } = await carol.signIn('carol', BEARER);
    expect(status).toBe(401);
    return carol.answer(s.id, 'approve');
  },
  'session of the console at the MCP listener': async () => {
    const { status } = await mcp({ cookie: ada.cookieHeader() });
    expect(status).toBe(401);
  },
  'session of the console as a bearer': async () => {
    const { status } = await mcp({ authorization: `Bearer ${ada.cookies.get('svc_mcp_console')}` });
    expect(status).toBe(401);
  },
  'a tool call at the console': (s) => {
    const { headers, body } = modernMessage('tools/call', {
      name: 'invoke_tool',
      arguments: { name: 'mgmt_update_auth_server', arguments: PATCH },
    });
    return withAda(s, 'POST', '/mcp', { ...headers, ...own() }, body);
  },
  'the answer at the MCP listener': (s) =>
    fetch(new URL(answerPath(s), bed.url), {
      method: 'POST',
      headers: { ...FORM, authorization: `Bearer ${BEARER}` },
      body: encoded(s),
    }),
  'operator whose agent asked': (s) => s.bob.answer(s.id, 'approve'),
  'agent that repeats its call a hundred times': async (s) => {
    for (let n = 0; n < 100; n++) await s.call.apply();
  },
  'agent that says it was approved': (s) =>
    s.bed.agent.call('mgmt_update_auth_server', {
      ...PATCH,
      dry_run: false,
      confirm: true,
      plan_token: s.call.preview.plan_token,
      approval_id: s.id,
      approved: true,
    }),
  'agent that gives the approval as its plan token': (s) =>
    s.bed.agent.call('mgmt_update_auth_server', { ...PATCH, dry_run: false, confirm: true, plan_token: s.id }),
  'agent that gives the digest as its plan token': (s) =>
    s.bed.agent.call('mgmt_update_auth_server', { ...PATCH, dry_run: false, confirm: true, plan_token: s.digest }),
  'client that accepts a link it was not given': (s) => s.call.applyUrl('accept'),
  'client that answers the form nobody asked': async (s) => {
    const inputResponses = {
      confirm: { action: 'accept', content: { confirm: true } },
      approval: { action: 'accept', content: { approve: true } },
    };
    const args = { ...PATCH, dry_run: false, confirm: true, plan_token: s.call.preview.plan_token };
    const message = modernMessage(
      'tools/call',
      { name: 'invoke_tool', arguments: { name: 'mgmt_update_auth_server', arguments: args }, inputResponses },
      { capabilities: {}, bearer: BEARER },
    );
    return mcp(message.headers, message);
  },
  // Another request than the one that was approved.
  'approved for one body, called with another': async (s) => {
    const other = await s.bed.agent.previewed('mgmt_update_auth_server', {
      name: 'radius-1',
      body: { 'auth-port': 1 },
    });
    const { approval_id } = await other.apply();
    await ada.answer(approval_id, 'approve');
    await s.bed.agent.call('mgmt_update_auth_server', {
      ...PATCH,
      dry_run: false,
      confirm: true,
      plan_token: other.preview.plan_token,
    });
    await s.call.apply();
  },
  'approved for one object, called for another': async (s) => {
    const other = await s.bed.agent.previewed('mgmt_update_auth_server', { ...PATCH, name: 'radius-2' });
    await ada.answer((await other.apply()).approval_id, 'approve');
    return s.bed.agent.call('mgmt_update_auth_server', {
      ...PATCH,
      dry_run: false,
      confirm: true,
      plan_token: other.preview.plan_token,
    });
  },
  'approved, then the target changed': async (s) => {
    await ada.answer(s.id, 'approve');
    const before = s.bed.upstream.object;
    s.bed.upstream.object = () => ({ status: 200, body: { name: 'radius-1', 'auth-port': 9 } });
    await s.call.apply();
    s.bed.upstream.object = before;
    return s.call.apply();
  },
  // Answers that are not a yes.
  'declined, then approved': async (s) => {
    await ada.answer(s.id, 'decline');
    return ada.post(answerPath(s), yes(s));
  },
  'withdrawn by the client, then approved': async (s) => {
    await s.call.applyUrl('decline');
    return ada.post(answerPath(s), yes(s));
  },
  'expired, then approved': async (s) => {
    await s.bed.operators.expire(s.id);
    return ada.post(answerPath(s), yes(s));
  },
  'approved, then expired': async (s) => {
    await ada.answer(s.id, 'approve');
    await s.bed.operators.expire(s.id);
  },
  'answer without a verdict': (s) => ada.post(answerPath(s), s.form),
  'answer with both verdicts': (s) =>
    ada.send(answerPath(s), { method: 'POST', fields: { ...s.form, verdict: ['approve', 'decline'] } }),
  'answer of another case': (s) => ada.post(answerPath(s), yes(s, { verdict: 'Approve' })),
  'answer with another digest': (s) => ada.post(answerPath(s), yes(s, { digest: 'x'.repeat(43) })),
  'answer without a digest': (s) => ada.post(answerPath(s), yes(s, { digest: '' })),
  'answer with an object where none is destroyed': (s) => ada.post(answerPath(s), yes(s, { object: 'radius-1' })),
  'answer to an id in other letters': (s) => ada.post(`/approvals/${s.id.toLowerCase()}/answer`, yes(s)),
  'answer to a path': (s) => ada.post(`/approvals/..%2F..%2F${s.id}/answer`, yes(s)),
  'answer to an id with a blank': (s) => ada.post(`/approvals/${s.id}%20/answer`, yes(s)),
  'answer to another approval with this form': async (s) => {
    const other = await s.bed.agent.previewed('mgmt_update_auth_server', {
      name: 'radius-1',
      body: { 'auth-port': 2 },
    });
    await ada.post(`/approvals/${(await other.apply()).approval_id}/answer`, yes(s));
    return other.apply();
  },
  // The store itself.
  'approval written into the store as plain text': async (s) => {
    const approval = await s.bed.operators.service.read(s.id);
    const text = JSON.stringify({ ...approval, state: 'approved', decisions: [{ operator: 'ada' }] });
    writeFileSync(join(s.bed.config.stateDir, 'approvals', `${s.id}.approval`), `${Date.now() + 60_000}\n${text}`);
  },
  'approved approval copied over another one': async (s) => {
    const { readFileSync } = await import('node:fs');
    const pathOf = (id: string) => join(s.bed.config.stateDir, 'approvals', `${id}.approval`);
    const other = await scene('mgmt_update_auth_server', { name: 'radius-1', body: { 'auth-port': 3 } });
    await ada.answer(other.id, 'approve');
    writeFileSync(pathOf(s.id), readFileSync(pathOf(other.id)));
  },
};

test('at least sixty attempts are listed', () => {
  expect(Object.keys(ATTEMPTS).length).toBeGreaterThanOrEqual(60);
});

test.each(Object.entries(ATTEMPTS))('%s: nothing is sent', async (name, attempt) => {
  const s = await scene();
  expect([s.id.length, s.digest.length, Object.keys(s.form).sort()]).toEqual([43, 43, ['digest', 'token']]);
  await attempt(s);
  if (!name.startsWith('approved')) {
    const { state, decisions } = (await bed.operators.service.read(s.id)) ?? { state: 'gone', decisions: [] };
    expect(['pending', 'declined', 'cancelled', 'gone']).toContain(state);
    expect(decisions.filter(({ verdict }) => verdict === 'approve')).toEqual([]);
  }
  // Whoever repeats the call gets no write either.
  expect(await s.call.apply()).toHaveProperty('code');
  expect(bed.upstream.writes).toEqual([]);
});

test('an approval is of its own preview: the same request of another one is asked about anew', async () => {
  const s = await scene();
  await ada.post(answerPath(s), yes(s));
  const again = await bed.agent.previewed('mgmt_update_auth_server', PATCH);
  expect(await again.apply()).toMatchObject({ code: 'approval_pending' });
  expect(bed.upstream.writes).toEqual([]);
  await s.call.apply();
  expect(bed.upstream.writes).toHaveLength(1);
});

test('an approved write is not sent while writes are stopped', async () => {
  const s = await scene();
  await ada.post(answerPath(s), yes(s));
  const change = { by: 'ada', where: 'console', reason: '' } as const;
  await bed.operators.writes.change({ ...change, writes: 'stopped' });
  expect(await s.call.apply()).toMatchObject({ code: 'writes_stopped' });
  expect(bed.upstream.writes).toEqual([]);
  await bed.operators.writes.change({ ...change, writes: 'allowed' });
});

test.each([
  ['no name', {}],
  ['another name', { object: 'radius-2' }],
  ['the name in other letters', { object: 'RADIUS-1' }],
  ['the name twice', { object: ['radius-1', 'radius-1'] }],
])('a destructive request approved with %s is not sent', async (_, more) => {
  const s = await scene('mgmt_delete_auth_server', { name: 'radius-1' });
  await ada.send(answerPath(s), { method: 'POST', fields: { ...yes(s), ...more } });
  expect(await s.call.apply()).toMatchObject({ code: 'approval_pending' });
  expect(bed.upstream.writes).toEqual([]);
});

test('and the one way that is left: an operator approves exactly this, and it is sent once, whoever asks for it how often', async () => {
  const s = await scene();
  const other = await bed.replica();
  expect((await ada.post(answerPath(s), yes(s))).status).toBe(303);
  expect((await ada.post(answerPath(s), yes(s))).status).toBe(409);
  await Promise.all([s.call.apply(), s.call.applyAt(other.agent), s.call.apply(), s.call.applyAt(other.agent)]);
  await s.call.apply();
  expect(bed.upstream.writes).toHaveLength(1);
});
