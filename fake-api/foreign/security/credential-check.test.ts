/** Every security scheme, alone, together with another and instead of another: what opens an operation, what does not, and what the ledger keeps. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../engine/state/json-value.ts';
import { answering, foreignDocument, type Part } from '../../test/foreign-sample-document.ts';
import { type ServedDocument, servedDocument } from '../../test/served-document.ts';

interface Sent {
  headers?: Record<string, string>;
  query?: string;
}

interface SchemeCase {
  scheme: Part;
  sent: Sent;
  /** What the ledger has the digest of. */
  secret: string;
  /** Credentials that are none for this scheme. */
  wrong: Sent[];
  challenge: RegExp;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const bearer: Sent = { headers: { authorization: 'Bearer abc.def' } };
const flows = { clientCredentials: { tokenUrl: '/oauth/token', scopes: { read: '', write: '' } } };

const CASES: Record<string, SchemeCase> = {
  headerKey: {
    scheme: { type: 'apiKey', in: 'header', name: 'X-Key' },
    sent: { headers: { 'x-key': 'k1' } },
    secret: 'k1',
    wrong: [{ query: 'X-Key=k1' }, { headers: { cookie: 'X-Key=k1' } }, { headers: { 'x-key': '' } }],
    challenge: /^ApiKey .*in="header", name="X-Key"/,
  },
  queryKey: {
    scheme: { type: 'apiKey', in: 'query', name: 'api_key' },
    sent: { query: 'api_key=k2' },
    secret: 'k2',
    wrong: [{ headers: { api_key: 'k2' } }, { query: 'api_key=' }],
    challenge: /^ApiKey .*in="query"/,
  },
  cookieKey: {
    scheme: { type: 'apiKey', in: 'cookie', name: 'SID' },
    sent: { headers: { cookie: 'other=1; SID=k3' } },
    secret: 'k3',
    wrong: [{ headers: { cookie: 'XSID=k3' } }, { headers: { sid: 'k3' } }],
    challenge: /^ApiKey .*in="cookie"/,
  },
  authorizationKey: {
    scheme: { type: 'apiKey', in: 'header', name: 'Authorization' },
    sent: { headers: { authorization: 'Token k4' } },
    secret: 'Token k4',
    wrong: [{}],
    challenge: /^ApiKey /,
  },
  basic: {
    scheme: { type: 'http', scheme: 'basic' },
    sent: { headers: { authorization: `Basic ${base64('me:pa:ss')}` } },
    secret: 'me:pa:ss',
    wrong: [
      bearer,
      { headers: { authorization: `Basic ${base64('nocolon')}` } },
      { headers: { authorization: 'Basic ?' } },
    ],
    challenge: /^Basic realm="zoo"/,
  },
  bearer: {
    scheme: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' },
    sent: bearer,
    secret: 'abc.def',
    wrong: [{ headers: { authorization: 'Bearer' } }, { headers: { authorization: 'abc.def' } }],
    challenge: /^Bearer realm="zoo"/,
  },
  custom: {
    scheme: { type: 'http', scheme: 'DPoP' },
    sent: { headers: { authorization: 'DPoP t0' } },
    secret: 't0',
    wrong: [bearer],
    challenge: /^Dpop realm="zoo"/,
  },
  oauth2: {
    scheme: { type: 'oauth2', flows },
    sent: bearer,
    secret: 'abc.def',
    wrong: [
      { headers: { authorization: `Basic ${base64('a:b')}` } },
      { headers: { authorization: 'Bearer fake-access-x' } },
    ],
    challenge: /^Bearer realm="zoo"/,
  },
  openId: {
    scheme: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/tenant/.well-known/openid-configuration' },
    sent: bearer,
    secret: 'abc.def',
    wrong: [{}],
    challenge: /^Bearer realm="zoo"/,
  },
};
const NAMES = Object.keys(CASES);
const usesAuthorization = (name: string): boolean => CASES[name]?.sent.headers?.['authorization'] !== undefined;
/** One call has one `Authorization` header. */
const PAIRS = NAMES.flatMap((left, at) =>
  NAMES.slice(at + 1).flatMap((right) =>
    usesAuthorization(left) && usesAuthorization(right) ? [] : [[left, right] as const],
  ),
);

const operation = (security: Part[]): Part => ({ get: answering({ const: 1 }, { security }) });
const paths: Part = {
  '/open': operation([]),
  '/maybe': operation([{}, { headerKey: [] }]),
  '/inherited': { get: answering({ const: 1 }) },
};
for (const name of NAMES) paths[`/one/${name}`] = operation([{ [name]: [] }]);
for (const [left, right] of PAIRS) {
  paths[`/both/${left}/${right}`] = operation([{ [left]: [], [right]: [] }]);
  paths[`/either/${left}/${right}`] = operation([{ [left]: [] }, { [right]: [] }]);
}

let zoo: ServedDocument;
beforeAll(async () => {
  const securitySchemes: Part = Object.fromEntries(NAMES.map((name) => [name, CASES[name]?.scheme]));
  securitySchemes['behind'] = { $ref: '#/components/securitySchemes/queryKey' };
  zoo = await servedDocument(foreignDocument(paths, { components: { securitySchemes }, security: [{ behind: [] }] }));
});
afterAll(() => zoo[Symbol.asyncDispose]());

function joined(...all: Sent[]): Sent {
  const query = all.flatMap((each) => each.query ?? []).join('&');
  return { headers: Object.assign({}, ...all.map(({ headers }) => headers)), ...(query === '' ? {} : { query }) };
}

const send = (path: string, { headers = {}, query }: Sent = {}): Promise<Response> =>
  fetch(`${zoo.url}${path}${query === undefined ? '' : `?${query}`}`, { headers });
const statusOf = async (path: string, sent?: Sent): Promise<number> => (await send(path, sent)).status;

describe.each(NAMES)('%s', (name) => {
  const { sent, wrong, secret, challenge } = CASES[name] as SchemeCase;

  test('alone: its credential opens the operation, nothing and other credentials do not', async () => {
    const bare = await send(`/one/${name}`);
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(challenge)]);
    for (const each of wrong) expect([each, await statusOf(`/one/${name}`, each)]).toEqual([each, 401]);
    expect(await statusOf(`/one/${name}`, sent)).toBe(200);
  });

  test('stands in the ledger by its digest alone', async () => {
    await send(`/one/${name}`, sent);
    const last = (await zoo.ledger()).at(-1);
    expect(last?.credentials).toContainEqual(expect.objectContaining({ scheme: name, digest: sha256(secret) }));
    if (secret.length > 4) expect(JSON.stringify(last)).not.toContain(secret);
  });
});

test('two schemes of one requirement are both needed', async () => {
  for (const [left, right] of PAIRS) {
    const path = `/both/${left}/${right}`;
    const [one, other] = [CASES[left]?.sent as Sent, CASES[right]?.sent as Sent];
    const statuses = [
      await statusOf(path),
      await statusOf(path, one),
      await statusOf(path, other),
      await statusOf(path, joined(one, other)),
    ];
    expect([path, ...statuses]).toEqual([path, 401, 401, 401, 200]);
  }
  expect(PAIRS.length).toBeGreaterThan(15);
});

test('of two requirements one is enough', async () => {
  for (const [left, right] of PAIRS) {
    const path = `/either/${left}/${right}`;
    const [one, other] = [CASES[left]?.sent as Sent, CASES[right]?.sent as Sent];
    expect([path, await statusOf(path), await statusOf(path, one), await statusOf(path, other)]).toEqual([
      path,
      401,
      200,
      200,
    ]);
  }
});

test('an operation may ask for nothing, for anything or for what the document asks for', async () => {
  expect(await statusOf('/open')).toBe(200);
  expect(await statusOf('/maybe')).toBe(200);
  expect([await statusOf('/inherited'), await statusOf('/inherited', CASES['queryKey']?.sent)]).toEqual([401, 200]);
});

test('digest: the nonce of the challenge and the digest of the account open the operation', async () => {
  const scheme = { type: 'http', scheme: 'digest' };
  await using digest = await servedDocument(
    foreignDocument({ '/a': operation([{ digest: [] }]) }, { components: { securitySchemes: { digest: scheme } } }),
  );
  const bare = await fetch(`${digest.url}/a`);
  const [, nonce] = /^Digest realm="zoo".* nonce="([0-9a-f]+)"/.exec(bare.headers.get('www-authenticate') ?? '') ?? [];
  const answerTo = async (password: string): Promise<number> => {
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const [secret, request] = [hash(`demo:zoo:${password}`), hash('GET:/zoo/a')];
    const response = hash(`${secret}:${nonce}:00000001:cn:auth:${request}`);
    const authorization = `Digest username="demo", realm="zoo", nonce="${nonce}", uri="/zoo/a", algorithm=SHA-256, qop=auth, nc=00000001, cnonce="cn", response="${response}"`;
    return (await fetch(`${digest.url}/a`, { headers: { authorization } })).status;
  };
  expect([bare.status, await answerTo('demo-secret'), await answerTo('other')]).toEqual([401, 200, 401]);
});

test('a key that the operation also declares as a parameter is read as both', async () => {
  const parameters = [{ name: 'api_key', in: 'query', required: true, schema: { type: 'string' } }];
  const get = answering({ const: 1 }, { parameters, security: [{ queryKey: [] }] });
  await using twice = await servedDocument(
    foreignDocument({ '/a': { get } }, { components: { securitySchemes: { queryKey: CASES['queryKey']?.scheme } } }),
  );
  expect((await fetch(`${twice.url}/a?api_key=k2`)).status).toBe(200);
});

test('Swagger 2.0: basic, key and the flows of its own names', async () => {
  await using old = await servedDocument({
    swagger: '2.0',
    info: { title: 'Old', version: '1' },
    host: 'old.example',
    basePath: '/v1',
    securityDefinitions: {
      plain: { type: 'basic' },
      key: { type: 'apiKey', in: 'query', name: 'k' },
      app: { type: 'oauth2', flow: 'application', tokenUrl: 'https://old.example/v1/token', scopes: { a: '' } },
      code: {
        type: 'oauth2',
        flow: 'accessCode',
        tokenUrl: 'https://old.example/v1/token',
        authorizationUrl: 'https://old.example/v1/auth',
        scopes: { a: '' },
      },
    },
    security: [{ plain: [], key: [] }, { app: ['a'] }],
    paths: { '/a': { get: { responses: { 200: { description: '' } } } } },
  });
  const plain = { authorization: `Basic ${base64('a:b')}` };
  expect((await fetch(`${old.url}/a`, { headers: plain })).status).toBe(401);
  expect((await fetch(`${old.url}/a?k=1`, { headers: plain })).status).toBe(200);
  for (const path of ['/token', '/v1/token']) {
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'c', client_secret: 's' });
    const answer = (await (await fetch(`${old.url}${path}`, { method: 'POST', body: form })).json()) as {
      access_token: string;
    };
    expect((await fetch(`${old.url}/a`, { headers: { authorization: `Bearer ${answer.access_token}` } })).status).toBe(
      200,
    );
  }
});
