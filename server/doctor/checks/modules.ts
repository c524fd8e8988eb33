/** Every runtime package must be where Node looks for it from here. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Check, fail, ok } from '../doctor-check.ts';

export default {
  id: 'modules',
  order: 30,
  look: ({ root }) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const names = Object.keys(dependencies);
    const absent = names.filter((name) => !isInstalled(root, name));
    return absent.length === 0
      ? [ok('packages', `all ${names.length} are installed`)]
      : absent.map((name) => fail('packages', `${name} is not installed`, 'npm ci (or install this package again)'));
  },
} satisfies Check;

function isInstalled(from: string, name: string): boolean {
  if (existsSync(join(from, 'node_modules', name, 'package.json'))) return true;
  const above = dirname(from);
  return above !== from && isInstalled(above, name);
}
