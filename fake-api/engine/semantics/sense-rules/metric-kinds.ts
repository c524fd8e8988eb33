/** The kind of a metric and what it implies: its unit, which way is better, its value and threshold. */
import { followingClaim, formClaim, type TextForm } from '../following-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';
import { metricOf } from './metrics.ts';

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

/** What a name is the name of. */
function kindOfName(value: unknown): RegExp | undefined {
  const name = String(value ?? '');
  if (/^[a-z]+-(ap|sw|gw)-\d+$/.test(name)) return /^(device|access.?point|switch|gateway|ap)$/i;
  return /^(Harbour House|North Depot|Mill Clinic)$/.test(name) ? /^(site|group|location)$/i : undefined;
}

export const METRIC_KINDS: readonly SenseRule[] = [
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
