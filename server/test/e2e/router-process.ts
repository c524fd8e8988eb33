/** The router as an operator starts it, in a folder of its own, until it is disposed of. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, startChild } from '../support/child-process.ts';
import { shippedCatalog } from '../support/shipped-catalog.ts';

export interface RouterProcess {
  /** `http://localhost:PORT/mcp` */
  url: string;
  [Symbol.asyncDispose]: () => Promise<void>;
}

export async function startRouter(variables: Record<string, string> = {}): Promise<RouterProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'router-'));
  const env = {
    TOKEN_CACHE_DIR: join(folder, 'cache'),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    SVC_MCP_CATALOG_DIR: shippedCatalog(),
    SVC_MCP_CONFIG_DIR: join(folder, 'user'),
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    ...variables,
  };
  const child = await startChild(join(ROOT, 'server/cli/router.mjs'), ['--json'], env, folder);
  return {
    url: String(child.ready['url']).replace('127.0.0.1', 'localhost'),
    [Symbol.asyncDispose]: async () => {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
