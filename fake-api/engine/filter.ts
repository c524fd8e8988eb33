/** `field eq 'v' and field in ('a','b')`: the subset of OData that list operations take, checked against their table. */
import { describe } from './json.ts';

export interface Condition {
  field: string;
  operator: string;
  values: string[];
}

export type Parsed = { ok: true; conditions: Condition[] } | { ok: false; problem: string };

const TOKEN = /\s*(?:(?<word>[A-Za-z_][\w.\-/]*)|(?<text>'(?:[^']|'')*')|(?<number>-?\d+(?:\.\d+)?)|(?<mark>[(),]))/y;

export function parseFilter(text: string, fields: Record<string, string[]>): Parsed {
  const tokens = tokenize(text);
  if (tokens === null) return bad("conditions such as field eq 'value' joined by and", describe(text));
  const conditions: Condition[] = [];
  let at = 0;
  while (at < tokens.length) {
    if (conditions.length > 0 && tokens[at++]?.toLowerCase() !== 'and') {
      return bad('"and" between conditions (or and not are not supported)', `"${tokens[at - 1]}"`);
    }
    const field = tokens[at++] ?? '';
    const allowed = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (allowed === undefined) return bad(`a field of ${Object.keys(fields).join(', ')}`, `"${field}"`);
    const operator = (tokens[at++] ?? '').toLowerCase();
    if (!allowed.includes(operator)) return bad(`operator ${allowed.join(' or ')} on ${field}`, `"${operator}"`);
    const values: string[] = [];
    if (operator === 'in') {
      if (tokens[at++] !== '(') return bad("a list such as ('a','b') after in", `"${tokens[at - 1] ?? ''}"`);
      for (;;) {
        const value = literal(tokens[at++]);
        if (value === null) return bad('a quoted value in the list after in', `"${tokens[at - 1] ?? ''}"`);
        values.push(value);
        const mark = tokens[at++];
        if (mark === ')') break;
        if (mark !== ',') return bad('"," or ")" in the list after in', `"${mark ?? ''}"`);
      }
    } else {
      const value = literal(tokens[at++]);
      if (value === null) return bad(`a quoted value after ${operator}`, `"${tokens[at - 1] ?? ''}"`);
      values.push(value);
    }
    conditions.push({ field, operator, values });
  }
  if (conditions.length === 0) return bad('at least one condition', 'an empty text');
  return { ok: true, conditions };
}

function bad(expected: string, got: string): Parsed {
  return { ok: false, problem: `expected ${expected}, got ${got}` };
}

function tokenize(text: string): string[] | null {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (match === null) return null;
    tokens.push(match[0].trim());
  }
  return tokens;
}

function literal(token: string | undefined): string | null {
  if (token === undefined) return null;
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
  return /^(-?\d+(\.\d+)?|true|false|null)$/.test(token) ? token : null;
}

export function holds(row: Record<string, unknown>, condition: Condition): boolean {
  const value = at(row, condition.field);
  switch (condition.operator) {
    case 'eq':
      return equals(value, condition.values[0] as string);
    case 'ne':
      return !equals(value, condition.values[0] as string);
    case 'in':
      return condition.values.some((wanted) => equals(value, wanted));
    case 'contains':
      return String(value ?? '')
        .toLowerCase()
        .includes((condition.values[0] as string).toLowerCase());
    default:
      return compares(value, condition.operator, condition.values[0] as string);
  }
}

function at(row: Record<string, unknown>, field: string): unknown {
  if (field in row) return row[field];
  return field
    .split(/[./]/)
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], row);
}

function equals(value: unknown, wanted: string): boolean {
  if (Array.isArray(value)) return value.some((entry) => equals(entry, wanted));
  if (value === null || value === undefined) return wanted === 'null';
  return String(value) === wanted;
}

function compares(value: unknown, operator: string, wanted: string): boolean {
  if (value === null || value === undefined) return false;
  const order =
    typeof value === 'number' ? value - Number(wanted) : String(value) < wanted ? -1 : String(value) > wanted ? 1 : 0;
  switch (operator) {
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    default:
      return false;
  }
}
