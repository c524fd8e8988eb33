/** The commands of this package as processes of their own, started in a sample installation. */
import { join } from 'node:path';
import { packageRoot } from '../../config/config.ts';
import { type ProcessOptions, type RunningProcess, startProcess } from './running-process.ts';

/** A command by the name of its file in `server/cli`; caches, state, catalog and user settings lie in the installation. */
export function startInstalled(
  root: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  more: Pick<ProcessOptions, 'stdin'> = {},
): RunningProcess {
  return startProcess(process.execPath, [join(packageRoot, 'server', 'cli', `${command}.mjs`), ...args], {
    ...more,
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      TOKEN_CACHE_DIR: join(root, 'cache'),
      SVC_MCP_STATE_DIR: join(root, 'state'),
      SVC_MCP_CATALOG_DIR: join(root, 'catalog'),
      SVC_MCP_CONFIG_DIR: join(root, 'user'),
      ...env,
    },
  });
}
