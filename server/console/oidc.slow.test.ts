/** Sign-in of an operator at a real OpenID provider in a real browser: the console over TLS, the provider on another site. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Operators } from '../approvals/operators.ts';
import { type OperatorTestbed, operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';
import { freePort } from '../test/support/programs.ts';

const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
if (path === undefined) console.warn('skipped: nobody signs in at a provider, because no Chromium is installed');

const closing = new AsyncDisposableStack();
let browser: Browser;
let bed: OperatorTestbed;
let issuer: string;
let origin: string;

beforeAll(async () => {
  if (path === undefined) return;
  browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
  closing.defer(() => browser.close());
  const [port, proxyPort] = [await freePort(), await freePort()];
  origin = `https://127.0.0.1:${proxyPort}`;
  issuer = await startProvider(`${origin}/sign-in/oidc/callback`);
  await startProxy(proxyPort, port);
  bed = await operatorTestbed({
    SVC_MCP_CONSOLE_PORT: String(port),
    SVC_MCP_CONSOLE_URL: origin,
    SVC_MCP_CONSOLE_OIDC_ISSUER: issuer,
    SVC_MCP_CONSOLE_OIDC_CLIENT_ID: 'console',
  });
  closing.use(bed);
});
afterAll(() => closing.disposeAsync());

/** A public client, as the provider knows it. Its page of development takes any name without a password. */
async function startProvider(redirect: string): Promise<string> {
  // @ts-expect-error The package has no types.
  const imported: unknown = await import('oidc-provider');
  const { default: Provider } = imported as {
    default: new (issuer: string, configuration: unknown) => { callback: () => RequestListener };
  };
  const server = createServer((incoming, outgoing) => provider.callback()(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  // Another name than that of the console, so that the browser takes them for two sites.
  const own = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(own, {
    clients: [
      {
        client_id: 'console',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [redirect],
      },
    ],
    cookies: { keys: ['a key of the test'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
  });
  return own;
}

/** Ends TLS in front of the console and keeps the Host header, as docs/approvals.md asks for. */
async function startProxy(port: number, target: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'console-tls-'));
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1';
  execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port: target, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  closing.defer(() => {
    server.closeAllConnections();
    server.close();
  });
}

/** At the provider: a name, any password, and the consent. */
async function signIn(page: Page, subject: string): Promise<void> {
  await page.getByRole('link', { name: /^Sign in with localhost/ }).click();
  await page.locator('input[name=login]').fill(subject);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe.skipIf(path === undefined)('in Chromium, at oidc-provider', () => {
  test.each([true, false])(
    'an operator comes by a link, signs in at the provider, and approves; with script: %s',
    async (javaScriptEnabled) => {
      new Operators(bed.config.approvals.operatorsPath).addIdentity('ada', { issuer, subject: 'ada@example' });
      const before = bed.upstream.writes.length;
      const call = await bed.agent.previewed('mgmt_update_auth_server', PATCH);
      const { approval_url } = await call.apply();
      const context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(approval_url);
      await signIn(page, 'ada@example');
      await page.waitForURL(approval_url);
      expect(await page.locator('.who').textContent()).toBe('ada');
      expect(await page.locator('pre[data-part=body]').textContent()).toBe('{"auth-port":1912}');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.locator('.state', { hasText: 'approved' }).waitFor();
      await call.apply();
      expect(bed.upstream.writes).toHaveLength(before + 1);
      const cookies = await context.cookies();
      expect(
        cookies
          .filter(({ name }) => name.startsWith('__Host-'))
          .map(({ name, sameSite, secure }) => [name, sameSite, secure]),
      ).toEqual([
        ['__Host-svc_mcp_visitor', 'Strict', true],
        ['__Host-svc_mcp_console', 'Strict', true],
      ]);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(approval_url);
      expect(await page.getByRole('heading').first().textContent()).toBe('Sign in');
      await context.close();
    },
  );

  test('who is no operator reads the subject to add, and sees nothing of the console', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(`${origin}/sign-in`);
    await signIn(page, 'mallory@example');
    await page.getByText('The provider knows you as mallory@example').waitFor();
    await page.goto(`${origin}/approvals`);
    expect(await page.getByRole('heading').first().textContent()).toBe('Sign in');
    await context.close();
  });
});
