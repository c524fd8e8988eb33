/** Names of tools that a router with closed gates refuses without asking any platform: labels for its metrics. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './child.ts';

export function blockedNames(count: number): string[] {
  return readFileSync(join(ROOT, 'server/catalog/tools.lock'), 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([name, capability]) => name?.startsWith('mgmt_') && (capability === 'destructive' || capability === 'write'))
    .map(([name = '']) => name)
    .slice(0, count);
}
