/** Figures that nature or arithmetic bounds: percentages, coordinates, temperatures, signal strengths. */
import { atMost } from '../ordered-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule } from '../sense-rule.ts';
import { isShare, numbers } from './amounts.ts';

/** A claim that a number lies between two values, whatever its schema permits. */
function within(field: SenseField, least: number, most: number): Claim {
  return {
    names: [field.name],
    broken: (values) => {
      const value = numberOf(values[field.name]);
      return value !== undefined && (value < least || value > most);
    },
    repair: (values, _nowMs, free) => {
      const value = numberOf(values[field.name]);
      if (value === undefined || !free.has(field.name)) return {};
      return { [field.name]: fitted(Math.min(most, Math.max(least, value)), field) };
    },
  };
}

export const BOUNDS: readonly SenseRule[] = [
  {
    id: 'percent',
    states: 'a percentage is between 0 and 100',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.some((word) => /^(percent|pct|percentage)$/.test(word)))
        .filter(({ words }) => !words.some((word) => /^(change|delta|growth|deviation|cpu)$/.test(word)))
        .map((field) => within(field, 0, 100)),
  },
  {
    id: 'jitter-below-latency',
    states: 'jitter is not above the latency',
    claims: (fields) => {
      const of = (test: RegExp) => numbers(fields).filter(({ words }) => words.some((word) => test.test(word)));
      const [jitter] = of(/^jitter$/);
      const [latency] = of(/^(latency|rtt|roundtrip|delay)$/);
      return jitter === undefined || latency === undefined || jitter === latency ? [] : [atMost(jitter, latency)];
    },
  },
  {
    id: 'failures-below-attempts',
    states: 'there are no more failures than attempts',
    claims: (fields) => {
      const of = (test: RegExp) =>
        numbers(fields).filter(
          ({ words }) => words.length <= 2 && words.some((word) => test.test(word)) && !isShare(words),
        );
      return of(/^(attempts|requests|tries|logins|roams|probes|sent|checks)$/).flatMap((whole) =>
        of(/^(failures|failed|timeouts|lost|rejected|slow)$/)
          .filter((part) => part !== whole && part.words.length <= whole.words.length)
          .map((part) => atMost(part, whole)),
      );
    },
  },
  {
    id: 'opinion-score',
    states: 'a mean opinion score is between 1 and 5',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.includes('mos'))
        .map((field) => within(field, 1, 5)),
  },
  {
    id: 'temperature',
    states: 'electronics that report are between -40 and 125 °C',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.some((word) => /^(temperature|celsius)$/.test(word)))
        .map((field) => within(field, -40, 125)),
  },
  {
    id: 'latitude',
    states: 'a latitude is between -90 and 90',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.includes('latitude'))
        .map((field) => within(field, -90, 90)),
  },
  {
    id: 'longitude',
    states: 'a longitude is between -180 and 180',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words }) => words.includes('longitude'))
        .map((field) => within(field, -180, 180)),
  },
  {
    id: 'signal-strength',
    states: 'a received signal in dBm is between -110 and 0',
    claims: (fields) =>
      numbers(fields)
        .filter(({ words, schema }) => words.includes('rssi') && (schema.minimum ?? 0) < 0)
        .map((field) => within(field, -110, 0)),
  },
];
