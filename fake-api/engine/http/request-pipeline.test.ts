import { describe, expect, it } from 'vitest';
import { smallTestbed } from '../../test/engine/small-platform.ts';

const RADIUS = { type: 'RADIUS', host: 'one.example', 'shared-secret': 'long-enough' };

describe('a request is refused in the order of the platform', () => {
  const cases: [
    name: string,
    method: string,
    target: string,
    body: unknown,
    headers: Record<string, string>,
    status: number,
    says: RegExp,
  ][] = [
    [
      'no token',
      'GET',
      '/servers',
      undefined,
      { authorization: '' },
      401,
      /"Authorization": expected a bearer token, got nothing/,
    ],
    [
      'foreign token',
      'GET',
      '/servers',
      undefined,
      { authorization: 'Bearer other' },
      401,
      /expected a token this platform issued/,
    ],
    ['another scheme', 'GET', '/servers', undefined, { authorization: 'Basic eDp5' }, 401, /expected "Bearer <token>"/],
    ['unknown path', 'GET', '/nothing', undefined, {}, 404, /expected one of this platform, got "\/nothing"/],
    ['trailing slash', 'GET', '/servers/', undefined, {}, 404, /got "\/servers\/"/],
    ['wrong method', 'PATCH', '/servers', { a: 1 }, {}, 405, /expected one of GET, got PATCH/],
    [
      'wrong media type',
      'POST',
      '/servers/a',
      'type=RADIUS',
      { 'content-type': 'text/plain' },
      415,
      /expected application\/json, got "text\/plain"/,
    ],
    [
      'path value out of pattern',
      'GET',
      '/servers/Bad%20Name',
      undefined,
      {},
      400,
      /path parameter "name": expected text matching/,
    ],
    [
      'unknown query parameter',
      'GET',
      '/servers?limt=5',
      undefined,
      {},
      400,
      /query parameter "limt": expected one of limit, next, filter, sort/,
    ],
    [
      'query value of another type',
      'GET',
      '/servers?limit=ten',
      undefined,
      {},
      400,
      /query parameter "limit": expected a whole number, got "ten" \(string\)/,
    ],
    [
      'query value out of range',
      'GET',
      '/servers?limit=0',
      undefined,
      {},
      400,
      /query parameter "limit": expected a number >= 1, got 0 \(number\)/,
    ],
    ['no body', 'POST', '/servers/a', undefined, {}, 400, /request body: expected a JSON document, got nothing/],
    ['broken JSON', 'POST', '/servers/a', '{"type":', {}, 400, /request body: expected JSON/],
    [
      'missing field',
      'POST',
      '/servers/a',
      { type: 'RADIUS' },
      {},
      400,
      /request body at \/host: expected a value, the field is required/,
    ],
    [
      'unknown field',
      'POST',
      '/servers/a',
      { ...RADIUS, colour: 'red' },
      {},
      400,
      /request body at \/colour: expected no such field .*got field "colour"/,
    ],
    [
      'enum',
      'POST',
      '/servers/a',
      { ...RADIUS, type: 'TACACS' },
      {},
      400,
      /request body at \/type: expected one of RADIUS, LDAP, got "TACACS"/,
    ],
    [
      'range',
      'POST',
      '/servers/a',
      { ...RADIUS, port: 70000 },
      {},
      400,
      /request body at \/port: expected a number <= 65535, got 70000/,
    ],
    [
      'range inside a mixin',
      'POST',
      '/servers/a',
      { ...RADIUS, timeout: 31 },
      {},
      400,
      /request body at \/timeout: expected a number <= 30, got 31/,
    ],
    [
      'conditional field',
      'POST',
      '/servers/a',
      { type: 'LDAP', host: 'one.example' },
      {},
      400,
      /"base-dn": expected a value, it is required when type is "LDAP"/,
    ],
    [
      'conditional secret',
      'POST',
      '/servers/a',
      { type: 'RADIUS', host: 'one.example' },
      {},
      400,
      /"shared-secret": expected a value/,
    ],
    [
      'missing reference',
      'POST',
      '/groups/g',
      { servers: ['ghost'] },
      {},
      400,
      /field "servers\[\]": expected the name of an existing servers entry, got "ghost"/,
    ],
    ['missing item', 'GET', '/servers/ghost', undefined, {}, 404, /servers entry "ghost": expected an existing one/],
    [
      'unknown task',
      'GET',
      '/servers/a/test/async-operations/7f9c2f3e-0000-4000-8000-000000000000',
      undefined,
      {},
      404,
      /task .*expected the id of a started task/,
    ],
    [
      'body where none belongs',
      'DELETE',
      '/groups/g',
      { a: 1 },
      {},
      400,
      /request body: expected none for this operation/,
    ],
  ];

  it.each(cases)('%s', (_name, method, target, body, headers, status, says) => {
    const testbed = smallTestbed();
    const answer = testbed.call(method, target, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ httpStatusCode: status, errorCode: expect.stringMatching(/^[A-Z_]+$/) });
    expect(answer.json['message']).toMatch(says);
    expect(answer.json['debugId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(testbed.records).toHaveLength(1);
    expect(testbed.records[0]).toMatchObject({ method, status });
  });

  it('never repeats a refused secret', () => {
    const answer = smallTestbed().call('POST', '/servers/a', { ...RADIUS, 'shared-secret': 'short' });
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain('short"');
    expect(answer.json['message']).toMatch(/got a secret that does not fit/);
  });
});

describe('the ledger', () => {
  it('classes a call by what it may do, and names template and operation', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/a', RADIUS);
    testbed.call('GET', '/servers/a');
    const started = testbed.call('POST', '/servers/a/test');
    testbed.call('GET', String(started.json['location']));
    testbed.call('DELETE', '/servers/a');
    testbed.call('POST', '/as/token', 'grant_type=client_credentials', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    testbed.call('PUT', '/nothing', { a: 1 });
    expect(testbed.records.map((record) => [record.capability, record.operationId, record.template])).toEqual([
      ['write', 'createServer', '/servers/{name}'],
      ['read', 'getServer', '/servers/{name}'],
      ['diagnostic', 'startServerTest', '/servers/{name}/test'],
      ['poll', 'getServerTestResult', '/servers/{name}/test/async-operations/{task-id}'],
      ['destructive', 'deleteServer', '/servers/{name}'],
      ['auth', null, null],
      ['write', null, null],
    ]);
  });

  it('hashes the body by its meaning and writes the query in one form', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/a', '{"type":"RADIUS","host":"one.example","shared-secret":"long-enough"}');
    testbed.call('POST', '/servers/a', '{ "host": "one.example", "shared-secret": "long-enough", "type": "RADIUS" }');
    testbed.call('GET', "/servers?sort=port&filter=type%20eq%20'RADIUS'");
    expect(testbed.records[0]?.bodyHash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(testbed.records[1]?.bodyHash).toBe(testbed.records[0]?.bodyHash);
    expect(testbed.records[2]).toMatchObject({ bodyHash: null, query: "filter=type%20eq%20'RADIUS'&sort=port" });
  });

  it('moves virtual time by one second per accepted write and by nothing else', () => {
    const testbed = smallTestbed();
    testbed.call('POST', '/servers/a', RADIUS);
    testbed.call('GET', '/servers/a');
    testbed.call('POST', '/servers/a', RADIUS);
    testbed.call('PATCH', '/servers/a', { port: 1645 });
    testbed.call('GET', '/servers/a');
    expect(testbed.records.map((record) => record.at.slice(11, 19))).toEqual([
      '09:00:00',
      '09:00:01',
      '09:00:01',
      '09:00:01',
      '09:00:02',
    ]);
    expect(testbed.call('GET', '/servers/a').headers['date']).toBe('Mon, 02 Mar 2026 09:00:02 GMT');
  });
});

describe('limits', () => {
  it('are announced on every answer, refusals included', () => {
    const testbed = smallTestbed();
    expect(testbed.call('GET', '/servers').headers).toMatchObject({
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-reset': '3600',
    });
    expect(testbed.call('GET', '/nothing').headers['x-ratelimit-remaining']).toBe('4998');
  });

  it('refuse nothing while announced, however many calls come', () => {
    const testbed = smallTestbed();
    testbed.platform.rate = { limit: 3, per: 'hour', headers: ['X-RateLimit-Remaining'] };
    for (let at = 0; at < 10; at += 1) expect(testbed.call('GET', '/servers').status).toBe(200);
  });

  it('answer 429 with Retry-After when enforced, until the window moves with virtual time', () => {
    const testbed = smallTestbed();
    testbed.platform.rate = { limit: 2, per: 'hour', headers: ['X-RateLimit-Remaining'] };
    testbed.state.enforced = true;
    testbed.call('GET', '/servers');
    testbed.call('GET', '/servers');
    const refused = testbed.call('GET', '/servers');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('3600');
    testbed.state.clock.advance(3601);
    expect(testbed.call('GET', '/servers').status).toBe(200);
  });

  it('let a token expire by virtual time when enforced, and only then', () => {
    const testbed = smallTestbed();
    testbed.state.clock.advance(7201);
    expect(testbed.call('GET', '/servers').status).toBe(200);
    testbed.state.enforced = true;
    const refused = testbed.call('GET', '/servers');
    expect(refused.status).toBe(401);
    expect(refused.json['message']).toMatch(/got an expired one/);
  });
});

describe('the token request', () => {
  const form = (text: string, headers: Record<string, string> = {}) =>
    smallTestbed().call('POST', '/as/token', text, { 'content-type': 'application/x-www-form-urlencoded', ...headers });

  it('gives a bearer token of two hours for the known client, as form fields or basic authentication', () => {
    const byForm = form('grant_type=client_credentials&client_id=demo-client&client_secret=demo-secret');
    expect(byForm.json).toMatchObject({
      token_type: 'Bearer',
      expires_in: 7200,
      access_token: expect.stringMatching(/^[A-Z0-9]{48}$/),
    });
    const basic = `Basic ${Buffer.from('demo-client:demo-secret').toString('base64')}`;
    expect(form('grant_type=client_credentials', { authorization: basic }).status).toBe(200);
  });

  it('refuses a wrong secret without repeating it', () => {
    const answer = form('grant_type=client_credentials&client_id=demo-client&client_secret=guess');
    expect(answer.status).toBe(401);
    expect(answer.json['error']).toBe('invalid_client');
    expect(answer.body).not.toContain('guess');
  });

  it('refuses another grant', () => {
    expect(form('grant_type=password&client_id=demo-client&client_secret=demo-secret').json['error']).toBe(
      'unsupported_grant_type',
    );
  });
});
