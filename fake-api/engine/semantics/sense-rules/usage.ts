/** What is used of what there is, and what makes a sum: habits of figures that callers may state otherwise. */
import { wordsOf } from '../field-words.ts';
import { atMost } from '../ordered-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';

const numbers = (fields: readonly SenseField[]) =>
  fields.filter(({ kind, schema }) => kind === 'number' && schema.enum === undefined);
const named = (fields: readonly SenseField[], test: RegExp) =>
  numbers(fields).filter(({ words }) => test.test(words.join(' ')));
const without = (words: readonly string[], test: RegExp) => words.filter((word) => !test.test(word)).join(' ');
const amount = (values: Values, { name }: SenseField) => numberOf(values[name]);

/** The part of a whole: kept where it fits, else a share of the whole that depends on what was drawn. */
function partOf(part: SenseField, whole: SenseField): Claim {
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

/** One figure is always so many times another. */
function timesClaim(one: SenseField, other: SenseField, factor: number): Claim {
  const wanted = (values: Values) => (amount(values, one) ?? 0) * factor;
  return {
    names: [one.name, other.name],
    broken: (values) => {
      const [is, of] = [amount(values, other), amount(values, one)];
      return is !== undefined && of !== undefined && Math.abs(is - wanted(values)) > 0.25 * wanted(values) + 1;
    },
    repair: (values, _nowMs, free) => (free.has(other.name) ? { [other.name]: fitted(wanted(values), other) } : {}),
  };
}

/** A sum over the entries of a list of what their fields of these names hold. */
function entriesSum(sum: SenseField, list: SenseField, part: RegExp): Claim {
  const made = (values: Values): number | undefined => {
    const entries = values[list.name];
    if (!Array.isArray(entries) || entries.length === 0) return undefined;
    const figures = (entries as Values[]).flatMap((entry) =>
      Object.entries(entry ?? {}).flatMap(([name, value]) =>
        part.test(wordsOf(name).join(' ')) ? (numberOf(value) ?? []) : [],
      ),
    );
    return figures.length === 0 ? undefined : figures.reduce((all, each) => all + each, 0);
  };
  return {
    names: [sum.name, list.name],
    broken: (values) =>
      made(values) !== undefined && amount(values, sum) !== undefined && amount(values, sum) !== made(values),
    repair: (values, _nowMs, free) => (free.has(sum.name) ? { [sum.name]: fitted(made(values) ?? 0, sum) } : {}),
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

const [LEAST_FLOW, MOST_FLOW] = [3000, 6_000_000];

function flowSize(bytes: SenseField, flows: SenseField): Claim {
  return {
    names: [bytes.name, flows.name],
    broken: (values) => {
      const [all, count] = [amount(values, bytes), amount(values, flows)];
      return (
        all !== undefined && count !== undefined && count > 0 && (all / count < LEAST_FLOW || all / count > MOST_FLOW)
      );
    },
    repair: (values, _nowMs, free) => {
      const count = amount(values, flows) ?? 1;
      return free.has(bytes.name) ? { [bytes.name]: fitted(count * (20_000 + ((count * 7919) % 380_000)), bytes) } : {};
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
  {
    id: 'percentile-above-mean',
    habit: true,
    states: 'a high percentile lies between the mean and the maximum',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words[0] === 'p' && /^9\d$/.test(words[1] ?? ''))
        .flatMap((high) => {
          const rest = without(high.words.slice(2), /^$/);
          const same = (test: RegExp) =>
            numbers(fields).filter((each) => test.test(each.words[0] ?? '') && each.words.slice(1).join(' ') === rest);
          return [
            ...same(/^(mean|avg|average|median)$/).map((mean) => atMost(mean, high)),
            ...same(/^(max|maximum|worst)$/).map((most) => atMost(high, most)),
          ];
        }),
  },
  {
    id: 'bytes-of-flows',
    habit: true,
    states: 'a flow carries some kilobytes to some megabytes',
    claims: (fields) =>
      named(fields, /^(bytes|total bytes)$/).flatMap((bytes) =>
        named(fields, /^(flows|flow count|sessions)$/).map((flows) => flowSize(bytes, flows)),
      ),
  },
  {
    id: 'cached-of-used',
    habit: true,
    states: 'what is cached is used',
    claims: (fields) =>
      named(fields, /^(cached|buffers|cache)$/).flatMap((part) =>
        named(fields, /^used$/).map((whole) => partOf(part, whole)),
      ),
  },
  {
    id: 'nothing-before-the-end',
    habit: true,
    states: 'what failed or waits has brought nothing',
    claims: (fields) => {
      const state = fields.find(
        ({ words, schema }) =>
          /^(status|state)$/.test(words.join(' ')) &&
          schema.enum?.some((word) => /ready|done|complete|stored|succe/i.test(String(word))),
      );
      if (state === undefined) return [];
      return named(fields, /^(bytes|size|size bytes|rows|file size|packets)$/)
        .filter(({ schema }) => (schema.minimum ?? 0) <= 0)
        .map((amountOf) => ({
          names: [state.name, amountOf.name],
          broken: (values: Values) =>
            (amount(values, amountOf) ?? 0) > 0 &&
            /^(failed|waiting|queued|pending|scheduled|requested)$/i.test(String(values[state.name])),
          repair: (_values: Values, _nowMs: number, free: ReadonlySet<string>) =>
            free.has(amountOf.name) ? { [amountOf.name]: 0 } : {},
        }));
    },
  },
  {
    id: 'expected-in-its-span',
    habit: true,
    states: 'what is expected lies between the edges of its span',
    claims: (fields) => {
      const [low, high] = [
        named(fields, /^(low|lower|minimum|low edge)$/)[0],
        named(fields, /^(high|upper|maximum|high edge)$/)[0],
      ];
      const [middle] = named(fields, /^(expected|median|threshold|mean|typical|value)$/);
      if (low === undefined || high === undefined || middle === undefined) return [];
      const edges = (values: Values) =>
        [amount(values, low), amount(values, high)].sort((left, right) => (left ?? 0) - (right ?? 0)) as [
          number,
          number,
        ];
      return [
        {
          names: [low.name, middle.name, high.name],
          broken: (values) => {
            const [is, [from, to]] = [amount(values, middle), edges(values)];
            return (
              is !== undefined &&
              amount(values, low) !== undefined &&
              amount(values, high) !== undefined &&
              (is < from || is > to)
            );
          },
          repair: (values, _nowMs, free) => {
            const [from, to] = edges(values);
            return free.has(middle.name) ? { [middle.name]: fitted((from + to) / 2, middle) } : {};
          },
        },
      ];
    },
  },
  {
    id: 'processor-shares',
    habit: true,
    states: 'the shares of a processor make a hundred percent',
    claims: (fields) => {
      const [idle] = named(fields, /^(cpu )?idle( percent)?$/);
      const parts = named(fields, /^(cpu )?(user|system|nice|iowait|interrupt|softirq)( percent)?$/);
      if (idle === undefined || parts.length === 0) return [];
      const rest = (values: Values) => 100 - parts.reduce((sum, part) => sum + (amount(values, part) ?? 0), 0);
      return [
        {
          names: [idle.name, ...parts.map(({ name }) => name)],
          broken: (values) => {
            const is = amount(values, idle);
            return is !== undefined && Math.abs(is - rest(values)) > 0.2;
          },
          repair: (values, _nowMs, free) => (free.has(idle.name) ? { [idle.name]: fitted(rest(values), idle) } : {}),
        },
      ];
    },
  },
  {
    id: 'cost-of-energy',
    habit: true,
    states: 'cost and carbon follow the energy',
    claims: (fields) => {
      const [energy] = named(fields, /(^| )kwh$|^kilowatt hours( day)?$/);
      if (energy === undefined) return [];
      return [
        ...named(fields, /^(cost|cost eur|price)$/).map((cost) => timesClaim(energy, cost, 0.28)),
        ...named(fields, /^(carbon kg|carbon kg day|carbon|co 2 kg|emissions kg)$/).map((carbon) =>
          timesClaim(energy, carbon, 0.3),
        ),
      ];
    },
  },
  {
    id: 'energy-of-power',
    habit: true,
    states: 'the energy of a day is the power over its hours',
    claims: (fields) =>
      named(fields, /^(watts|mean watts|power watts)$/).flatMap((watts) =>
        named(fields, /^(kilowatt hours|kwh) day$/).map((energy) => timesClaim(watts, energy, 0.024)),
      ),
  },
  {
    id: 'saved-of-energy',
    habit: true,
    states: 'no more energy is saved than is used',
    claims: (fields) =>
      named(fields, /^saved (kilowatt hours|kwh|watts)$/).flatMap((saved) =>
        named(fields, /^(kilowatt hours|kwh|watts)( day)?$/)
          .slice(0, 1)
          .map((used) => partOf(saved, used)),
      ),
  },
  {
    id: 'tunnels-of-peers',
    habit: true,
    states: 'tunnels of all peers make the tunnels of the device',
    claims: (fields) => {
      const list = fields.find(
        ({ kind, words }) => kind === 'list' && /^(peers|members|links|servers|nodes)$/.test(words.join(' ')),
      );
      if (list === undefined) return [];
      const sums: readonly (readonly [RegExp, RegExp])[] = [
        [/^(established|up|active) (tunnels|sessions|links)$/, /^(up|established|active) (tunnels|sessions|links)$/],
        [/^(failed|down) (tunnels|sessions|links)$/, /^(down|failed) (tunnels|sessions|links)$/],
        [
          /^(configured|total) (tunnels|sessions|links)$/,
          /^(up|down|established|failed|active) (tunnels|sessions|links)$/,
        ],
      ];
      return sums.flatMap(([total, part]) => named(fields, total).map((sum) => entriesSum(sum, list, part)));
    },
  },
  {
    id: 'rate-of-unit',
    habit: true,
    states: 'a rate is written in a unit that suits it',
    claims: (fields) => {
      const [rate] = named(fields, /^(rate|limit|bandwidth)$/);
      const unit = fields.find(
        ({ words, schema }) =>
          words.at(-1) === 'unit' && schema.enum?.some((word) => /^(k|m)bit|^(k|m)bps/i.test(String(word))),
      );
      if (rate === undefined || unit === undefined) return [];
      const wanted = (values: Values) => {
        const [is, of] = [amount(values, rate), String(values[unit.name] ?? '')];
        if (is === undefined) return undefined;
        if (/^k/i.test(of) && is < 256) return is * 512;
        return /^g/i.test(of) && is > 40 ? 1 : undefined;
      };
      return [
        {
          names: [rate.name, unit.name],
          broken: (values) =>
            wanted(values) !== undefined && fitted(wanted(values) ?? 0, rate) !== amount(values, rate),
          repair: (values, _nowMs, free) =>
            free.has(rate.name) ? { [rate.name]: fitted(wanted(values) ?? 0, rate) } : {},
        },
      ];
    },
  },
  {
    id: 'no-end-without-growth',
    habit: true,
    states: 'what does not grow is never exhausted',
    claims: (fields) => {
      const [growth] = named(fields, /^growth/);
      const end = fields.find(
        ({ kind, nullable, words }) => kind === 'moment' && nullable && /^exhaust/.test(words[0] ?? ''),
      );
      if (growth === undefined || end === undefined) return [];
      return [
        {
          names: [growth.name, end.name],
          broken: (values) => (amount(values, growth) ?? 1) <= 0 && (values[end.name] ?? null) !== null,
          repair: (_values, _nowMs, free) => (free.has(end.name) ? { [end.name]: null } : {}),
        },
      ];
    },
  },
  {
    id: 'progress-of-state',
    habit: true,
    states: 'what is done is at a hundred percent, what waits at none',
    claims: (fields) => {
      const state = fields.find(
        ({ words, schema }) => /^(status|state|phase)$/.test(words.join(' ')) && schema.enum !== undefined,
      );
      const [progress] = named(fields, /^(progress|progress percent|percent complete|percent done|done percent)$/);
      if (state === undefined || progress === undefined) return [];
      const wanted = (values: Values) => {
        const word = String(values[state.name] ?? '').toLowerCase();
        if (/^(completed?|succeeded|success|done|finished|ready)$/.test(word)) return 100;
        return /^(queued|pending|scheduled|waiting|not.?started|new)$/.test(word) ? 0 : undefined;
      };
      return [
        {
          names: [state.name, progress.name],
          broken: (values) => {
            const [is, usual] = [amount(values, progress), wanted(values)];
            return is !== undefined && usual !== undefined && is !== usual;
          },
          repair: (values, _nowMs, free) =>
            free.has(progress.name) ? { [progress.name]: fitted(wanted(values) ?? 50, progress) } : {},
        },
      ];
    },
  },
];
