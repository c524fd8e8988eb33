/** Whether a field can have the value that it is compared with: one of those listed, or a time. */
import { type OpenApiDocument, plain, type Schema } from '../openapi/openapi-document.ts';
import { own } from '../state/json-value.ts';
import type { Condition } from './condition.ts';
import type { Expression } from './expression.ts';

const OF_WHOLE_VALUES = new Set(['eq', 'ne', 'in']);

/** What is wrong with the first value that its field cannot have; null where all can be. */
export function impossibleValue(
  document: OpenApiDocument,
  properties: Readonly<Record<string, Schema>>,
  conditions: readonly Condition[],
): string | null {
  for (const { field, operator, values } of conditions) {
    const property = own(properties, field);
    if (property === undefined) continue;
    const schema = plain(document, property);
    const expected = unlike(schema.items === undefined ? schema : plain(document, schema.items), operator);
    const wrong = expected === null ? undefined : values.find((value) => value !== 'null' && !expected.fits(value));
    if (wrong !== undefined) return `expected ${expected?.words} for ${field}, got "${wrong.slice(0, 80)}"`;
  }
  return null;
}

export function conditionsIn(expression: Expression): Condition[] {
  if (expression.kind === 'condition') return [expression.condition];
  return expression.kind === 'not' ? conditionsIn(expression.part) : expression.parts.flatMap(conditionsIn);
}

function unlike({ enum: listed, format }: Schema, operator: string) {
  if (listed !== undefined && OF_WHOLE_VALUES.has(operator)) {
    const known = listed.filter((value) => value !== null).map(String);
    return { words: `one of ${known.join(', ')}`, fits: (value: string) => known.includes(value) };
  }
  const isTime = format === 'date-time' && !/^(contains|startswith)$/.test(operator);
  return isTime ? { words: 'a time such as 2026-03-02T09:00:00Z', fits: isMoment } : null;
}

const isMoment = (value: string): boolean => /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
