/** The runtime: below what package.json asks for, the programs do not start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, fail, ok } from '../doctor-check.ts';

const numbers = (version: string) => version.split('.').map(Number);

export function isOldNode(version: string, least: string): boolean {
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(least);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

export default {
  id: 'node-version',
  order: 10,
  look: ({ root, nodeVersion }) => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
    const least = engines.node.replace(/^>=\s*/, '');
    return isOldNode(nodeVersion, least)
      ? [fail('Node.js', `${nodeVersion} is older than ${least}`, `install Node.js ${least} or newer`)]
      : [ok('Node.js', `${nodeVersion}, ${least} or newer is needed`)];
  },
} satisfies Check;
