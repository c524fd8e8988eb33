/** The tools that benchmarks call, from the current catalog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLatest } from '../../catalog/store.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import { ROOT } from '../support/child-process.ts';

/** Names of tools that a router with closed gates refuses without asking any platform: labels for its metrics. */
export function blockedNames(count: number): string[] {
  return readFileSync(join(ROOT, 'server/catalog/tools.lock'), 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(
      ([name, capability]) => name?.startsWith('mgmt_') && (capability === 'destructive' || capability === 'write'),
    )
    .map(([name = '']) => name)
    .slice(0, count);
}

/** `METHOD /path` of so many operations of the management platform, spread over all it has. */
export function operations(count: number): string[] {
  using catalog = currentCatalog();
  const names = managementTools(catalog);
  const step = Math.floor(names.length / count);
  const tools = Array.from({ length: count }, (_, n) => catalog.tool(names[n * step] as string));
  return tools.map((tool) => `${tool?.method} ${tool?.path}`);
}

/** All tools of the management platform. */
export function toolNames(): string[] {
  using catalog = currentCatalog();
  return managementTools(catalog);
}

const managementTools = (catalog: Catalog): string[] => catalog.names().filter((name) => name.startsWith('mgmt_'));

function currentCatalog(): Catalog {
  const catalog = openLatest(join(ROOT, 'var/catalog'));
  if (catalog === undefined) throw new Error('there is no catalog: npm run catalog');
  return catalog;
}
