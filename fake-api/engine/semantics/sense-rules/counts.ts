/** A count beside the list that it counts, and two ends that differ. */
import { isObject } from '../../state/json-value.ts';
import { singularOf } from '../field-name-words.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';

function counts(count: SenseField, list: SenseField): Claim {
  return {
    names: [count.name, list.name],
    broken: (values) => {
      const [number, entries] = [numberOf(values[count.name]), values[list.name]];
      return number !== undefined && Array.isArray(entries) && number !== entries.length;
    },
    repair: (values, _nowMs, free) => {
      const entries = values[list.name] as unknown[];
      if (free.has(count.name)) return { [count.name]: fitted(entries.length, count) };
      const number = numberOf(values[count.name]) as number;
      return free.has(list.name) && entries.length > number ? { [list.name]: entries.slice(0, number) } : {};
    },
  };
}

/** Counts by a key beside the total of them. */
function sumsTo(total: SenseField, byKey: SenseField): Claim {
  const sumOf = (counted: unknown) =>
    isObject(counted) ? Object.values(counted).reduce<number>((sum, entry) => sum + Number(entry), 0) : undefined;
  return {
    names: [total.name, byKey.name],
    broken: (values) => {
      const [number, sum] = [numberOf(values[total.name]), sumOf(values[byKey.name])];
      return number !== undefined && sum !== undefined && number !== sum;
    },
    repair: (values, _nowMs, free) => {
      const [counted, number] = [values[byKey.name], numberOf(values[total.name]) as number];
      const [first] = Object.keys(counted as Values);
      if (free.has(byKey.name)) return { [byKey.name]: number === 0 || first === undefined ? {} : { [first]: number } };
      return free.has(total.name) ? { [total.name]: fitted(sumOf(counted) as number, total) } : {};
    },
  };
}

const isCountByKey = ({ kind, words, schema }: SenseField): boolean =>
  kind === 'other' && words[0] === 'by' && isObject(schema.additionalProperties);

/** `memberIds` lists members. */
const withoutIds = (words: readonly string[]): readonly string[] =>
  words.length > 1 && words.at(-1) === 'ids' ? words.slice(0, -1) : words;

interface CountedList {
  count: SenseField;
  list: SenseField;
}

function countsIn(fields: readonly SenseField[]): CountedList[] {
  return fields
    .filter(({ kind }) => kind === 'number')
    .flatMap((count) => {
      const counted = countedBy(count.words);
      if (counted === undefined) return [];
      const list = fields.find(
        ({ kind, words }) => kind === 'list' && singularOf(withoutIds(words)).join(' ') === counted,
      );
      return list === undefined ? [] : [{ count, list }];
    });
}

/** A caller who states a number cannot state the list beside it: it is empty until the platform has filled it. */
const isRequested = ({ count, list }: CountedList): boolean =>
  count.schema.readOnly !== true && list.schema.readOnly === true;

function differ(one: SenseField, other: SenseField): Claim {
  return {
    names: [one.name, other.name],
    broken: (values) => typeof values[one.name] === 'string' && values[one.name] === values[other.name],
    repair: (values, _nowMs, free) => {
      const field = [other, one].find(({ name }) => free.has(name));
      if (field === undefined) return {};
      return { [field.name]: field.nullable ? null : nextName(String(values[field.name])) };
    },
  };
}

export const COUNTS: readonly SenseRule[] = [
  {
    id: 'count-of-list',
    states: 'a count is the length of the list that it counts',
    claims: (fields) => countsIn(fields).flatMap((pair) => (isRequested(pair) ? [] : [counts(pair.count, pair.list)])),
  },
  {
    id: 'requested-count',
    habit: true,
    states: 'a list that the platform fills has as many entries as were requested',
    claims: (fields) => countsIn(fields).flatMap((pair) => (isRequested(pair) ? [counts(pair.count, pair.list)] : [])),
  },
  {
    id: 'total-of-entries',
    habit: true,
    states: 'a total of what a list holds is its length',
    claims: (fields) =>
      fields
        .filter(({ kind, words }) => kind === 'number' && words.length > 1 && words[0] === 'total')
        .flatMap((total) => {
          const list = fields.find(
            ({ kind, words }) => kind === 'list' && words.join(' ') === total.words.slice(1).join(' '),
          );
          return list === undefined ? [] : [counts(total, list)];
        }),
  },
  {
    id: 'total-of-the-list',
    habit: true,
    states: 'a total beside one list is the length of the list',
    claims: (fields) => {
      const lists = fields.filter(({ kind }) => kind === 'list');
      const [list] = lists;
      const total = fields.find(
        ({ kind, words }) => kind === 'number' && /^(total|count|entry count)$/.test(words.join(' ')),
      );
      const isPaged = fields.some(({ words }) => /^(next|offset|limit|page|cursor)$/.test(words[0] ?? ''));
      if (list === undefined || total === undefined || lists.length > 1 || isPaged) return [];
      return /^(clients|devices|emails|entries|failures|items|events|results|members|messages|rows|records|visits)$/.test(
        list.words.join(' '),
      )
        ? [counts(total, list)]
        : [];
    },
  },
  {
    id: 'counts-by-key',
    habit: true,
    states: 'counts by a key add up to their total',
    claims: (fields) => {
      const total = fields.find(({ kind, words }) => kind === 'number' && words.join(' ') === 'total');
      return total === undefined ? [] : fields.filter(isCountByKey).map((byKey) => sumsTo(total, byKey));
    },
  },
  {
    id: 'inside-the-room',
    habit: true,
    states: 'what stands in a room stands inside of it',
    claims: (fields) => {
      const of = (test: RegExp) => fields.find(({ kind, words }) => kind === 'number' && test.test(words[0] ?? ''));
      const [across, along] = [of(/^width$/), of(/^(depth|length|height)$/)];
      const list = fields.find(
        ({ kind, words }) => kind === 'list' && /^(racks|devices|items|places|aps|sensors)$/.test(words.join(' ')),
      );
      return across === undefined || along === undefined || list === undefined ? [] : [insideOf(list, across, along)];
    },
  },
  {
    id: 'two-ends',
    states: 'the two ends of a link or a move differ',
    claims: (fields) => {
      const text = (test: RegExp) =>
        fields.filter(({ kind, name, schema }) => kind === 'text' && test.test(name) && schema.enum === undefined);
      return text(/^(from|source|local)[-_]?(device|node|site|ap|switch|appliance|id|name)$/i).flatMap((one) => {
        const other = fields.find(
          ({ kind, name }) =>
            kind === 'text' &&
            name.toLowerCase() ===
              one.name
                .toLowerCase()
                .replace(
                  /^(from|source|local)/,
                  (word) => ({ from: 'to', source: 'destination', local: 'remote' })[word] ?? word,
                ),
        );
        return other === undefined ? [] : [differ(one, other)];
      });
    },
  },
];

/** Things on a plan stand inside of it. */
function insideOf(list: SenseField, across: SenseField, along: SenseField): Claim {
  const room = (values: Values) => [numberOf(values[across.name]) ?? 0, numberOf(values[along.name]) ?? 0] as const;
  const placed = (values: Values) => (Array.isArray(values[list.name]) ? (values[list.name] as Values[]) : []);
  const isOutside = (entry: Values, [width, depth]: readonly [number, number]) =>
    (numberOf(entry['x']) ?? 0) > width || (numberOf(entry['y']) ?? 0) > depth;
  return {
    names: [list.name, across.name, along.name],
    broken: (values) => placed(values).some((entry) => isOutside(entry, room(values))),
    repair: (values, _nowMs, free) => {
      if (!free.has(list.name)) return {};
      const [width, depth] = room(values);
      const within = (value: unknown, most: number) =>
        Math.round((((numberOf(value) ?? 0) % 10) / 10) * most * 10) / 10;
      const moved = placed(values).map((entry) =>
        isOutside(entry, [width, depth])
          ? { ...entry, x: within(entry['x'], width), y: within(entry['y'], depth) }
          : entry,
      );
      return { [list.name]: moved };
    },
  };
}

/** `member` of `member_count` and of `num_members`; undefined for other names. */
function countedBy(words: readonly string[]): string | undefined {
  if (words.length < 2) return undefined;
  if (words.at(-1) === 'count') return singularOf(words.slice(0, -1)).join(' ');
  return words[0] === 'num' ? singularOf(words.slice(1)).join(' ') : undefined;
}

/** `hq-sw-03` → `hq-sw-04`; a name without a number at its end stays. */
const nextName = (name: string): string =>
  name.replace(/\d+$/, (number) => String((Number(number) % 9) + 1).padStart(number.length, '0'));
