import { describe, expect, it } from 'vitest';
import { type ModelTestbed, modelTestbed, VLANS } from '../../test/model-testbed.ts';

const RESOURCES = `${VLANS}    ops: crud\n`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const VLAN = { name: 'guests', number: 20 };

function opened(auth: string): ModelTestbed {
  const testbed = modelTestbed(RESOURCES, { auth });
  testbed.headers = {};
  return testbed;
}

/** Every way in is refused in the platform's own body, and refused calls name what was expected. */
function refused(testbed: ModelTestbed, headers: Record<string, string>, says: RegExp): void {
  const answer = testbed.call('GET', '/api/vlans', undefined, headers);
  expect([answer.status, answer.json['errorCode']]).toEqual([401, 'UNAUTHORIZED']);
  expect(answer.json['message']).toMatch(says);
}

describe('a token request at a path of the platform', () => {
  const auth = '{kind: oauth2-client-credentials, token: /api/oauth, lifetime: 900, workspace-header: X-Workspace-Id}';
  const form = 'grant_type=client_credentials&client_id=demo-client&client_secret=demo-secret';

  it('gives a token that lives as long as announced, by the virtual clock', () => {
    const testbed = opened(auth);
    const token = testbed.call('POST', '/api/oauth', form, FORM);
    expect(token.json).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    testbed.headers = { authorization: `Bearer ${token.json['access_token']}`, 'x-workspace-id': 'w1' };
    testbed.state.enforced = true;
    expect(testbed.call('GET', '/api/vlans').status).toBe(200);
    testbed.state.clock.advance(900);
    refused(testbed, {}, /younger than 900 s, got an expired one/);
    expect(testbed.records.map((record) => record.capability)).toEqual(['auth', 'read', 'read']);
  });

  it('is not enough where every call must name a workspace', () => {
    const testbed = opened(auth);
    const token = testbed.call('POST', '/api/oauth', form, FORM).json['access_token'];
    const answer = testbed.call('GET', '/api/vlans', undefined, { authorization: `Bearer ${token}` });
    expect([answer.status, answer.json['message']]).toEqual([
      400,
      'header "X-Workspace-Id": expected the id of a workspace on every call, got nothing',
    ]);
  });

  it('opens its own platform and no other', () => {
    const testbed = opened(auth);
    testbed.state.tokens.set('elsewhere', {
      platform: 'other',
      issuedAtMs: testbed.state.clock.ms,
      lifetimeSeconds: 900,
    });
    refused(testbed, { authorization: 'Bearer elsewhere' }, /expected a token this platform issued/);
  });

  it('is declared with its path and the workspace as schemes', () => {
    const document = opened(auth).documents['things'];
    expect(document?.['security']).toEqual([{ oauth2: [], workspace: [] }]);
    expect(document?.components?.['securitySchemes']).toMatchObject({
      oauth2: { flows: { clientCredentials: { tokenUrl: '/api/oauth' } } },
      workspace: { type: 'apiKey', in: 'header', name: 'X-Workspace-Id' },
    });
  });
});

describe('a fixed token', () => {
  it('is a bearer token', () => {
    const testbed = opened('{kind: bearer}');
    refused(testbed, {}, /"Authorization": expected a bearer token, got nothing/);
    refused(testbed, { authorization: 'Bearer guess' }, /expected a token of this platform, got an unknown one/);
    expect(testbed.call('GET', '/api/vlans', undefined, { authorization: 'Bearer demo-token' }).status).toBe(200);
    expect(Object.keys(testbed.documents)).toEqual(['things']);
  });

  it('stands in a header of its own, after a prefix where there is one', () => {
    const plain = opened('{kind: token-header, header: X-Auth-Token}');
    refused(plain, { authorization: 'Bearer demo-token' }, /"X-Auth-Token": expected an API token, got nothing/);
    expect(plain.call('GET', '/api/vlans', undefined, { 'x-auth-token': 'demo-token' }).status).toBe(200);
    const worded = opened('{kind: token-header, header: Authorization, prefix: "Token "}');
    refused(worded, { authorization: 'Bearer demo-token' }, /expected "Token <token>", got another form/);
    expect(worded.call('GET', '/api/vlans', undefined, { authorization: 'Token demo-token' }).status).toBe(200);
    expect(worded.documents['things']?.components?.['securitySchemes']).toMatchObject({
      token: { type: 'apiKey', in: 'header', name: 'Authorization', 'x-svc-prefix': 'Token ' },
    });
  });
});

describe('a login with a token', () => {
  const auth = '{kind: login-token, login: /api/login, logout: /api/logout, header: AuthToken, lifetime: 600}';
  const account = { username: 'demo', password: 'demo-secret' };

  it('opens the platform until it expires or is given back', () => {
    const testbed = opened(auth);
    refused(testbed, {}, /"AuthToken": expected a token from the login, got nothing/);
    const login = testbed.call('POST', '/api/login', account);
    expect([login.status, login.json['expires_in']]).toEqual([200, 600]);
    testbed.headers = { authtoken: String(login.json['token']) };
    expect(testbed.call('POST', '/api/vlans', VLAN).status).toBe(201);
    expect(testbed.call('POST', '/api/logout').status).toBe(204);
    refused(testbed, {}, /got an unknown one/);
    expect(testbed.records.map((record) => record.capability)).toEqual(['read', 'auth', 'write', 'auth', 'read']);
    expect(testbed.records[1]?.bodyHash).toBeNull();
  });

  it('is refused for a wrong password, which is not repeated, and for a body that is no login', () => {
    const testbed = opened(auth);
    const wrong = testbed.call('POST', '/api/login', { ...account, password: 'guess' });
    expect([wrong.status, wrong.json['errorCode']]).toEqual([401, 'UNAUTHORIZED']);
    expect(wrong.body).not.toContain('guess');
    expect(testbed.call('POST', '/api/login', { username: 'demo' }).status).toBe(400);
  });

  it('belongs to no catalog', () => {
    const paths = opened(auth).documents['token']?.paths ?? {};
    const operations = Object.values(paths).map((item) => item['post'] as Record<string, unknown>);
    expect(operations.map((operation) => operation['operationId']).sort()).toEqual([
      'createLoginToken',
      'deleteLoginToken',
    ]);
    expect(operations.every((operation) => String(operation['x-svc-audience']) === 'internal')).toBe(true);
  });
});

describe('a session', () => {
  const auth =
    '{kind: session, login: /api/login, logout: /api/logout, query: session-id, header: X-CSRF-Token, lifetime: 900}';

  function session(): { testbed: ModelTestbed; query: string; csrf: Record<string, string> } {
    const testbed = opened(auth);
    const { json } = testbed.call('POST', '/api/login', 'username=demo&password=demo-secret', FORM);
    return { testbed, query: `session-id=${json['session_id']}`, csrf: { 'x-csrf-token': String(json['csrf_token']) } };
  }

  it('is named in the query of every call, and its CSRF token in the header of every write', () => {
    const { testbed, query, csrf } = session();
    refused(testbed, {}, /query parameter "session-id": expected a session id from the login, got nothing/);
    expect(testbed.call('GET', `/api/vlans?${query}`).status).toBe(200);
    const bare = testbed.call('POST', `/api/vlans?${query}`, VLAN);
    expect([bare.status, bare.json['message']]).toEqual([
      401,
      'header "X-CSRF-Token": expected the CSRF token of the session, got nothing',
    ]);
    expect(testbed.call('POST', `/api/vlans?${query}`, VLAN, csrf).status).toBe(201);
  });

  it('is no part of the question: the ledger does not keep it', () => {
    const { testbed, query } = session();
    testbed.call('GET', `/api/vlans?${query}`);
    expect(testbed.records.at(-1)).toMatchObject({ query: '', status: 200 });
  });

  it('ends with the logout', () => {
    const { testbed, query, csrf } = session();
    expect(testbed.call('POST', `/api/logout?${query}`, undefined, csrf).status).toBe(204);
    expect(testbed.call('GET', `/api/vlans?${query}`).status).toBe(401);
  });

  it('is declared per operation: reads need the session, writes the CSRF token too', () => {
    const document = session().testbed.documents['things'];
    const item = document?.paths['/api/vlans'];
    expect(document?.['security']).toEqual([{ session: [] }]);
    expect([item?.['get'], item?.['post']].map((each) => (each as Record<string, unknown>)['security'])).toEqual([
      undefined,
      [{ session: [], csrf: [] }],
    ]);
  });
});
