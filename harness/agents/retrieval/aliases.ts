/** Other values of an object that the intent names: rows that carry only a site's id speak of the site all the same. */
import type { Json } from './operation.ts';
import type { Mention } from './task-intent.ts';

const NAME = /(name|label|title|serial|serialNumber|mac|macAddress|mac_address)$/i;
const KEY = /(id|uuid|key|code|name|serial|serialNumber|serial_number|mac|mac_address|macAddress|hostname)$/i;

export interface Aliases {
  /** The value of the intent that another value stands for. */
  mentionOf: (value: string) => string | undefined;
  /** Remembers the keys of each row that is called as the intent says; `rows` is the list they come from. */
  learn: (rows: readonly Json[], named: readonly Mention[]) => void;
  has: (mention: string) => boolean;
  /** How many are known. */
  count: () => number;
}

export function aliasesOf(): Aliases {
  const known = new Map<string, string>();
  return {
    mentionOf: (value) => known.get(value.toLowerCase()),
    count: () => known.size,
    has: (mention) => [...known.values()].includes(mention),
    learn: (rows, named) => {
      for (const row of rows) {
        const entries = Object.entries(row).filter(([, value]) => typeof value === 'string') as [string, string][];
        const mention = named.find(
          ({ value, kind }) =>
            kind !== 'number' &&
            entries.some(([field, other]) => NAME.test(field) && other.toLowerCase() === value.toLowerCase()),
        );
        for (const [field, value] of mention === undefined ? [] : entries)
          if (isOwnKey(field, rows) && value.toLowerCase() !== mention?.value.toLowerCase())
            known.set(value.toLowerCase(), mention?.value ?? '');
      }
    },
  };
}

/** No two rows share a key of their own; the id of what they belong to they share. */
function isOwnKey(field: string, rows: readonly Json[]): boolean {
  if (!KEY.test(field)) return false;
  if (rows.length < 2) return /^(id|uuid|name|serial|serialNumber|mac|macAddress|mac_address|hostname)$/i.test(field);
  return new Set(rows.map((row) => row[field])).size === rows.length;
}
