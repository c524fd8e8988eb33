/** Any query gets an answer within its time limit. */
import { expect, test } from 'vitest';
import { inMemoryCatalogOf } from '../test/bench/find/in-memory-catalog.ts';
import { Random } from '../test/bench/robust/random.ts';
import { reportFigures } from '../test/support/measured-figures.ts';
import { toolOf } from '../test/support/tools-in-memory.ts';
import { Finder } from './find.ts';
import { decode, encode } from './index-file.ts';
import { buildIndex } from './inverted-index.ts';

const NOUNS = ['site', 'switch', 'access point', 'client', 'VLAN', 'firewall rule', 'report', 'certificate', 'sensor'];
const VERBS = ['list', 'get', 'create', 'update', 'delete', 'reboot', 'test'];

/** The parts of a random question: domain words, phrases, punctuation, and characters of several scripts. */
const PIECES = [
  ...NOUNS.map((noun) => ` ${noun} `),
  ...VERBS.map((verb) => ` ${verb}`),
  ' please ',
  ' the ',
  ' of ',
  ' and then ',
  ...Array.from('?!"“\'{}[]\\/%-_aB7éß設İ\u0000\n'),
  '__proto__',
  'hq-ap-01',
  '10.1.2.3',
  'aa:bb:',
  '\ud800',
  '🛰️',
];

/** As many tools as asked for, with shared words and words of their own. */
function manyTools(count: number) {
  return Array.from({ length: count }, (_, i) => {
    const noun = `${NOUNS[i % NOUNS.length]} ${Math.floor(i / 63)}`;
    const verb = VERBS[i % VERBS.length] as string;
    return toolOf({
      name: `mgmt_${verb}_${noun.replaceAll(' ', '_')}_${i}`,
      line: `${verb} one ${noun} of the network.`,
    });
  });
}

function finderOver(count: number) {
  const entries = manyTools(count);
  const index = decode(encode(buildIndex(entries)));
  return new Finder({
    catalog: inMemoryCatalogOf(entries),
    index: () => index,
    enabled: ['mgmt'],
    words: { mgmt: ['mgmt'] },
    decide: () => ({ visible: true, allowed: true }),
  });
}

test('a hundred thousand random questions are all answered', (context) => {
  const finder = finderOver(60);
  const random = new Random(20_261_121);
  const piece = () => random.of(PIECES);
  for (let i = 0; i < 100_000; i++) {
    const query = Array.from({ length: 15 }, piece).join('');
    const { hits } = finder.find({ query, topK: 10 });
    if (hits.length > 10 || hits.some(({ score }) => !Number.isFinite(score))) throw new Error(JSON.stringify(query));
  }
  reportFigures(context, { questions: 100_000 });
}, 120_000);

/** Milliseconds, of all megabytes so far. */
let longest = 0;

test.each([
  ['one letter', 'a'],
  ['words', 'restart the switch please '],
  ['sentences', 'Is it. '],
  ['quotes', '"x" '],
  ['an address without end', 'aa:bb:'],
  ['a name without end', 'ap-'],
  ['digits', '1.'],
  ['capitals', 'aB'],
  ['another script', '設'],
])('a megabyte of %s is answered in 50 ms', (_, piece) => {
  const finder = finderOver(500);
  const query = piece.repeat(Math.ceil(1_000_000 / piece.length));
  finder.find({ query: 'warm up', topK: 10 });
  const best = Math.min(
    ...Array.from({ length: 3 }, () => {
      const from = performance.now();
      finder.find({ query, topK: 10 });
      return performance.now() - from;
    }),
  );
  longest = Math.max(longest, best);
  expect(best).toBeLessThan(50);
});

test('questions leave nothing behind: the same one gets the same answer', (context) => {
  reportFigures(context, { longest });
  const finder = finderOver(500);
  const ask = (query: string) => finder.find({ query, topK: 10 }).hits.map(({ id, score }) => [id, score]);
  const before = ask('delete the firewall rule');
  for (const query of ['list sites', 'reboot switch 3', '', 'client of the network', 'certificate?']) ask(query);
  expect(ask('delete the firewall rule')).toEqual(before);
});
