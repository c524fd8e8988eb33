/** docker/nginx-client-certificates.conf in a real nginx in front of a real router: who gets through, and what the router believes. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../config/config.ts';
import { modernRequest } from './support/modern-client.ts';
import { freePort, missing } from './support/programs.ts';
import { type Serving, serving } from './support/serving.ts';

const absent = missing('nginx');
const BEARER = 'a1'.repeat(32);

let folder: string;
let router: Serving;
let nginx: ChildProcess;
let port: number;
const at = (name: string) => join(folder, name);
const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' });

function authority(name: string): void {
  const files = ['-keyout', at(`${name}-key.pem`), '-out', at(`${name}.pem`)];
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    `/CN=${name}`,
    ...files,
  );
}

/** A certificate of the authority for so many days from now. */
function certificate(name: string, by: string, days = '2'): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', at(`${name}-key.pem`)];
  openssl('req', ...key, '-subj', `/CN=${name}`, '-out', at(`${name}.csr`));
  const signer = ['-CA', at(`${by}.pem`), '-CAkey', at(`${by}-key.pem`), '-CAcreateserial', '-days', days];
  openssl('x509', '-req', '-in', at(`${name}.csr`), ...signer, '-out', at(`${name}.pem`));
}

/** The status of a call through the proxy, with the certificate of this name. */
function call(
  client: string | undefined,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const message = modernRequest('find_tool', { query: 'list access points' });
  const tls =
    client === undefined ? {} : { cert: readFileSync(at(`${client}.pem`)), key: readFileSync(at(`${client}-key.pem`)) };
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const asked = request(
    {
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method: 'POST',
      rejectUnauthorized: false,
      ...tls,
      headers: { ...(message.headers as Record<string, string>), ...headers },
    },
    (response) => {
      response.setEncoding('utf8');
      let body = '';
      response.on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    },
  );
  asked.on('error', reject);
  asked.end(String(message.body));
  return promise;
}

describe.skipIf(absent !== undefined)(
  `clients with certificates${absent === undefined ? '' : ` (skipped: ${absent})`}`,
  () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'svc-mcp-mtls-'));
      authority('clients-ca');
      authority('other-ca');
      certificate('server', 'other-ca');
      certificate('agent', 'clients-ca');
      certificate('stranger', 'other-ca');
      port = await freePort();
      router = await serving({ MCP_HTTP_BEARER_TOKEN: BEARER, MCP_ALLOWED_HOSTS: '127.0.0.1:*' });
      const text = readFileSync(join(packageRoot, 'docker', 'nginx-client-certificates.conf'), 'utf8')
        .replaceAll('/etc/nginx/tls/', `${folder}/`)
        .replaceAll('/tmp/nginx', `${folder}/nginx`)
        .replace('listen 8443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace('127.0.0.1:8010', `127.0.0.1:${router.port}`);
      writeFileSync(at('nginx.conf'), text);
      nginx = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', at('nginx.conf'), '-g', 'daemon off;'], {
        stdio: 'ignore',
      });
      for (let tries = 0; tries < 100; tries++) {
        if (
          await call(undefined).then(
            () => true,
            () => false,
          )
        )
          break;
        await new Promise((wait) => setTimeout(wait, 50));
      }
    });
    afterAll(async () => {
      nginx?.kill('SIGTERM');
      await router?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each([undefined, 'stranger'])(
      'a client with certificate %s is stopped by nginx, whatever it claims',
      async (client) => {
        const before = router.log.length;
        const claims = { authorization: `Bearer ${BEARER}`, 'x-ssl-client-verify': 'SUCCESS' };
        expect(await call(client, claims)).toMatchObject({ status: 400, body: expect.stringContaining('nginx') });
        expect(router.log.slice(before)).toEqual([]);
      },
    );

    test('a client with a certificate of the authority gets an answer, with the bearer token', async () => {
      expect(await call('agent', { authorization: `Bearer ${BEARER}` })).toMatchObject({ status: 200 });
    });

    test('a bearer as long as an access token may be reaches the router', async () => {
      const { status, body } = await call('agent', { authorization: `Bearer ${'a'.repeat(8_192)}` });
      expect([status, JSON.parse(body)]).toMatchObject([401, { error: 'unauthorized' }]);
    });

    test.each([
      ['through the proxy', () => call('agent')],
      [
        'with headers that a proxy could set',
        () =>
          call('agent', {
            'x-ssl-client-verify': 'SUCCESS',
            'x-ssl-client-s-dn': 'CN=agent',
            'x-forwarded-user': 'agent',
          }),
      ],
    ])('a certificate does not replace the bearer token: %s', async (_, asked) => {
      expect((await asked()).status).toBe(401);
    });
  },
);
