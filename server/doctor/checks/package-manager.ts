/** npm installs and updates; a router that runs does not need it. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Check, ok, warn } from '../doctor-check.ts';

export default {
  id: 'package-manager',
  order: 20,
  look: ({ processEnvironment }) => {
    const folders = (processEnvironment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
    const found = folders
      .map((folder) => join(folder, 'npm'))
      .find((file) => existsSync(file) || existsSync(`${file}.cmd`));
    return found ? [ok('npm', found)] : [warn('npm', 'is not in PATH', 'install npm, or add its folder to PATH')];
  },
} satisfies Check;
