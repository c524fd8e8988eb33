/** Lists in answers, and fields of their rows. */
import { compact } from './name-words.ts';
import type { Json } from './operation.ts';

export function itemsOf(value: unknown): Json[] | undefined {
  const list = Array.isArray(value) ? value : (value as { items?: unknown } | undefined)?.items;
  return Array.isArray(list)
    ? list.filter((item): item is Json => typeof item === 'object' && item !== null)
    : undefined;
}

/** The field of an object that fills an input: same name, or the same name under a longer one. */
export function fieldFor(item: Json, input: string): unknown {
  const wanted = compact(input);
  const entries = Object.entries(item).filter(([, value]) => typeof value !== 'object');
  const exact = entries.find(([field]) => compact(field) === wanted);
  if (exact !== undefined) return exact[1];
  const longer = entries.find(([field]) => compact(field).endsWith(wanted));
  if (longer !== undefined) return longer[1];
  // `group_id` of the thing itself may be called `id`.
  return /id$/i.test(input) ? entries.find(([field]) => compact(field) === 'id')?.[1] : undefined;
}
