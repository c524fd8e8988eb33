/** What is used of what there is, and what makes a sum: habits of figures that callers may state otherwise. */
import { wordsOf } from '../field-name-words.ts';
import { atMost } from '../ordered-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';

export const numbers = (fields: readonly SenseField[]) =>
  fields.filter(({ kind, schema }) => kind === 'number' && schema.enum === undefined);
export const named = (fields: readonly SenseField[], test: RegExp) =>
  numbers(fields).filter(({ words }) => test.test(words.join(' ')));
export const without = (words: readonly string[], test: RegExp) => words.filter((word) => !test.test(word)).join(' ');
export const amount = (values: Values, { name }: SenseField) => numberOf(values[name]);

/** The part of a whole: kept where it fits, else a share of the whole that depends on what was drawn. */
export function partOf(part: SenseField, whole: SenseField): Claim {
  return {
    ...atMost(part, whole),
    repair: (values, _nowMs, free) => {
      const [is, all] = [amount(values, part), amount(values, whole)];
      if (is === undefined || all === undefined) return {};
      if (free.has(part.name)) return { [part.name]: fitted(Math.floor((all * (30 + (is % 60))) / 100), part) };
      return free.has(whole.name) ? { [whole.name]: fitted(is, whole) } : {};
    },
  };
}

/** The sum is at least what its parts make. */
function sumClaim(sum: SenseField, parts: readonly SenseField[]): Claim {
  const made = (values: Values) => parts.reduce((total, part) => total + (amount(values, part) ?? 0), 0);
  return {
    names: [sum.name, ...parts.map(({ name }) => name)],
    broken: (values) => {
      const is = amount(values, sum);
      return is !== undefined && is < made(values) - 0.05;
    },
    repair: (values, _nowMs, free) => (free.has(sum.name) ? { [sum.name]: fitted(made(values), sum) } : {}),
  };
}

/** The entries of a list hold the figure that the total adds up: `totalRoutes` beside rows with `routes`. */
function listSum(sum: SenseField, list: SenseField): Claim {
  const wanted = sum.words.slice(1).join(' ');
  const made = (values: Values): number | undefined => {
    const entries = values[list.name];
    if (!Array.isArray(entries) || entries.length === 0) return undefined;
    const figures = entries.flatMap((entry: unknown) =>
      Object.entries(entry !== null && typeof entry === 'object' ? (entry as Values) : {})
        .filter(([name]) => wordsOf(name).join(' ') === wanted)
        .flatMap(([, value]) => numberOf(value) ?? []),
    );
    return figures.length === entries.length ? figures.reduce((all, each) => all + each, 0) : undefined;
  };
  return {
    names: [sum.name, list.name],
    broken: (values) => {
      const [is, usual] = [amount(values, sum), made(values)];
      return is !== undefined && usual !== undefined && is !== usual;
    },
    repair: (values, _nowMs, free) => (free.has(sum.name) ? { [sum.name]: fitted(made(values) ?? 0, sum) } : {}),
  };
}

/** Numbers beside a total that are no kinds of what it counts. */
const NO_KIND =
  /^(count|offset|limit|page|pages|used|free|available|max|min|mean|median|percent|score|size|index|remaining|rate|cached|buffers)$/;

function exactSum(sum: SenseField, parts: readonly SenseField[]): Claim {
  const made = (values: Values) => parts.reduce((total, part) => total + (amount(values, part) ?? 0), 0);
  return {
    names: [sum.name, ...parts.map(({ name }) => name)],
    broken: (values) => amount(values, sum) !== undefined && amount(values, sum) !== made(values),
    repair: (values, _nowMs, free) => (free.has(sum.name) ? { [sum.name]: fitted(made(values), sum) } : {}),
  };
}

const LEFT = /^(used|spent|remaining|available|assigned|consumed|taken|left|in|use|claimed|free|unused|changed|done)$/;
const WHOLES =
  /^(seats|amount|budget|included quantity|quantity|limit|quota|capacity|maximum uses|max uses|purchased|owned|licensed|entitled|size|total|total seats|count)$/;
/** Minutes or percent that were poor: at most so many for each point below a hundred. */
function poorClaim(score: SenseField, poor: SenseField, each: number): Claim {
  const most = (values: Values) => Math.max(0, 100 - (amount(values, score) ?? 100)) * each;
  return {
    names: [score.name, poor.name],
    broken: (values) => (amount(values, poor) ?? 0) > most(values) + 1,
    repair: (values, _nowMs, free) => {
      const is = amount(values, poor) ?? 0;
      return free.has(poor.name) ? { [poor.name]: fitted(most(values) * (0.4 + (is % 7) / 14), poor) } : {};
    },
  };
}

const UNITS = /^(ms|seconds|bytes|watts|eur|minutes)$/;

export const USAGE: readonly SenseRule[] = [
  {
    id: 'used-of-what-there-is',
    habit: true,
    states: 'no more is used than there is',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.some((word) => LEFT.test(word)) && !words.includes('percent'))
        .flatMap((part) => {
          const rest = without(part.words, LEFT);
          const whole = numbers(fields).find(
            (each) =>
              each !== part &&
              (rest === ''
                ? WHOLES.test(each.words.join(' '))
                : each.words.join(' ') === rest ||
                  (without(each.words, /^(total|max|maximum|budget|limit|size|capacity|planned)$/) === rest &&
                    each.words.join(' ') !== rest)),
          );
          return whole === undefined ? [] : [partOf(part, whole)];
        }),
  },
  {
    id: 'faults-of-all',
    habit: true,
    states: 'no more fail than there are',
    claims: (fields) =>
      named(
        fields,
        /^(failures|failed|errors|slow|rejected|timeouts|affected|unlicensed|critical|unplanned|missed|degraded|impacted|overloaded)$/,
      ).flatMap((part) =>
        named(
          fields,
          /^(count|total|attempts|requests|appliances|devices|reboots|faults|samples|roams|items|clients|users|inspecting|appliances using)$/,
        )
          .slice(0, 1)
          .map((whole) => partOf(part, whole)),
      ),
  },
  {
    id: 'present-below-peak',
    habit: true,
    states: 'nothing is above its peak',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.includes('peak') && words.length > 1)
        .flatMap((peak) => {
          const rest = without(peak.words, /^(peak|today|day|week|hour)$/);
          return numbers(fields)
            .filter(
              (each) =>
                each !== peak &&
                (rest === ''
                  ? /^(people|clients|users|current|stations|now)$/.test(each.words.join(' '))
                  : without(each.words, /^(rx|tx|mean|avg|average|current|now|in|out|up|down|typical)$/) === rest),
            )
            .map((each) => atMost(each, peak));
        }),
  },
  {
    id: 'sum-of-times',
    habit: true,
    states: 'a total is not below the sum of its parts',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.length === 2 && words[0] === 'total' && UNITS.test(words[1] as string))
        .flatMap((sum) => {
          const parts = numbers(fields).filter(
            ({ words }) =>
              words.length === 2 &&
              words[0] !== 'total' &&
              words[1] === sum.words[1] &&
              !/^(max|min|mean|median|peak|p|worst|best|usual)$/.test(words[0] as string),
          );
          return parts.length > 1 ? [sumClaim(sum, parts)] : [];
        }),
  },
  {
    id: 'total-of-list',
    habit: true,
    states: 'a total is what the entries of the list beside it make',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.length > 1 && words[0] === 'total')
        .flatMap((sum) => fields.filter(({ kind }) => kind === 'list').map((list) => listSum(sum, list))),
  },
  {
    id: 'outcomes-of-requests',
    habit: true,
    states: 'the outcomes are no more than the requests',
    claims: (fields) => {
      const parts = named(
        fields,
        /^(accepts|rejects|timeouts|challenges|accepted|rejected|granted|refused|timed out|failed|succeeded)$/,
      );
      const [whole] = named(fields, /^(requests|attempts|logins|sent|queries|access requests)$/);
      return whole === undefined || parts.length < 2 ? [] : [sumClaim(whole, parts)];
    },
  },
  {
    id: 'total-of-kinds',
    habit: true,
    states: 'a total of kinds is their sum',
    claims: (fields) => {
      const [total] = named(fields, /^total$/);
      const kinds = numbers(fields).filter((field) => field !== total);
      const areKinds =
        kinds.length > 3 &&
        kinds.every(
          ({ words, schema }) => words.length === 1 && schema.minimum === 0 && !NO_KIND.test(words[0] as string),
        );
      return total === undefined || !areKinds ? [] : [exactSum(total, kinds)];
    },
  },
  {
    id: 'used-of-what-is-allocated',
    habit: true,
    states: 'no more is used than was bought or set aside',
    claims: (fields) => {
      const wholes = numbers(fields).filter(({ words }) =>
        /^(allocated|bought|booked|provisioned|owned|licensed|capacity|rated|budget)$/.test(words[0] ?? ''),
      );
      const parts = numbers(fields).filter(({ words }) =>
        /^(used|delivered|drawn|draw|consumed|accelerated)$/.test(words[0] ?? ''),
      );
      return wholes.flatMap((whole) =>
        parts
          .filter(
            (part) =>
              part !== whole &&
              (part.words.length === 1 || whole.words.length === 1 || part.words.at(-1) === whole.words.at(-1)),
          )
          .map((part) => partOf(part, whole)),
      );
    },
  },
  {
    id: 'now-below-most',
    habit: true,
    states: 'what there is now is not above what there was at most',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => /^(now|current)$/.test(words.at(-1) ?? '') || /^current$/.test(words[0] ?? ''))
        .flatMap((now) => {
          const rest = without(now.words, /^(now|current)$/);
          return numbers(fields)
            .filter(
              (most) =>
                most !== now &&
                without(most.words, /^(max|maximum|peak|most|limit)$/) === rest &&
                rest !== '' &&
                most.words.length > rest.split(' ').length,
            )
            .map((most) => atMost(now, most));
        }),
  },
  {
    id: 'worst-below-score',
    habit: true,
    states: 'the worst score is not above the score',
    claims: (fields) =>
      named(fields, /^worst( score)?$/).flatMap((worst) =>
        named(fields, /^(score|overall|mean score|experience score)$/).map((score) => atMost(worst, score)),
      ),
  },
  {
    id: 'poor-share-of-score',
    habit: true,
    states: 'what is rated well was poor for a short time only',
    claims: (fields) => {
      const [score] = named(fields, /^(score|experience score|mean score)$/);
      if (score === undefined) return [];
      return [
        ...named(fields, /^(poor|bad|unhappy) minutes$/).map((poor) => poorClaim(score, poor, 9)),
        ...named(fields, /^(poor|bad|unhappy) percent$/).map((poor) => poorClaim(score, poor, 0.9)),
      ];
    },
  },
  {
    id: 'impostors-of-rogues',
    habit: true,
    states: 'few of the rogues imitate a network',
    claims: (fields) =>
      named(fields, /^(impostors|imitating|on wire|contained)( count)?$/).flatMap((part) =>
        named(fields, /^rogues( count)?$/).map((whole) => partOf(part, whole)),
      ),
  },
];
