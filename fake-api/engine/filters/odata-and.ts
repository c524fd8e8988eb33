/** `field eq 'v' and field in ('a','b')`: conditions joined by "and" only, checked against the operation's table. */
import { describe } from '../state/json-value.ts';
import type { Condition } from './condition.ts';
import { literal, tokenize } from './odata-tokens.ts';

export type Parsed = { ok: true; conditions: Condition[] } | { ok: false; problem: string };

export function parseFilter(text: string, fields: Record<string, string[]>): Parsed {
  const tokens = tokenize(text);
  if (tokens === null) return bad("conditions such as field eq 'value' joined by and", describe(text));
  const reader: Reader = { tokens, at: 0 };
  const conditions: Condition[] = [];
  while (reader.at < tokens.length) {
    if (conditions.length > 0 && tokens[reader.at++]?.toLowerCase() !== 'and') {
      return bad('"and" between conditions (or and not are not supported)', `"${tokens[reader.at - 1]}"`);
    }
    const condition = readCondition(reader, fields);
    if ('ok' in condition) return condition;
    conditions.push(condition);
  }
  if (conditions.length === 0) return bad('at least one condition', 'an empty text');
  return { ok: true, conditions };
}

interface Reader {
  tokens: readonly string[];
  at: number;
}

type Failure = Extract<Parsed, { ok: false }>;

function readCondition(reader: Reader, fields: Record<string, string[]>): Condition | Failure {
  const field = reader.tokens[reader.at++] ?? '';
  const allowed = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (allowed === undefined) return bad(`a field of ${Object.keys(fields).join(', ')}`, `"${field}"`);
  const operator = (reader.tokens[reader.at++] ?? '').toLowerCase();
  if (!allowed.includes(operator)) return bad(`operator ${allowed.join(' or ')} on ${field}`, `"${operator}"`);
  if (operator === 'in') {
    const values = readList(reader);
    return Array.isArray(values) ? { field, operator, values } : values;
  }
  const value = literal(reader.tokens[reader.at++]);
  if (value === null) return bad(`a quoted value after ${operator}`, `"${reader.tokens[reader.at - 1] ?? ''}"`);
  return { field, operator, values: [value] };
}

function readList(reader: Reader): string[] | Failure {
  const { tokens } = reader;
  if (tokens[reader.at++] !== '(') return bad("a list such as ('a','b') after in", `"${tokens[reader.at - 1] ?? ''}"`);
  const values: string[] = [];
  for (;;) {
    const value = literal(tokens[reader.at++]);
    if (value === null) return bad('a quoted value in the list after in', `"${tokens[reader.at - 1] ?? ''}"`);
    values.push(value);
    const mark = tokens[reader.at++];
    if (mark === ')') return values;
    if (mark !== ',') return bad('"," or ")" in the list after in', `"${mark ?? ''}"`);
  }
}

function bad(expected: string, got: string): Failure {
  return { ok: false, problem: `expected ${expected}, got ${got}` };
}
