/**
 * Two clients that nobody here wrote sign in at a real authorization server and call the router: the SDK of 2025-11-25 registers itself, the
 * client library of 2026-07-28 has a Client ID Metadata Document. The test is the person at the browser.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as sdkAuth from '@modelcontextprotocol/sdk/client/auth.js';
import * as sdk from '@modelcontextprotocol/sdk/client/index.js';
import * as sdkHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '#fake-api';
import { browse } from '../support/browse-sign-in.ts';
import { demoAccount } from '../support/child-process.ts';
import { freePort } from '../support/programs.ts';
import { claimsIn } from '../support/token-issuer.ts';
import { ensureInstalled } from './installed.ts';
import { CLIENT_DOCUMENT, CLIENT_METADATA, type LoginServer, REDIRECT, startLoginServer } from './login-server.ts';
import { type RouterProcess, startRouter } from './router-process.ts';

/** Access tokens end after so long, and the router adds no skew: what a revocation leaves is seen to end. */
const LIFE_SECONDS = 12;
const SCOPES = ['mcp:read', 'mcp:diagnostic', 'mcp:write', 'mgmt:write'];

interface Tokens {
  access_token: string;
  refresh_token?: string;
  scope?: string;
}

/** What both libraries have in common, as far as it is used here. */
interface Library {
  Client: new (info: object, options: object) => ConnectedClient;
  StreamableHTTPClientTransport: new (url: URL, options: object) => Transport;
  UnauthorizedError: new (...args: never[]) => Error;
  auth: (provider: object, options: { serverUrl: string; scope: string }) => Promise<string>;
}
interface ConnectedClient {
  connect: (transport: Transport) => Promise<void>;
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
  close: () => Promise<void>;
}
interface Transport {
  /** The later library checks the issuer that comes with the code (RFC 9207). */
  finishAuth: (code: string, issuer?: string) => Promise<void>;
}

let fake: FakeApi;
let login: LoginServer;
let router: RouterProcess;
let url: string;

beforeAll(async () => {
  ensureInstalled();
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  fake = await startFakeApi({ platformIds: ['mgmt'] });
  login = await startLoginServer({ resource: url, scopes: SCOPES, lifetimeSeconds: LIFE_SECONDS });
  router = await startRouter({
    MCP_PORT: String(port),
    SVC_MCP_OAUTH_ISSUER: login.issuer,
    SVC_MCP_OAUTH_CLOCK_SKEW_SECONDS: '0',
    ...demoAccount(`${fake.platforms['mgmt']}`),
    SVC_MCP_TOOLSETS: 'mgmt',
    SVC_MCP_MGMT_WRITES: '1',
    SVC_MCP_LOG_LEVEL: 'error',
  });
});
afterAll(async () => {
  await router?.[Symbol.asyncDispose]();
  await login?.[Symbol.asyncDispose]();
  await fake?.close();
});

/** Keeps what a client keeps on disk, and the address that it would open in the browser. */
function wallet(metadataUrl: string | undefined) {
  const kept: { client?: { client_id: string }; tokens?: Tokens; verifier?: string; opened: URL[] } = { opened: [] };
  const provider = {
    ...(metadataUrl === undefined ? {} : { clientMetadataUrl: metadataUrl }),
    redirectUrl: REDIRECT,
    clientMetadata: CLIENT_METADATA,
    clientInformation: () => kept.client,
    saveClientInformation: (client: { client_id: string }) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: Tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (address: URL) => {
      kept.opened.push(address);
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    // The libraries ask for it when a credential was refused.
    invalidateCredentials: (scope: string) => {
      if (scope === 'all' || scope === 'tokens') delete kept.tokens;
    },
  };
  return { kept, provider };
}

async function clientOf(library: Library, metadataUrl: string | undefined) {
  const { kept, provider } = wallet(metadataUrl);
  /** The challenge of the last 403. */
  let challenge = '';
  const watched = async (address: string | URL, init?: RequestInit) => {
    const response = await fetch(address, init);
    if (response.status === 403) challenge = response.headers.get('www-authenticate') ?? '';
    return response;
  };
  const options = { authProvider: provider, fetch: watched };
  const transport = () => new library.StreamableHTTPClientTransport(new URL(url), options);
  const newClient = () => new library.Client({ name: 'test', version: '1' }, { capabilities: {} });
  let client = newClient();
  const first = transport();
  await expect(client.connect(first)).rejects.toThrow(library.UnauthorizedError);
  /** The person signs in at the address that was opened last, and the client goes on with the code. */
  const signIn = async (by: Transport) => {
    const back = new URL(await browse(String(kept.opened.at(-1)), 'ada'));
    await by.finishAuth(back.searchParams.get('code') ?? '', back.searchParams.get('iss') ?? '');
  };
  await signIn(first);
  let current = transport();
  client = newClient();
  await client.connect(current);
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
    return JSON.parse(content[0]?.text ?? 'null');
  };
  return {
    kept,
    call,
    challenge: () => challenge,
    stepUp: async () => {
      const scope = /scope="([^"]+)"/.exec(challenge)?.[1] ?? '';
      // The earlier library refreshes at a 403 and gives up, because no refresh widens a token. Its application signs in anew, and
      // registers anew, because the library registered the client for the first scopes alone.
      if (!kept.opened.at(-1)?.searchParams.get('scope')?.includes('mgmt:write')) {
        delete kept.tokens;
        delete kept.client;
        await library.auth(provider, { serverUrl: url, scope });
      }
      await signIn(current);
    },
    close: () => client.close(),
    connectAgain: async () => {
      await client.close();
      client = newClient();
      current = transport();
      await client.connect(current);
    },
  };
}

const until = (seconds: number) => new Promise((done) => setTimeout(done, Math.max(0, seconds * 1000 - Date.now())));
const endOf = (token: string) => Number(claimsIn(token)['exp']);
const WRITE = { name: 'mgmt_update_auth_server', arguments: { name: 'radius-1', body: { 'auth-port': 1912 } } };

const LIBRARIES: [string, string | undefined, () => Promise<Library>][] = [
  [
    'the SDK of 2025-11-25, which registers itself',
    undefined,
    async () => ({ ...sdk, ...sdkHttp, ...sdkAuth }) as unknown as Library,
  ],
  [
    'the client library of 2026-07-28, which has a metadata document',
    CLIENT_DOCUMENT,
    async () => {
      const { resolve } = createRequire(join(import.meta.dirname, 'clients/package.json'));
      const found = resolve('@modelcontextprotocol/client').replace(/\.cjs$/, '.mjs');
      return (await import(pathToFileURL(found).href)) as Library;
    },
  ],
];

describe.each(LIBRARIES)('%s', (_, metadataUrl, load) => {
  test('discovers, signs in, calls, steps up, refreshes, and ends when its access is revoked', {
    timeout: 180_000,
  }, async () => {
    const library = await load();
    const before = { registrations: login.registrations(), documents: login.documents() };
    const client = await clientOf(library, metadataUrl);
    const { kept } = client;

    // Discovery: the resource, the proof key and the first scopes come from the router's metadata and challenge.
    const asked = kept.opened[0]?.searchParams;
    expect(asked?.get('resource')).toBe(url);
    expect(asked?.get('code_challenge_method')).toBe('S256');
    expect(asked?.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['mcp:read', 'mcp:diagnostic']));
    expect(asked?.get('client_id')).toBe(metadataUrl ?? kept.client?.client_id);
    expect(login.registrations() - before.registrations).toBe(metadataUrl === undefined ? 1 : 0);
    expect(login.documents() - before.documents).toBe(metadataUrl === undefined ? 0 : 1);
    const first = kept.tokens?.access_token ?? '';
    expect(claimsIn(first)).toMatchObject({ iss: login.issuer, aud: url, sub: 'ada' });

    const listed = await client.call('invoke_read_tool', { name: 'mgmt_list_auth_servers' });
    expect(listed.items.length).toBeGreaterThan(0);

    // Step-up: the scope that is missing is asked for, with those that were there.
    await expect(client.call('invoke_tool', WRITE)).rejects.toThrow();
    expect(client.challenge()).toContain('error="insufficient_scope", scope="mcp:read mcp:diagnostic mgmt:write"');
    await client.stepUp();
    expect(kept.opened.at(-1)?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['mcp:read', 'mcp:diagnostic', 'mgmt:write']),
    );
    await client.connectAgain();
    const preview = await client.call('invoke_tool', WRITE);
    expect(preview).toHaveProperty('plan_token');

    // Refresh: the token ends, and the next call gets another one without the person.
    const second = kept.tokens?.access_token ?? '';
    const pages = kept.opened.length;
    await until(endOf(second) + 1);
    expect((await client.call('invoke_read_tool', { name: 'mgmt_list_auth_servers' })).items).toEqual(listed.items);
    const third = kept.tokens?.access_token ?? '';
    expect([third === second, kept.opened.length - pages]).toEqual([false, 0]);

    // Revocation: no refresh from now on, and the access token lives until its end and no longer.
    const { token_endpoint, revocation_endpoint } = (await (
      await fetch(`${login.issuer}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, string>;
    const client_id = metadataUrl ?? kept.client?.client_id ?? '';
    const form = (values: Record<string, string>) => ({
      method: 'POST',
      body: new URLSearchParams({ client_id, ...values }),
    });
    const refresh_token = kept.tokens?.refresh_token ?? '';
    expect(refresh_token).not.toBe('');
    expect((await fetch(`${revocation_endpoint}`, form({ token: refresh_token }))).status).toBe(200);
    const refused = await fetch(`${token_endpoint}`, form({ grant_type: 'refresh_token', refresh_token }));
    expect({ status: refused.status, ...((await refused.json()) as object) }).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    expect((await client.call('invoke_read_tool', { name: 'mgmt_list_auth_servers' })).items).toEqual(listed.items);
    expect(endOf(third) - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(600);
    await until(endOf(third) + 1);
    await expect(client.call('invoke_read_tool', { name: 'mgmt_list_auth_servers' })).rejects.toThrow(
      library.UnauthorizedError,
    );
    expect(kept.opened.length).toBe(pages + 1);
    await client.close().catch(() => undefined);
  });
});
