/**
 * The reviewed list of shipped tools: name, capability and a hash of the description of each. When a changed model or
 * rule renames a tool, lowers its capability or changes its description, a line of the file changes.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from './tool-catalog.ts';

export const LOCK_FILE = join(import.meta.dirname, 'tools.lock');
export const ACCEPT_COMMAND = 'npm run catalog -- lock';

/** One line per tool of these platforms and of the router itself, in the order of their names. */
export function lockLines(catalog: Catalog, platforms: ReadonlySet<string>): string[] {
  return [...catalog.all()]
    .filter(({ tool }) => tool.local || platforms.has(tool.platform))
    .map(({ tool }) => {
      const hash = createHash('sha256').update(tool.description).digest('hex').slice(0, 12);
      return `${tool.name} ${tool.capability} ${hash}`;
    });
}

export interface LockChange {
  tool: string;
  change: string;
}

/** How the tools differ from what was reviewed. */
export function lockChanges(lines: readonly string[], file = LOCK_FILE): LockChange[] {
  const before = byName(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const now = byName(lines);
  const changes: LockChange[] = [];
  for (const [tool, [capability, hash]] of now) {
    const old = before.get(tool);
    if (old === undefined) changes.push({ tool, change: `is new (${capability})` });
    else if (old[0] !== capability) changes.push({ tool, change: `was ${old[0]} and is ${capability}` });
    else if (old[1] !== hash) changes.push({ tool, change: 'has another description' });
  }
  for (const tool of before.keys()) if (!now.has(tool)) changes.push({ tool, change: 'is gone' });
  return changes;
}

export function writeLock(lines: readonly string[], file = LOCK_FILE): void {
  writeFileSync(file, `${lines.join('\n')}\n`);
}

function byName(lines: readonly string[]): Map<string, [capability: string, hash: string]> {
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [tool = '', capability = '', hash = ''] = line.split(' ');
        return [tool, [capability, hash]];
      }),
  );
}
