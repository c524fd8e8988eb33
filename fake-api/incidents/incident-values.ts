/** The values of an incident file: references to named rows, relative times, and changes of what a row has. */
import { type OpenApiDocument, plain, type Schema, shapeOf, typesOf } from '../engine/openapi/openapi-document.ts';
import { expressionOf } from '../engine/openapi/pattern.ts';
import { bareAddress, spellingsOf } from '../engine/openapi/spelling.ts';
import { isoSeconds, spanMs } from '../engine/state/clock.ts';
import { isObject, own } from '../engine/state/json-value.ts';

/** Rows by their name in the file, each with the values of its path; inside `for` a name stands for one row. */
export type Scope = ReadonlyMap<string, readonly Values[]>;
export type Values = Readonly<Record<string, unknown>>;

/** What a value or a condition cannot be worked out from. */
export class Unworkable extends Error {
  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
  }
}

/** A field by its dotted path; a field whose own name has dots wins. */
export function fieldAt(values: unknown, path: string): unknown {
  if (!isObject(values)) return undefined;
  const whole = own(values, path);
  const dot = path.indexOf('.');
  return whole !== undefined || dot < 0 ? whole : fieldAt(own(values, path.slice(0, dot)), path.slice(dot + 1));
}

/** Fills `{{name.field}}`. Text that is one reference alone takes the value: a list where the name stands for several rows. */
export function filled(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return filledText(value, scope);
  if (Array.isArray(value)) return value.map((entry) => filled(entry, scope));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, filled(entry, scope)]));
}

function filledText(text: string, scope: Scope): unknown {
  const [, alone] = /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(text) ?? [];
  if (alone !== undefined) return referred(alone, scope);
  return text.replaceAll(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, path: string) => String(referred(path, scope)));
}

function referred(path: string, scope: Scope): unknown {
  const dot = path.indexOf('.');
  const rows = scope.get(path.slice(0, dot));
  if (rows === undefined)
    throw new Unworkable(`a reference to one of ${[...scope.keys()].join(', ') || 'no rows'}`, `{{${path}}}`);
  const field = path.slice(dot + 1);
  const values = rows.map((row) => fieldAt(row, field));
  if (field === 'count' && !values.some((value) => value !== undefined)) return rows.length;
  if (values.includes(undefined)) throw new Unworkable('a reference to a field that the row has', `{{${path}}}`);
  return values.length === 1 ? values[0] : values;
}

/** `PT40M`, `P1DT2H`, `-P3D` in milliseconds. */
function durationMs(text: unknown): number {
  const ms = typeof text === 'string' ? spanMs(text) : null;
  if (ms === null) throw new Unworkable('a duration such as PT40M or P3D', JSON.stringify(text));
  return ms;
}

export interface Field {
  document: OpenApiDocument;
  schema: Schema;
  /** What the row has so far. */
  before: unknown;
  nowMs: number;
}

/** The value that a field gets: `{ago}`, `{ahead}`, `{times}` and `{plus}` are worked out, everything else is spelled as the field takes it. */
export function valueFor(stated: unknown, scope: Scope, field: Field): unknown {
  const value = filled(stated, scope);
  const schema = plain(field.document, field.schema);
  const [[verb, operand] = ['', undefined], more] = isObject(value) ? Object.entries(value) : [];
  if (more !== undefined) return inner(value, field);
  if (verb === 'ago') return momentText(field.nowMs - durationMs(operand), schema);
  if (verb === 'ahead') return momentText(field.nowMs + durationMs(operand), schema);
  if (verb === 'times') return withinRange(Number(field.before ?? 0) * Number(operand), schema);
  if (verb === 'plus') return withinRange(Number(field.before ?? 0) + Number(operand), schema);
  return typeof value === 'string' ? spelled(value, schema) : inner(value, field);
}

/** Times may stand inside a list or an object, too. */
function inner(value: unknown, field: Field): unknown {
  if (Array.isArray(value)) {
    const items = plain(field.document, field.schema).items ?? {};
    return value.map((entry) => valueFor(entry, NO_ROWS, { ...field, schema: items, before: undefined }));
  }
  if (!isObject(value)) return value;
  const { properties } = shapeOf(field.document, field.schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      valueFor(entry, NO_ROWS, { ...field, schema: properties[name] ?? {}, before: fieldAt(field.before, name) }),
    ]),
  );
}

const NO_ROWS: Scope = new Map();

function momentText(ms: number, schema: Schema): string {
  const text = isoSeconds(Math.floor(ms / 1000) * 1000);
  return schema.format === 'date' ? text.slice(0, 10) : text;
}

function withinRange(value: number, schema: Schema): number {
  const whole = typesOf(schema).includes('integer') ? Math.round(value) : Math.round(value * 100) / 100;
  return Math.min(schema.maximum ?? whole, Math.max(schema.minimum ?? whole, whole));
}

/** The text as the field takes it, cut to the length that the field has. */
function spelled(text: string, { pattern, maxLength }: Schema): string {
  const fitting = pattern === undefined ? text : spellingsOf(text).find((form) => expressionOf(pattern).test(form));
  return (fitting ?? text).slice(0, maxLength);
}

/** Whether a row satisfies every condition of a `where` whose references are filled in. */
export function isSelected(row: Values, where: Values): boolean {
  return Object.entries(where).every(([field, condition]) => holds(fieldAt(row, field), condition));
}

const OPERATORS: Record<string, (value: unknown, operand: unknown) => boolean> = {
  not: (value, operand) => !holds(value, operand),
  in: (value, operand) => [operand].flat().some((each) => holds(value, each)),
  min: (value, operand) => typeof value === 'number' && value >= Number(operand),
  max: (value, operand) => typeof value === 'number' && value <= Number(operand),
  contains: (value, operand) =>
    Array.isArray(value) ? value.some((each) => holds(each, operand)) : String(value ?? '').includes(String(operand)),
};

function holds(value: unknown, condition: unknown): boolean {
  if (isObject(condition)) {
    return Object.entries(condition).every(([name, operand]) => {
      const operator = own(OPERATORS, name);
      if (operator === undefined) throw new Unworkable(`one of ${Object.keys(OPERATORS).join(', ')}`, `"${name}"`);
      return operator(value, operand);
    });
  }
  if (Array.isArray(condition)) return JSON.stringify(value) === JSON.stringify(condition);
  if (typeof value === 'string' && typeof condition === 'string') return bareAddress(value) === bareAddress(condition);
  return (value ?? null) === condition;
}
