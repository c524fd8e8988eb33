/** A router of one setting as a process of its own, over HTTP. */
import { join } from 'node:path';
import { packageRoot } from '../../config/config.ts';
import { type ModernClient, modernClient } from '../support/modern-client.ts';
import { startProcess } from '../support/running-process.ts';
import { type Setting, variablesOf } from './table-settings.ts';

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
  const child = startProcess(process.execPath, [join(packageRoot, 'server/cli/router.mjs'), '--json'], {
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
  });
  const { url } = JSON.parse(await child.line()) as { url: string };
  return { client: modernClient(url, bearer), stop: async () => void (await child.stop()) };
}
