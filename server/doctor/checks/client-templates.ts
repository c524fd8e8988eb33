/** Checks the templates of the client configurations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAYOUT } from '../../config/setup-layout.ts';
import { type Check, fail, ok } from '../doctor-check.ts';

export default {
  id: 'client-templates',
  order: 170,
  look: ({ root }) =>
    Object.keys(LAYOUT.clients).map((name) => {
      const path = join(root, 'server', 'setup', 'clients', `${name}.json`);
      try {
        JSON.parse(readFileSync(path, 'utf8'));
        return ok(`${name} example`, path);
      } catch {
        return fail(
          `${name} example`,
          `${path} is missing or not JSON`,
          'install this package again, or git checkout server/setup/clients',
        );
      }
    }),
} satisfies Check;
