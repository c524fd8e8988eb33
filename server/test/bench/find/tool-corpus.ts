/**
 * Tools as the catalog makes them, held in memory: our platforms, and the public document taken in as a user would.
 * Kept under `var/` by a digest of what they are made from, because the ranker, which changes most, is no part of that.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { publicDocument } from '#bench/packages';
import { buildCatalog } from '../../../catalog/build.ts';
import { documentFiles } from '../../../catalog/platform-document.ts';
import { digestOf } from '../../../catalog/store.ts';
import type { BuiltTool, SearchText, Tool } from '../../../catalog/tool.ts';
import { loadConfig } from '../../../config/config.ts';
import { importDocument } from '../../../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../../../import/user-platform.ts';
import { LOCAL_TOOLS, localToCatalog } from '../../../tools/local/registry.ts';

export interface Entry {
  tool: Tool;
  text: SearchText;
}

export interface Toolbox {
  /** In the order of their numbers. */
  tools: readonly Entry[];
  /** Platforms with the words people use for them. */
  words: Readonly<Record<string, readonly string[]>>;
  hints?: Readonly<Record<string, readonly string[]>>;
}

export type Shipped = 'platforms' | 'github';

const SERVER = join(import.meta.dirname, '..', '..', '..');

export async function shippedTools(): Promise<Record<Shipped, Toolbox>> {
  const config = loadConfig({ env: { SVC_MCP_DOTENV: '0', SVC_MCP_CONFIG_DIR: join(import.meta.dirname, 'none') } });
  const local = LOCAL_TOOLS.map(localToCatalog);
  const sources = [
    ...config.known.flatMap(({ documents }) => documentFiles(resolve(config.root, documents))),
    ...['catalog', 'import'].flatMap((area) => codeOf(join(SERVER, area))),
    publicDocument(),
  ];
  const digest = digestOf([
    JSON.stringify([config.known, local]),
    ...sources.flatMap((file) => [basename(file), readFileSync(file)]),
  ]);
  const folder = join(config.root, 'var', 'bench', 'find');
  const cacheFile = join(folder, `tools-${digest}.json`);
  if (existsSync(cacheFile)) return JSON.parse(readFileSync(cacheFile, 'utf8')) as Record<Shipped, Toolbox>;
  const boxes = {
    platforms: {
      tools: buildCatalog(config.root, config.known, { local, complete: true }).tools.map(entryOf),
      words: Object.fromEntries(config.known.map(({ id, words }) => [id, words])),
      hints: Object.fromEntries(config.known.map(({ id, hints = [] }) => [id, hints])),
    },
    github: await publicTools(),
  };
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.startsWith('tools-')) rmSync(join(folder, name));
  writeFileSync(cacheFile, JSON.stringify(boxes));
  return boxes;
}

async function publicTools(): Promise<Toolbox> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-bench-'));
  try {
    const taken = await importDocument(publicDocument());
    writeUserPlatform(folder, definePlatform({ name: 'github', auth: 'bearer-token' }, taken), taken);
    const config = loadConfig({ env: { SVC_MCP_DOTENV: '0', SVC_MCP_CONFIG_DIR: folder } });
    const own = config.known.filter(({ kind }) => kind === 'user');
    return {
      tools: buildCatalog(config.root, own, { local: [], complete: true }).tools.map(entryOf),
      words: Object.fromEntries(own.map(({ id, words }) => [id, words])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const entryOf = ({ tool, text }: BuiltTool): Entry => ({ tool, text });

const codeOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /\.[jt]s$/.test(name) && !name.includes('.test.'))
    .sort()
    .map((name) => join(folder, name));
