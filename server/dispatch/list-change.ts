/** What becomes of the entries of a list that is too long to be shown twice. */
import { canonicalJson } from './canonical-json.ts';
import { at, hidesSecret, leavesOf } from './leaves.ts';
import { shortPair, shortValue } from './shorten.ts';

export interface ListChange {
  /** How many entries there are, and were. */
  from: string;
  to: string;
  /** Fields of an entry that stays. */
  changed?: unknown[];
  /** Fields that several of them had and none has any more: often those that the platform sets itself. */
  left_out?: unknown[];
  added?: unknown[];
  removed?: unknown[];
}

const MAX_LISTED = 20;
/** By one of these an entry is the same before and after, where no other entry of its list has the same value. */
const NAMES = ['id', 'uuid', 'key', 'name', 'label'] as const;

/** @param most characters of a value */
export function listChange(from: readonly unknown[], to: readonly unknown[], most: number): ListChange {
  const name = NAMES.find((each) => isNamedBy(from, each) && isNamedBy(to, each));
  // Entries without a name of their own may stand there several times.
  const nameOf = (entry: unknown) => (name === undefined ? canonicalJson(entry) : String(at(entry, [name])));
  const [before, after] = [Map.groupBy(from, nameOf), Map.groupBy(to, nameOf)];
  const stays = [...after.keys()].filter((each) => before.has(each));
  const isMoved = [...before.keys()].filter((each) => after.has(each)).some((each, place) => each !== stays[place]);
  const pairs = stays.map((each): Pair => [before.get(each)?.[0], after.get(each)?.[0]]);
  const left = name === undefined ? new Map<string, string>() : leftOut(pairs);
  const changed = name === undefined ? [] : pairs.flatMap((pair) => entryChanges(pair, name, left, most));
  const shorter = (entries: readonly unknown[]) => entries.map((entry) => shortValue(entry, most));
  const left_out = [...left.values()];
  const parts = { changed, left_out, added: shorter(without(after, before)), removed: shorter(without(before, after)) };
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

/** An entry as it was and as it is sent. */
type Pair = readonly [before: unknown, after: unknown];

/** By its path, the name of each field that several entries had and none is sent with. */
function leftOut(pairs: readonly Pair[]): Map<string, string> {
  const found = new Map<string, { path: string[]; times: number }>();
  for (const { path } of pairs.flatMap(([before]) => leavesOf(before))) {
    const key = canonicalJson(path);
    found.set(key, { path, times: (found.get(key)?.times ?? 0) + 1 });
  }
  const gone = [...found].filter(
    ([, { path, times }]) => times > 1 && pairs.every(([, after]) => at(after, path) === undefined),
  );
  return new Map(gone.map(([key, { path }]) => [key, path.join('.')]));
}

/** Every value of one that the other does not have, with the name of the entry. */
function entryChanges([before, after]: Pair, name: string, left: ReadonlyMap<string, string>, most: number): unknown[] {
  const paths = new Map([...leavesOf(before), ...leavesOf(after)].map(({ path }) => [canonicalJson(path), path]));
  return [...paths].flatMap(([key, path]) => {
    const [old, now] = [at(before, path), at(after, path)];
    if (left.has(key) || (!hidesSecret(old) && canonicalJson(old) === canonicalJson(now))) return [];
    const [from, to] = shortPair(old, now, most);
    return [
      {
        [name]: at(after, [name]),
        field: path.join('.'),
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
