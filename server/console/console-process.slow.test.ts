/** The console of real router processes: beside HTTP, and beside stdio, where it must not outlive the client. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';

const CONFIG = join(import.meta.dirname, '../config/config.ts');
const OPEN = join(import.meta.dirname, '../router.ts');
const ROUTER = join(import.meta.dirname, '../cli/router.mjs');

/** A router process, and the console that its banner names. */
async function started(port: string, variables: Record<string, string> = {}) {
  const installation = sampleInstallation();
  const env = {
    PATH: process.env['PATH'],
    HOME: installation.root,
    SVC_MCP_STATE_DIR: join(installation.root, 'state'),
    SVC_MCP_CONFIG_DIR: join(installation.root, 'user'),
    SVC_MCP_CATALOG_DIR: shippedCatalog(),
    SVC_MCP_CONSOLE_PORT: port,
    SVC_MCP_TOOLSETS: 'rag',
    ...variables,
  };
  const child = spawn(process.execPath, [ROUTER], { env, cwd: installation.root, stdio: ['pipe', 'ignore', 'pipe'] });
  let text = '';
  const banner = new Promise<string>((resolve) =>
    child.stderr.on('data', (chunk) => {
      text += chunk;
      if (/backend tools in its catalog[\s\S]*\n/.test(text)) resolve(text);
    }),
  );
  const said = await banner;
  const ended = once(child, 'exit');
  return {
    child,
    said,
    url: /console +(http:\/\/\S+)/.exec(said)?.[1],
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      installation[Symbol.dispose]();
    },
  };
}

test('beside stdio it serves, gives way to the one that has the port until that one ends, and ends with its client', async () => {
  await using one = await started('0');
  expect((await fetch(`${one.url}/approvals`)).status).toBe(401);
  await using other = await started(String(new URL(one.url ?? '').port));
  expect([other.url, other.said]).toEqual([undefined, expect.stringContaining('console.elsewhere')]);
  one.child.stdin.end();
  expect(await one.ended).toEqual([0, null]);
  // A connection that is kept would hold the other one.
  const headers = { connection: 'close' };
  const status = () => fetch(`${one.url}/approvals`, { headers }).then((response) => response.status, String);
  await expect.poll(status).toBe(401);
  other.child.stdin.end();
  expect(await other.ended).toEqual([0, null]);
});

test('beside HTTP it serves, and ends with its router', async () => {
  const http = { MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0' };
  await using one = await started('0', http);
  expect((await fetch(`${one.url}/sign-in`)).status).toBe(200);
  one.child.kill('SIGTERM');
  expect(await one.ended).toEqual([0, null]);
});

test('a router loads neither the console it has not nor, before a call, dispatch and the client of platforms', () => {
  using installation = sampleInstallation();
  const load = (port: string) => {
    const config = `{ ...process.env, SVC_MCP_CONSOLE_PORT: '${port}', SVC_MCP_STATE_DIR: 'state', SVC_MCP_CONFIG_DIR: 'user', SVC_MCP_CATALOG_DIR: '${shippedCatalog()}', SVC_MCP_TOOLSETS: 'rag', SVC_MCP_LOG_LEVEL: 'error' }`;
    const script = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ load: (url, context, next) => { seen.push(url); return next(url, context); } });
      const { loadConfig } = await import('${CONFIG}');
      const { openRouter } = await import('${OPEN}');
      const router = await openRouter(loadConfig({ env: ${config} }));
      const served = await router.serveConsole();
      await served?.close();
      const opened = seen.splice(0);
      await router.prepareForCalls();
      router.close();
      console.log(JSON.stringify({ opened, prepared: seen }));
      process.exit(0);
    `;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: installation.root,
      env: { PATH: process.env['PATH'], HOME: installation.root },
      encoding: 'utf8',
    });
    expect(ran.stderr).toBe('');
    return JSON.parse(ran.stdout) as { opened: string[]; prepared: string[] };
  };
  const matching = (urls: readonly string[], pattern: RegExp) =>
    urls.flatMap((url) => (pattern.test(url) ? [url.split('/server/').at(-1)] : []));
  const without = load('off');
  expect(matching(without.opened, /open-console|server\/console\//)).toEqual([]);
  expect(matching(load('0').opened, /open-console/)).toEqual(['open-console.ts']);
  const ofCalls = /\/server\/(dispatch\/(open-)?dispatch|outbound\/client)\.ts/;
  expect(matching(without.opened, ofCalls)).toEqual([]);
  expect(matching(without.prepared, ofCalls).sort()).toEqual([
    'dispatch/dispatch.ts',
    'dispatch/open-dispatch.ts',
    'outbound/client.ts',
  ]);
  const ofOthers = /\/server\/(catalog\/build|oauth\/oauth-callers|principals\/principals|tools\/local\/registry)\.ts/;
  expect(matching(without.opened, ofOthers)).toEqual([]);
  expect(matching(without.prepared, ofOthers)).toEqual(['tools/local/registry.ts']);
});
