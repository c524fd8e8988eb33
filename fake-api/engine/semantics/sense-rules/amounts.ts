/** Amounts of one object: statistics in order, parts within their whole, percentages of a hundred. */
import { atMost, numbersInOrder } from '../ordered-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule } from '../sense-rule.ts';

export const numbers = (fields: readonly SenseField[]) => fields.filter(({ kind }) => kind === 'number');

const WHOLE = /^(total|all|capacity|size|limit|quota|maximum|max)$/;
/** Words of a part, besides a unit or a thing that both fields name. */
const PART =
  /^(used|free|available|failed|failures|succeeded|success|successful|up|down|online|offline|active|inactive|enabled|disabled|open|pending|assigned|unassigned|remaining|passed|errors|skipped|expired|installed|connected|disconnected|matched|done|completed|reachable|unreachable|healthy|unhealthy|granted|rejected|accepted|blocked|allocated|leased|reserved|moved|acknowledged)$/;

const withoutWord = (words: readonly string[], test: RegExp) => words.filter((word) => !test.test(word)).join(' ');

const PARTS: SenseRule = {
  id: 'part-of-whole',
  states: 'a part is not more than the whole',
  claims: (fields) => {
    const all = numbers(fields);
    const wholes = all.filter(
      ({ words }) =>
        words.some((word) => WHOLE.test(word)) && !words.some((word) => PART.test(word)) && !isShare(words),
    );
    // A field with both words is a whole of its own: the total of what is assigned, the limit up.
    const parts = all.filter(
      ({ words }) =>
        words.some((word) => PART.test(word)) && !words.some((word) => WHOLE.test(word)) && !isShare(words),
    );
    return wholes.flatMap((whole) =>
      parts
        .filter((part) => part !== whole && frame(part.words) === frame(whole.words))
        .map((part) => atMost(part, whole)),
    );
  },
};
/** Words that a part and its whole do not share. */
const OWN_WORD = new RegExp(`${WHOLE.source}|${PART.source}|^(count|number|num)$`);
const frame = (words: readonly string[]) => withoutWord(words, OWN_WORD);
export const isShare = (words: readonly string[]) =>
  words.some((word) => /^(percent|pct|percentage|ratio|share|rate|threshold)$/.test(word));

/** `num_devices_connected` and `num_devices`: the one with a further word is a part of the other. */
const SUBSETS: SenseRule = {
  id: 'subset-of-count',
  states: 'a part is not more than all of its kind',
  claims: (fields) => {
    const all = numbers(fields).filter(({ words }) => words.length > 1 && !isShare(words));
    const isCount = ({ words }: SenseField) => words[0] === 'num' || words.at(-1) === 'count';
    const wholes = all.filter((field) => isCount(field) && !field.words.some((word) => PART.test(word)));
    return wholes.flatMap((whole) =>
      all
        .filter((part) => part !== whole && part.words.length === whole.words.length + 1)
        .filter(
          ({ words }) => words.some((word) => PART.test(word)) && withoutWord(words, PART) === whole.words.join(' '),
        )
        .map((part) => atMost(part, whole)),
    );
  },
};

const THINGS =
  /^(devices|aps|switches|gateways|sensors|agents|sites|tunnels|members|nodes|ports|clients|appliances|connectors|servers|radios|links|licences)$/;
const STATES_OF_THINGS =
  /^(online|offline|up|down|connected|disconnected|active|inactive|failed|reachable|unreachable|assigned|used|expired|healthy|unhealthy)$/;

/** `online` beside `devices`: the things are named once, and their states alone. */
const STATES_OF: SenseRule = {
  id: 'state-of-things',
  states: 'no more things are in a state than there are',
  claims: (fields) => {
    const alone = numbers(fields).filter(({ words }) => words.length === 1);
    const [things, another] = alone.filter(({ words }) => THINGS.test(words[0] ?? ''));
    if (things === undefined || another !== undefined) return [];
    return alone
      .filter(({ words }) => STATES_OF_THINGS.test(words[0] ?? ''))
      .map((part) => {
        const claim = atMost(part, things);
        const repair: Claim['repair'] = (values, nowMs, free) =>
          free.has(part.name)
            ? { [part.name]: fitted(numberOf(values[things.name]) ?? 0, part) }
            : claim.repair(values, nowMs, free);
        return { ...claim, repair };
      });
  },
};

/** `num_devices` counts access points, switches and gateways. */
const KINDS: SenseRule = {
  id: 'devices-by-kind',
  states: 'the kinds of devices make all devices',
  claims: (fields) => {
    const frameOf = (kind: RegExp) =>
      numbers(fields).find(
        ({ words }) => words.length === 2 && words.includes('num') && words.some((word) => kind.test(word)),
      );
    const whole = frameOf(/^devices$/);
    const parts = [/^aps$/, /^switches$/, /^gateways$/].flatMap((kind) => frameOf(kind) ?? []);
    if (whole === undefined || parts.length < 3) return [];
    const read = (values: Record<string, unknown>) => parts.map(({ name }) => numberOf(values[name]));
    const sum = (values: Record<string, unknown>) =>
      read(values).reduce<number>((total, each) => total + (each ?? 0), 0);
    return [
      {
        names: [whole.name, ...parts.map(({ name }) => name)],
        broken: (values) => {
          const all = numberOf(values[whole.name]);
          return all !== undefined && !read(values).includes(undefined) && sum(values) !== all;
        },
        repair: (values, _nowMs, free) => (free.has(whole.name) ? { [whole.name]: fitted(sum(values), whole) } : {}),
      },
    ];
  },
};

/** Two parts that make a whole: used + free = total. */
function partsMakeWhole(id: string, states: string, one: RegExp, other: RegExp): SenseRule {
  return {
    id,
    states,
    claims: (fields) => {
      const all = numbers(fields);
      return all
        .filter(({ words }) => words.some((word) => /^(total|capacity)$/.test(word)) && !isShare(words))
        .flatMap((whole) => {
          const inFrame = all.filter(
            (each) => each !== whole && !isShare(each.words) && frame(each.words) === frame(whole.words),
          );
          const [first] = inFrame.filter(({ words }) => words.some((word) => one.test(word)));
          const [second] = inFrame.filter(({ words }) => words.some((word) => other.test(word)));
          return first === undefined || second === undefined ? [] : [sumOf(first, second, whole)];
        });
    },
  };
}

function sumOf(one: SenseField, other: SenseField, whole: SenseField): Claim {
  const read = (values: Record<string, unknown>) => [one, other, whole].map(({ name }) => numberOf(values[name]));
  return {
    names: [one.name, other.name, whole.name],
    broken: (values) => {
      const [first, second, all] = read(values);
      return first !== undefined && second !== undefined && all !== undefined && first + second !== all;
    },
    repair: (values, _nowMs, free) => {
      const [first, second, all] = read(values);
      if (first === undefined || second === undefined || all === undefined) return {};
      if (free.has(whole.name)) return { [whole.name]: fitted(first + second, whole) };
      if (free.has(other.name) && first <= all) return { [other.name]: fitted(all - first, other) };
      if (free.has(one.name) && second <= all) return { [one.name]: fitted(all - second, one) };
      if (free.has(one.name) && free.has(other.name))
        return { [one.name]: fitted(all, one), [other.name]: fitted(0, other) };
      return {};
    },
  };
}

const NUMBERS_IN_ORDER = numbersInOrder(
  'first-last-number',
  'a range of numbers begins before it ends',
  'first,start,from,begin,lower,falling',
  'last,end,to,upper,rising',
);
/** A radio moves from any channel to any other. */
const RANGES: SenseRule = {
  ...NUMBERS_IN_ORDER,
  claims: (fields) => NUMBERS_IN_ORDER.claims(fields.filter(({ words }) => !words.includes('channel'))),
};

export const AMOUNTS: readonly SenseRule[] = [
  numbersInOrder(
    'min-max',
    'the least is not above the greatest',
    'min,minimum,least,lowest,low,floor',
    'max,maximum,most,highest,high,peak,ceiling',
  ),
  numbersInOrder(
    'min-mean',
    'the least is not above the mean',
    'min,minimum,lowest',
    'avg,average,mean,median,typical',
  ),
  numbersInOrder(
    'mean-max',
    'the mean is not above the greatest',
    'avg,average,mean,median,typical',
    'max,maximum,peak,highest,worst',
  ),
  numbersInOrder('median-percentile', 'the median is not above a higher percentile', 'p 50,median', 'p 90,p 95,p 99'),
  RANGES,
  PARTS,
  KINDS,
  SUBSETS,
  STATES_OF,
  partsMakeWhole(
    'used-and-free',
    'used and free make the total',
    /^(used|assigned|allocated|leased|inuse)$/,
    /^(free|available|unassigned|remaining)$/,
  ),
  partsMakeWhole(
    'up-and-down',
    'up and down make the total',
    /^(up|online|connected|reachable|healthy)$/,
    /^(down|offline|disconnected|unreachable|unhealthy)$/,
  ),
  partsMakeWhole(
    'passed-and-failed',
    'successes and failures make the total',
    /^(passed|succeeded|success|successful|accepted|granted)$/,
    /^(failed|failures|errors|rejected)$/,
  ),
  {
    id: 'bytes-of-packets',
    states: 'a packet has 64 to 9,216 bytes on average',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.at(-1) === 'bytes')
        .flatMap((bytes) => {
          const frame = bytes.words.slice(0, -1).join(' ');
          const packets = numbers(fields).find(
            ({ words }) => words.at(-1) === 'packets' && words.slice(0, -1).join(' ') === frame,
          );
          return packets === undefined ? [] : [packetSize(bytes, packets)];
        }),
  },
  {
    id: 'found-of-scanned',
    states: 'no more is found than was looked at',
    claims: (fields) => {
      const of = (test: RegExp) =>
        numbers(fields).filter(({ words }) => words.some((word) => test.test(word)) && !isShare(words));
      return of(/^(scanned|checked|probed|examined)$/).flatMap((whole) =>
        of(/^(found|matched|answered|alive)$/)
          .filter((part) => part !== whole)
          .map((part) => atMost(part, whole)),
      );
    },
  },
  {
    id: 'headroom',
    states: 'what is used and what is left make a hundred percent',
    claims: (fields) => {
      const of = (name: string) =>
        numbers(fields).find(({ words, schema }) => words.join(' ') === name && schema.maximum === 100);
      const [left, used] = [of('headroom') ?? of('headroom percent'), of('used percent') ?? of('utilisation')];
      if (left === undefined || used === undefined) return [];
      return [
        {
          names: [left.name, used.name],
          broken: (values) => {
            const [a, b] = [numberOf(values[left.name]), numberOf(values[used.name])];
            return a !== undefined && b !== undefined && Math.abs(a + b - 100) > 0.2;
          },
          repair: (values, _nowMs, free) => {
            const [a, b] = [numberOf(values[left.name]) ?? 0, numberOf(values[used.name]) ?? 0];
            if (free.has(left.name)) return { [left.name]: fitted(100 - b, left) };
            return free.has(used.name) ? { [used.name]: fitted(100 - a, used) } : {};
          },
        },
      ];
    },
  },
];

const [LEAST_PACKET, MOST_PACKET] = [64, 9216];
/** Bytes of a packet of a flow: flows differ. */
const packetOf = (count: number) => 180 + ((count * 37) % 1100);

function packetSize(bytes: SenseField, packets: SenseField): Claim {
  return {
    names: [bytes.name, packets.name],
    broken: (values) => {
      const [all, count] = [numberOf(values[bytes.name]), numberOf(values[packets.name])];
      if (all === undefined || count === undefined || count === 0) return false;
      return all / count < LEAST_PACKET || all / count > MOST_PACKET;
    },
    repair: (values, _nowMs, free) => {
      const [all, count] = [numberOf(values[bytes.name]) ?? 0, numberOf(values[packets.name]) ?? 0];
      if (free.has(bytes.name)) return { [bytes.name]: fitted(count * packetOf(count), bytes) };
      return free.has(packets.name)
        ? { [packets.name]: fitted(Math.max(1, Math.round(all / packetOf(1))), packets) }
        : {};
    },
  };
}
