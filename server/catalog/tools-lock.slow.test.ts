/** Every tool we ship, against what people have reviewed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { openCatalog } from '../open-catalog.ts';
import { ACCEPT_COMMAND, lockChanges, lockLines, writeLock } from './tools-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shipped() {
  const env = {
    SVC_MCP_DOTENV: '0',
    SVC_MCP_CATALOG_DIR: join(folder, 'catalog'),
    SVC_MCP_CONFIG_DIR: join(folder, 'config'),
  };
  const config = loadConfig({ env, cwd: folder });
  return { config, catalog: openCatalog(config, { products: 'all', complete: true }).catalog };
}

test('no tool changed its name, capability or description without review', () => {
  const { catalog, config } = shipped();
  const changes = lockChanges(lockLines(catalog, new Set(config.known.map(({ id }) => id))));
  catalog.close();
  expect(changes, `look at each change, then accept them with: ${ACCEPT_COMMAND}`).toEqual([]);
});

test('no description of a tool has invisible characters', () => {
  const unseen =
    /(?![\t\n\r])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Variation_Selector})/u;
  expect(['\u202e', '\u200b', '\u2066', '\u{e0041}', '\ufe0e', '\u0007'].filter((text) => !unseen.test(text))).toEqual(
    [],
  );
  const { catalog } = shipped();
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]) => [key, ...texts(inner)])
        : [];
  const odd = catalog.names().filter((name) => {
    const shown = [catalog.tool(name), catalog.schema(name)].flatMap(texts);
    return shown.some((text) => unseen.test(text));
  });
  catalog.close();
  expect(odd).toEqual([]);
});

test('a renamed, a lowered, a reworded and a new tool are each reported', () => {
  const file = join(folder, 'tools.lock');
  expect(lockChanges(['a read 1'], file), 'without a lock everything is new').toHaveLength(1);
  writeLock(['gone write 1', 'lowered destructive 1', 'reworded read 1', 'same read 1'], file);
  expect(lockChanges(['lowered write 1', 'new read 1', 'reworded read 2', 'same read 1'], file)).toEqual([
    { tool: 'lowered', change: 'was destructive and is write' },
    { tool: 'new', change: 'is new (read)' },
    { tool: 'reworded', change: 'has another description' },
    { tool: 'gone', change: 'is gone' },
  ]);
});
