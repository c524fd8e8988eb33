/** Lists in answers, and which of their objects a person means. */
import { compact, mentions } from './name-words.ts';
import type { Json } from './operation.ts';
import type { Intent } from './task-intent.ts';

export function itemsOf(value: unknown): Json[] | undefined {
  const list = Array.isArray(value) ? value : (value as { items?: unknown } | undefined)?.items;
  return Array.isArray(list)
    ? list.filter((item): item is Json => typeof item === 'object' && item !== null)
    : undefined;
}

const NAMING = /(name|ssid|title|label|host|serial|mac|address|key|id)$/i;

/** The one object whose naming fields the intent speaks of, or undefined when none or several fit equally well. */
export function meantItem(items: readonly Json[], intent: Intent): Json | undefined {
  const scored = items
    .map((item) => ({ item, score: namedScore(item, intent) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  return best !== undefined && best.score > (second?.score ?? 0) ? best.item : undefined;
}

function namedScore(item: Json, intent: Intent): number {
  return Object.entries(item)
    .filter(([field, value]) => typeof value === 'string' && value.length >= 2 && NAMING.test(field))
    .filter(([, value]) => mentions(intent.text, value as string))
    .reduce((score, [, value]) => score + (value as string).length, 0);
}

/** The field of an object that fills an input: same name, or the same name under a longer one. */
export function fieldFor(item: Json, input: string): unknown {
  const wanted = compact(input);
  const exact = Object.entries(item).find(([field]) => compact(field) === wanted);
  if (exact !== undefined) return exact[1];
  return Object.entries(item).find(
    ([field, value]) => typeof value !== 'object' && compact(field).endsWith(wanted),
  )?.[1];
}

export interface Condition {
  field: string;
  value: string;
}

/** Field values of a list that the intent names, e.g. a state or a place, longest first. */
export function namedConditions(items: readonly Json[], intent: Intent): Condition[] {
  const found = new Map<string, Condition>();
  for (const item of items) {
    for (const [field, value] of Object.entries(item)) {
      if (typeof value !== 'string' || value.length < 2 || !mentionedAs(intent, value)) continue;
      const before = found.get(field);
      if (before === undefined || value.length > before.value.length) found.set(field, { field, value });
    }
  }
  return [...found.values()].sort((a, b) => b.value.length - a.value.length);
}

/** A switch that says whether something is reachable, and what people call it when it is not. */
const REACHABLE = /^(is)?(online|up|reachable|connected|alive|active)$/i;
const UNREACHABLE = /\b(offline|down|dead|unreachable|disconnected|silent|not (online|reachable|connected))\b/i;

/** Switches of a list that the intent speaks of: which are down, not which there are. */
export function namedSwitches(items: readonly Json[], intent: Intent): string[] {
  if (!UNREACHABLE.test(intent.text)) return [];
  const names = new Set(items.flatMap((item) => Object.keys(item).filter((field) => REACHABLE.test(field))));
  return [...names].filter((field) => items.some((item) => item[field] === false));
}

/** The rows whose values the intent names; all of them where it names values of none. */
export function rowsMeant(items: readonly Json[], intent: Intent): readonly Json[] {
  const conditions = namedConditions(items, intent);
  const down = namedSwitches(items, intent);
  const meant = items.filter(
    (item) =>
      conditions.every(({ field, value }) => item[field] === value) && down.every((field) => item[field] === false),
  );
  return meant.length === 0 ? items : meant;
}

/** Everyday words for states that platforms spell otherwise. */
const SPOKEN: Record<string, string[]> = { offline: ['down', 'dead', 'unreachable'], online: ['up', 'reachable'] };

function mentionedAs(intent: Intent, value: string): boolean {
  return [value, ...(SPOKEN[value.toLowerCase()] ?? [])].some((form) => mentions(intent.text, form));
}
