/** The router over contract-checking proxies over the fake: every call of every operation is judged on both sides. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicDocument } from '#bench/packages';
import { startFakeApi } from '#fake-api';
import { type EveryCall, foreignCalls, type PlatformCalls, rewinder, shippedCalls } from '#fake-api/calls';
import { type ContractProxy, startContractProxy } from '#fake-api/contract-proxy';
import type { Tool } from '../../catalog/tool.ts';
import { loadConfig } from '../../config/config.ts';
import { openDispatch } from '../../dispatch/open-dispatch.ts';
import { importDocument } from '../../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../../import/user-platform.ts';
import { openCatalog } from '../../open-catalog.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { approver } from './approvers.ts';
import { argumentsOf } from './every-argument.ts';
import { shippedCatalog } from './shipped-catalog.ts';

const FILE = publicDocument();
/** The nightly run asks for every operation; each check for every third of them. */
const EVERY = process.env['NIGHTLY'] === undefined ? 3 : 1;

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
export const GITHUB = 'github';
/** Why a write was not sent whose object the platform does not hold. */
export const ABSENT = 'the platform holds no such object';

export interface ProxiedTestbed {
  calls: Map<string, PlatformCalls>;
  contractProxies: Map<string, ContractProxy>;
  /** Every operation once, as a client of the router asks for it; what could not be sent, with the reason. */
  play: (platform: string) => Promise<string[]>;
  close: () => Promise<void>;
}

/** `ids` are platforms of ours; with them, if asked for, the document of somebody else. */
export async function proxiedTestbed(ids: readonly string[], withForeign = false): Promise<ProxiedTestbed> {
  const folder = mkdtempSync(join(tmpdir(), 'proxied-testbed-'));
  const foreign = withForeign ? [{ file: FILE, name: GITHUB }] : [];
  const fake = await startFakeApi({ platformIds: ids, foreign });
  const calls = await shippedCalls(ids);
  for (const { platform } of fake.foreign)
    calls.set(GITHUB, { documents: [JSON.parse(readFileSync(FILE, 'utf8'))], calls: foreignCalls(platform!) });
  for (const [id, own] of calls) calls.set(id, { ...own, calls: own.calls.filter((_, at) => at % EVERY === 0) });
  const contractProxies = new Map<string, ContractProxy>();
  for (const [id, { documents }] of calls)
    contractProxies.set(id, await startContractProxy(`${fake.platforms[id]}`, documents));

  const configDir = join(folder, 'config');
  if (withForeign) {
    const taken = await importDocument(FILE);
    const mine = definePlatform({ name: GITHUB, baseUrl: contractProxies.get(GITHUB)!.url, auth: 'none' }, taken);
    writeUserPlatform(configDir, mine, taken);
  }
  const config = loadConfig({
    env: {
      SVC_MCP_DOTENV: '0',
      SVC_MCP_CONFIG_DIR: configDir,
      SVC_MCP_CATALOG_DIR: withForeign ? join(folder, 'catalog') : shippedCatalog(),
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
      SVC_MCP_STATE_DIR: join(folder, 'state'),
      CREDS_PATH: join(folder, 'none.yaml'),
      SVC_MCP_PRODUCTS: 'all',
      SVC_MCP_RATE_PER_SECOND: '0',
      ...variablesFor(contractProxies),
    },
  });
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const { dispatch } = openDispatch(config, catalog, createLogger('silent'));
  const byOperation = toolsByOperation(catalog);
  const rewind = await rewinder(fake.control);
  const invoke = (tool: Tool, args: Record<string, unknown>) => dispatch.invoke(callOf(tool, args));
  const playOne = async (platform: string, call: EveryCall): Promise<string | null> => {
    const tool = byOperation.get(`${platform} ${call.method} ${call.template}`);
    if (tool === undefined) return 'no tool';
    const args = argumentsOf(tool, call);
    const first = await invoke(tool, args);
    const token = first.kind === 'done' ? (first.result as { plan_token?: string } | null)?.plan_token : undefined;
    const last =
      token === undefined ? first : await invoke(tool, { ...args, dry_run: false, confirm: true, plan_token: token });
    if (tool.capability !== 'read') await rewind();
    if (last.kind !== 'refused') return null;
    if (last.refusal.code === 'no_such_object') return ABSENT;
    return last.refusal.code === 'invalid_arguments' ? last.refusal.message : null;
  };
  return {
    calls,
    contractProxies,
    play: async (platform) => {
      const unsent: string[] = [];
      for (const call of calls.get(platform)!.calls) {
        const problem = await playOne(platform, call);
        if (problem !== null) unsent.push(`${call.operationId}: ${problem}`);
      }
      return unsent;
    },
    close: async () => {
      catalog.close();
      rmSync(folder, { recursive: true, force: true });
      for (const contractProxy of contractProxies.values()) await contractProxy.close();
      await fake.close();
    },
  };
}

const callOf = (tool: Tool, args: Record<string, unknown>) => ({
  dispatcher: tool.capability === 'read' ? ('invoke_read_tool' as const) : ('invoke_tool' as const),
  name: tool.name,
  arguments: args,
  principal: 'local',
  approver: approver(),
});

function toolsByOperation(catalog: ReturnType<typeof openCatalog>['catalog']): Map<string, Tool> {
  return new Map(
    catalog.names().flatMap((name) => {
      const tool = catalog.tool(name);
      return tool ? [[`${tool.platform} ${tool.method} ${tool.path}`, tool] as const] : [];
    }),
  );
}

/** The URL of each platform, its credentials, and open gates. */
function variablesFor(contractProxies: ReadonlyMap<string, ContractProxy>): Record<string, string> {
  const variables: Record<string, string> = {
    SOURCE_CLIENT_ID: CLIENT.CLIENT_ID,
    SOURCE_CLIENT_SECRET: CLIENT.CLIENT_SECRET,
    SOURCE_GLP_WORKSPACE: 'demo-workspace',
  };
  for (const [id, { url }] of contractProxies) {
    const own = id.toUpperCase();
    variables[`SVC_MCP_${own}_WRITES`] = '1';
    variables[id === 'mgmt' ? 'SOURCE_BASE_URL' : `SVC_${own}_BASE_URL`] = url;
    for (const [word, value] of Object.entries(KEYS[id] ?? {})) variables[`SVC_${own}_${word}`] = value;
  }
  delete variables[`SVC_${GITHUB.toUpperCase()}_BASE_URL`];
  return variables;
}
