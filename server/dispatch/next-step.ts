/** The read that an agent needs after an answer, as a call that it can make: one entry of a list, the object of a write. */
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { CallEnd } from './envelope.ts';
import { envelopedObject } from './enveloped-object.ts';
import { argumentsFor, type ReadBack } from './object-read.ts';
import { entryArguments, readsOf, requiredArguments } from './sibling-tools.ts';

interface Answered {
  tool: Tool;
  values: Readonly<Record<string, unknown>>;
}

type Done = Extract<CallEnd, { kind: 'done' }>;

/**
 * A list with `next_step`, the call that reads one of its entries. With a single entry the arguments are exact; with several
 * they name the field of an entry that holds the value: `items[].id`.
 */
export function withNextStep(end: CallEnd, { tool, values }: Answered, catalog: Pick<Catalog, 'wrapping'>): CallEnd {
  if (end.kind !== 'done' || tool.capability !== 'read' || tool.local) return end;
  const items = itemsOf(end.result);
  const [first] = items ?? [];
  if (items === undefined || !isObject(first)) return end;
  const { entry } = readsOf(tool, catalog);
  if (entry === undefined || entry.name === tool.name) return end;
  const nameOf = (field: string) => `items[].${field}`;
  const args = entryArguments(entry, values, first, items.length === 1 ? undefined : nameOf);
  return args === undefined ? end : added(end, { next_step: { tool: entry.name, arguments: args } });
}

/** The refusal of a read that found nothing, with the list that has the identifiers, where it needs nothing else. */
export function withList(end: CallEnd, { tool, values }: Answered, catalog: Pick<Catalog, 'wrapping'>): CallEnd {
  if (end.kind !== 'refused' || end.refusal.code !== 'not_found' || tool.local) return end;
  const { list } = readsOf(tool, catalog);
  if (list?.list === undefined || list.name === tool.name) return end;
  const args = argumentsFor(list, values);
  if (requiredArguments(list).some((name) => !(name in args))) return end;
  return { ...end, refusal: { ...end.refusal, next_action: { tool: list.name, arguments: args } } };
}

/** The read of the object that a write made, where the platform gave its key in the answer. */
export function madeObject(
  end: CallEnd,
  { tool, values }: Answered,
  catalog: Pick<Catalog, 'wrapping'>,
): ReadBack | undefined {
  if (end.kind !== 'done' || tool.method !== 'POST' || !isObject(end.result)) return undefined;
  const body = isObject(values['body']) ? values['body'] : {};
  const answer = end.result['object'];
  // Around it stands what has an id of its own, such as the request.
  const enveloped = envelopedObject(tool, answer, values['body']);
  const inside = enveloped.kind === 'object' ? enveloped.object : answer;
  const object = isObject(inside) ? inside : {};
  const { entry } = readsOf(tool, catalog);
  const args = entry && entryArguments(entry, values, { ...body, ...object });
  return entry && args && { tool: entry.name, arguments: args };
}

/** The result with further fields; its JSON is not made anew where it exists. */
function added(end: Done, fields: Record<string, unknown>): CallEnd {
  const result = { ...(end.result as object), ...fields };
  const { text } = end;
  return text === undefined
    ? { ...end, result }
    : { ...end, result, text: `${text.slice(0, -1)},${JSON.stringify(fields).slice(1)}` };
}

function itemsOf(result: unknown): unknown[] | undefined {
  const items = isObject(result) ? result['items'] : undefined;
  return Array.isArray(items) ? items : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
