/** A server behind OAuth, its tokens from a real authorization server: tried with a client, refused without, and told why. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { freePort } from '../test/free-port.ts';
import { PETS } from '../test/pets-document.ts';
import { type AuthorizationServer, CLIENT, startAuthorizationServer } from '../test/test-authorization-server.ts';
import type { TryResult } from './try-result.ts';

const SERVER = join(import.meta.dirname, '..', 'test', 'plain-server.mjs');
/** Shorter than a try takes: the token is got again on the way. */
const LIFETIME_SECONDS = 2;
let folder: string;
let authorization: AuthorizationServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oauth-'));
  await writeFile(join(folder, 'pets.json'), JSON.stringify(PETS));
  authorization = await startAuthorizationServer(LIFETIME_SECONDS);
});
afterAll(async () => {
  await authorization[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function run(options: readonly string[], secret = CLIENT.secret): Promise<{ exit: number; stderr: string }> {
  const port = await freePort();
  const command = `node ${SERVER} --http ${port} --issuer ${authorization.issuer}`;
  const server = ['--command', command, '--url', `http://127.0.0.1:${port}/mcp`];
  const few = ['--openapi', 'pets.json', '--most', '9', '--malformed', '36', '--start-seconds', '15', '--out', 'out'];
  const said: string[] = [];
  const exit = await main(['try', ...server, ...few, ...options], {
    stdout: { write: () => undefined },
    stderr: { write: (text: string) => said.push(text), isTTY: false } as never,
    env: { INIT_CWD: folder, CLIENT_SECRET: secret },
  });
  return { exit, stderr: said.join('') };
}

const client = () => [
  '--oauth-issuer',
  authorization.issuer,
  '--oauth-client',
  CLIENT.id,
  '--oauth-secret-env',
  'CLIENT_SECRET',
];

test('is tried by a client with client credentials; a token that runs out is got again', async () => {
  const { exit, stderr } = await run([...client(), '--oauth-scope', 'pets']);
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  const text = await readFile(join(folder, 'out/try.json'), 'utf8');
  const { oracle, malformed } = JSON.parse(text) as TryResult;
  expect(oracle?.of).toBeGreaterThan(5);
  expect(oracle?.solved).toBe(oracle?.of);
  expect(malformed).toMatchObject({ sent: 36, wrong: {}, diedAfter: null });
  expect(authorization.given()).toBeGreaterThan(1);
  expect(text).not.toContain(CLIENT.secret);
});

test('without a client ends with the reason and the options that help', async () => {
  const { exit, stderr } = await run([]);
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('SERVER_AUTH: ') });
  expect(stderr).toMatch(/remedy: the server is behind OAuth: give --oauth-issuer, --oauth-client/);
});

test('with a wrong secret, or an issuer that it does not name, ends with the reason; no secret is repeated', async () => {
  const wrong = await run(client(), 'another-secret');
  expect(wrong).toEqual({ exit: 2, stderr: expect.stringMatching(/SERVER_AUTH: .*invalid_client/) });
  expect(wrong.stderr).not.toContain('another-secret');
  const before = authorization.given();
  const [, , ...rest] = client();
  const other = await run(['--oauth-issuer', 'http://127.0.0.1:9', ...rest]);
  expect(other).toEqual({ exit: 2, stderr: expect.stringContaining('SERVER_AUTH: ') });
  expect(authorization.given()).toBe(before);
});

test.each([
  [['--oauth-client', 'x'], 'should come together'],
  [['--oauth-issuer', 'nowhere', '--oauth-client', 'x', '--oauth-secret-env', 'CLIENT_SECRET'], 'an address'],
  [['--oauth-issuer', 'http://a.example', '--oauth-client', 'x', '--oauth-secret-env', 'NO_SUCH'], 'a variable'],
])('%s is refused', async (options, words) => {
  const { exit, stderr } = await run(options);
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(words) });
});
