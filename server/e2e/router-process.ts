/** The router as an operator starts it, in a folder of its own, until it is disposed of. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROUTER = join(import.meta.dirname, '..', 'cli', 'router.mjs');

export interface RouterProcess {
  /** `http://localhost:PORT/mcp` */
  url: string;
  [Symbol.asyncDispose]: () => Promise<void>;
}

export async function startRouter(variables: Record<string, string> = {}): Promise<RouterProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'router-'));
  const child = spawn(process.execPath, [ROUTER, '--json'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      TOKEN_CACHE_DIR: join(folder, 'cache'),
      SVC_MCP_STATE_DIR: join(folder, 'state'),
      SVC_MCP_CATALOG_DIR: join(folder, 'catalog'),
      SVC_MCP_CONFIG_DIR: join(folder, 'user'),
      MCP_TRANSPORT: 'streamable-http',
      MCP_PORT: '0',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url: string };
    return {
      url: url.replace('127.0.0.1', 'localhost'),
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  throw new Error('the router ended before it was ready');
}
