/**
 * The intent model: the kind of operation of a question without a verb of the domain, learnt from utterances. The kind
 * of each utterance is known, so its words, small ones too, count for that kind. Naive Bayes over words, pairs of
 * neighbours and the first word.
 */
import { NumberLists } from './number-lists.ts';
import { VERBS, type Verb } from './operation-kind.ts';
import { PairNumbers } from './pair-numbers.ts';
import { stem } from './stem.ts';
import { findTerm, NO_TERM, type TermTable, termTable } from './term-table.ts';
import type { Reader } from './text-reader.ts';
import { words } from './tokens.ts';

const KINDS = ['read', 'create', 'change', 'delete', 'action', 'start', 'status', 'trend', 'top'] as const;
type Kind = (typeof KINDS)[number];

const KIND_OF: Record<Verb, Kind> = {
  list: 'read',
  get: 'read',
  count: 'read',
  search: 'read',
  references: 'read',
  history: 'read',
  result: 'read',
  status: 'status',
  trend: 'trend',
  top: 'top',
  create: 'create',
  replace: 'change',
  update: 'change',
  delete: 'delete',
  action: 'action',
  start: 'start',
};
const KIND_AT = VERBS.map((verb) => KINDS.indexOf(KIND_OF[verb]));

export interface IntentModel {
  signs: TermTable;
  /** Log-likelihood of each kind for each feature, one kind after the other; the last row is for unknown features. */
  gives: Float32Array;
}

export interface Example {
  /** Number of its text. */
  text: number;
  verb: Verb;
}

const SELDOM = 3;
const SMOOTH = 0.5;

export function learnIntents(examples: readonly Example[], reader: Reader): IntentModel {
  const { signs, lists } = signsIn(examples, reader);
  const sums = new Uint32Array(signs.size);
  for (let at = 0; at < lists.length; at++) {
    const sign = lists.numbers[at] as number;
    sums[sign] = (sums[sign] as number) + 1;
  }
  const kept = Array.from(sums.keys()).filter((sign) => (sums[sign] as number) >= SELDOM);
  // Most signs are seldom: kinds are counted for the others only.
  const rowOf = new Int32Array(signs.size).fill(UNNUMBERED);
  kept.forEach((sign, row) => {
    rowOf[sign] = row;
  });
  const counts = new Uint32Array(kept.length * KINDS.length);
  const totals = new Uint32Array(KINDS.length);
  examples.forEach(({ verb }, i) => {
    const kind = KINDS.indexOf(KIND_OF[verb]);
    const to = lists.to(i);
    for (let place = lists.from(i); place < to; place++) {
      const row = rowOf[lists.numbers[place] as number] as number;
      if (row === UNNUMBERED) continue;
      const at = row * KINDS.length + kind;
      counts[at] = (counts[at] as number) + 1;
      totals[kind] = (totals[kind] as number) + 1;
    }
  });
  const gives = new Float32Array(kept.length * KINDS.length);
  for (let at = 0; at < gives.length; at++) {
    const total = totals[at % KINDS.length] as number;
    gives[at] = Math.log(((counts[at] as number) + SMOOTH) / (total + SMOOTH * kept.length));
  }
  return { signs: termTable(kept.map((sign) => spelled(signs.pairAt(sign), reader.stems))), gives };
}

/** Stand behind a stem that is a sign by itself, or as the first word. */
const ALONE = 0xffffffff;
const FIRST = 0xfffffffe;

const UNNUMBERED = -1;

/** The same signs as `signsOf`, as numbers: for each example a list. */
function signsIn(examples: readonly Example[], reader: Reader): { signs: PairNumbers; lists: NumberLists } {
  const signs = new PairNumbers();
  const lists = new NumberLists();
  // A stem leads to the sign it is by itself without a search among all pairs: half of what is said are these.
  const alone = new Int32Array(reader.stems.length).fill(UNNUMBERED);
  for (const { text } of examples) {
    const stems = reader.allStems(text);
    for (const stem of stems) {
      if (alone[stem] === UNNUMBERED) alone[stem] = signs.numberOf(stem, ALONE);
      lists.pushOnce(alone[stem] as number);
    }
    for (let i = 1; i < stems.length; i++) lists.pushOnce(signs.numberOf(stems[i - 1] as number, stems[i] as number));
    if (stems[0] !== undefined) lists.pushOnce(signs.numberOf(stems[0], FIRST));
    lists.close();
  }
  return { signs, lists };
}

function spelled([first, second]: readonly [number, number], stems: readonly string[]): string {
  if (second === FIRST) return `^${stems[first]}`;
  return second === ALONE ? (stems[first] as string) : `${stems[first]} ${stems[second]}`;
}

/** How much a sentence speaks for each verb, 1 for the likeliest; undefined when nothing was learnt. */
export function likelyVerbs({ signs, gives }: IntentModel, text: string, heat: number): number[] | undefined {
  if (gives.length === 0) return undefined;
  const scores = new Float64Array(KINDS.length);
  let found = 0;
  for (const sign of signsOf(words(text))) {
    const at = findTerm(signs, sign);
    if (at === NO_TERM) continue;
    found++;
    for (let kind = 0; kind < KINDS.length; kind++)
      scores[kind] = (scores[kind] as number) + (gives[at * KINDS.length + kind] as number);
  }
  if (found === 0) return undefined;
  const most = Math.max(...scores);
  // Signs overlap, so what they say together is taken for less than it seems.
  const cooled = Math.max(1, heat * Math.sqrt(found));
  return KIND_AT.map((kind) => Math.exp(((scores[kind] as number) - most) / cooled));
}

function signsOf(list: readonly string[]): Set<string> {
  const stems = list.map(stem);
  const signs = new Set<string>(stems);
  for (let i = 1; i < stems.length; i++) signs.add(`${stems[i - 1]} ${stems[i]}`);
  if (stems[0] !== undefined) signs.add(`^${stems[0]}`);
  return signs;
}
