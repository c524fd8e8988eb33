/**
 * A referee in the middle: a validator that none of our programs uses stands between router and platform, over every
 * document, and judges each request the router sends and each answer it gets.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFakeApi } from '#fake-api';
import { type EveryCall, foreignCalls, mgmtCalls, rewinder } from '#fake-api/calls';
import { startReferee } from '#fake-api/referee';
import type { Tool } from './catalog/tool.ts';
import { loadConfig } from './config/config.ts';
import type { Call } from './dispatch/call.ts';
import { openDispatch } from './dispatch/open.ts';
import { takeIn } from './intake/take-in.ts';
import { definePlatform, writeUserPlatform } from './intake/user-platform.ts';
import { openCatalog } from './open-catalog.ts';
import { createLogger } from './telemetry/logger.ts';

const FILE = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
const person: Call['person'] = { reachable: true, ask: async () => ({ is: 'yes' }) };

test('no request of the router and no answer to it breaks a document, over every operation of ours and of a public one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'referee-'));
  await using fake = await startFakeApi({ foreign: [{ file: FILE, name: 'github' }] });
  const ours = await mgmtCalls();
  const theirs = foreignCalls(fake.foreign[0]!.platform!);
  await using mgmt = await startReferee(`${fake.platforms['mgmt']}`, ours.documents);
  await using github = await startReferee(`${fake.platforms['github']}`, [JSON.parse(readFileSync(FILE, 'utf8'))]);

  const taken = await takeIn(FILE);
  const configDir = join(folder, 'config');
  writeUserPlatform(configDir, definePlatform({ name: 'github', baseUrl: github.url, auth: 'none' }, taken), taken);
  const config = loadConfig({
    env: {
      SVC_MCP_CONFIG_DIR: configDir,
      SVC_MCP_CATALOG_DIR: join(folder, 'catalog'),
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
      CREDS_PATH: join(folder, 'none.yaml'),
      SOURCE_BASE_URL: mgmt.url,
      SOURCE_CLIENT_ID: 'demo-client',
      SOURCE_CLIENT_SECRET: 'demo-secret',
      SVC_MCP_MGMT_WRITES: '1',
      SVC_MCP_GITHUB_WRITES: '1',
      SVC_MCP_RATE_PER_SECOND: '0',
    },
  });
  const logger = createLogger('silent');
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const { dispatch } = openDispatch(config, catalog, logger);
  const byOperation = new Map(
    catalog.names().flatMap((name) => {
      const tool = catalog.tool(name);
      return tool ? [[`${tool.platform} ${tool.method} ${tool.path}`, tool] as const] : [];
    }),
  );
  const invoke = (tool: Tool, args: Record<string, unknown>) =>
    dispatch.invoke({
      dispatcher: tool.capability === 'read' ? 'invoke_read_tool' : 'invoke_tool',
      name: tool.name,
      arguments: args,
      principal: 'local',
      person,
    });
  const unsent: string[] = [];
  const play = async (platform: string, calls: readonly EveryCall[]) => {
    const rewind = await rewinder(fake.control);
    for (const call of calls) {
      const tool = byOperation.get(`${platform} ${call.method} ${call.template}`);
      if (tool === undefined) {
        unsent.push(`${call.operationId}: no tool`);
        continue;
      }
      const args = argumentsOf(tool, call);
      const first = await invoke(tool, args);
      const token = first.kind === 'done' ? (first.result as { plan_token?: string } | null)?.plan_token : undefined;
      const last =
        token === undefined ? first : await invoke(tool, { ...args, dry_run: false, confirm: true, plan_token: token });
      if (last.kind === 'refused' && last.refusal.code === 'invalid_arguments')
        unsent.push(`${call.operationId}: ${last.refusal.message}`);
      if (tool.capability !== 'read') await rewind();
    }
  };
  await play('mgmt', ours.calls);
  await play('github', theirs);
  catalog.close();
  rmSync(folder, { recursive: true, force: true });

  expect(mgmt.violations).toEqual([]);
  expect(github.violations).toEqual([]);
  // It names a server of its own in the document, and the router only speaks to the one it was told.
  expect(unsent).toEqual(['repos/upload-release-asset: no tool']);
  expect(mgmt.judged.size).toBeGreaterThanOrEqual(ours.calls.length);
  const seen = new Set(github.judged.keys());
  expect(theirs.map(({ operationId }) => operationId).filter((id) => !seen.has(id))).toEqual([
    'repos/upload-release-asset',
  ]);
}, 180_000);

/** What a client of the router would write to make exactly this call. */
function argumentsOf(tool: Tool, call: EveryCall): Record<string, unknown> {
  const names = [...call.template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!);
  const pattern = call.template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '([^/]*)');
  const parts = new RegExp(`^${pattern}$`).exec(call.path)?.slice(1) ?? [];
  const given = new Map(names.map((name, i) => [name, decodeURIComponent(parts[i] ?? '')]));
  for (const [name, value] of new URLSearchParams(call.query)) given.set(name, value);
  const flat = tool.parameters.flatMap(({ name, argument }) => {
    const value = given.get(name);
    return value === undefined ? [] : [[argument, value] as const];
  });
  return { ...Object.fromEntries(flat), ...(call.body === undefined || tool.body === null ? {} : { body: call.body }) };
}
