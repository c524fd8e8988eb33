/** One comparison of a field with values, and whether a row passes it. */
import { own } from '../state/json-value.ts';
export interface Condition {
  field: string;
  operator: string;
  values: string[];
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
    case 'startswith':
      return String(value ?? '')
        .toLowerCase()
        .startsWith((condition.values[0] as string).toLowerCase());
    default:
      return compares(value, condition.operator, condition.values[0] as string);
  }
}

function at(row: Record<string, unknown>, field: string): unknown {
  if (Object.hasOwn(row, field)) return row[field];
  return field
    .split(/[./]/)
    .reduce<unknown>((value, step) => own(value as Record<string, unknown> | undefined, step), row);
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
