/** What becomes of the entries of a list that is too long to be shown twice. */
import { canonicalJson } from './canonical-json.ts';
import { at, leavesOf } from './leaves.ts';
import { shortPair, shortValue } from './shorten.ts';

export interface ListChange {
  /** How many entries there are, and were. */
  from: string;
  to: string;
  /** Fields of an entry that stays. */
  changed?: unknown[];
  added?: unknown[];
  removed?: unknown[];
}

const MAX_LISTED = 20;
/** By one of these an entry is the same before and after, where no other entry of its list has the same value. */
const NAMES = ['id', 'uuid', 'key', 'name', 'label'] as const;

/** @param most characters of a value */
export function listChange(from: readonly unknown[], to: readonly unknown[], most: number): ListChange {
  const names = NAMES.filter((name) => isNamedBy(from, name) && isNamedBy(to, name));
  const nameOf = (entry: unknown): string => {
    const [name] = names;
    return name === undefined ? canonicalJson(entry) : `${name} ${String((entry as Record<string, unknown>)[name])}`;
  };
  const [before, after] = [byName(from, nameOf), byName(to, nameOf)];
  const stays = [...after.keys()].filter((name) => before.has(name));
  const isMoved = [...before.keys()].filter((name) => after.has(name)).some((name, place) => name !== stays[place]);
  const changed = stays.flatMap((name) => entryChanges(before.get(name)?.[0], after.get(name)?.[0], names[0], most));
  const shorter = (entries: readonly unknown[]) => entries.map((entry) => shortValue(entry, most));
  const parts = { changed, added: shorter(without(after, before)), removed: shorter(without(before, after)) };
  return {
    from: `${from.length} entries`,
    to: `${to.length} entries${isMoved ? ' in another order' : ''}`,
    ...Object.fromEntries(
      Object.entries(parts)
        .filter(([, entries]) => entries.length > 0)
        .map(([kind, entries]) => [kind, listed(entries)]),
    ),
  };
}

function isNamedBy(list: readonly unknown[], name: string): boolean {
  const values = list.map((entry) => at(entry, [name]));
  const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  return values.every(isName) && new Set(values.map(String)).size === list.length;
}

/** In the order of the list; entries without a name of their own may stand there several times. */
function byName(list: readonly unknown[], nameOf: (entry: unknown) => string): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const entry of list) {
    const name = nameOf(entry);
    const same = found.get(name);
    if (same) same.push(entry);
    else found.set(name, [entry]);
  }
  return found;
}

/** Every value of one that the other does not have, with the name of the entry. */
function entryChanges(before: unknown, after: unknown, name: string | undefined, most: number): unknown[] {
  if (name === undefined) return [];
  const paths = new Map([...leavesOf(before), ...leavesOf(after)].map(({ path }) => [path.join('.'), path]));
  return [...paths].flatMap(([field, path]) => {
    const [old, now] = [at(before, path), at(after, path)];
    if (canonicalJson(old) === canonicalJson(now)) return [];
    const [from, to] = shortPair(old, now, most);
    return [
      {
        [name]: at(after, [name]),
        field,
        ...(old === undefined ? {} : { from }),
        ...(now === undefined ? {} : { to }),
      },
    ];
  });
}

/** The entries of one list that the other has not, as often as it has them. */
function without(
  list: ReadonlyMap<string, readonly unknown[]>,
  other: ReadonlyMap<string, readonly unknown[]>,
): unknown[] {
  return [...list].flatMap(([name, entries]) => entries.slice(other.get(name)?.length ?? 0));
}

function listed(entries: readonly unknown[]): unknown[] {
  const shown = entries.slice(0, MAX_LISTED);
  return entries.length > MAX_LISTED ? [...shown, `and ${entries.length - MAX_LISTED} more`] : shown;
}
