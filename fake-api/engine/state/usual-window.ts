/** The window and the interval of a series that its caller leaves open, as the parameters of the operation state them. */
import { plain } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import { INTERVAL_MS, isStartName, isStepName } from './series.ts';

export interface UsualWindow {
  interval: string;
  lengthMs: number;
}

const HOUR_MS = 3_600_000;
const USUAL_LENGTH_MS = 3 * HOUR_MS;
const UNITS: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 168 * HOUR_MS,
};
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  six: 6,
  twelve: 12,
  thirty: 30,
};

export function usualWindow({ id, document, parameters }: Operation): UsualWindow {
  const asked = parameters.filter((parameter) => parameter.in === 'query');
  const step = asked.find(({ name }) => isStepName(name));
  const said = step?.schema === undefined ? undefined : plain(document, step.schema).default;
  const interval = namedIn(id) ?? (typeof said === 'string' ? said : '5m');
  const stepMs = INTERVAL_MS[interval] ?? 300_000;
  return { interval, lengthMs: statedLength(parameters, stepMs) ?? USUAL_LENGTH_MS };
}

/** The length that the parameters state for a window whose start is left out, in milliseconds. */
export function statedLength(parameters: Operation['parameters'], stepMs = 0): number | undefined {
  const start = parameters.find((parameter) => parameter.in === 'query' && isStartName(parameter.name));
  return lengthIn(start?.description ?? '', stepMs);
}

/** The interval that a trend's own name states. */
function namedIn(operationId: string): string | undefined {
  const words = wordsOf(operationId);
  if (words.includes('daily')) return '1d';
  if (words.includes('weekly') || words.includes('monthly')) return '1w';
  return words.includes('hourly') ? '1h' : undefined;
}

/** `three hours before its end when left out`, `twelve steps before its end …`. */
function lengthIn(description: string, stepMs: number): number | undefined {
  const [, count = '', unit = ''] =
    /(\w+) (minute|hour|day|week|step)s? before (?:its end|the latest)/.exec(description) ?? [];
  const number = NUMBERS[count] ?? Number(count);
  const unitMs = unit === 'step' ? stepMs : UNITS[unit];
  return unitMs === undefined || Number.isNaN(number) ? undefined : number * unitMs;
}
