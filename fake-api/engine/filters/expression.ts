/** Conditions joined by and, or and not, as the richer filter grammars allow them. */
import { type Condition, holds } from './condition.ts';

export type Expression =
  | { kind: 'all'; parts: Expression[] }
  | { kind: 'any'; parts: Expression[] }
  | { kind: 'not'; part: Expression }
  | { kind: 'condition'; condition: Condition };

export type ParsedExpression = { ok: true; expression: Expression } | { ok: false; problem: string };

export function fits(row: Record<string, unknown>, expression: Expression): boolean {
  switch (expression.kind) {
    case 'all':
      return expression.parts.every((part) => fits(row, part));
    case 'any':
      return expression.parts.some((part) => fits(row, part));
    case 'not':
      return !fits(row, expression.part);
    case 'condition':
      return holds(row, expression.condition);
  }
}

/** Thrown inside a parser and caught at its door: the text is not a filter of this grammar. */
export class FilterProblem extends Error {
  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.name = 'FilterProblem';
  }
}

export function parsed(parse: () => Expression): ParsedExpression {
  try {
    return { ok: true, expression: parse() };
  } catch (cause) {
    if (cause instanceof FilterProblem) return { ok: false, problem: cause.message };
    throw cause;
  }
}

/** Operators a field takes; refuses a field that cannot be filtered by. */
export function operatorsOf(field: string, fields: Readonly<Record<string, string[]>>): readonly string[] {
  const operators = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (operators === undefined)
    throw new FilterProblem(`a field of ${Object.keys(fields).join(', ')}`, `"${field.slice(0, 80)}"`);
  return operators;
}
