/** A figure that is named by a field beside it: its unit, whether more of it is better, and where its threshold lies. */
import { followingClaim, formClaim, type TextForm } from '../following-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';

interface Figure {
  /** What the name of the metric contains. */
  test: RegExp;
  unit: RegExp;
  better: 'LOWER' | 'HIGHER';
  /** Where a threshold of it is set. */
  from: number;
  to: number;
}

const PERCENT = /percent|^%$|pct/i;
const FIGURES: readonly Figure[] = [
  { test: /rssi|signal/, unit: /dbm/i, better: 'HIGHER', from: -78, to: -67 },
  { test: /snr/, unit: /^db$|decibel/i, better: 'HIGHER', from: 15, to: 25 },
  { test: /score|experience|health|mos|rating/, unit: /score|point|percent|none/i, better: 'HIGHER', from: 60, to: 80 },
  { test: /loss|retry|retries|error|drop/, unit: PERCENT, better: 'LOWER', from: 1, to: 5 },
  { test: /jitter/, unit: /milli|^ms$/i, better: 'LOWER', from: 10, to: 40 },
  {
    test: /latency|delay|response|time_to|dns|dhcp|auth|roam|rtt/,
    unit: /milli|^ms$/i,
    better: 'LOWER',
    from: 80,
    to: 300,
  },
  { test: /cpu|memory|util|airtime|disk|usage|occup/, unit: PERCENT, better: 'LOWER', from: 75, to: 92 },
  { test: /success|complian|coverage|availab/, unit: PERCENT, better: 'HIGHER', from: 90, to: 99 },
  { test: /power|watt|energy/, unit: /watt|^w$/i, better: 'LOWER', from: 200, to: 700 },
  { test: /throughput|bandwidth|traffic|bytes|speed/, unit: /bit|byte|bps/i, better: 'HIGHER', from: 20, to: 800 },
  { test: /temperature/, unit: /celsius|degree|^°?c$/i, better: 'LOWER', from: 60, to: 75 },
  {
    test: /client|user|device|count|fault|alert|failure|session|reboot/,
    unit: /count|number|none/i,
    better: 'LOWER',
    from: 20,
    to: 120,
  },
];

const METRIC = /^(metric|quantity|measure|measurement|figure|kpi|indicator|condition metric|metric name|name)$/;

function figureOf(value: unknown): Figure | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.toLowerCase();
  return FIGURES.find(({ test }) => test.test(text));
}

/** The word of the enumeration that fits, undefined where none does. */
const wordFor = ({ schema }: SenseField, test: RegExp) => schema.enum?.find((word) => test.test(String(word)));

function wordClaim(metric: SenseField, field: SenseField, testOf: (figure: Figure) => RegExp): Claim {
  const testIn = (values: Values) => {
    const figure = figureOf(values[metric.name]);
    return figure === undefined ? undefined : testOf(figure);
  };
  const wanted = (values: Values) => {
    const test = testIn(values);
    return test === undefined ? undefined : wordFor(field, test);
  };
  return followingClaim(field, [metric], {
    wanted,
    broken: (values) => {
      const is = values[field.name];
      return typeof is === 'string' && wanted(values) !== undefined && testIn(values)?.test(is) === false;
    },
  });
}

function thresholdClaim(metric: SenseField, threshold: SenseField): Claim {
  const room = (values: Values) => {
    const figure = figureOf(values[metric.name]);
    const [least, most] = [threshold.schema.minimum ?? 0, threshold.schema.maximum ?? Number.MAX_SAFE_INTEGER];
    return figure === undefined || figure.from < least || figure.to > most ? undefined : figure;
  };
  return {
    names: [metric.name, threshold.name],
    broken: (values) => {
      const [figure, is] = [room(values), numberOf(values[threshold.name])];
      return figure !== undefined && is !== undefined && (is < figure.from || is > figure.to);
    },
    repair: (values, _nowMs, free) => {
      const [figure, is] = [room(values), numberOf(values[threshold.name])];
      if (figure === undefined || is === undefined || !free.has(threshold.name)) return {};
      const span = figure.to - figure.from;
      return { [threshold.name]: fitted(Math.round(figure.from + (Math.abs(is) % span)), threshold) };
    },
  };
}

/** Texts of each type: what they look like, and one of them. */
const TYPED: readonly TextForm[] = [
  [/^bool/i, /^(true|false)$/, 'true'],
  [/^(int|number|float|long)/i, /^-?[0-9.]+$/, '20'],
  [/^(subnet|cidr|network)/i, /\/\d+$/, '10.10.20.0/24'],
  [/^(ip|ipv4|address)/i, /^\d+\.\d+\.\d+\.\d+$/, '10.10.20.14'],
  [/^list/i, /^\d+\.\d+\.\d+\.\d+/, '10.10.20.11, 10.10.20.12'],
  [/^regex/i, /[\^$]/, '^10\\.10\\.2[0-9]\\.'],
  [/^mac/i, /^(..:){5}..$/, '02:1b:e8:3f:6d:65'],
  [/^date$/i, /^\d{4}-\d\d-\d\d$/, '2026-03-01'],
];

const metricOf = (fields: readonly SenseField[]) =>
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

/** What a name is the name of. */
function kindOfName(value: unknown): RegExp | undefined {
  const name = String(value ?? '');
  if (/^[a-z]+-(ap|sw|gw)-\d+$/.test(name)) return /^(device|access.?point|switch|gateway|ap)$/i;
  return /^(Harbour House|North Depot|Mill Clinic)$/.test(name) ? /^(site|group|location)$/i : undefined;
}

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
  {
    id: 'kind-of-name',
    habit: true,
    states: 'what is named like a device is a device',
    claims: (fields) => {
      const name = fields.find(
        ({ kind, words, schema }) => kind === 'text' && schema.enum === undefined && words.join(' ') === 'name',
      );
      const type = fields.find(
        ({ words, schema }) =>
          /^(type|kind)$/.test(words.join(' ')) && schema.enum?.some((word) => /^(device|site)$/i.test(String(word))),
      );
      if (name === undefined || type === undefined) return [];
      const wanted = (values: Values) => {
        const test = kindOfName(values[name.name]);
        return test === undefined || test.test(String(values[type.name])) ? undefined : wordFor(type, test);
      };
      return [followingClaim(type, [name], { wanted, broken: (values) => wanted(values) !== undefined })];
    },
  },
  {
    id: 'unit-of-metric',
    habit: true,
    states: 'a figure has a unit in which it can be measured',
    claims: (fields) => {
      const [metric, unit] = [
        metricOf(fields),
        fields.find(({ words, schema }) => words.at(-1) === 'unit' && schema.enum !== undefined),
      ];
      return metric === undefined || unit === undefined ? [] : [wordClaim(metric, unit, (figure) => figure.unit)];
    },
  },
  {
    id: 'better-of-metric',
    habit: true,
    states: 'less loss is better, and a higher score is',
    claims: (fields) => {
      const better = fields.find(({ schema, words }) => words[0] === 'better' && schema.enum !== undefined);
      const metric = metricOf(fields);
      return metric === undefined || better === undefined
        ? []
        : [
            wordClaim(metric, better, (figure) =>
              figure.better === 'LOWER' ? /^(lower|low|less)$/i : /^(higher|high|more)$/i,
            ),
          ];
    },
  },
  {
    id: 'value-of-type',
    habit: true,
    states: 'a value is of the type that is stated beside it',
    claims: (fields) => {
      const type = fields.find(
        ({ words, schema }) =>
          schema.enum !== undefined &&
          /^(data type|value type|type|format|group format|field type)$/.test(words.join(' ')) &&
          schema.enum.some((word) => /^(boolean|bool|integer|number|subnet|regex)$/i.test(String(word))),
      );
      if (type === undefined) return [];
      return fields
        .filter(
          ({ kind, words, schema }) =>
            kind === 'text' && schema.enum === undefined && /^(value|default value|default)$/.test(words.join(' ')),
        )
        .map((value) => formClaim(type, value, TYPED));
    },
  },
  {
    id: 'threshold-of-metric',
    habit: true,
    states: 'a threshold lies where the figure can reach it',
    claims: (fields) => {
      const metric = metricOf(fields);
      if (metric === undefined) return [];
      return fields
        .filter(
          ({ kind, words }) => kind === 'number' && /^(threshold|trigger value|limit value)$/.test(words.join(' ')),
        )
        .map((threshold) => thresholdClaim(metric, threshold));
    },
  },
];
