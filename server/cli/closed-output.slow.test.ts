/** Commands of all three programs whose output nobody reads, or whose disk is full; and a router whose log nobody can write. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../test/support/child-process.ts';
import { mcpRequest, Wire } from '../test/support/mcp-wire.ts';
import { runProcess, startProcess } from '../test/support/running-process.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';

const COMMANDS = [
  'server/cli/catalog.mjs add --help',
  'server/cli/doctor.mjs --help',
  'harness/cli/harness.ts list',
  'harness/cli/call.ts --help',
  'harness/cli/demo-router.ts --help',
  'fake-api/main.ts --help',
];
const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1', SVC_MCP_DOTENV: '0', NODE: process.execPath };
const inShell = (line: string) => runProcess('bash', ['-c', line], { cwd: ROOT, env });

test.each(COMMANDS)('%s ends quietly when its reader has left', async (command) => {
  const { code, stderr } = await inShell(`"$NODE" ${command} | true; exit "\${PIPESTATUS[0]}"`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** Linux alone has a device that is a full disk. */
const onLinux = existsSync('/dev/full') ? test : test.skip;

onLinux.each(COMMANDS.slice(0, -1))(
  '%s says that the disk under its output is full (where there is a /dev/full)',
  async (command) => {
    const { code, stderr } = await inShell(`"$NODE" ${command} >/dev/full`);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^.*DISK_UNUSABLE: standard output cannot be used \(ENOSPC\): the disk is full\n {2}remedy: .*\n$/,
    );
  },
);

onLinux('a router serves on when the disk under its log is full (where there is a /dev/full)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-log-'));
  const settings = {
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    SVC_MCP_LOG_LEVEL: 'debug',
    SVC_MCP_CATALOG_DIR: shippedCatalog(),
    SVC_MCP_CONFIG_DIR: folder,
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    CREDS_PATH: join(folder, 'none.yaml'),
  };
  const router = startProcess('bash', ['-c', 'exec "$NODE" server/cli/router.mjs --json 2>/dev/full'], {
    cwd: ROOT,
    env: { ...env, ...settings },
  });
  try {
    const { url } = JSON.parse(await router.line()) as { url: string };
    const wire = new Wire(Number(new URL(url).port));
    const params = { name: 'find_tool', arguments: { query: 'list wireless networks' } };
    for (let id = 1; id <= 3; id++)
      expect(await wire.ask(mcpRequest({ era: '2026-07-28', id, method: 'tools/call', params }))).toMatchObject({
        status: 200,
      });
    wire.close();
  } finally {
    expect((await router.stop()).code).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  }
});
