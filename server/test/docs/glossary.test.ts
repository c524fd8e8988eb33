/** Pages contain no retired word outside of code, and the glossary of docs/architecture.md has at most 30 rows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './source-imports.ts';

const MOST_ROWS = 30;

/** Each retired word with its forms, as a regular expression. */
const RETIRED = [
  'wish(es|ed)?',
  'sayings?',
  'posers?',
  'stand-ins?',
  'own-words',
  'under[- ]way',
  'unchanging',
  'mend(s|ed|ing)?',
  'tales?',
  'nights?',
  'desks?',
  'estates?',
];

/** Folders of data, not of pages: the corpus of the knowledge bench, reports, installed and derived files. */
const SKIPPED = /^(.*\/)?node_modules$|^(var|\.git|reports|server\/test\/bench\/knowledge\/corpus)$/;

function pagesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.test(path)) return [];
    if (entry.isDirectory()) return pagesBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The text without code and link targets; line numbers stay the same. */
function proseOf(text: string): string {
  return text
    .replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)\s]*\)/g, ']');
}

function retiredIn(text: string): string[] {
  const word = new RegExp(`(?<![\\w.-])(${RETIRED.join('|')})(?![\\w-]|\\.\\w)`, 'gi');
  return proseOf(text)
    .split('\n')
    .flatMap((line, at) => [...line.matchAll(word)].map(([found]) => `${at + 1}: ${found}`));
}

describe('retired words', () => {
  test.each(pagesBelow('.'))('%s has none', (page) => {
    expect(retiredIn(readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  test('are found whole, in any case, outside of code, link targets and file names', () => {
    const text =
      'A wish.\n`wish` [mended](docs/night.md)\n```sh\nnpm run test:slow\n```\nwishful, recommend, a.slow.test.ts';
    expect(retiredIn(text)).toEqual(['1: wish', '2: mended']);
    expect(retiredIn('The stand-ins are under way.')).toEqual(['1: stand-ins', '1: under way']);
  });
});

test(`the glossary of docs/architecture.md has at most ${MOST_ROWS} rows, in the order of the alphabet`, () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const section = page.split('## Glossary\n')[1]?.split('\n## ')[0] ?? '';
  const words = [...section.matchAll(/^\| (?!Word|---)([^|]+?) \| [^|]+ \|$/gm)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(9);
  expect(words.length).toBeLessThanOrEqual(MOST_ROWS);
  expect(words).toEqual(words.toSorted());
});
