/** Logins of one account in several processes, whose token endpoint replaces the refresh token with each use. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { takeLock } from '../files/file-lock.ts';
import { KnownSecrets } from '../telemetry/known-secrets.ts';
import { MASK } from '../telemetry/redact.ts';
import { recordingUpstream } from '../test/support/recording-upstream.ts';
import type { Login } from './auth/login-strategy.ts';
import type { Credential } from './auth/security-requirement.ts';
import { Logins } from './logins.ts';
import { TokenCache } from './token-cache.ts';

const closing: (() => void | PromiseLike<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function rotating() {
  const upstream = await recordingUpstream();
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-logins-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  closing.push(() => upstream[Symbol.asyncDispose]());
  const presented: (string | null)[] = [];
  let renewed = 0;
  let refresh = 'the-configured-refresh-token';
  upstream.written = ({ body }) => {
    const given = new URLSearchParams(body.toString()).get('refresh_token');
    presented.push(given);
    if (given !== refresh) return { status: 400, body: { error: 'invalid_grant' } };
    refresh = `refresh-token-number-${++renewed}`;
    return { status: 200, body: { access_token: `access-${renewed}`, refresh_token: refresh, expires_in: 600 } };
  };
  const time = { ms: 0 };
  const clock = { now: () => time.ms, sleep: async () => {} };
  const start = Date.now();
  const disk = { isFull: false };
  const secrets = new KnownSecrets();
  const process = ({ at = folder, patienceMs }: { at?: string; patienceMs?: number } = {}) => {
    const cache = new TokenCache(at, () => {}, patienceMs);
    const write = cache.write.bind(cache);
    cache.write = (file, login) => !disk.isFull && write(file, login);
    const logins = new Logins({
      cache,
      secrets,
      now: () => start + time.ms,
      clock,
    });
    const credential = {
      platform: { id: 'p', auth: { strategy: 'oauth2-refresh-token', token_path: '/token' } },
      account: {
        section: 'p',
        baseUrl: upstream.origin,
        clientId: 'c',
        clientSecret: '',
        refreshToken: 'the-configured-refresh-token',
        origins: new Set([upstream.origin]),
      },
      scopes: [],
    } as unknown as Credential;
    const login = (mustBeProven = false) => logins.login(credential, '/x', mustBeProven);
    /** The platform refuses the login that is used now. */
    const refuse = async () => logins.reject(credential, (await login()) as Login);
    return Object.assign(async (mustBeProven = false) => (await login(mustBeProven))?.token, { refuse });
  };
  return { process, presented, secrets, disk, folder, expire: () => (time.ms += 700_000) };
}

test('a write renews with the refresh token that another process got, and never with one that is used up', async () => {
  const { process, presented, expire } = await rotating();
  const [one, other] = [process(), process()];
  expect([await one(), await other()]).toEqual(['access-1', 'access-1']);
  expire();
  expect(await other()).toBe('access-2');
  expect(await one(true)).toBe('access-3');
  expire();
  expect(await other()).toBe('access-4');
  expect(presented).toEqual(['the-configured-refresh-token', ...[1, 2, 3].map((n) => `refresh-token-number-${n}`)]);
});

test('a login is masked as long as it is used, however many logins of other accounts come', async () => {
  const { process, secrets } = await rotating();
  await process()();
  for (let n = 0; n < 600; n++) secrets.learnIssued(`session-of-another-account-${n}`);
  expect(secrets.scrub('access-1 refresh-token-number-1')).toBe(`${MASK} ${MASK}`);
});

test('a refresh token that the disk did not take is the one that is presented', async () => {
  const { process, presented, expire, disk } = await rotating();
  const one = process();
  await one();
  disk.isFull = true;
  expire();
  await one();
  expire();
  expect(await one()).toBe('access-3');
  expect(presented.at(-1)).toBe('refresh-token-number-2');
});

test('nor is it lost where the platform refuses the login that came with it', async () => {
  const { process, presented, expire, disk } = await rotating();
  const one = process();
  await one();
  disk.isFull = true;
  expire();
  await one();
  await one.refuse();
  expect(await one()).toBe('access-3');
  disk.isFull = false;
  expire();
  await one();
  disk.isFull = true;
  await one.refuse();
  expect(await one()).toBe('access-5');
  expect(presented).toEqual(['the-configured-refresh-token', ...[1, 2, 3, 4].map((n) => `refresh-token-number-${n}`)]);
});

test('a login that the platform refuses is marked for all processes, unless one of them is replacing it', async () => {
  const { process, folder } = await rotating();
  const [one, other] = [process(), process()];
  await one();
  await other();
  const file = join(folder, String(readdirSync(folder)[0]));
  const before = readFileSync(file, 'utf8');
  const renewing = takeLock(`${file}.lock`, { staleMs: 5_000 });
  await one.refuse();
  expect(readFileSync(file, 'utf8')).toBe(before);
  renewing?.release();
  await other.refuse();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...JSON.parse(before), expiresAt: 0 });
  expect(await process()()).toBe('access-2');
});

test('of processes that renew at the same time one does, and the others use what it got', async () => {
  const { process, presented, expire } = await rotating();
  const all = [process(), process(), process()];
  for (const login of all) await login();
  expire();
  expect(await Promise.all(all.map((login) => login()))).toEqual(Array(3).fill('access-2'));
  expire();
  expect(await Promise.all(all.map((login) => login()))).toEqual(Array(3).fill('access-3'));
  expect(presented).toEqual(['the-configured-refresh-token', 'refresh-token-number-1', 'refresh-token-number-2']);
});

test('a write does not use what another process got, though a read of its own waits for that', async () => {
  const { process, presented, expire } = await rotating();
  const [one, other] = [process(), process()];
  expect([await one(), await other()]).toEqual(['access-1', 'access-1']);
  expire();
  expect(await Promise.all([other(), one(), one(true), one(true)])).toEqual([
    ...['access-2', 'access-2'],
    ...['access-3', 'access-3'],
  ]);
  expect(presented).toEqual(['the-configured-refresh-token', ...[1, 2].map((n) => `refresh-token-number-${n}`)]);
});

test('a process waits for another one while that one may still try', async () => {
  const { folder } = await rotating();
  const file = join(folder, 'p.json');
  takeLock(`${file}.lock`, { staleMs: 1_000 });
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(`${file}.lock`, later, later);
  const { now } = performance;
  let ahead = 0;
  performance.now = () => now.call(performance) + ahead;
  closing.push(() => {
    performance.now = now;
  });
  let hasBegun = false;
  const work = new TokenCache(folder, () => {}).whileAlone(file, async () => {
    hasBegun = true;
  });
  // Three requests of 15 seconds, and the pauses.
  ahead = 47_000;
  await sleep(100);
  expect(hasBegun).toBe(false);
  ahead = 60_000;
  await work;
});

test('a process that never ends its renewal, or a folder that takes no file, keeps nobody waiting for ever', async () => {
  const { process, expire, folder } = await rotating();
  const one = process({ patienceMs: 50 });
  await one();
  expire();
  const lock = join(folder, `${readdirSync(folder)[0]}.lock`);
  takeLock(lock, { staleMs: 1_000 });
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(lock, later, later);
  expect(await one()).toBe('access-2');
  const nowhere = join(folder, 'file');
  writeFileSync(nowhere, '');
  const { process: another } = await rotating();
  expect(await another({ at: join(nowhere, 'cache') })()).toBe('access-1');
});
