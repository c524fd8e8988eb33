/** The console through its own pages, as an operator with a browser uses it: sign-in, approvals, the write switch, views. */
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Operators } from '../approvals/operators.ts';
import { type AuditKey, readAuditKeys } from '../audit/audit-key.ts';
import { hashOf as hashOfLine, keyedLine } from '../audit/chain.ts';
import { hashOf, newBearer } from '../principals/bearer-hash.ts';
import { writeCheapOperators } from '../test/support/cheap-operators.ts';
import { ConsoleVisitor, formTo, hiddenFields } from '../test/support/console-visitor.ts';
import { type OperatorTestbed, operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';

const PASSWORD = 'correct horse battery';
const CONSOLE = { SVC_MCP_CONSOLE_PORT: '0' };

let bed: OperatorTestbed | undefined;
afterEach(async () => {
  await bed?.[Symbol.asyncDispose]();
  bed = undefined;
});

async function open(variables: Record<string, string> = {}) {
  bed = await operatorTestbed({ ...CONSOLE, ...variables });
  const { operatorsPath } = bed.config.approvals;
  mkdirSync(dirname(operatorsPath), { recursive: true, mode: 0o700 });
  writeCheapOperators(operatorsPath, [
    { name: 'ada', password: PASSWORD },
    { name: 'bob', password: PASSWORD, principals: ['anonymous'] },
  ]);
  const visitor = async (name?: string) => {
    const made = new ConsoleVisitor(bed?.consoleUrl ?? '');
    if (name) await made.signIn(name, PASSWORD);
    return made;
  };
  return { ...bed, people: new Operators(operatorsPath), visitor };
}

/** Continues the chain of a log with so many lines. */
function appendLines(path: string, [key]: AuditKey[], count: number): void {
  const last = readFileSync(path, 'utf8').trim().split('\n').at(-1)!;
  const { seq } = JSON.parse(last) as { seq: number };
  let [prev, text] = [hashOfLine(last), ''];
  for (let n = 1; n <= count; n++) {
    const line = keyedLine(key!, JSON.stringify({ seq: seq + n, prev, kind: 'call', tool: 'a', id: 'x'.repeat(300) }));
    prev = hashOfLine(line);
    text += `${line}\n`;
  }
  appendFileSync(path, text);
}

const asked = async ({ agent }: OperatorTestbed, name = 'mgmt_update_auth_server', args: object = PATCH) => {
  const call = await agent.previewed(name, args);
  const pending = await call.apply();
  return { ...call, id: String(pending.approval_id), pending };
};

describe('approvals', () => {
  test('the link of the call leads over the sign-in to the whole request; its form sends it', async () => {
    const b = await open();
    const { id, pending, apply } = await asked(b);
    expect(pending.approval_url).toBe(`${b.consoleUrl}/approvals/${id}`);
    const ada = await b.visitor();
    const before = await ada.send(`/approvals/${id}`);
    expect([before.status, before.text.includes('1912')]).toEqual([401, false]);
    expect(hiddenFields(before.text)['next']).toBe(`/approvals/${id}`);
    ada.password = PASSWORD;
    const entered = await ada.post('/sign-in', { ...hiddenFields(before.text), name: 'ada', password: PASSWORD });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `/approvals/${id}`]);
    expect((await ada.send('/approvals')).text).toContain('<td><code>&quot;radius-1&quot;</code></td>');
    const { text } = await ada.send(`/approvals/${id}`);
    for (const part of [
      'PATCH /base/auth-servers/radius-1',
      '{&quot;auth-port&quot;:1912}',
      'Changes &quot;auth-port&quot;: <del>1812</del> → <ins>1912</ins>',
    ])
      expect(text).toContain(part);
    expect((await ada.answer(id, 'approve', { reason: 'change 4711' })).status).toBe(303);
    expect((await ada.send(`/approvals/${id}`)).text).toContain('<strong>ada</strong> said approve (console');
    await apply();
    expect(b.upstream.writes).toHaveLength(1);
    expect((await ada.send(`/approvals/${id}`)).text).toContain('The requests are no longer kept');
  });

  test('a decline with its reason reaches the agent, and nothing is sent', async () => {
    const b = await open();
    const { id, apply } = await asked(b);
    await (await b.visitor('ada')).answer(id, 'decline', { reason: 'not on a Friday' });
    expect(await apply()).toMatchObject({ code: 'declined', message: expect.stringContaining('not on a Friday') });
    expect(b.upstream.writes).toEqual([]);
  });

  test('each of many writes stands open and whole before the answer', async () => {
    const b = await open();
    const calls: object[] = [];
    for (const port of [1912, 1913, 1914]) {
      const args = { name: 'radius-1', body: { 'auth-port': port } };
      const { preview } = await b.agent.previewed('mgmt_update_auth_server', args);
      calls.push({
        name: 'mgmt_update_auth_server',
        arguments: { ...args, dry_run: false, confirm: true, plan_token: preview.plan_token },
      });
    }
    const { approval_id } = await b.agent.call('invoke_tools_batch', { calls });
    const { text } = await (await b.visitor('ada')).send(`/approvals/${approval_id}`);
    expect(text.match(/<details open data-request>/g)).toHaveLength(3);
    for (const port of [1912, 1913, 1914]) expect(text).toContain(`{&quot;auth-port&quot;:${port}}`);
  });

  test('the name of a destroyed object has to be typed, and who asked cannot approve', async () => {
    const b = await open();
    const { id, apply } = await asked(b, 'mgmt_delete_auth_server', { name: 'radius-1' });
    const [ada, bob] = [await b.visitor('ada'), await b.visitor('bob')];
    expect((await ada.answer(id, 'approve', { object: 'radius-2' })).text).toContain(
      'was not typed, or is another one',
    );
    const { object } = (await b.operators.service.read(id))?.requests[0] ?? { object: '' };
    expect((await bob.send(`/approvals/${id}`)).text).toContain('Your own agent asked for this');
    expect((await bob.answer(id, 'approve', { object })).text).toContain('Who asks never approves');
    expect((await ada.answer(id, 'approve', { object })).status).toBe(303);
    await apply();
    expect(b.upstream.writes).toHaveLength(1);
  });

  test('who has agreed where two are needed is told that another operator is waited for', async () => {
    const b = await open({ SVC_MCP_APPROVALS: 'two-for-destructive' });
    const { id } = await asked(b, 'mgmt_delete_auth_server', { name: 'radius-1' });
    const { object } = (await b.operators.service.read(id))?.requests[0] ?? { object: '' };
    const ada = await b.visitor('ada');
    expect((await ada.send(`/approvals/${id}`)).text).not.toContain('You have agreed already');
    expect((await ada.answer(id, 'approve', { object })).status).toBe(303);
    expect((await ada.send(`/approvals/${id}`)).text).toContain('You have agreed already: another operator');
    expect((await (await b.visitor('bob')).send(`/approvals/${id}`)).text).not.toContain('You have agreed already');
  });

  test('text of others stays text', async () => {
    const b = await open();
    const evil = '<script>alert(1)</script>"><img src=x onerror=alert(2)>';
    const { id } = await asked(b, 'mgmt_update_auth_server', { name: 'radius-1', body: { 'shared-secret': evil } });
    const { text } = await (await b.visitor('ada')).send(`/approvals/${id}`);
    expect([text.includes('<script>'), text.includes('<img'), text.includes('&lt;script&gt;')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

test('a name that an agent made up hides nothing on the pages of calls and of the audit log, and is searched for as it is', async () => {
  const b = await open({ SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  const odd = 'mgmt_list\u200b_sites\u202e';
  await b.agent.call(odd, {});
  await b.agent.call('mgmt_update_auth_server', { ...PATCH, [odd]: 1 });
  const ada = await b.visitor('ada');
  const { text: audit } = await ada.send(`/audit?q=${encodeURIComponent(odd)}`);
  expect(audit).toContain('<td>mgmt_list\\u{200b}_sites\\u{202e}</td>');
  expect(audit).toContain(`value="${odd}"`);
  const [, call = ''] = /href="(\/calls\/[0-9a-f-]+)"/.exec((await ada.send('/calls')).text) ?? [];
  expect((await ada.send(call)).text).toContain('<code>mgmt_list\\u{200b}_sites\\u{202e}</code>');
});

describe('bad input answers a plain page, and nothing is sent', () => {
  test('a wrong password, an unknown name and too many tries', async () => {
    const b = await open();
    const ada = await b.visitor();
    for (const [name, password] of [
      ['ada', 'wrong'],
      ['eve', PASSWORD],
      ['ada', ''],
    ] as const) {
      const wrong = await ada.signIn(name, password);
      expect([wrong.status, wrong.text.includes('The name or the password is wrong')]).toEqual([401, true]);
    }
    for (let n = 0; n < 3; n++) await ada.signIn('ada', 'wrong');
    const late = await ada.signIn('ada', PASSWORD);
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await ada.send('/approvals')).status).toBe(401);
  });

  test('a session that is over, by the operator or by the time', async () => {
    const b = await open();
    const { id, apply } = await asked(b);
    const ada = await b.visitor('ada');
    const fields = {
      ...hiddenFields(formTo((await ada.send(`/approvals/${id}`)).text, `/approvals/${id}/answer`)),
      verdict: 'approve',
    };
    const kept = ada.cookieHeader();
    await ada.post('/sign-out', hiddenFields(formTo((await ada.send('/approvals')).text, '/sign-out')));
    const again = await ada.post(`/approvals/${id}/answer`, fields, { cookie: kept });
    expect([again.status, again.text.includes('Your session is over')]).toEqual([401, true]);
    expect(again.text).toContain(`<a href="/approvals/${id}">To this approval</a>`);
    const next = await b.visitor('ada');
    await b.people.add('ada', 'another long password');
    expect((await next.send('/approvals')).status).toBe(401);
    b.people.remove('ada');
    expect(await apply()).toMatchObject({ code: 'approval_pending' });
  });

  test('an approval that is not there, and a plan that is another one', async () => {
    const b = await open();
    const { id, apply } = await asked(b);
    const ada = await b.visitor('ada');
    const gone = await ada.send(`/approvals/${'x'.repeat(43)}`);
    expect([gone.status, gone.text.includes('There is no approval of this id')]).toEqual([404, true]);
    const form = hiddenFields(formTo((await ada.send(`/approvals/${id}`)).text, `/approvals/${id}/answer`));
    const changed = await ada.post(`/approvals/${id}/answer`, {
      ...form,
      digest: 'another',
      verdict: 'approve',
      password: PASSWORD,
    });
    expect([changed.status, changed.text.includes('not those that you were shown')]).toEqual([409, true]);
    expect(changed.text).toContain(`<a href="/approvals/${id}">To this approval</a>`);
    const mistyped = await ada.post(`/approvals/${id}/answer`, { ...form, verdict: 'approve', password: 'mistyped' });
    expect([mistyped.status, mistyped.text.includes(`href="/approvals/${id}"`)]).toEqual([401, true]);
    expect(await apply()).toMatchObject({ code: 'approval_pending' });
    expect(b.upstream.writes).toEqual([]);
  });

  test('a store that cannot be written', async () => {
    const b = await open({ SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
    const { id, apply } = await asked(b);
    const ada = await b.visitor('ada');
    writeFileSync(b.config.auditLog ?? '', '{"broken', { mode: 0o644 });
    const { chmodSync } = await import('node:fs');
    chmodSync(b.config.auditLog ?? '', 0o644);
    const failed = await ada.answer(id, 'approve');
    expect([failed.status, failed.text.includes('Nothing was sent')]).toEqual([500, true]);
    expect((await b.operators.service.read(id))?.state).toBe('pending');
    expect(await apply()).toMatchObject({ code: 'approval_pending' });
  });
});

test('one button stops all writes, of the other router too, and every page says so', async () => {
  const b = await open();
  const other = await b.replica();
  const call = await b.agent.previewed('mgmt_update_auth_server', PATCH);
  const ada = await b.visitor('ada');
  const form = hiddenFields(formTo((await ada.send('/platforms')).text, '/writes'));
  await ada.post('/writes', { ...form, writes: 'stopped', reason: 'incident 12' });
  expect((await ada.send('/approvals')).text).toContain('All writes are stopped');
  expect(await call.apply('accept')).toMatchObject({ code: 'writes_stopped' });
  expect(await other.agent.call('mgmt_update_auth_server', PATCH)).toMatchObject({ code: 'writes_stopped' });
  expect((await ada.send('/platforms')).text).toContain('incident 12');
  await ada.post('/writes', { ...form, writes: 'allowed', password: 'wrong' });
  expect(await call.apply('accept')).toMatchObject({ code: 'writes_stopped' });
  await ada.post('/writes', { ...form, writes: 'allowed', password: PASSWORD });
  await call.apply('accept');
  expect(b.upstream.writes).toHaveLength(1);
});

test('the console of another router takes the session, and its end', async () => {
  const b = await open();
  const other = await b.replica();
  const { id, apply } = await asked(b);
  const ada = await b.visitor('ada');
  const there = new ConsoleVisitor(other.consoleUrl ?? '');
  for (const [name, value] of ada.cookies) there.cookies.set(name, value);
  there.password = PASSWORD;
  expect((await there.answer(id, 'approve')).status).toBe(303);
  await apply();
  expect(b.upstream.writes).toHaveLength(1);
  await ada.post('/sign-out', hiddenFields(formTo((await ada.send('/approvals')).text, '/sign-out')));
  expect((await there.send('/approvals')).status).toBe(401);
});

test('views show calls, platforms, the audit log with its chain, metrics and hits, each in at most 60 KB', async () => {
  const b = await open({ SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  const { id } = await asked(b);
  const ada = await b.visitor('ada');
  await ada.answer(id, 'decline', { reason: 'no' });
  const shows = {
    '/approvals': ['Answered or expired', 'declined'],
    '/calls?q=write': ['mgmt_update_auth_server', 'confirmation_required'],
    '/platforms': ['mgmt', 'SVC_MCP_MGMT_WRITES (platform_override)', 'open'],
    '/audit?q=declined': ['declined no', 'ada'],
    '/audit?verify=1': ['whole'],
    '/metrics': ['<polyline points='],
    '/find?q=change+a+RADIUS+server': [
      ...['mgmt_update_auth_server', '<code>PATCH /auth-servers/{name}</code>', 'write by method (PATCH)'],
      ...['<th scope="row">words</th>', 'its words that occur in the question'],
    ],
    '/find?q=mgmt_update_auth_server': ['<th scope="row">exact</th>', 'its operationId'],
    '/find?q=zzz+qqq': ['0 hits', 'Note: no tool fits.'],
  };
  for (const [path, parts] of Object.entries(shows)) {
    const { status, text } = await ada.send(path);
    expect([path, status, parts.filter((part) => !text.includes(part))]).toEqual([path, 200, []]);
    expect(text.length).toBeLessThan(60 * 1024);
  }
});

test('lines of the file that was just put aside are found as well', async () => {
  const b = await open({ SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  const path = b.config.auditLog ?? '';
  await asked(b);
  renameSync(path, `${path}.1`);
  const ada = await b.visitor('ada');
  expect(readFileSync(path, 'utf8')).not.toContain('mgmt_update_auth_server');
  expect((await ada.send('/audit?q=mgmt_update_auth_server')).text).toContain('<td>mgmt_update_auth_server</td>');
});

test('the audit page says how many lines hold a word beside those that it shows, and that none does', async () => {
  const b = await open({ SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  const ada = await b.visitor('ada');
  appendLines(b.config.auditLog ?? '', readAuditKeys(join(b.config.stateDir, 'audit-key')), 130);
  expect((await ada.send(`/audit?q=${'x'.repeat(200)}`)).text).toContain('The newest 100 of 130 are shown.');
  expect((await ada.send('/audit?q=sign_in')).text).not.toContain('are shown');
  const { text } = await ada.send('/audit?q=radius-77');
  expect([text.includes('No line holds this word.'), text.includes('<table>')]).toEqual([true, false]);
});

test('the router serves on while the chain of a long audit log is verified', async () => {
  const b = await open({ SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  const ada = await b.visitor('ada');
  appendLines(b.config.auditLog ?? '', readAuditKeys(join(b.config.stateDir, 'audit-key')), 5_000);
  const answered: string[] = [];
  const told = async (path: string) => {
    const { text } = await ada.send(path);
    answered.push(path);
    return text;
  };
  const verified = told('/audit?verify=1');
  for (const path of ['/platforms', '/calls', '/metrics']) await told(path);
  const [, chain] = /Chain: <strong>([^<]*)</.exec(await verified) ?? [];
  expect(chain).toMatch(/^50\d\d lines in 1 files, whole$/);
  expect(answered).toEqual(['/platforms', '/calls', '/metrics', '/audit?verify=1']);
});

test('the trace of a call shows who agreed and what was sent, and no value', async () => {
  const b = await open();
  const { id, apply } = await asked(b);
  const ada = await b.visitor('ada');
  await ada.answer(id, 'approve');
  await apply();
  const { text: calls } = await ada.send('/calls');
  const [, applied = ''] = /href="(\/calls\/[0-9a-f-]+)"/.exec(calls) ?? [];
  const { status, text } = await ada.send(applied);
  expect(status).toBe(200);
  for (const part of ['console:ada', 'PATCH /auth-servers/radius-1', '<code>body.auth-port</code>', 'success'])
    expect(text).toContain(part);
  expect([text.includes('1912'), text.includes(b.installation.config().http.bearerToken ?? 'Bearer ')]).toEqual([
    false,
    false,
  ]);
  expect((await ada.send('/calls/not-there')).status).toBe(404);
  expect((await ada.send('/platforms')).text).toMatch(/mgmt<\/th>[\s\S]*?reachable/);
  b.upstream.object = () => ({ status: 503, body: {} });
  await b.agent.call('mgmt_update_auth_server', PATCH);
  expect((await ada.send('/platforms')).text).toMatch(/mgmt<\/th>[\s\S]*?not reachable/);
});

test('a live page is told of a new approval, and its stream ends with the session; strangers and a seventh page get none', async () => {
  const b = await open();
  const ada = await b.visitor('ada');
  const listen = () => fetch(new URL('/live', b.consoleUrl), { headers: { cookie: ada.cookieHeader() } });
  expect((await fetch(new URL('/live', b.consoleUrl))).status).toBe(204);
  const streams = await Promise.all([1, 2, 3, 4, 5, 6].map(listen));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect((await listen()).status).toBe(204);
  const [first, ...others] = streams;
  for (const { body } of others) await body?.cancel();
  const reader = first?.body?.pipeThrough(new TextDecoderStream()).getReader();
  let got = '';
  const until = async (text: string) => {
    while (!got.includes(text)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
      if (done) break;
      got += value;
    }
    return got.includes(text);
  };
  // Once for what happened between its page and its stream.
  expect(await until('event: changed')).toBe(true);
  got = '';
  expect(await until(':\n\n')).toBe(true);
  await asked(b);
  expect(await until('event: changed')).toBe(true);
  b.people.remove('ada');
  expect(await until('event: ended')).toBe(true);
  expect((await reader?.read())?.done).toBe(true);
});

test('the bearer of a principal is refused as a password, although its operator chose it', async () => {
  const bearer = newBearer();
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-console-'));
  const path = join(folder, 'principals.yaml');
  const write = (entry: object) => writeFileSync(path, JSON.stringify({ principals: [entry] }), { mode: 0o600 });
  write({ name: 'agent', bearers: [hashOf(bearer)] });
  const b = await open({ SVC_MCP_PRINCIPALS_PATH: path });
  writeCheapOperators(b.config.approvals.operatorsPath, [{ name: 'carol', password: bearer }]);
  const carol = await b.visitor();
  expect((await carol.signIn('carol', bearer)).status).toBe(401);
  write({ name: 'agent', bearers: [hashOf(newBearer())] });
  expect((await carol.signIn('carol', bearer)).status).toBe(303);
  rmSync(folder, { recursive: true });
});

test('connections on which nothing comes keep no operator out', async () => {
  const b = await open();
  const { port } = new URL(b.consoleUrl ?? '');
  const silent = Array.from({ length: 300 }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined));
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  const ada = await b.visitor('ada');
  const form = hiddenFields(formTo((await ada.send('/platforms')).text, '/writes'));
  expect((await ada.post('/writes', { ...form, writes: 'stopped' })).status).toBe(303);
  for (const socket of silent) socket.destroy();
});

test('every answer forbids frames, scripts and foreign assets, and its pages have none', async () => {
  const b = await open();
  const { id } = await asked(b);
  const ada = await b.visitor('ada');
  for (const path of ['/approvals', `/approvals/${id}`, '/platforms', '/sign-in', '/nowhere', '/style.css']) {
    const { headers, text } = await ada.send(path);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(
      /<script(?! src="\/live\.js" defer><\/script>)|\son\w+=|\sstyle=|https?:\/\/(?!127\.0\.0\.1)/,
    );
  }
});
