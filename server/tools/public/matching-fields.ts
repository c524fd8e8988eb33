/** How well each argument of a tool fits the words of a query, so that the argument that was asked for is named first. */
import { stem } from '../../search/stem.ts';
import type { CallField } from './call-fields.ts';

/** A word in the name, in a value that the document lists, and in the description. */
const NAME = 1;
const VALUE = 0.7;
const DESCRIPTION = 0.35;
/** Two words of a description make an argument asked for, as "security mode" does `opmode`; more count no further. */
const MOST_OF_DESCRIPTION = 0.65;
/** From here on an argument counts as asked for. */
export const MATCHES = 0.6;
const SHORTEST_BEGINNING = 4;

const STOP = new Set(
  'a all an and are as at be by can change configure create current delete do find for from get give have how i in into is it its list make me my new of on one or remove set show so some that the their them this to update use want we what which with you'.split(
    ' ',
  ),
);

/** One score per field, 0 where nothing fits. A word that most fields have weighs little. */
export function matchScores(query: string, fields: readonly CallField[]): number[] {
  const asked = [...new Set(wordsOf(query))];
  if (asked.length === 0 || fields.length === 0) return fields.map(() => 0);
  const read = fields.map((field) => textsOf(field));
  const weights = asked.map((word) => {
    const holders = read.filter(({ name }) => has(name, word) > 0).length;
    return Math.log(1 + fields.length / (1 + holders)) / Math.log(1 + fields.length / 2 + 1);
  });
  return read.map(({ name, values, description }) => {
    const sum = (score: (word: string) => number) =>
      asked.reduce((total, word, at) => total + (weights[at] as number) * score(word), 0);
    const own = sum((word) => Math.max(NAME * has(name, word), VALUE * has(values, word)));
    return (
      own +
      Math.min(
        MOST_OF_DESCRIPTION,
        sum((word) => DESCRIPTION * has(description, word)),
      )
    );
  });
}

function textsOf({ name, schema }: CallField): Record<'name' | 'values' | 'description', ReadonlySet<string>> {
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [];
  return {
    // Of a member of a member only its own name counts: its owner is a field of its own.
    name: new Set(wordsOf(name.slice(name.lastIndexOf('.') + 1))),
    values: new Set(wordsOf(values.filter((value) => typeof value === 'string').join(' '))),
    description: new Set(wordsOf(String(schema['description'] ?? ''))),
  };
}

/** 1 for the word itself, less for its beginning or a longer form of it. */
function has(words: ReadonlySet<string>, word: string): number {
  if (words.has(word)) return 1;
  if (word.length < SHORTEST_BEGINNING) return 0;
  for (const other of words)
    if (other.length >= SHORTEST_BEGINNING && (other.startsWith(word) || word.startsWith(other))) return 0.8;
  return 0;
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !STOP.has(word))
    .map(stem);
}
