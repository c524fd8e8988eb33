/** Routers as processes over one fake platform, their runs in files of their own or in a Redis they share. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeApi } from '#fake-api';
import { type Child, demoAccount, ROOT, startChild } from '../support/child-process.ts';
import { type ModernClient, modernClient } from '../support/modern-client.ts';
import type { Redis } from '../support/programs.ts';
import { shippedCatalog } from '../support/shipped-catalog.ts';

export interface Working {
  child: Child;
  client: ModernClient;
  /** What it keeps, and its audit log. */
  folder: string;
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
}

export interface Written {
  what: string;
  bodyHash: string | null;
}

export interface RouterTestbed extends AsyncDisposable {
  folder: string;
  /** `variables` in place of what every router is started with. */
  start: (variables?: Record<string, string>) => Promise<Working>;
  control: (method: string, path: string, body?: object) => Promise<unknown>;
  rows: (resource: string) => Promise<unknown[]>;
  /** Writes that the platform accepted since the last reset. */
  written: () => Promise<Written[]>;
}

export async function routerTestbed(redis?: Redis): Promise<RouterTestbed> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-routers-'));
  const fake = await startFakeApi({ platformIds: ['mgmt'] });
  writeFileSync(join(folder, 'signing-keys'), 'ab'.repeat(32), { mode: 0o600 });
  const shared = redis && {
    SVC_MCP_REPLICAS: '2',
    SVC_MCP_REDIS_URL: redis.url,
    SVC_MCP_REDIS_PASSWORD_PATH: redis.passwordPath,
    SVC_MCP_SIGNING_KEYS_PATH: join(folder, 'signing-keys'),
  };
  const control: RouterTestbed['control'] = async (method, path, body) => {
    const options = { method, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(`${fake.control}/namespaces/default${path}`, options);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const children: Child[] = [];
  return {
    folder,
    start: async (variables = {}) => {
      const own = mkdtempSync(join(folder, 'router-'));
      const env = { ...environment(own, String(fake.platforms['mgmt'])), ...shared, ...variables };
      const child = await startChild(join(ROOT, 'server/cli/router.mjs'), ['--json'], env, own);
      children.push(child);
      return {
        child,
        client: modernClient(String(child.ready['url'])),
        folder: own,
        kill: () => ended(child),
      };
    },
    control,
    rows: async (resource) =>
      ((await control('GET', `/state?platform=mgmt&resource=${resource}`)) as { items: unknown[] }).items,
    written: async () => {
      const { entries } = (await control('GET', '/ledger?after=0')) as { entries: LedgerLine[] };
      return entries
        .filter(({ capability, status }) => /^(write|destructive)$/.test(capability) && status < 300)
        .map(({ method, path, bodyHash }) => ({ what: `${method} ${path}`, bodyHash }));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(children.map(ended));
      await fake.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface LedgerLine {
  method: string;
  path: string;
  capability: string;
  status: number;
  bodyHash: string | null;
}

async function ended({ process: child }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

const environment = (own: string, base: string): Record<string, string> => ({
  MCP_TRANSPORT: 'streamable-http',
  MCP_PORT: '0',
  ...demoAccount(base),
  CREDS_PATH: join(own, 'credentials.yaml'),
  TOKEN_CACHE_DIR: join(own, 'tokens'),
  SVC_MCP_STATE_DIR: join(own, 'state'),
  SVC_MCP_AUDIT_LOG: join(own, 'audit.jsonl'),
  SVC_MCP_CONFIG_DIR: join(own, 'user'),
  SVC_MCP_CATALOG_DIR: shippedCatalog(),
  SVC_MCP_TOOLSETS: 'mgmt',
  SVC_MCP_MGMT_WRITES: '1',
  SVC_MCP_LEGACY_ROLLBACK_WRITES: '1',
  // Nobody sits behind these clients.
  SVC_MCP_CONFIRMATION: 'token',
  SVC_MCP_RATE_PER_SECOND: '0',
  SVC_MCP_LOG_LEVEL: 'debug',
});

export interface ToolReply {
  isError: boolean;
  /** The whole answer as text. */
  text: string;
  value: Record<string, unknown>;
}

export async function replyOf({ client }: Working, name: string, args: object, read = false): Promise<ToolReply> {
  const dispatcher = read ? 'invoke_read_tool' : 'invoke_tool';
  const { isError, texts } = await client.call(dispatcher, { name, arguments: args });
  const text = texts.join('\n');
  let value: Record<string, unknown> = {};
  try {
    value = (JSON.parse(texts[0] ?? '{}') ?? {}) as Record<string, unknown>;
  } catch {
    // A refusal of the protocol is plain text.
  }
  return { isError, text, value };
}
