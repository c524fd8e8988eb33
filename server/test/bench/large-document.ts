/** Installations of a given size: what we ship, and a public document added again and again under other names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicDocument } from '#bench/packages';
import { isObject, type JsonObject } from '../../catalog/platform-document.ts';
import { importDocument, type TakenIn } from '../../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../../import/user-platform.ts';

/** A token that is never given refuses every call before anything is sent: a bench reaches no platform. */
const NOWHERE = { auth: 'bearer-token', baseUrl: 'http://127.0.0.1:9' } as const;
const METHODS = /^(get|put|post|patch|delete)$/;

export interface Installation {
  /** What makes a router or a command of ours work on it. */
  env: Record<string, string>;
  [Symbol.dispose]: () => void;
}

/** `operations` of the public document beside what we ship; undefined takes the document once, as it is. */
export async function installationOf(operations: number | undefined): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-bench-'));
  const file = publicDocument();
  let left = operations ?? 1;
  for (let n = 1; left > 0; n++) {
    const name = n === 1 ? 'github' : `github${n}`;
    const taken = await importDocument(file);
    left -= operations === undefined ? 1 : cutTo(taken, left);
    writeUserPlatform(folder, definePlatform({ name, ...NOWHERE }, taken), taken);
  }
  return {
    env: {
      SVC_MCP_CONFIG_DIR: folder,
      SVC_MCP_PRODUCTS: 'all',
      SVC_MCP_LOG_LEVEL: 'error',
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
      SVC_MCP_STATE_DIR: join(folder, 'state'),
      CREDS_PATH: join(folder, 'credentials.yaml'),
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Keeps the first operations only, and says how many. */
function cutTo({ documents }: TakenIn, operations: number): number {
  let operationCount = 0;
  for (const { content } of documents) {
    const paths = content['paths'] as JsonObject;
    for (const [path, item] of Object.entries(paths)) {
      // One operation of this document has a server of its own and is never taken in.
      const own = isObject(item)
        ? Object.entries(item).filter(
            ([method, operation]) => METHODS.test(method) && isObject(operation) && operation['servers'] === undefined,
          ).length
        : 0;
      if (operationCount + own <= operations) operationCount += own;
      else delete paths[path];
    }
  }
  return Math.max(1, operationCount);
}
