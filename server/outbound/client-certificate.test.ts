/** Platforms that want a certificate of their client: real TLS, an authority made by openssl, and what the platform saw. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { CredentialsStore } from '../config/credentials.ts';
import { Egress } from '../egress/egress.ts';
import { approver } from '../test/support/approvers.ts';
import { dispatchTestbed } from '../test/support/dispatch-testbed.ts';
import { freePort } from '../test/support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-mtls-'));
const at = (name: string) => join(folder, name);
const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
const seen: string[] = [];
let platform: Server;
let origin: string;

/** A key and a certificate of the authority, or of none where `by` is undefined. */
function issue(name: string, by?: string): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const signed = by === undefined ? [] : ['-CA', at(`${by}.pem`), '-CAkey', at(`${by}.key`)];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
  openssl('req', '-x509', ...curve, ...names, ...signed, '-keyout', at(`${name}.key`), '-out', at(`${name}.pem`));
  chmodSync(at(`${name}.key`), 0o600);
}

beforeAll(async () => {
  issue('authority');
  for (const name of ['platform', 'router', 'renewed']) issue(name, 'authority');
  issue('stranger');
  const pair = { key: readFileSync(at('platform.key')), cert: readFileSync(at('platform.pem')) };
  const asking = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(at('authority.pem')) };
  platform = createServer({ ...pair, ...asking }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    seen.push(`${request.method} ${request.url?.replace(/\?.*/, '')} by ${subject.CN}`);
    response.setHeader('content-type', 'application/json');
    const isLogin = request.url?.includes('token') || request.url?.includes('oauth');
    response.end(isLogin ? '{"access_token":"issued-by-the-platform","expires_in":3600}' : '{"name":"radius-1"}');
  });
  await new Promise<void>((resolve) => void platform.listen(0, '127.0.0.1', resolve));
  origin = `https://localhost:${(platform.address() as AddressInfo).port}`;
});
afterAll(() => {
  platform?.closeAllConnections();
  platform?.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  seen.length = 0;
});

const certified = (name: string) => ({ client_cert_path: at(`${name}.pem`), client_key_path: at(`${name}.key`) });

async function bed(account: object) {
  const opened = await dispatchTestbed({ SVC_MCP_CA_PATH: at('authority.pem') });
  opened.nameAccount({ base_url: origin, token_url: `${origin}/oauth/token`, ...account });
  return opened;
}
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
const READ = 'mgmt_get_auth_server';
const read = async (b: Awaited<ReturnType<typeof bed>>) =>
  b.run(READ, { name: 'radius-1' }, { dispatcher: 'invoke_read_tool' });

describe('an account with a certificate', () => {
  test('shows it at the login, at a read and at a write', async () => {
    await using b = await bed(certified('router'));
    expect(await read(b)).toMatchObject({ kind: 'done' });
    const apply = await b.previewed('mgmt_update_auth_server', { name: 'radius-1', body: { 'auth-port': 1912 } });
    expect(await apply({ approver: approver() })).toMatchObject({ kind: 'done' });
    expect(seen.filter((line) => !line.endsWith(' by router'))).toEqual([]);
    expect(seen.map((line) => line.split(' ')[0])).toEqual(expect.arrayContaining(['POST', 'GET', 'PATCH']));
  });

  test('goes on with a renewed one, without a restart', async () => {
    copyFileSync(at('router.pem'), at('current.pem'));
    copyFileSync(at('router.key'), at('current.key'));
    await using b = await bed(certified('current'));
    await read(b);
    copyFileSync(at('renewed.pem'), at('current.pem'));
    copyFileSync(at('renewed.key'), at('current.key'));
    await read(b);
    expect(seen.at(0)).toMatch(/ by router$/);
    expect(seen.at(-1)).toMatch(/ by renewed$/);
  });

  test('of another authority, or none, gets no answer, and the platform reads nothing', async () => {
    for (const account of [certified('stranger'), {}]) {
      await using b = await bed(account);
      expect(await read(b)).toMatchObject({ kind: 'refused', refusal: { code: 'upstream_error' } });
    }
    expect(seen).toEqual([]);
  });

  test('is told to look at its certificate where the platform ends the handshake with an alert', async () => {
    const words = ['-Verify', '2', '-verify_return_error', '-CAfile', at('authority.pem'), '-www', '-quiet', '-tls1_2'];
    const pair = ['-cert', at('platform.pem'), '-key', at('platform.key')];
    const port = await freePort();
    const server = spawn('openssl', ['s_server', '-accept', `127.0.0.1:${port}`, ...pair, ...words]);
    try {
      await expect.poll(() => isListening(port)).toBe(true);
      for (const account of [certified('stranger'), {}]) {
        await using b = await bed(account);
        b.nameAccount({
          base_url: `https://localhost:${port}`,
          token_url: `https://localhost:${port}/token`,
          ...account,
        });
        expect(await read(b)).toMatchObject({
          kind: 'refused',
          refusal: {
            code: 'upstream_error',
            message: expect.stringMatching(/ended the TLS handshake \(ERR_SSL_.*wants a client certificate/),
          },
        });
      }
    } finally {
      server.kill();
    }
  });
});

test('a connection that was made with one account is not used for another', async () => {
  const network = { ca: readFileSync(at('authority.pem'), 'utf8') };
  const egress = new Egress({ network });
  const pair = (name: string) => ({
    cert: readFileSync(at(`${name}.pem`), 'utf8'),
    key: readFileSync(at(`${name}.key`), 'utf8'),
    validUntil: 0,
  });
  const named = new Set([origin]);
  const [one, other] = [pair('router'), pair('renewed')];
  for (const certificate of [one, other, one])
    await (await egress.fetch(`${origin}/x`, {}, { named, certificate })).text();
  await expect(egress.fetch(`${origin}/x`, {}, { named })).rejects.toThrow();
  expect(seen).toEqual(['GET /x by router', 'GET /x by renewed', 'GET /x by router']);
});

describe('is refused, with what is wrong and no word of the key', () => {
  const storeOf = (account: object) => {
    writeFileSync(at('credentials.yaml'), stringify({ here: account }), { mode: 0o600 });
    return new CredentialsStore(at('credentials.yaml'), {});
  };
  const platformHere = { auth: { strategy: 'none', section: 'here', variables: {} }, kind: 'user' } as never;
  const base_url = 'https://platform.example';
  test.each<[string, object, RegExp]>([
    ['a certificate without its key', { client_cert_path: 'router.pem' }, /both .*got the first alone/],
    ['a key without its certificate', { client_key_path: 'router.key' }, /both .*got the second alone/],
    ['an address of http', { ...certified('router'), base_url: 'http://platform.example' }, /should be https/],
    [
      'a file that is not there',
      { ...certified('router'), client_cert_path: 'none.pem' },
      /in PEM, without a passphrase/,
    ],
    ['no PEM', { ...certified('router'), client_cert_path: 'router.key' }, /in PEM, without a passphrase/],
    [
      'the key of another',
      { ...certified('router'), client_key_path: 'renewed.key' },
      /the key of the first certificate/,
    ],
    ['a key that others may read', { ...certified('router'), client_key_path: 'open.key' }, /0600.*mode 0644/],
  ])('%s', (_, account, message) => {
    copyFileSync(at('router.key'), at('open.key'));
    chmodSync(at('open.key'), 0o644);
    const store = storeOf({ base_url, ...account });
    expect(() => store.account(platformHere)).toThrow(message);
    expect(() => store.account(platformHere)).not.toThrow(/BEGIN|PRIVATE/);
  });

  test('paths start at the folder of the credentials file', () => {
    const store = storeOf({ base_url, client_cert_path: 'router.pem', client_key_path: 'router.key' });
    const account = store.account(platformHere);
    expect(account.certificate?.validUntil).toBeGreaterThan(Date.now());
    expect(store.account(platformHere)).toBe(account);
  });
});
