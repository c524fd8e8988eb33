/** What is consumed in a time: flows, energy, processor time, tunnels and rates. */
import { wordsOf } from '../field-name-words.ts';
import { atMost } from '../ordered-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';
import { amount, named, numbers, partOf, without } from './usage.ts';

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

const [LEAST_FLOW, MOST_FLOW] = [3000, 200_000_000];

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
      const [all, count] = [amount(values, bytes) ?? 0, amount(values, flows) ?? 1];
      if (!free.has(bytes.name) && free.has(flows.name))
        return { [flows.name]: fitted(Math.max(1, Math.round(all / 150_000)), flows) };
      return free.has(bytes.name) ? { [bytes.name]: fitted(count * (20_000 + ((count * 7919) % 380_000)), bytes) } : {};
    },
  };
}

export const CONSUMPTION: readonly SenseRule[] = [
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
    states: 'a flow carries some kilobytes to some hundred megabytes',
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
];
