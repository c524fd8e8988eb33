/**
 * Writes `server/search/word-vectors.bin` from what `train.py` wrote: `node run.mjs server/test/bench/find/training/pack-vectors.ts FILE`.
 * FILE begins with a length of 4 bytes and a header of JSON; then come four arrays of 32-bit floats and two of bytes, all little-endian.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { termTable } from '../../../../search/term-table.ts';
import { packWordVectors } from '../../../../search/word-vectors.ts';

const OUT = join(import.meta.dirname, '..', '..', '..', '..', 'search', 'word-vectors.bin');

const from = process.argv[2];
if (from === undefined) {
  process.stderr.write('expected the file that train.py wrote, got nothing\n');
  process.exit(2);
}
const file = readFileSync(from);
const headerEnd = 4 + file.readUInt32LE(0);
const { dimensions, terms, groups } = JSON.parse(file.toString('utf8', 4, headerEnd)) as {
  dimensions: number;
  terms: string[];
  groups: string[];
};
let at = headerEnd;
const bytes = (length: number) => {
  at += length;
  return new Uint8Array(file.subarray(at - length, at)).buffer;
};
const floats = (length: number) => new Float32Array(bytes(length * 4));
const [termScale, idf] = [floats(terms.length), floats(terms.length)];
const [groupScale, groupBias] = [floats(groups.length), floats(groups.length)];
const termVectors = new Int8Array(bytes(terms.length * dimensions));
const groupVectors = new Int8Array(bytes(groups.length * dimensions));
const groupNames = new Uint8Array(Buffer.from(groups.join('\n')));
const packed = packWordVectors({
  terms: termTable(terms),
  dimensions,
  termScale,
  idf,
  groupScale,
  groupBias,
  termVectors,
  groupVectors,
  groupNames,
});
writeFileSync(OUT, packed);
process.stdout.write(`${terms.length} terms, ${groups.length} groups, ${packed.length} bytes\n`);
