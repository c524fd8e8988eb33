/**
 * The catalog of all that is shipped, for tests that only read it. It stays below `var` from one run to the next and is built
 * again when its inputs change: building it takes longer than most of these tests. A test of the building uses a folder of its own.
 */
import { join } from 'node:path';
import { loadConfig, packageRoot } from '../../config/config.ts';
import { openCatalog } from '../../open-catalog.ts';

let folder: string | undefined;

/** Its folder, for `SVC_MCP_CATALOG_DIR`. */
export function shippedCatalog(): string {
  folder ??= fittingFolder();
  return folder;
}

function fittingFolder(): string {
  const directory = join(packageRoot, 'var', 'test-catalog');
  const none = join(directory, 'none');
  const env = { SVC_MCP_DOTENV: '0', SVC_MCP_CATALOG_DIR: directory, SVC_MCP_CONFIG_DIR: none, CREDS_PATH: none };
  openCatalog(loadConfig({ env, cwd: directory }), { products: 'all', complete: true }).catalog.close();
  return directory;
}
