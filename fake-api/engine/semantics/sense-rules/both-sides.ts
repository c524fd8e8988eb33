/** What stands on two sides of one thing: what is allowed and denied, sent and received, measured and rated. */
import { type Claim, fitted, numberOf, type SenseField, type SenseRule } from '../sense-rule.ts';

const OPPOSITES: readonly (readonly [one: RegExp, other: string])[] = [
  [/^(rx|received|inbound|in)$/, 'tx sent outbound out'],
  [/^(tx|sent|outbound|out)$/, 'rx received inbound in'],
];
/** Traffic of one side is at most so many times that of the other; a download has acknowledgements. */
const LOPSIDED = 300;
const USUAL_SHARE = 6;

/** Two fields whose names differ in one word only, by the words that stand for each other. */
function pairsOf(fields: readonly SenseField[], words: readonly (readonly [one: RegExp, other: string])[]) {
  return fields.flatMap((field) =>
    fields.flatMap((other) => {
      const differing = field.words.flatMap((word, at) => (word === other.words[at] ? [] : [[word, other.words[at]]]));
      const [[own = '', its = ''] = [], ...more] = differing as string[][];
      const isPair =
        field.words.length === other.words.length &&
        more.length === 0 &&
        words.some(([one, opposite]) => one.test(own) && opposite.split(' ').includes(its));
      return isPair ? [[field, other] as const] : [];
    }),
  );
}

function lopsided(large: SenseField, small: SenseField): Claim {
  const of = (values: Record<string, unknown>) => [numberOf(values[large.name]), numberOf(values[small.name])] as const;
  return {
    names: [large.name, small.name],
    broken: (values) => {
      const [high, low] = of(values);
      return high !== undefined && low !== undefined && low > 0 && high > low * LOPSIDED;
    },
    repair: (values, _nowMs, free) => {
      const [high = 0] = of(values);
      return free.has(small.name) ? { [small.name]: fitted(Math.round(high / USUAL_SHARE), small) } : {};
    },
  };
}

/** Nothing is allowed and denied at the same time. */
function apart(allowed: SenseField, denied: SenseField): Claim {
  const shared = (values: Record<string, unknown>) => {
    const [one, other] = [values[allowed.name], values[denied.name]];
    return Array.isArray(one) && Array.isArray(other) ? other.filter((entry) => one.includes(entry)) : [];
  };
  return {
    names: [allowed.name, denied.name],
    broken: (values) => shared(values).length > 0,
    repair: (values, _nowMs, free) => {
      const both = shared(values);
      const field = [denied, allowed].find(({ name, schema }) => {
        const entries = values[name] as unknown[];
        return free.has(name) && entries.length - both.length >= (schema.minItems ?? 0);
      });
      if (field === undefined) return {};
      return { [field.name]: (values[field.name] as unknown[]).filter((entry) => !both.includes(entry)) };
    },
  };
}

const BEST_SCORE = 4.4;

/** A line that loses packets or answers late carries no good calls. */
function scored(score: SenseField, loss: SenseField | undefined, latency: SenseField | undefined): Claim {
  const most = (values: Record<string, unknown>) => {
    const [lost, late] = [loss, latency].map((field) =>
      field === undefined ? 0 : (numberOf(values[field.name]) ?? 0),
    );
    const most = BEST_SCORE - 0.15 * (lost as number) - 0.004 * Math.max(0, (late as number) - 100);
    return Math.max(1, Math.round(most * 10) / 10);
  };
  return {
    names: [score.name, ...[loss, latency].flatMap((field) => field?.name ?? [])],
    broken: (values) => (numberOf(values[score.name]) ?? 0) > most(values) + 0.05,
    repair: (values, _nowMs, free) => (free.has(score.name) ? { [score.name]: fitted(most(values), score) } : {}),
  };
}

export const BOTH_SIDES: readonly SenseRule[] = [
  {
    id: 'both-directions',
    habit: true,
    states: 'neither direction of one line has hundreds of times the traffic of the other',
    claims: (fields) =>
      pairsOf(
        fields.filter(({ kind, words }) => kind === 'number' && words.at(-1) === 'bytes'),
        OPPOSITES,
      ).map(([large, small]) => lopsided(large, small)),
  },
  {
    id: 'allowed-not-denied',
    habit: true,
    states: 'nothing is allowed and denied at the same time',
    claims: (fields) =>
      pairsOf(
        fields.filter(({ kind }) => kind === 'list'),
        [[/^(allow|allowed|permit|permitted|include|included)$/, 'deny denied block blocked exclude excluded']],
      ).map(([allowed, denied]) => apart(allowed, denied)),
  },
  {
    id: 'score-of-a-line',
    habit: true,
    states: 'the score of calls over a line falls with its loss and its latency',
    claims: (fields) => {
      const of = (test: RegExp) => fields.find(({ kind, words }) => kind === 'number' && test.test(words.join(' ')));
      const [score, loss, latency] = [
        of(/^(mos|mean mos|mos score)$/),
        of(/^loss( percent| pct)?$/),
        of(/^latency( ms)?$/),
      ];
      return score === undefined || (loss === undefined && latency === undefined) ? [] : [scored(score, loss, latency)];
    },
  },
];
