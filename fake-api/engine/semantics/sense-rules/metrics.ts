/** A figure that is named by a field beside it: its unit, whether more of it is better, and where its threshold lies. */
import { followingClaim } from '../following-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';

const METRIC = /^(metric|quantity|measure|measurement|figure|kpi|indicator|condition metric|metric name|name)$/;

export const metricOf = (fields: readonly SenseField[]) =>
  fields.find(
    ({ kind, words, schema }) => kind === 'text' && METRIC.test(words.join(' ')) && schema.enum !== undefined,
  ) ?? fields.find(({ kind, words }) => kind === 'text' && METRIC.test(words.join(' ')));

/** What columns of these names are. */
const COLUMNS: Readonly<Record<string, readonly [kind: RegExp, unit: string | null, meaning: string]>> = {
  site: [/dimension/i, null, 'Site that the device belongs to'],
  device: [/dimension/i, null, 'Name of the device'],
  clients: [/measure/i, null, 'Clients that were connected'],
  bytes: [/measure/i, 'bytes', 'Bytes in both directions'],
  day: [/time/i, null, 'Day of the record'],
};

const UNIT_TEXTS: readonly (readonly [metric: RegExp, unit: string])[] = [
  [/rssi|signal/, 'dBm'],
  [/bytes|traffic/, 'bytes'],
  [/latency|delay|time/, 'ms'],
  [/num|count|clients|devices/, 'count'],
];

/** Where values of a metric usually lie. */
const USUAL: readonly (readonly [metric: RegExp, least: number, most: number])[] = [
  [/loss|retry|error|drop/, 0.1, 3],
  [/score|health|experience/, 68, 97],
  [/latency|dns|dhcp|auth|rtt|delay|jitter/, 4, 95],
  [/cpu|util|airtime|memory/, 8, 70],
];

/** A value of a metric where such values lie. */
function usualValue(metric: SenseField, value: SenseField): Claim {
  const range = (values: Values) => USUAL.find(([test]) => test.test(String(values[metric.name] ?? '').toLowerCase()));
  return {
    names: [metric.name, value.name],
    broken: (values) => {
      const [found, is] = [range(values), numberOf(values[value.name])];
      return found !== undefined && is !== undefined && (is < found[1] || is > found[2]);
    },
    repair: (values, _nowMs, free) => {
      const [found, is] = [range(values), numberOf(values[value.name])];
      if (found === undefined || is === undefined || !free.has(value.name)) return {};
      const [, least, most] = found;
      return {
        [value.name]: fitted(Math.round((least + (Math.abs(is * 37) % 100) * 0.01 * (most - least)) * 10) / 10, value),
      };
    },
  };
}

/** What a widget of that title asks for. */
const QUERIES: Readonly<Record<string, string>> = {
  'Clients by site': 'top 10 sites by clients',
  'Uplink use': 'mean utilisation by uplink',
  'Failed logins this week': 'count of failed logins by day',
  'Top applications': 'top 10 applications by bytes',
  'Power by floor': 'sum of watts by floor',
};
const titleOf = (value: unknown) => String(value ?? '').replace(/[- ]\d+$/, '');

export const METRICS: readonly SenseRule[] = [
  {
    id: 'query-of-title',
    habit: true,
    states: 'a widget shows what its title says',
    claims: (fields) => {
      const of = (test: RegExp) =>
        fields.find(
          ({ kind, words, schema }) => kind === 'text' && schema.enum === undefined && test.test(words.join(' ')),
        );
      const [title, query] = [of(/^(title|label)$/), of(/^(query|filter)$/)];
      return title === undefined || query === undefined
        ? []
        : [followingClaim(query, [title], { wanted: (values) => QUERIES[titleOf(values[title.name])] })];
    },
  },
  {
    id: 'unit-text-of-metric',
    habit: true,
    states: 'a figure is written in its own unit',
    claims: (fields) => {
      const metric = fields.find(
        ({ kind, words }) => kind === 'text' && /^(metric|key|title|name|metric name)$/.test(words.join(' ')),
      );
      const unit = fields.find(
        ({ kind, words, schema }) => kind === 'text' && words.join(' ') === 'unit' && schema.enum === undefined,
      );
      if (metric === undefined || unit === undefined) return [];
      const wanted = (values: Values) =>
        UNIT_TEXTS.find(([test]) => test.test(String(values[metric.name] ?? '').toLowerCase()))?.[1];
      return [
        followingClaim(unit, [metric], {
          wanted: (values) => (values[unit.name] === null ? undefined : wanted(values)),
        }),
      ];
    },
  },
  {
    id: 'column-of-name',
    habit: true,
    states: 'a column holds what its name says',
    claims: (fields) => {
      const of = (test: RegExp) => fields.find(({ kind, words }) => kind === 'text' && test.test(words.join(' ')));
      const [name, kind, unit, meaning] = [/^name$/, /^kind$/, /^unit$/, /^meaning$/].map(of);
      if (name === undefined || meaning === undefined) return [];
      const column = (values: Values) => COLUMNS[String(values[name.name])];
      return [
        followingClaim(meaning, [name], { wanted: (values) => column(values)?.[2] }),
        ...(unit === undefined || unit.schema.enum !== undefined || !unit.nullable
          ? []
          : [followingClaim(unit, [name], { wanted: (values) => column(values)?.[1] })]),
        ...(kind?.schema.enum === undefined
          ? []
          : [
              followingClaim(kind, [name], {
                wanted: (values) => kind.schema.enum?.find((word) => column(values)?.[0].test(String(word))),
              }),
            ]),
      ];
    },
  },
  {
    id: 'value-of-metric',
    habit: true,
    states: 'a value lies where values of its metric usually do',
    claims: (fields) => {
      const metric = metricOf(fields);
      if (metric === undefined) return [];
      return fields
        .filter(
          ({ kind, words }) => kind === 'number' && /^(value|median|peer median|own value)$/.test(words.join(' ')),
        )
        .map((value) => usualValue(metric, value));
    },
  },
];
