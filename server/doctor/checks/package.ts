/** The package itself: what this is, in which version. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, fail, ok } from '../doctor-check.ts';

export default {
  id: 'package',
  order: 5,
  look: ({ root }) => {
    const path = join(root, 'package.json');
    try {
      const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      if (typeof name === 'string' && typeof version === 'string') return [ok('package', `${name} ${version}`)];
    } catch {
      // Said below, like one that names nothing.
    }
    return [
      fail(
        'package',
        `${path} should be JSON with name and version`,
        'install this package again, or git checkout package.json',
      ),
    ];
  },
} satisfies Check;
