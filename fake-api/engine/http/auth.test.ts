import { describe, expect, it } from 'vitest';
import { type ModelBed, modelBed, VLANS } from '../../test/model-testbed.ts';

const RESOURCES = `${VLANS}    ops: crud\n`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const VLAN = { name: 'guests', number: 20 };

function opened(auth: string): ModelBed {
  const bed = modelBed(RESOURCES, { auth });
  bed.headers = {};
  return bed;
}

/** Every way in is refused in the platform's own body, and refused calls name what was expected. */
function refused(bed: ModelBed, headers: Record<string, string>, says: RegExp): void {
  const answer = bed.call('GET', '/api/vlans', undefined, headers);
  expect([answer.status, answer.json['errorCode']]).toEqual([401, 'UNAUTHORIZED']);
  expect(answer.json['message']).toMatch(says);
}

describe('a token request at a path of the platform', () => {
  const auth = '{kind: oauth2-client-credentials, token: /api/oauth, lifetime: 900, workspace-header: X-Workspace-Id}';
  const form = 'grant_type=client_credentials&client_id=demo-client&client_secret=demo-secret';

  it('gives a token that lives as long as announced, by the virtual clock', () => {
    const bed = opened(auth);
    const token = bed.call('POST', '/api/oauth', form, FORM);
    expect(token.json).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    bed.headers = { authorization: `Bearer ${token.json['access_token']}`, 'x-workspace-id': 'w1' };
    bed.state.enforced = true;
    expect(bed.call('GET', '/api/vlans').status).toBe(200);
    bed.state.clock.advance(900);
    refused(bed, {}, /younger than 900 s, got an expired one/);
    expect(bed.records.map((record) => record.capability)).toEqual(['auth', 'read', 'read']);
  });

  it('is not enough where every call must name a workspace', () => {
    const bed = opened(auth);
    const token = bed.call('POST', '/api/oauth', form, FORM).json['access_token'];
    const answer = bed.call('GET', '/api/vlans', undefined, { authorization: `Bearer ${token}` });
    expect([answer.status, answer.json['message']]).toEqual([
      400,
      'header "X-Workspace-Id": expected the id of a workspace on every call, got nothing',
    ]);
  });

  it('opens its own platform and no other', () => {
    const bed = opened(auth);
    bed.state.tokens.set('elsewhere', { platform: 'other', issuedAtMs: bed.state.clock.ms, lifetimeSeconds: 900 });
    refused(bed, { authorization: 'Bearer elsewhere' }, /expected a token this platform issued/);
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
    const bed = opened('{kind: bearer}');
    refused(bed, {}, /"Authorization": expected a bearer token, got nothing/);
    refused(bed, { authorization: 'Bearer guess' }, /expected a token of this platform, got an unknown one/);
    expect(bed.call('GET', '/api/vlans', undefined, { authorization: 'Bearer demo-token' }).status).toBe(200);
    expect(Object.keys(bed.documents)).toEqual(['things']);
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
    const bed = opened(auth);
    refused(bed, {}, /"AuthToken": expected a token from the login, got nothing/);
    const login = bed.call('POST', '/api/login', account);
    expect([login.status, login.json['expires_in']]).toEqual([200, 600]);
    bed.headers = { authtoken: String(login.json['token']) };
    expect(bed.call('POST', '/api/vlans', VLAN).status).toBe(201);
    expect(bed.call('POST', '/api/logout').status).toBe(204);
    refused(bed, {}, /got an unknown one/);
    expect(bed.records.map((record) => record.capability)).toEqual(['read', 'auth', 'write', 'auth', 'read']);
    expect(bed.records[1]?.bodyHash).toBeNull();
  });

  it('is refused for a wrong password, which is not repeated, and for a body that is no login', () => {
    const bed = opened(auth);
    const wrong = bed.call('POST', '/api/login', { ...account, password: 'guess' });
    expect([wrong.status, wrong.json['errorCode']]).toEqual([401, 'UNAUTHORIZED']);
    expect(wrong.body).not.toContain('guess');
    expect(bed.call('POST', '/api/login', { username: 'demo' }).status).toBe(400);
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

  function session(): { bed: ModelBed; query: string; csrf: Record<string, string> } {
    const bed = opened(auth);
    const { json } = bed.call('POST', '/api/login', 'username=demo&password=demo-secret', FORM);
    return { bed, query: `session-id=${json['session_id']}`, csrf: { 'x-csrf-token': String(json['csrf_token']) } };
  }

  it('is named in the query of every call, and its CSRF token in the header of every write', () => {
    const { bed, query, csrf } = session();
    refused(bed, {}, /query parameter "session-id": expected a session id from the login, got nothing/);
    expect(bed.call('GET', `/api/vlans?${query}`).status).toBe(200);
    const bare = bed.call('POST', `/api/vlans?${query}`, VLAN);
    expect([bare.status, bare.json['message']]).toEqual([
      401,
      'header "X-CSRF-Token": expected the CSRF token of the session, got nothing',
    ]);
    expect(bed.call('POST', `/api/vlans?${query}`, VLAN, csrf).status).toBe(201);
  });

  it('is no part of the question: the ledger does not keep it', () => {
    const { bed, query } = session();
    bed.call('GET', `/api/vlans?${query}`);
    expect(bed.records.at(-1)).toMatchObject({ query: '', status: 200 });
  });

  it('ends with the logout', () => {
    const { bed, query, csrf } = session();
    expect(bed.call('POST', `/api/logout?${query}`, undefined, csrf).status).toBe(204);
    expect(bed.call('GET', `/api/vlans?${query}`).status).toBe(401);
  });

  it('is declared per operation: reads need the session, writes the CSRF token too', () => {
    const document = session().bed.documents['things'];
    const item = document?.paths['/api/vlans'];
    expect(document?.['security']).toEqual([{ session: [] }]);
    expect([item?.['get'], item?.['post']].map((each) => (each as Record<string, unknown>)['security'])).toEqual([
      undefined,
      [{ session: [], csrf: [] }],
    ]);
  });
});
