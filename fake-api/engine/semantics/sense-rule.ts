/**
 * What holds between the fields of one object, which a schema cannot state: an end is not before its start, a part is not more than the whole, a
 * cleared alert has a time of clearing.
 *
 * A rule looks at the fields of an object schema once and makes a claim for every set of fields it is about. A claim judges an object, and repairs a
 * generated one by changing fields that nobody stated.
 */
import { isNullable, type OpenApiDocument, plain, type Schema, typesOf } from '../openapi/openapi-document.ts';
import { isoSeconds } from '../state/clock.ts';
import { wordsOf } from './field-name-words.ts';

export interface SenseField {
  name: string;
  /** Lower-case words of the name. */
  words: readonly string[];
  schema: Schema;
  kind: 'moment' | 'number' | 'text' | 'truth' | 'list' | 'other';
  nullable: boolean;
}

export type Values = Record<string, unknown>;

export interface Claim {
  /** Fields that the claim is about, at least one. */
  names: readonly string[];
  /** Whether the object breaks it. Fields that are absent or null are not judged, unless the claim is about their absence. */
  broken(values: Values, nowMs: number): boolean;
  /** Changes that make it hold, to fields of `free` alone; an empty object where none does. */
  repair(values: Values, nowMs: number, free: ReadonlySet<string>): Values;
}

export interface SenseRule {
  /** Kebab-case, unique. */
  id: string;
  /** Whether time alone can break it, so that a row that nobody wrote has to be looked at again. */
  byClock?: true;
  /** Only what is drawn keeps to it: a caller may write otherwise, such as HTTPS on another port than 443. */
  habit?: true;
  /** The rule as a sentence, for refusals and the page. */
  states: string;
  claims(fields: readonly SenseField[]): Claim[];
}

/** Every field of an object schema as the rules see it. */
export function senseFields(document: OpenApiDocument, properties: Readonly<Record<string, Schema>>): SenseField[] {
  return Object.entries(properties).map(([name, property]) => {
    const schema = plain(document, property);
    return { name, words: wordsOf(name), schema, kind: kindOf(schema), nullable: isNullable(schema) };
  });
}

function kindOf(schema: Schema): SenseField['kind'] {
  const types = typesOf(schema);
  if (schema.format === 'date-time' || schema.format === 'date') return 'moment';
  if (types.includes('integer') || types.includes('number')) return 'number';
  if (types.includes('boolean')) return 'truth';
  if (types.includes('array')) return 'list';
  return types.includes('string') ? 'text' : 'other';
}

/** A date or date-time in milliseconds; undefined where the field has none. */
export function momentOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

export const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** A moment as the field writes it: `2026-03-02` or `2026-03-02T09:00:00Z`. */
export function written(ms: number, { schema }: SenseField): string {
  const text = isoSeconds(Math.floor(ms / 1000) * 1000);
  return schema.format === 'date' ? text.slice(0, 10) : text;
}

/** A number inside the range and on the steps of its schema. */
export function fitted(value: number, { schema }: SenseField): number {
  const step = schema.multipleOf ?? (typesOf(schema).includes('integer') ? 1 : 0.01);
  const snapped = Math.round(Math.round(value / step) * step * 100) / 100;
  return Math.min(
    schema.maximum ?? Number.POSITIVE_INFINITY,
    Math.max(schema.minimum ?? Number.NEGATIVE_INFINITY, snapped),
  );
}
