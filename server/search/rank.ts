/**
 * Ranks tools for a question. A BM25F core over weighted fields, then factors that say how well the kind of operation
 * fits what was asked. Every factor is kept, so a hit can be explained.
 */
import { CAPABILITIES, type Capability } from '../access/access.ts';
import { FLAG_OLD, FLAG_ONE, IN_NAME, IN_NOUN, type SearchIndex } from './inverted-index.ts';
import { relatedTerms } from './lexicon.ts';
import type { Question } from './question.ts';
import { agreement, VERBS } from './verb.ts';

export interface Ranked {
  id: number;
  score: number;
  /** Share of the question that the tool's texts answer, 0 to 1. */
  coverage: number;
  /** What each feature gave: the text score, then factors around 1. */
  features: Record<string, number>;
}

/** Which tools may be shown at all. */
export type Admit = (platform: string, capability: Capability) => boolean;

const K1 = 1.6;
const PAIR = 0.45;
const RELATED = 0.45;

export function rank(index: SearchIndex, question: Question, admit: Admit, limit: number): Ranked[] {
  const text = new Float64Array(index.size);
  const covered = new Float64Array(index.size);
  const named = new Uint8Array(index.size);
  const touched: number[] = [];
  let mass = 0;

  const idf = (df: number) => Math.log(1 + (index.size - df + 0.5) / (df + 0.5));
  const add = (term: string, share: number, countsAs: number, seen: Uint8Array | null): boolean => {
    const t = index.terms.get(term);
    if (t === undefined) return false;
    const from = index.start[t] as number;
    const to = index.start[t + 1] as number;
    const weight = idf(to - from) * share;
    for (let p = from; p < to; p++) {
      const doc = index.doc[p] as number;
      if (text[doc] === 0) touched.push(doc);
      const tf = index.weight[p] as number;
      text[doc] = (text[doc] as number) + (weight * tf * (K1 + 1)) / (tf + K1);
      const mask = index.mask[p] as number;
      if (seen === null || seen[doc]) continue;
      seen[doc] = 1;
      if (mask & (IN_NAME | IN_NOUN)) covered[doc] = (covered[doc] as number) + countsAs;
      else covered[doc] = (covered[doc] as number) + countsAs * 0.4;
      if (mask & IN_NAME) named[doc] = (named[doc] as number) + 1;
    }
    return true;
  };

  for (const term of question.terms) {
    const t = index.terms.get(term);
    const weight = t === undefined ? idf(0) * 0.5 : idf((index.start[t + 1] as number) - (index.start[t] as number));
    mass += weight;
    const seen = new Uint8Array(index.size);
    add(term, 1, weight, seen);
    for (const other of relatedTerms(term)) add(other, RELATED, weight * RELATED, seen);
  }
  for (const pair of question.pairs) add(pair, PAIR, 0, null);

  const hits: Ranked[] = [];
  for (const id of touched) {
    const platform = index.platforms[index.platform[id] as number] as string;
    const capability = CAPABILITIES[index.capability[id] as number] as Capability;
    if (!admit(platform, capability)) continue;
    const coverage = mass > 0 ? Math.min(1, (covered[id] as number) / mass) : 0;
    const features = featuresOf(index, question, id, {
      text: text[id] as number,
      coverage,
      precision: Math.min(1, (named[id] as number) / Math.max(1, index.nameLength[id] as number)),
      platform,
      capability,
    });
    hits.push({
      id,
      coverage,
      score: Object.values(features).reduce((product, factor) => product * factor, 1),
      features,
    });
  }
  return hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
}

interface Match {
  text: number;
  coverage: number;
  precision: number;
  platform: string;
  capability: Capability;
}

function featuresOf(index: SearchIndex, question: Question, id: number, match: Match): Record<string, number> {
  const verb = VERBS[index.verb[id] as number] ?? 'get';
  const flags = index.flags[id] as number;
  const reads = match.capability === 'read' || match.capability === 'diagnostic';
  const single = (flags & FLAG_ONE) !== 0;
  return {
    text: match.text,
    coverage: 0.4 + 0.6 * match.coverage,
    precision: 0.7 + 0.3 * match.precision,
    verb: agreement(question.wish, verb),
    question: question.question && !reads ? 0.4 : 1,
    danger: match.capability === 'destructive' && question.wish !== 'delete' && question.wish !== 'action' ? 0.8 : 1,
    arity:
      verb !== 'list' && verb !== 'get'
        ? 1
        : question.one
          ? single
            ? 1.15
            : 0.92
          : question.many
            ? single
              ? 0.9
              : 1.05
            : 1,
    platform: question.platforms.length === 0 ? 1 : question.platforms.includes(match.platform) ? 1.3 : 0.7,
    old: flags & FLAG_OLD ? 0.85 : 1,
  };
}
