/**
 * A list is narrowed to what was asked: read it once, see which of its values the intent names, and ask again with
 * those as conditions, in the form that the list's own description states.
 */
import type { ToolAnswer } from '../mcp/agent-client.ts';
import { strongMentions } from './choose.ts';
import type { Toolbox } from './discovery.ts';
import { type Condition, itemsOf, namedConditions, rowsMeant } from './items.ts';
import { meantObjects } from './lookup.ts';
import { compact } from './name-words.ts';
import type { Json, Operation } from './operation.ts';
import type { Intent, Mention } from './task-intent.ts';

export async function narrowedList(
  tools: Toolbox,
  operation: Operation,
  args: Json,
  intent: Intent,
): Promise<ToolAnswer | undefined> {
  const answer = await tools.read(operation.name, args);
  const items = answer.isError ? undefined : itemsOf(answer.json);
  if (items === undefined) return answer;
  const conditions = askable(operation, items, namedConditions(items, intent));
  const owned = await ownersNamed(tools, operation, items, conditions, intent);
  const narrower = withConditions(operation, args, [...conditions, ...owned]);
  const narrowed = narrower === undefined ? answer : await tools.read(operation.name, narrower);
  const explained = owned.map((condition) => condition.mention);
  if (isAbout(narrowed, intent, explained)) return narrowed;
  const found = await searched(tools, operation, args, intent, explained);
  if (found !== undefined) return found;
  // Where the list cannot be asked for less, its rows can be looked through.
  const meant = rowsMeant(items, intent);
  const local = { ...answer, json: { items: meant } };
  return meant.length < items.length && isAbout(local, intent, explained) ? local : undefined;
}

/** Everything the intent names is in every object of the answer, or narrowed it; else the answer is about more. */
function isAbout(answer: ToolAnswer, intent: Intent, explained: readonly Mention[]): boolean {
  const items = answer.isError ? [] : (itemsOf(answer.json) ?? []).map((item) => JSON.stringify(item).toLowerCase());
  return (
    items.length > 0 &&
    namedObjects(intent)
      .filter((mention) => !explained.includes(mention))
      .every((mention) => items.every((item) => item.includes(mention.value.toLowerCase())))
  );
}

async function searched(
  tools: Toolbox,
  operation: Operation,
  args: Json,
  intent: Intent,
  explained: readonly Mention[],
): Promise<ToolAnswer | undefined> {
  if (!operation.inputs.some((input) => input.name === 'search')) return undefined;
  for (const mention of namedObjects(intent)) {
    const found = await tools.read(operation.name, { ...args, search: mention.value });
    if (isAbout(found, intent, explained)) return found;
  }
  return undefined;
}

const namedObjects = (intent: Intent): Mention[] => [
  ...strongMentions(intent).filter((mention) => !mention.secret),
  ...intent.mentions.filter((mention) => mention.kind === 'capitalised'),
];

/** Fields that the list says it can be filtered by. */
export function filterFields(operation: Operation): Map<string, string[]> {
  const text = operation.inputs.find((input) => input.name === 'filter')?.description ?? '';
  const stated = text.slice(Math.max(0, text.search(/fields and operators:/i)));
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
    const alternative = [...fields].find((candidate) => compact(candidate) === `${stem}id`);
    const values = new Set(
      items
        .filter((item) => item[field] === value)
        .map((item) => (alternative === undefined ? undefined : item[alternative])),
    );
    const [only] = values;
    if (alternative !== undefined && values.size === 1 && typeof only === 'string')
      result.set(alternative, { field: alternative, value: only });
  }
  return [...result.values()];
}

/** Items that carry only an owner's id: the owner the intent names is looked up in the owners' own list. */
async function ownersNamed(
  tools: Toolbox,
  operation: Operation,
  items: readonly Json[],
  known: readonly Condition[],
  intent: Intent,
): Promise<(Condition & { mention: Mention })[]> {
  const mention = intent.mentions.find(
    ({ kind, value }) => kind === 'capitalised' && !known.some((condition) => condition.value === value),
  );
  if (mention === undefined) return [];
  for (const [field, operators] of filterFields(operation)) {
    const owner = /^([a-z]+)[-_]?id$/i.exec(field)?.[1];
    if (owner === undefined || !operators.includes('eq')) continue;
    const values = new Set(items.map((item) => item[field]));
    for await (const object of meantObjects(tools, `list all ${owner}s`, intent, operation.name)) {
      // The owner's id is whatever value of it the items carry, however the owner's own list calls that field.
      const value = Object.values(object).find((candidate) => typeof candidate === 'string' && values.has(candidate));
      if (typeof value === 'string') return [{ field, value, mention }];
    }
    return []; // a person names one place; one owner is enough
  }
  return [];
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
