/** The commands as processes: what they print, where, and how they exit. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInstalled } from '../test/support/installed-commands.ts';
import type { Ended } from '../test/support/running-process.ts';
import { type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';

let installation: SampleInstallation;
beforeAll(() => {
  installation = sampleInstallation();
});
afterAll(() => installation?.[Symbol.dispose]());

const start = (command: string, args: readonly string[], env: Record<string, string> = {}) =>
  startInstalled(installation.root, command, args, { SVC_MCP_CATALOG_DIR: shippedCatalog(), ...env });

const run = (command: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ended> =>
  start(command, args, env).ended;

const HTTP = { MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0' };

describe('svc-mcp-router', () => {
  test('over HTTP it prints one JSON line when ready, answers, and ends cleanly on SIGTERM', async () => {
    const router = start('router', ['--json'], HTTP);
    const ready = JSON.parse(await router.line()) as { url: string };
    expect(ready).toEqual({
      ready: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      mode: 'minimal',
      tools: 3,
    });
    expect(router.stderr()).toMatch(new RegExp(`  endpoint +${ready.url}\n`));
    expect(router.stderr()).toMatch(/confirmation +the person \(elicitation\)/);
    expect((await fetch(new URL('/livez', ready.url))).status).toBe(200);
    const started = performance.now();
    const { code, stdout } = await router.stop();
    expect(code).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  test('over stdio, stdout carries nothing but the protocol, and the end of input ends it', async () => {
    const { code, stdout, stderr } = await run('router');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('on stdio');
  });

  test('over stdio a request that is not UTF-8 is refused, and the connection goes on', async () => {
    const env = { SVC_MCP_CATALOG_DIR: shippedCatalog() };
    const router = startInstalled(installation.root, 'router', [], env, { stdin: { open: true } });
    const { stdin } = router.process;
    const initialize = (id: number, name: string) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } } })}\n`;
    stdin.write(Buffer.from(initialize(1, 'café'), 'latin1'));
    expect(JSON.parse(await router.line(/"id":1\b/))).toMatchObject({
      error: { code: -32700, message: expect.stringContaining('should be UTF-8') },
    });
    stdin.write(initialize(2, 'café'));
    expect(JSON.parse(await router.line(/"id":2\b/))).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    stdin.end();
    expect((await router.ended).code).toBe(0);
  });

  test('a line over stdio that never ends closes the connection and ends the router', async () => {
    const env = { SVC_MCP_CATALOG_DIR: shippedCatalog() };
    const router = startInstalled(installation.root, 'router', [], env, { stdin: { open: true } });
    for (let sent = 0; sent < 12; sent++) router.process.stdin.write(Buffer.alloc(1024 * 1024, 'a'));
    expect((await router.ended).code).toBe(0);
  });

  test('a port in use is exit 3 with a remedy', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const ended = await run('router', ['--json'], { ...HTTP, MCP_PORT: String(port) });
    other.close();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain(
      `RouterError PORT_IN_USE: MCP_PORT=${port} on 127.0.0.1 is in use by another process\n  remedy: stop the other process or set MCP_PORT`,
    );
    expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, code: 'port_in_use' });
  });

  test.each([
    [
      'a bad value',
      { MCP_PORT: 'many' },
      'RouterError CONFIG_INVALID: MCP_PORT should be a whole number from 0 to 65535, got "many"',
    ],
    ['a contradiction', { SVC_MCP_ACCESS_PROFILE: 'safe-read-only', SVC_MCP_MGMT_WRITES: '1' }, 'CONFIG_CONTRADICTION'],
    ['an unsafe binding', { ...HTTP, MCP_HOST: '0.0.0.0' }, 'UnsafeHttpBindingError UNSAFE_HTTP_BINDING'],
    [
      'a bearer over stdio',
      { MCP_HTTP_BEARER_TOKEN: 'some-bearer-value' },
      'UnsafeHttpBindingError UNSAFE_HTTP_BINDING',
    ],
    ['an unknown product', { SVC_MCP_PRODUCTS: 'toaster' }, 'got "toaster"'],
  ])('%s is exit 2', async (_, env, message) => {
    const ended = await run('router', [], env as unknown as Record<string, string>);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('some-bearer-value');
    expect(ended.stdout).toBe('');
  });

  test('an unknown option is exit 2', async () => {
    expect((await run('router', ['--loud'])).code).toBe(2);
  });
});

describe('svc-mcp-find', () => {
  test('says what it found and why', async () => {
    const plain = await run('find', ['reboot an access point', '--explain', '--top', '2']);
    expect(plain.stdout).toMatch(/^1\. mgmt_\w*reboot\w* {2}\[destructive\]/);
    expect(plain.stdout).toContain('score');
    const json = JSON.parse((await run('find', ['reboot an access point', '--json', '--top', '2'])).stdout) as {
      hits: unknown[];
    };
    expect(json.hits).toHaveLength(2);
  });

  test.each([
    [['x', '--top', '11'], 2],
    [['x', '--platform', 'mgmtt'], 2],
    [['x', '--capability', 'admin'], 2],
    [[], 2],
    [['--help'], 0],
  ])('%j is exit %i', async (args, code) => {
    expect((await run('find', args)).code).toBe(code);
  });
});

test.each([
  ['in a folder that is not there', '/nowhere/index.tgz'],
  ['that is a folder', '/tmp'],
])('svc-mcp-index packs nothing into a file %s', async (_, out) => {
  const { code, stderr } = await run('index', ['package', '--out', out]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(
      /^RouterError USAGE: --out should be a file in a folder that exists, got ".*"\n {2}remedy: /,
    ),
  });
});
