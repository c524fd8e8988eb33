/** Pages, comments, file names, exported names and commands contain no retired word, and the glossary has at most 30 rows. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, sourceFiles } from './source-imports.ts';

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

/** Words of a file name, an exported name or a command that are retired: each has a word of the field instead. */
const RETIRED_PARTS = new Set(
  (
    'wish wishes saying sayings said poser posers desk estate person people spent settle settled unclear unseen kept ' +
    'place places thing things world worlds night nights story stories tale tales mend stand stands visit ' +
    'intake shelf exam sitting referee leash workbench twin twins tell tells told says turns box'
  ).split(' '),
);

/** A retired word that stays, by the name that has it. */
const ALLOWED: Readonly<Record<string, string>> = {
  'test:estate': 'npm scripts keep their names; it runs test:slow',
  'unseen-seeds.ts': 'an unseen seed is one without a baseline; "unseen" is retired for invisible characters',
  'unseen-seeds.test.ts': 'as above',
  UnseenMetric: 'as above',
  UnseenResult: 'as above',
  compareUnseen: 'as above',
};

/** `fake-api` joins when its engine, foreign and expand folders have the words of the field. */
const CHECKED = ['server', 'harness'] as const;

const sources = CHECKED.flatMap(sourceFiles);

const EXPORTED = /^export (?:default )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

function retiredParts(name: string): string[] {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return name in ALLOWED ? [] : parts.filter((part) => RETIRED_PARTS.has(part));
}

const withRetiredParts = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => retiredParts(name).length > 0);

describe('names in the code', () => {
  test('of files are words of the field', () => {
    expect(withRetiredParts(sources.map((file) => basename(file)))).toEqual([]);
  });

  test('that are exported are words of the field', () => {
    const names = sources.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(EXPORTED)]);
    expect(names.length).toBeGreaterThan(999);
    expect(withRetiredParts(names.map(([, name = '']) => name))).toEqual([]);
  });

  test('of commands are words of the field', () => {
    const { scripts, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(withRetiredParts([...Object.keys(scripts), ...Object.keys(bin)])).toEqual([]);
  });

  test('are split at hyphens, colons and capitals', () => {
    expect(
      withRetiredParts(['merged-world.ts', 'nightOf', 'bench:night', 'unsaid', 'nightly.ts', 'test:estate']),
    ).toEqual(['merged-world.ts', 'nightOf', 'bench:night']);
  });
});

/** Comments of a source with the line breaks before them, so that line numbers stay; code in backticks is left out. */
function commentsOf(text: string): string {
  const comment = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/ [^\n]*/g;
  let end = 0;
  const parts = [...text.matchAll(comment)].map(([found], i, all) => {
    const at = all[i]?.index ?? 0;
    const before = text.slice(end, at).replaceAll(/[^\n]/g, '');
    end = at + found.length;
    return before + found;
  });
  return parts.join('');
}

describe('comments', () => {
  test('have no retired word', () => {
    // This file has them in its own examples.
    const others = sources.filter((file) => file !== 'server/test/docs/glossary.test.ts');
    const found = others.flatMap((file) =>
      retiredIn(commentsOf(readFileSync(join(root, file), 'utf8'))).map((hit) => `${file}:${hit}`),
    );
    expect(found).toEqual([]);
  });

  test('are found with their lines, and code is none', () => {
    expect(retiredIn(commentsOf("const wish = 1;\n/**\n * A wish of `wish`.\n */\nf('a tale'); // mended\n"))).toEqual([
      '3: wish',
      '5: mended',
    ]);
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
