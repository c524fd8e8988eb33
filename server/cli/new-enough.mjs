/**
 * The first thing that every command does: an older Node cannot even read the sources and would end with a syntax error that tells
 * nobody what to do. Plain JavaScript that Node 18 understands.
 */
import { readFileSync } from 'node:fs';

const EXIT_USAGE = 2;
const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const wanted = engines.node.replace(/^>=/, '').split('.').map(Number);
const here = process.versions.node.split('.').map(Number);
const differing = wanted.findIndex((part, place) => part !== here[place]);
if (differing !== -1 && here[differing] < wanted[differing]) {
  process.stderr.write(
    `Node should be ${engines.node}, got ${process.versions.node}: install a newer one from nodejs.org\n`,
  );
  process.exit(EXIT_USAGE);
}
