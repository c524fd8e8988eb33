/** The whole router in this process over the fake installation: called as a client calls it, judged by the fake's ledger. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { stringify } from 'yaml';
import { startFakeApi } from '#fake-api';
import { type EveryCall, rewinder, shippedCalls } from '#fake-api/calls';
import type { Tool } from '../../catalog/tool.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import { loadConfig } from '../../config/config.ts';
import { openRouter } from '../../router.ts';
import { createLogger, type Logger } from '../../telemetry/logger.ts';
import { argumentsOf } from './every-argument.ts';
import { messageIn, modernRequest } from './modern-client.ts';
import { shippedCatalog } from './shipped-catalog.ts';

export interface Answer {
  isError: boolean;
  /** Was it an object, and not text? */
  isObject: boolean;
  /** The first text, read as JSON. */
  value: Record<string, unknown>;
  /** The whole answer as it left the router. */
  text: string;
}

export interface LedgerLine {
  seq: number;
  platform: string;
  method: string;
  template: string | null;
  path: string;
  capability: string;
  status: number;
  fault?: string;
}

/** A call that the fixture makes sensible, with the tool that makes it. */
export interface TestbedCall {
  tool: Tool;
  args: Record<string, unknown>;
}

export interface InstallationTestbed extends AsyncDisposable {
  folder: string;
  catalog: Catalog;
  calls: ReadonlyMap<string, readonly TestbedCall[]>;
  log: string[];
  logger: Logger;
  ask: (dispatcher: string, args: Record<string, unknown>, signal?: AbortSignal) => Promise<Answer>;
  read: (call: TestbedCall) => Promise<Answer>;
  /** Preview, then apply; `between` happens after the preview. Reads and diagnostics have no preview. */
  carryOut: (call: TestbedCall, between?: () => Promise<void>) => Promise<Answer>;
  plan: (rules: object[]) => Promise<void>;
  faults: () => Promise<{ rules: { seen: number; struck: number; arrivals: number[] }[] }>;
  ledger: (after?: number) => Promise<LedgerLine[]>;
  stateHash: () => Promise<string>;
  rewind: () => Promise<void>;
  control: (method: string, path: string, body?: object) => Promise<unknown>;
  /** Points a platform at another address from the next call on; undefined brings it back. */
  moveTo: (platform: string, url: string | undefined) => void;
  /** Sends the spans of the calls so far. */
  sendTraces: () => Promise<void>;
}

export interface TestbedOptions {
  platforms: readonly string[];
  variables?: Record<string, string>;
  /** A secret of a platform's account. */
  secretOf?: (platform: string) => string;
}

const SEND_TRACES_MS = 5_000;

export async function installationTestbed({
  platforms,
  variables = {},
  secretOf,
}: TestbedOptions): Promise<InstallationTestbed> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-estate-'));
  const fake = await startFakeApi({ platformIds: platforms });
  const moved = new Map<string, string>();
  const writeAccounts = (): void => {
    const sections = platforms.map((id) => [
      id,
      accountOf(moved.get(id) ?? String(fake.platforms[id]), secretOf?.(id)),
    ]);
    writeFileSync(join(folder, 'config', 'credentials.yaml'), stringify(Object.fromEntries(sections)), { mode: 0o600 });
  };
  mkdirSync(join(folder, 'config'));
  writeAccounts();
  const log: string[] = [];
  const logger = createLogger('debug', (line) => log.push(line));
  const config = loadConfig({ env: { ...environment(folder, platforms), ...variables }, cwd: folder });
  const router = await openRouter(config, logger);
  const handler = createMcpHandler(router.factory, { legacy: 'reject' });
  const control: InstallationTestbed['control'] = (...request) => controlled(fake.control, ...request);
  const ask: InstallationTestbed['ask'] = async (name, args, signal) =>
    answerOf(await (await handler.fetch(requestOf(name, args, signal))).text());
  const apply = async ({ tool, args }: TestbedCall, preview: Answer): Promise<Answer> => {
    const { plan_token, object } = preview.value;
    const confirmed = { dry_run: false, confirm: true, plan_token, confirm_object: object };
    return ask('invoke_tool', { name: tool.name, arguments: { ...args, ...confirmed } });
  };
  const rewind = await rewinder(fake.control);
  return {
    folder,
    catalog: router.catalog,
    calls: await callsOf(router.catalog, platforms),
    log,
    logger,
    ask,
    read: ({ tool, args }) => ask('invoke_read_tool', { name: tool.name, arguments: args }),
    carryOut: async (call, between = async () => {}) => {
      const gated = call.tool.capability === 'write' || call.tool.capability === 'destructive';
      const dispatcher = call.tool.capability === 'read' ? 'invoke_read_tool' : 'invoke_tool';
      if (!gated) await between();
      const first = await ask(dispatcher, { name: call.tool.name, arguments: call.args });
      if (!gated || first.isError) return first;
      await between();
      return apply(call, first);
    },
    plan: async (rules) => {
      await control('PUT', '/faults', { rules });
    },
    faults: async () => (await control('GET', '/faults')) as Awaited<ReturnType<InstallationTestbed['faults']>>,
    ledger: async (after = 0) =>
      ((await control('GET', `/ledger?after=${after}`)) as { entries: LedgerLine[] }).entries,
    stateHash: async () => ((await control('GET', '/state-hash')) as { hash: string }).hash,
    rewind,
    control,
    moveTo: (platform, url) => {
      if (url === undefined) moved.delete(platform);
      else moved.set(platform, url);
      writeAccounts();
    },
    sendTraces: () => router.sendTraces(SEND_TRACES_MS),
    [Symbol.asyncDispose]: async () => {
      await handler.close();
      router.close();
      await fake.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function controlled(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const options = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const answer = await fetch(`${url}/namespaces/default${path}`, options);
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

function accountOf(base_url: string, secret: string | undefined): Record<string, string> {
  const tail = secret === undefined ? '' : `-${secret}`;
  return {
    base_url,
    client_id: 'demo-client',
    client_secret: `demo-secret${tail}`,
    username: 'demo',
    password: `demo-secret${tail}`,
    api_token: `demo-token${tail}`,
    workspace_id: 'demo-workspace',
  };
}

const isToolset = (id: string): boolean => id === 'mgmt' || id === 'workspace';

function environment(folder: string, platforms: readonly string[]): Record<string, string> {
  const gates = platforms.map((id) => [`SVC_MCP_${id.toUpperCase()}_WRITES`, '1']);
  return {
    SVC_MCP_CONFIG_DIR: join(folder, 'user'),
    SVC_MCP_CATALOG_DIR: shippedCatalog(),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    CREDS_PATH: join(folder, 'config', 'credentials.yaml'),
    SVC_MCP_TOOLSETS: ['rag', ...platforms.filter(isToolset)].join(','),
    SVC_MCP_PRODUCTS: platforms.filter((id) => !isToolset(id)).join(','),
    SVC_MCP_RATE_PER_SECOND: '0',
    // Nobody sits behind this client.
    SVC_MCP_CONFIRMATION: 'token',
    ...Object.fromEntries(gates.filter(([name]) => name !== 'SVC_MCP_ANALYTICS_WRITES')),
  };
}

function requestOf(name: string, args: Record<string, unknown>, signal: AbortSignal | undefined): Request {
  const { headers, body } = modernRequest(name, args, { capabilities: {} });
  return new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body, ...(signal ? { signal } : {}) });
}

function answerOf(text: string): Answer {
  const { result } = messageIn(text) as { result?: { isError?: boolean; content: { text: string }[] } };
  if (result === undefined) throw new Error(`expected a result, got ${text.slice(0, 300)}`);
  const value: unknown = JSON.parse(result.content[0]?.text ?? 'null');
  const isObject = typeof value === 'object' && value !== null;
  return { isError: result.isError === true, isObject, value: (value ?? {}) as Record<string, unknown>, text };
}

async function callsOf(catalog: Catalog, platforms: readonly string[]): Promise<Map<string, TestbedCall[]>> {
  const tools = new Map(
    catalog.names().flatMap((name) => {
      const tool = catalog.tool(name);
      return tool ? [[`${tool.platform} ${tool.method} ${tool.path}`, tool] as const] : [];
    }),
  );
  const calls = await shippedCalls(platforms);
  return new Map(
    [...calls].map(([id, own]) => [
      id,
      own.calls.flatMap((call: EveryCall): TestbedCall[] => {
        const tool = tools.get(`${id} ${call.method} ${call.template}`);
        return tool ? [{ tool, args: argumentsOf(tool, call) }] : [];
      }),
    ]),
  );
}
