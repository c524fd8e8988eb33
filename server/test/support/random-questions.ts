/** Random questions for the search, and a finder over tools with shared words and words of their own. */
import { Finder } from '../../search/find.ts';
import { decode, encode } from '../../search/index-file.ts';
import { buildIndex } from '../../search/inverted-index.ts';
import { inMemoryCatalogOf } from '../bench/find/in-memory-catalog.ts';
import { Random } from '../bench/robust/random.ts';
import { toolOf } from './tools-in-memory.ts';

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

export function finderOver(count: number) {
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

/** Asks so many questions, always the same ones first. Throws at an answer that is none, with its question. */
export function askRandomQuestions(count: number): void {
  const finder = finderOver(60);
  const random = new Random(20_261_121);
  const piece = () => random.of(PIECES);
  for (let i = 0; i < count; i++) {
    const query = Array.from({ length: 15 }, piece).join('');
    const { hits } = finder.find({ query, topK: 10 });
    if (hits.length > 10 || hits.some(({ score }) => !Number.isFinite(score))) throw new Error(JSON.stringify(query));
  }
}
