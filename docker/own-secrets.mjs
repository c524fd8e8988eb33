/**
 * Gives every secret file of a folder to the user of the containers, mode 0600. Compose mounts a file with the owner it has, and
 * that is another user than ours; nobody else is to read it. Runs as root with three capabilities, without a network.
 */
import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const USER = 10001;
const folder = process.argv[2] ?? '/secrets';

for (const name of readdirSync(folder)) {
  if (name === 'README.md' || name.endsWith('.example')) continue;
  const file = join(folder, name);
  const found = lstatSync(file);
  if (!found.isFile()) continue;
  if (found.uid === USER && found.gid === USER && (found.mode & 0o777) === 0o600) continue;
  chownSync(file, USER, USER);
  chmodSync(file, 0o600);
  process.stdout.write(`${name}: now of ${USER}, mode 0600\n`);
}
