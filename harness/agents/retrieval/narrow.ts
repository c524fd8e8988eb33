/**
 * A list is narrowed to what was asked: read it once, see which of its values the intent names, and ask again with
 * those as conditions, in the form that the list's own description states.
 */
import type { ToolAnswer } from '../mcp/client.ts';
import type { Toolbox } from './discovery.ts';
import type { Intent } from './intent.ts';
import { type Condition, itemsOf, namedConditions } from './items.ts';
import type { Json, Operation } from './operation.ts';
import { compact } from './words.ts';

export async function narrowedList(
  tools: Toolbox,
  operation: Operation,
  args: Json,
  intent: Intent,
): Promise<ToolAnswer> {
  const whole = await tools.read(operation.name, args);
  const items = whole.isError ? undefined : itemsOf(whole.json);
  if (items === undefined || items.length < 2) return whole;
  const conditions = askable(operation, items, namedConditions(items, intent));
  const narrower = withConditions(operation, args, conditions);
  if (narrower === undefined) return whole;
  const narrowed = await tools.read(operation.name, narrower);
  return narrowed.isError || (itemsOf(narrowed.json)?.length ?? 0) === 0 ? whole : narrowed;
}

/** Fields that the list says it can be filtered by. */
export function filterFields(operation: Operation): Map<string, string[]> {
  const text = operation.inputs.find((input) => input.name === 'filter')?.description ?? '';
  const stated = text.slice(text.search(/fields and operators:/i));
  return new Map(
    [...stated.matchAll(/([A-Za-z][\w-]*) \(([^)]+)\)/g)].map((match) => [
      match[1] ?? '',
      (match[2] ?? '').split(/,\s*/),
    ]),
  );
}

/** A value may be named by a field that cannot be asked for, beside one that can: a site's name beside its id. */
function askable(operation: Operation, items: readonly Json[], conditions: readonly Condition[]): Condition[] {
  const fields = new Set([...filterFields(operation).keys(), ...operation.inputs.map((input) => input.name)]);
  const result = new Map<string, Condition>();
  for (const { field, value } of conditions) {
    if (fields.has(field)) {
      result.set(field, { field, value });
      continue;
    }
    const stem = compact(field).replace(/name$/, '');
    const twin = [...fields].find((candidate) => compact(candidate) === `${stem}id`);
    const values = new Set(
      items.filter((item) => item[field] === value).map((item) => (twin === undefined ? undefined : item[twin])),
    );
    const [only] = values;
    if (twin !== undefined && values.size === 1 && typeof only === 'string')
      result.set(twin, { field: twin, value: only });
  }
  return [...result.values()];
}

function withConditions(operation: Operation, args: Json, conditions: readonly Condition[]): Json | undefined {
  if (conditions.length === 0) return undefined;
  const filterable = filterFields(operation);
  const clauses = conditions
    .filter(({ field }) => filterable.get(field)?.includes('eq'))
    .map(({ field, value }) => `${field} eq '${value}'`);
  const plain = conditions.filter(
    ({ field }) => !filterable.has(field) && operation.inputs.some((input) => input.name === field),
  );
  if (clauses.length + plain.length === 0) return undefined;
  return {
    ...args,
    ...Object.fromEntries(plain.map(({ field, value }) => [field, value])),
    ...(clauses.length === 0 ? {} : { filter: clauses.join(' and ') }),
  };
}
