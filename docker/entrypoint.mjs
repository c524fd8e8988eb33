/**
 * What a container starts: `router`, or another command of this package with its words. Before it runs, each `<VARIABLE>_FILE`
 * becomes `<VARIABLE>` (specification, section 5). It happens inside this one process, so a secret is in no argument, no
 * environment that `docker inspect`, `docker exec` or /proc show, and no log.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { keepCompiledCode } from '../server/cli/compile-cache.mjs';

keepCompiledCode();
const { bridgeSecretFiles } = await import('../server/config/secret-files.js');
const { exitCodeOf, explainError } = await import('../server/errors.js');

const commands = join(import.meta.dirname, '..', 'server', 'cli');
const EXIT_USAGE = 2;

const [name = 'router', ...words] = process.argv.slice(2);
const known = readdirSync(commands)
  .filter((file) => file.endsWith('.mjs') && file !== 'compile-cache.mjs')
  .map((file) => file.replace('.mjs', ''));

if (!known.includes(name)) {
  process.stderr.write(`the command should be one of ${known.join(', ')}, got ${JSON.stringify(name)}\n`);
  process.exit(EXIT_USAGE);
}
const entry = join(commands, `${name}.mjs`);
try {
  const { filled, ignored } = bridgeSecretFiles(process.env, process.cwd());
  for (const variable of filled) process.stderr.write(`entrypoint: ${variable} is read from its file\n`);
  for (const variable of ignored)
    process.stderr.write(`entrypoint: ${variable} is NOT read, only secrets come as files\n`);
} catch (error) {
  process.stderr.write(`entrypoint: ${explainError(error)}\n`);
  process.exit(exitCodeOf(error));
}
process.argv.splice(1, process.argv.length - 1, entry, ...words);
await import(entry);
