import { describe, expect, test } from 'vitest';
import { inMemoryCatalogOf } from '../test/bench/find/in-memory-catalog.ts';
import { toolOf } from '../test/support/tools-in-memory.ts';
import { dictionary } from './dictionary.ts';
import { Finder } from './find.ts';
import { buildIndex, extendIndex } from './inverted-index.ts';
import { stem } from './stem.ts';
import { phrasesIn, synonymsOf } from './synonyms.ts';
import { Reader } from './text-reader.ts';

describe('the dictionary', () => {
  test('has thousands of words and of turns of phrase, each with something it stands for', () => {
    const phrases = dictionary().filter(({ said }) => said.length > 1);
    expect(phrases.length).toBeGreaterThan(5_000);
    expect(dictionary().length - phrases.length).toBeGreaterThan(3_000);
    expect(dictionary().filter(({ near, about }) => near.length + about.length === 0)).toEqual([]);
  });

  test('explains no word by itself, and none twice', () => {
    const words = dictionary().filter(({ said }) => said.length === 1);
    const own = words.filter(({ said: [word = ''], near, about }) =>
      [...near, ...about].some((other) => stem(other) === stem(word)),
    );
    expect(own).toEqual([]);
    const stems = words.map(({ said: [word = ''] }) => stem(word));
    expect(stems.filter((word, at) => stems.indexOf(word) !== at)).toEqual([]);
  });
});

describe('stand-ins', () => {
  const reader = new Reader();
  const entries = [
    { said: ['socket'], near: ['port'], about: ['switch', 'cable'] },
    { said: ['throw', 'off'], near: [], about: ['disconnect'] },
  ];
  const synonyms = synonymsOf(entries, reader);
  const [socket = 0, port = 0, switches = 0] = ['socket', 'port', 'switch'].map((word) => reader.term(stem(word)));
  const term = (word: string) => (word === '.' ? -2 : reader.term(stem(word)));
  const about = (text: string) =>
    phrasesIn(synonyms, text.split(' ').map(term), -2).map((terms) =>
      Array.from(terms, (each) => reader.vocabulary[each]),
    );

  test('what means nearly the same counts for more than what a word is about', () => {
    const from = synonyms.start[socket] as number;
    const shares = new Map(
      Array.from(synonyms.term.subarray(from, synonyms.start[socket + 1]), (each, at) => [
        each,
        synonyms.share[from + at] as number,
      ]),
    );
    expect(shares.size).toBe(3);
    expect(shares.get(port)).toBeGreaterThan(shares.get(switches) as number);
  });

  test('a turn of phrase may have words in between, but no end of a sentence, and keeps its order', () => {
    expect(about('please throw that thing off')).toEqual([[stem('disconnect')]]);
    expect(about('throw it . off we go')).toEqual([]);
    expect(about('off with it and throw')).toEqual([]);
    expect(about('throw it away as soon as you are off')).toEqual([]);
  });
});

describe('a question in words that no document uses', () => {
  const tool = (name: string, line: string, sayings: string[]) => {
    const { tool, text } = toolOf({ platform: 'mgmt', name: `mgmt_${name}`, line });
    return { tool, text: { ...text, sayings } };
  };
  const entries = (said: boolean) => [
    tool('list_guests', 'List guests of the network.', said ? ['who signed in at the desk'] : []),
    tool('list_ports', 'List ports of one switch.', said ? ['where can I plug it in'] : []),
  ];
  const first = (index: ReturnType<typeof buildIndex>, query: string) =>
    new Finder({
      catalog: inMemoryCatalogOf(entries(true)),
      index,
      enabled: ['mgmt'],
      words: { mgmt: ['mgmt'] },
      decide: () => ({ visible: true, allowed: true }),
    }).find({ query, topK: 1 }).hits[0]?.tool.name;

  test('finds what the dictionary leads to', () => {
    expect(first(buildIndex(entries(true)), 'holidaymakers')).toBeUndefined();
    expect(first(buildIndex(entries(true)), 'dongle jack wallplate socket')).toBe('mgmt_list_ports');
  });

  test('where no tool has sayings, the dictionary stays shut', () => {
    expect(buildIndex(entries(false)).synonyms.term.length).toBe(0);
  });

  test('and it speaks for tools that are added later', () => {
    const [guests, ports] = entries(true) as [ReturnType<typeof tool>, ReturnType<typeof tool>];
    expect(first(extendIndex(buildIndex([guests]), [ports]), 'dongle jack wallplate socket')).toBe('mgmt_list_ports');
  });
});
