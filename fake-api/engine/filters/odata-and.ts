/** `field eq 'v' and field in ('a','b')`: conditions joined by "and" only, checked against the operation's table. */
import { describe } from '../state/json-value.ts';
import type { Condition } from './condition.ts';
import { literal, tokenize } from './odata-tokens.ts';

export type Parsed = { ok: true; conditions: Condition[] } | { ok: false; problem: string };

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
