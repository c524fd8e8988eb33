/**
 * A referee in the middle: a validator that none of our programs uses stands between router and platform, over every
 * document, and judges each request the router sends and each answer it gets.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeApi } from '#fake-api';
import { type EveryCall, foreignCalls, type PlatformCalls, rewinder, shippedCalls } from '#fake-api/calls';
import { type Referee, startReferee } from '#fake-api/referee';
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

/** How each platform lets the router in: the last words of the variables, and what they are set to. */
const CLIENT = { CLIENT_ID: 'demo-client', CLIENT_SECRET: 'demo-secret' };
const PERSON = { USERNAME: 'demo', PASSWORD: 'demo-secret' };
const TOKEN = { API_TOKEN: 'demo-token' };
const KEYS: Record<string, Record<string, string>> = {
  analytics: TOKEN,
  cloudwlan: TOKEN,
  fabric: PERSON,
  legacy: PERSON,
  nac: CLIENT,
  sdwan: TOKEN,
  sensors: CLIENT,
  sse: TOKEN,
};
const ids = ['mgmt', 'workspace', ...Object.keys(KEYS)];

let bed: Awaited<ReturnType<typeof openBed>>;

beforeAll(async () => {
  bed = await openBed();
});
afterAll(() => bed.close());

async function openBed() {
  const folder = mkdtempSync(join(tmpdir(), 'referee-'));
  const fake = await startFakeApi({ foreign: [{ file: FILE, name: 'github' }] });
  const ours = await shippedCalls();
  const theirs = {
    documents: [JSON.parse(readFileSync(FILE, 'utf8'))],
    calls: foreignCalls(fake.foreign[0]!.platform!),
  };
  const calls = new Map<string, PlatformCalls>([...ours, ['github', theirs]]);
  const referees = new Map<string, Referee>();
  for (const [id, { documents }] of calls) referees.set(id, await startReferee(`${fake.platforms[id]}`, documents));
  const url = (id: string) => referees.get(id)!.url;

  const taken = await takeIn(FILE);
  const configDir = join(folder, 'config');
  writeUserPlatform(configDir, definePlatform({ name: 'github', baseUrl: url('github'), auth: 'none' }, taken), taken);
  const keys = Object.entries(KEYS).flatMap(([id, words]) =>
    Object.entries({ BASE_URL: url(id), ...words }).map(([word, value]) => [`SVC_${id.toUpperCase()}_${word}`, value]),
  );
  const gates = [...calls.keys()].map((id) => [`SVC_MCP_${id.toUpperCase()}_WRITES`, '1']);
  const config = loadConfig({
    env: {
      SVC_MCP_CONFIG_DIR: configDir,
      SVC_MCP_CATALOG_DIR: join(folder, 'catalog'),
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
      CREDS_PATH: join(folder, 'none.yaml'),
      SOURCE_BASE_URL: url('mgmt'),
      SOURCE_CLIENT_ID: CLIENT.CLIENT_ID,
      SOURCE_CLIENT_SECRET: CLIENT.CLIENT_SECRET,
      SVC_WORKSPACE_BASE_URL: url('workspace'),
      SOURCE_GLP_WORKSPACE: 'demo-workspace',
      SVC_MCP_PRODUCTS: 'all',
      SVC_MCP_RATE_PER_SECOND: '0',
      ...Object.fromEntries([...keys, ...gates]),
    },
  });
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  const byOperation = new Map(
    catalog.names().flatMap((name) => {
      const tool = catalog.tool(name);
      return tool ? [[`${tool.platform} ${tool.method} ${tool.path}`, tool] as const] : [];
    }),
  );
  const close = async () => {
    catalog.close();
    rmSync(folder, { recursive: true, force: true });
    for (const referee of referees.values()) await referee.close();
    await fake.close();
  };
  return { calls, referees, byOperation, dispatch, rewind: await rewinder(fake.control), close };
}

/** Every operation once, as a client of the router asks for it; what could not be sent, with the reason. */
async function play(platform: string): Promise<string[]> {
  const { dispatch, byOperation, calls, rewind } = bed;
  const invoke = (tool: Tool, args: Record<string, unknown>) =>
    dispatch.invoke({
      dispatcher: tool.capability === 'read' ? 'invoke_read_tool' : 'invoke_tool',
      name: tool.name,
      arguments: args,
      principal: 'local',
      person,
    });
  const unsent: string[] = [];
  for (const call of calls.get(platform)!.calls) {
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
  return unsent;
}

test.each(ids)(
  'nothing the router sends to %s and nothing it is answered breaks a document',
  async (id) => {
    const unsent = await play(id);
    const referee = bed.referees.get(id)!;
    expect(referee.violations).toEqual([]);
    expect(unsent).toEqual([]);
    const missed = bed.calls.get(id)!.calls.filter(({ operationId }) => !referee.judged.has(operationId));
    expect(missed.map(({ operationId }) => operationId)).toEqual([]);
  },
  240_000,
);

test('nor does it with the document of somebody else', async () => {
  // It names a server of its own in the document, and the router only speaks to the one it was told.
  const elsewhere = 'repos/upload-release-asset';
  expect(await play('github')).toEqual([`${elsewhere}: no tool`]);
  const referee = bed.referees.get('github')!;
  expect(referee.violations).toEqual([]);
  const missed = bed.calls.get('github')!.calls.filter(({ operationId }) => !referee.judged.has(operationId));
  expect(missed.map(({ operationId }) => operationId)).toEqual([elsewhere]);
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
