/** What a newer version of a platform's documents changes for those who call its tools. */
import { isDeepStrictEqual } from 'node:util';
import { CAPABILITIES, type Capability } from '../access/access-policy.ts';
import type { JsonSchema, Tool } from '../catalog/tool.ts';

/** A tool of the version before, or of the new one. */
export interface VersionedTool {
  tool: Pick<Tool, 'name' | 'method' | 'path' | 'capability'>;
  schema: JsonSchema;
}

export interface ClassChange {
  /** `METHOD /path` */
  operation: string;
  from: Capability;
  to: Capability;
}

/** Operations as `METHOD /path`, each list in the order of the documents. */
export interface DocumentChanges {
  added: string[];
  removed: string[];
  /** Operations whose arguments are checked by another schema. */
  schemas: string[];
  /** Tools of the same operation that have another name, `old → new`. */
  renamed: string[];
  classes: ClassChange[];
}

const keyOf = ({ tool: { method, path } }: VersionedTool) => `${method} ${path}`;

export function changesBetween(before: readonly VersionedTool[], after: readonly VersionedTool[]): DocumentChanges {
  const old = new Map(before.map((entry) => [keyOf(entry), entry]));
  const now = new Set(after.map(keyOf));
  const kept = after.flatMap((entry) => {
    const earlier = old.get(keyOf(entry));
    return earlier === undefined ? [] : [{ operation: keyOf(entry), earlier, entry }];
  });
  return {
    added: after.map(keyOf).filter((key) => !old.has(key)),
    removed: before.map(keyOf).filter((key) => !now.has(key)),
    schemas: kept
      .filter(({ earlier, entry }) => !isDeepStrictEqual(earlier.schema, entry.schema))
      .map(({ operation }) => operation),
    renamed: kept
      .filter(({ earlier, entry }) => earlier.tool.name !== entry.tool.name)
      .map(({ earlier, entry }) => `${earlier.tool.name} → ${entry.tool.name}`),
    classes: kept
      .map(({ operation, earlier, entry }) => ({ operation, from: earlier.tool.capability, to: entry.tool.capability }))
      .filter(({ from, to }) => from !== to),
  };
}

const MOST_NAMED = 5;

/** Lines for a person: nothing where nothing changed, and every change of a class by name. */
export function changeLines({ added, removed, schemas, renamed, classes }: DocumentChanges): string[] {
  const counted = [
    ['new', added],
    ['gone', removed],
    ['with other arguments', schemas],
    ['with another name', renamed],
  ] as const;
  return [
    ...counted
      .filter(([, list]) => list.length > 0)
      .map(([what, list]) => {
        const more = list.length > MOST_NAMED ? ` and ${list.length - MOST_NAMED} more` : '';
        return `${list.length} operation${list.length === 1 ? '' : 's'} ${what}: ${list.slice(0, MOST_NAMED).join(', ')}${more}`;
      }),
    ...classes.map(({ operation, from, to }) => {
      const direction = CAPABILITIES.indexOf(to) > CAPABILITIES.indexOf(from) ? 'rose' : 'fell';
      return `the class of ${operation} ${direction} from ${from} to ${to}`;
    }),
  ];
}
