/** A router of one setting as a process of its own, over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../config/config.ts';
import { type ModernClient, modernClient } from '../support/modern-client.ts';
import { type Setting, variablesOf } from './access-settings.ts';

const KEYS = {
  CLIENT_ID: 'demo-client',
  CLIENT_SECRET: 'demo-secret',
  API_TOKEN: 'demo-token',
  USERNAME: 'demo',
  PASSWORD: 'demo-secret',
};

/** Where it keeps its state, and the base URL of each platform. */
interface Lodging {
  folder: string;
  places: ReadonlyMap<string, string>;
}

/** A router as a process, with one client. */
export interface Served {
  client: ModernClient;
  stop: () => Promise<void>;
}

export async function serve(setting: Setting, { folder, places }: Lodging, bearer: string): Promise<Served> {
  const accounts = [...places].flatMap(([id, url]) => [
    [id === 'mgmt' ? 'SOURCE_BASE_URL' : `SVC_${id.toUpperCase()}_BASE_URL`, url],
    ...Object.entries(KEYS).map(([field, value]) => [`SVC_${id.toUpperCase()}_${field}`, value]),
  ]);
  const child = spawn(process.execPath, [join(packageRoot, 'server/cli/router.mjs'), '--json'], {
    cwd: packageRoot,
    env: {
      ...Object.fromEntries(accounts),
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      MCP_TRANSPORT: 'streamable-http',
      MCP_PORT: '0',
      MCP_HTTP_BEARER_TOKEN: bearer,
      SOURCE_CLIENT_ID: KEYS.CLIENT_ID,
      SOURCE_CLIENT_SECRET: KEYS.CLIENT_SECRET,
      SOURCE_GLP_WORKSPACE: 'demo',
      SVC_MCP_PRODUCTS: 'all',
      SVC_MCP_TOOLSETS: 'all',
      SVC_MCP_RATE_PER_SECOND: '0',
      SVC_MCP_LOG_LEVEL: 'error',
      CREDS_PATH: join(folder, 'none.yaml'),
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
      SVC_MCP_STATE_DIR: join(folder, 'state'),
      ...variablesOf(setting),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return {
    client: modernClient(await readyUrl(child), bearer),
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function readyUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the router should have an output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url !== undefined) return url;
  }
  throw new Error('the router ended before it was ready');
}
