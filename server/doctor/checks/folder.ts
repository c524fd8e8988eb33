/** The folder that is looked at: in another one than was meant, everything seems to be missing. */
import { accessSync, constants, statSync } from 'node:fs';
import { type Check, fail, ok } from '../doctor-check.ts';

export default {
  id: 'folder',
  order: 45,
  look: ({ directory, command }) => {
    const found = statSync(directory, { throwIfNoEntry: false });
    if (found === undefined)
      return [
        fail('folder', `${directory} is not there`, `name the one you set up by --directory, or ${command('setup')}`),
      ];
    if (!found.isDirectory()) return [fail('folder', `${directory} is no folder`, 'name a folder by --directory')];
    try {
      accessSync(directory, constants.R_OK | constants.X_OK);
      return [ok('folder', directory)];
    } catch {
      return [fail('folder', `${directory} cannot be read`, 'run the doctor as the user whom it belongs to')];
    }
  },
} satisfies Check;
