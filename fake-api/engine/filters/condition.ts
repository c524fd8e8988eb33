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
  return String(value) === wanted || (typeof value === 'string' && oneSpelling(value) === oneSpelling(wanted));
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const MAC = /^([\da-f]{2}:){5}[\da-f]{2}$/i;

/** A moment is the same in every zone, and a MAC address in capitals. */
export function oneSpelling(text: string): string {
  if (text.length === 17 && MAC.test(text)) return text.toLowerCase();
  const ms = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}

function compares(value: unknown, operator: string, wanted: string): boolean {
  if (value === null || value === undefined) return false;
  const [left, right] = [oneSpelling(String(value)), oneSpelling(wanted)];
  const order = typeof value === 'number' ? value - Number(wanted) : left < right ? -1 : left > right ? 1 : 0;
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
