import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { issueGrant } from '../access/grant.ts';
import { CredentialsStore } from '../config/credentials.ts';
import { RouterError } from '../errors.ts';
import { createLogger } from '../telemetry/logger.ts';
import { SAMPLE_SECRET, type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import { json, sampleNetwork } from '../test/support/sample-network.ts';
import { noCallCost } from './call-cost.ts';
import { OutboundClient, type OutboundOptions } from './client.ts';
import { Logins } from './logins.ts';
import { TokenCache } from './token-cache.ts';
import type { PlatformRequest } from './wire-request.ts';

interface Bench {
  client: OutboundClient;
  slept: number[];
  read: (path: string, change?: Partial<PlatformRequest>) => PlatformRequest;
  write: (change?: Partial<PlatformRequest>) => PlatformRequest;
}

function bench(
  installation: SampleInstallation,
  variables: Record<string, string> = {},
  change: Partial<OutboundOptions> = {},
): Bench {
  const config = installation.config({ SVC_MCP_MGMT_WRITES: '1', ...variables });
  const slept: number[] = [];
  /** Real time, and what was slept on top of it. */
  const clock = {
    now: () => performance.now() + slept.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  const logger = createLogger('silent');
  const platform = config.platforms[0]!;
  const client = new OutboundClient({
    access: config.access,
    credentials: new CredentialsStore(config.credentialsPath, config.credentialOverrides),
    logins: new Logins({
      cache: new TokenCache(config.tokenCacheDir, () => {}),
      secrets: logger.secrets,
      clock,
    }),
    ratePerSecond: 0,
    timeoutMs: config.callTimeoutMs,
    logger,
    random: () => 0.5,
    clock,
    ...change,
  });
  return {
    client,
    slept,
    read: (path, more = {}) => ({ platform, capability: 'read', method: 'GET', path, query: '', headers: {}, ...more }),
    write: (more = {}) => {
      const request: PlatformRequest = {
        platform,
        capability: 'write',
        method: 'PATCH',
        path: '/sites/1',
        query: '',
        headers: {},
        body: { text: '{"a":1}', contentType: 'application/json' },
        ...more,
      };
      return 'grant' in more
        ? request
        : {
            ...request,
            grant: issueGrant({
              platform: 'mgmt',
              capability: request.capability,
              method: request.method,
              path: request.path,
              account: client.accountOf(platform).identity,
            }),
          };
    },
  };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('expected a failure'),
    (reason: unknown) => reason,
  );
  if (error instanceof RouterError) return error.code;
  throw error;
};

test('a read carries the token, the query and nothing of ours', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  network.respond(() => json({ name: 'x' }));
  const response = await client.send(read('/sites/a%20b', { query: 'limit=5' }));
  expect(response).toMatchObject({ status: 200, body: { name: 'x' }, attempts: 1 });
  expect(network.calls).toMatchObject([
    {
      method: 'GET',
      path: '/sites/a%20b',
      query: 'limit=5',
      headers: { authorization: 'Bearer sample-access-token-1' },
    },
  ]);
  expect(network.tokenRequests[0]?.body).toBe(
    `grant_type=client_credentials&client_id=sample-client&client_secret=${SAMPLE_SECRET}`,
  );
});

test('many callers share one token request, and the next process reads it from the cache', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  await Promise.all(Array.from({ length: 20 }, (_, i) => client.send(read(`/sites/${i}`))));
  expect(network.tokenRequests).toHaveLength(1);
  await bench(installation).client.send(read('/sites/again'));
  expect(network.tokenRequests).toHaveLength(1);
});

test('the token file is 0600, whole, and named by fingerprint', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  await client.send(read('/sites'));
  const folder = join(installation.root, 'cache');
  const files = readdirSync(folder);
  expect(files).toEqual([expect.stringMatching(/^mgmt-[0-9a-f]{12}\.json$/)]);
  expect(statSync(join(folder, files[0]!)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(folder, files[0]!), 'utf8'))).toMatchObject({
    token: 'sample-access-token-1',
  });
  expect(network.calls).toHaveLength(1);
});

test('a refused token is renewed once for a read', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  await client.send(read('/sites'));
  network.respond((call) =>
    call.headers['authorization'] === 'Bearer sample-access-token-1' ? json({}, 401) : json({ ok: true }),
  );
  const answers = await Promise.all([1, 2, 3].map((n) => client.send(read(`/sites/${n}`))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(network.tokenRequests).toHaveLength(2);
});

test('a read that stays refused answers 401 instead of asking for ever', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  network.respond(() => json({}, 401));
  expect((await client.send(read('/sites'))).status).toBe(401);
  expect(network.calls).toHaveLength(2);
});

test('a write never travels with a token from disk that nobody has tried, and a 401 does not send it again', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  await bench(installation).client.send(bench(installation).read('/sites'));
  const { client, write } = bench(installation);
  await client.send(write());
  expect(network.tokenRequests, 'a new token for the write').toHaveLength(2);
  network.respond(() => json({}, 401));
  const before = network.calls.length;
  expect((await client.send(write())).status).toBe(401);
  expect(network.calls.length - before).toBe(1);
});

test.each([429, 502, 503, 504])('a read is tried again after %i, with growing pauses', async (status) => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, slept } = bench(installation);
  let left = 2;
  network.respond(() => (left-- > 0 ? json({}, status) : json({ ok: true })));
  expect(await client.send(read('/sites'))).toMatchObject({ status: 200, attempts: 3 });
  expect(slept).toEqual([500, 1000]);
});

test.each([
  ['7', 7_000],
  ['0.5', 500],
])('Retry-After decides the pause: %s', async (after, ms) => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, slept } = bench(installation);
  let left = 1;
  network.respond(() => (left-- > 0 ? json({}, 429, { 'retry-after': after }) : json({})));
  await client.send(read('/sites'));
  expect(slept).toEqual([ms]);
});

const later = (ms: number) => new Date(Math.ceil(Date.now() / 1000) * 1000 + ms).toUTCString();
const HOUR = 3_600_000;

test.each([
  ['of a platform whose clock is ahead', later(HOUR + 5_000), later(HOUR), 5_000],
  ['of a platform whose clock is behind', later(5_000 - HOUR), later(-HOUR), 5_000],
  ['that is over already', later(-HOUR), later(0), 0],
])('a Retry-After that is a date is judged by the clock that wrote it: %s', async (_, after, date, ms) => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, slept } = bench(installation);
  let left = 1;
  network.respond(() => (left-- > 0 ? json({}, 429, { 'retry-after': after, date }) : json({})));
  await client.send(read('/sites'));
  expect(slept).toEqual([ms]);
});

test.each([
  ['no Date', {}],
  ['a Date that is none', { date: 'soon' }],
  ['the Date of a device that knows no time', { date: 'Thu, 01 Jan 1970 00:00:05 GMT' }],
])('and by our own where the answer has %s', async (_, date) => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, slept } = bench(installation);
  let left = 1;
  network.respond(() => (left-- > 0 ? json({}, 429, { 'retry-after': later(5_000), ...date }) : json({})));
  await client.send(read('/sites'));
  expect(slept[0]).toBeGreaterThan(3_000);
  expect(slept[0]).toBeLessThanOrEqual(6_000);
});

test('a Retry-After beyond the deadline is answered at once, with the wait it asked for', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, slept } = bench(installation);
  network.respond(() => json({}, 429, { 'retry-after': '60' }));
  expect(await client.send(read('/sites'))).toMatchObject({ status: 429, retryAfterMs: 60_000 });
  expect(slept).toEqual([]);
  expect(network.calls).toHaveLength(1);
});

test('after three attempts the last answer counts', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  network.respond(() => json({ message: 'busy' }, 503));
  expect(await client.send(read('/sites'))).toMatchObject({ status: 503, attempts: 3 });
  expect(network.calls).toHaveLength(3);
});

test.each(['write', 'destructive', 'diagnostic'] as const)(
  'a %s is sent once whatever the platform answers',
  async (capability) => {
    using installation = sampleInstallation();
    using network = sampleNetwork();
    const { client, write } = bench(installation);
    for (const status of [429, 500, 502, 503, 504]) {
      network.respond(() => json({}, status, { 'retry-after': '0' }));
      const before = network.calls.length;
      expect((await client.send(write({ capability, method: 'POST' }))).status).toBe(status);
      expect(network.calls.length - before, String(status)).toBe(1);
    }
  },
);

test.each([
  ['write', 'PATCH'],
  ['destructive', 'DELETE'],
  ['diagnostic', 'POST'],
  ['read', 'POST'],
  ['write', 'GET'],
] as const)('a %s by %s without a grant is refused and nothing is sent', async (capability, method) => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, write } = bench(installation);
  const { platform } = read('/');
  const { grant: _, ...bare } = write({ capability, method });
  expect(await codeOf(client.send(bare))).toBe('GRANT_MISSING');
  const account = client.accountOf(platform).identity;
  const forged = { platform: 'mgmt', capability, method, path: '/sites/1', account };
  expect(await codeOf(client.send({ ...bare, grant: forged }))).toBe('GRANT_MISSING');
  expect(network.calls).toEqual([]);
  expect(network.tokenRequests).toEqual([]);
});

test('a grant for a weaker class, another path or a second use is refused', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, write } = bench(installation);
  const { platform } = read('/');
  const account = client.accountOf(platform).identity;
  const grant = (change = {}) =>
    issueGrant({ platform: 'mgmt', capability: 'write', method: 'PATCH', path: '/sites/1', account, ...change });
  expect(await codeOf(client.send(write({ grant: grant({ capability: 'diagnostic' }) })))).toBe('GRANT_MISSING');
  expect(await codeOf(client.send(write({ grant: grant({ path: '/sites/2' }) })))).toBe('GRANT_MISSING');
  const once = grant();
  await client.send(write({ grant: once }));
  expect(await codeOf(client.send(write({ grant: once })))).toBe('GRANT_MISSING');
  expect(network.calls).toHaveLength(1);
});

test('a write that is cancelled at its last look was not sent, and its outcome is known', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const caller = new AbortController();
  const { signal } = caller;
  const late = async () => caller.abort();
  const { client, write } = bench(installation);
  expect(await codeOf(client.send(write({ signal, beforeSending: late })))).toBe('CANCELLED');
  expect(network.calls.filter(({ method }) => method === 'PATCH')).toEqual([]);
});

test('a write that was stopped while it waited is not counted, and one that is counted is looked at once more', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const stopped = new RouterError('WRITES_STOPPED', 'stopped');
  let isStopped = true;
  let counted = 0;
  const mayWrite = async () => {
    if (isStopped) throw stopped;
  };
  const { client, write } = bench(installation, {}, { mayWrite });
  const beforeSending = async () => {
    counted += 1;
    isStopped = true;
  };
  await expect(client.send(write({ beforeSending }))).rejects.toBe(stopped);
  expect(counted).toBe(0);
  isStopped = false;
  await expect(client.send(write({ beforeSending }))).rejects.toBe(stopped);
  expect(counted).toBe(1);
  expect(network.calls.filter(({ method }) => method === 'PATCH')).toEqual([]);
});

test('a closed gate stops a write here too, even with a grant', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, write } = bench(installation, { SVC_MCP_MGMT_WRITES: '0' });
  expect(await codeOf(client.send(write()))).toBe('GRANT_MISSING');
  expect(network.calls).toEqual([]);
});

test('a redirect is not followed', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  network.respond(() => json({}, 302, { location: 'http://elsewhere.test/steal' }));
  expect(await codeOf(client.send(read('/sites')))).toBe('UPSTREAM_REDIRECTED');
  expect(network.calls).toHaveLength(1);
});

test('an answer that a caller has already is no redirect, and of a write it leaves the outcome unknown', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, write } = bench(installation);
  network.respond(() => new Response(null, { status: 304 }));
  const asked = read('/sites', { headers: { 'if-none-match': '"7"' } });
  expect(await client.send(asked)).toMatchObject({ status: 304, body: undefined });
  expect(await codeOf(client.send(write()))).toBe('OUTCOME_UNKNOWN');
});

test('a redirect that an operation declares is its answer, and is not followed either', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  const declared = { ...read('/sites'), redirects: true as const };
  network.respond(
    () => new Response('moved', { status: 302, headers: { location: 'http://elsewhere.test/file?a=1' } }),
  );
  expect(await client.send(declared)).toMatchObject({ body: { location: 'http://elsewhere.test/file?a=1' } });
  expect(network.calls).toHaveLength(1);
  network.respond(() => json({}, 302, { location: '/file' }));
  const { body } = await client.send(declared);
  expect(body).toEqual({ location: expect.stringMatching(/^https?:\/\/[^/]+\/file$/) });
  network.respond(() => json({}, 302));
  expect(await codeOf(client.send(declared)), 'without a place').toBe('UPSTREAM_REDIRECTED');
});

test('a redirect, a page of HTML or broken JSON leaves the outcome of a write unknown, and fails a read by name', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, write } = bench(installation);
  const answers: [() => Response, string][] = [
    [() => json({}, 303, { location: 'http://elsewhere.test/' }), 'UPSTREAM_REDIRECTED'],
    [
      () => new Response('<!DOCTYPE html><p>log in', { headers: { 'content-type': 'text/html' } }),
      'UPSTREAM_MALFORMED',
    ],
    [() => new Response('{"a":', { headers: { 'content-type': 'application/json' } }), 'UPSTREAM_MALFORMED'],
  ];
  for (const [answer, code] of answers) {
    network.respond(answer);
    expect(await codeOf(client.send(read('/sites')))).toBe(code);
    const before = network.calls.length;
    expect(await codeOf(client.send(write()))).toBe('OUTCOME_UNKNOWN');
    expect(network.calls.length - before, 'sent once').toBe(1);
  }
});

test('a pause that a platform asks of one caller holds for all callers of the account', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, write, slept } = bench(installation);
  network.respond(() => json({}, 429, { 'retry-after': '7' }));
  expect((await client.send(write())).status).toBe(429);
  network.respond(() => json({}));
  const cost = noCallCost();
  await client.send(read('/sites', { cost: cost }));
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(6_500);
  expect(cost).toMatchObject({ requests: 1, rateWaitMs: expect.any(Number), retryWaitMs: 0 });
  expect(client.waits()).toMatchObject({ count: 1, sumMs: cost.rateWaitMs });
});

test('a call that would wait for the budget past its deadline is refused at once, and nothing is sent', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read, write } = bench(installation, { SVC_MCP_CALL_TIMEOUT_SECONDS: '2' });
  network.respond(() => json({}, 429, { 'retry-after': '50' }));
  await client.send(read('/sites'));
  const before = network.calls.length;
  const error = (await client.send(write()).catch((reason: unknown) => reason)) as RouterError;
  expect([error.code, error.details['retry_after_seconds']]).toEqual(['RATE_LIMITED', 50]);
  expect(network.calls.length).toBe(before);
});

describe('a login', () => {
  test('is asked for again when the token endpoint fails, and many callers wait for that one', async () => {
    using installation = sampleInstallation();
    using network = sampleNetwork();
    const { client, read } = bench(installation);
    let left = 2;
    network.respondToken(() =>
      left-- > 0 ? json({}, 500) : json({ access_token: 'late-token-0001', expires_in: 900 }),
    );
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => client.send(read(`/sites/${n}`))));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(network.tokenRequests).toHaveLength(3);
  });

  test('that was refused is not asked for again at once, so that no account gets locked', async () => {
    using installation = sampleInstallation();
    using network = sampleNetwork();
    const { client, read } = bench(installation);
    network.respondToken(() => json({}, 401));
    for (let n = 0; n < 20; n++) expect(await codeOf(client.send(read('/sites')))).toBe('UPSTREAM_FORBIDDEN');
    expect(network.tokenRequests).toHaveLength(1);
  });

  test('on disk that others can read or write is not presented', async () => {
    using installation = sampleInstallation();
    using network = sampleNetwork();
    await bench(installation).client.send(bench(installation).read('/sites'));
    const folder = join(installation.root, 'cache');
    chmodSync(join(folder, readdirSync(folder)[0]!), 0o644);
    await bench(installation).client.send(bench(installation).read('/sites'));
    expect(network.tokenRequests).toHaveLength(2);
  });

  test('that another process renewed is taken from disk, and its file survives the old one', async () => {
    using installation = sampleInstallation();
    using network = sampleNetwork();
    const mine = bench(installation);
    await mine.client.send(mine.read('/sites'));
    const folder = join(installation.root, 'cache');
    const file = join(folder, readdirSync(folder)[0]!);
    writeFileSync(file, JSON.stringify({ token: 'their-token-0001', expiresAt: Date.now() + 900_000 }), {
      mode: 0o600,
    });
    network.respond((call) =>
      call.headers['authorization'] === 'Bearer their-token-0001' ? json({ ok: true }) : json({}, 401),
    );
    expect((await mine.client.send(mine.read('/sites'))).status).toBe(200);
    expect(network.tokenRequests).toHaveLength(1);
  });
});

test('an answer over the size cap is refused', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation, {}, { maxResponseBytes: 1000 });
  network.respond(() => json({ filler: 'x'.repeat(2000) }));
  expect(await codeOf(client.send(read('/sites')))).toBe('UPSTREAM_TOO_LARGE');
});

test('refused client credentials name the host and not the secret', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  const { client, read } = bench(installation);
  network.respondToken(() => json({ error: 'invalid_client', client_secret: SAMPLE_SECRET }, 401));
  const error = (await client.send(read('/sites')).catch((reason: unknown) => reason)) as RouterError;
  expect(error.code).toBe('UPSTREAM_FORBIDDEN');
  expect(error.message).toBe('mgmt: the token endpoint at platform.test refused the client credentials (401)');
});

/** Sockets that hang or break, which no request handler can imitate. */
async function socketPlatform(
  installation: SampleInstallation,
  answer: (server: Server, url: string, write: () => void, hang: () => void) => void,
): Promise<{ port: number; seen: string[]; close: () => void }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/as/token')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'socket-token-0001', expires_in: 7200 }));
      return;
    }
    seen.push(`${request.method} ${request.url}`);
    answer(
      server,
      request.url ?? '',
      () => response.end('{}'),
      () => request.socket.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(installation.root, 'config/credentials.yaml'),
    `mgmt:\n  base_url: http://127.0.0.1:${port}\n  client_id: a\n  client_secret: bbbbbbbb\n`,
  );
  return {
    port,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a broken connection is tried again for a read, and leaves the outcome of a write unknown', async () => {
  using installation = sampleInstallation();
  const platform = await socketPlatform(installation, (_server, _url, _write, hang) => hang());
  const { client, read, write } = bench(installation);
  expect(await codeOf(client.send(read('/sites')))).toBe('UPSTREAM_BROKEN');
  expect(platform.seen).toHaveLength(3);
  expect(await codeOf(client.send(write()))).toBe('OUTCOME_UNKNOWN');
  expect(platform.seen).toHaveLength(4);
  platform.close();
});

test('the runtime sends no write a second time by itself, whatever it is answered', async () => {
  using installation = sampleInstallation();
  const statuses = [421, 401, 407, 408, 425, 429, 500, 503];
  const seen: number[] = [];
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    if (request.url === '/as/token') return response.end('{"access_token":"socket-token-0001","expires_in":7200}');
    const status = Number(request.url?.slice(1));
    seen.push(status);
    response.writeHead(status);
    return response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  writeFileSync(
    join(installation.root, 'config/credentials.yaml'),
    `mgmt:\n  base_url: http://127.0.0.1:${(server.address() as AddressInfo).port}\n  client_id: a\n  client_secret: bbbbbbbb\n`,
  );
  const { client, write } = bench(installation);
  for (const status of statuses)
    for (const method of ['POST', 'DELETE'])
      await client
        .send(write({ method, path: `/${status}`, capability: 'destructive' }))
        .catch((error: RouterError) => expect(error.code).toBe('OUTCOME_UNKNOWN'));
  expect(seen).toEqual(statuses.flatMap((status) => [status, status]));
  server.closeAllConnections();
  server.close();
});

test('the deadline ends a read as a timeout and a write as unknown', async () => {
  using installation = sampleInstallation();
  const platform = await socketPlatform(installation, () => {});
  const { client, read, write } = bench(installation, { SVC_MCP_CALL_TIMEOUT_SECONDS: '0.3' });
  expect(await codeOf(client.send(read('/sites')))).toBe('UPSTREAM_TIMEOUT');
  expect(await codeOf(client.send(write()))).toBe('OUTCOME_UNKNOWN');
  expect(platform.seen).toHaveLength(2);
  const late = await client.send(write({ until: performance.now() + 200 })).catch((reason: RouterError) => reason);
  expect(late).toMatchObject({ message: expect.stringContaining('no answer within 0.2 s') });
  platform.close();
});

test('a write whose login takes too long says that it was not sent', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  network.respondToken(() => new Promise((answer) => setTimeout(() => answer(json({}, 500)), 400)));
  const { client, write } = bench(installation, { SVC_MCP_CALL_TIMEOUT_SECONDS: '0.2' });
  const late = await client.send(write()).catch((reason: RouterError) => reason);
  expect(late).toMatchObject({
    code: 'UPSTREAM_TIMEOUT',
    message: 'mgmt: no answer within 0.2 s. Nothing was sent.',
  });
  expect(network.calls).toEqual([]);
});

test('a caller that disconnects ends the request', async () => {
  using installation = sampleInstallation();
  const platform = await socketPlatform(installation, () => {});
  const { client, read } = bench(installation);
  const stop = new AbortController();
  const sent = client.send(read('/sites', { signal: stop.signal }));
  setTimeout(() => stop.abort(), 100);
  expect(await codeOf(sent)).toBe('CANCELLED');
  platform.close();
});

test('a call that was cancelled before its login asks for none, and its failure would harm no other call', async () => {
  using installation = sampleInstallation();
  using network = sampleNetwork();
  network.respondToken(() => json({ error: 'invalid_client' }, 401));
  const { client, read } = bench(installation);
  expect(await codeOf(client.send(read('/sites', { signal: AbortSignal.abort() })))).toBe('CANCELLED');
  expect([network.tokenRequests, network.calls]).toEqual([[], []]);
});

test('an unreachable platform is named by host and port', async () => {
  using installation = sampleInstallation();
  const platform = await socketPlatform(installation, () => {});
  platform.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { client, write } = bench(installation);
  const error = (await client.send(write()).catch((reason: unknown) => reason)) as RouterError;
  expect(error.code).toBe('UPSTREAM_UNREACHABLE');
  expect(error.message).toBe(`mgmt: the platform at 127.0.0.1:${platform.port} could not be reached (ECONNREFUSED)`);
});
