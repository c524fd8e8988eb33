/** What a newer version of a platform's documents changes for those who call its tools. */
import { isDeepStrictEqual } from 'node:util';
import { type Capability, strictness } from '../access/access-policy.ts';
import { type JsonSchema, operationOf, type Tool } from '../catalog/tool.ts';

/** A tool of the version before, or of the new one. */
export interface VersionedTool {
  tool: Pick<Tool, 'name' | 'document' | 'method' | 'path' | 'statedPath' | 'capability'>;
  schema: JsonSchema;
}

export interface ClassChange {
  /** `METHOD /path` of the document. */
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

export function changesBetween(before: readonly VersionedTool[], after: readonly VersionedTool[]): DocumentChanges {
  const { added, removed, kept } = paired(before, after);
  return {
    added: added.map(({ tool }) => operationOf(tool)),
    removed: removed.map(({ tool }) => operationOf(tool)),
    schemas: kept
      .filter(({ earlier, entry }) => !isDeepStrictEqual(plain(earlier.schema), plain(entry.schema)))
      .map(({ entry }) => operationOf(entry.tool)),
    renamed: kept
      .filter(({ earlier, entry }) => earlier.tool.name !== entry.tool.name)
      .map(({ earlier, entry }) => `${earlier.tool.name} → ${entry.tool.name}`),
    classes: kept
      .map(({ earlier, entry }) => ({
        operation: operationOf(entry.tool),
        from: earlier.tool.capability,
        to: entry.tool.capability,
      }))
      .filter(({ from, to }) => from !== to),
  };
}

/** As it is stored: a schema that was just made has definitions without a prototype, which count as another object. */
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));

interface Paired {
  added: VersionedTool[];
  removed: VersionedTool[];
  kept: { earlier: VersionedTool; entry: VersionedTool }[];
}

/** Each operation with the same one of the version before: that of its document, else one that its own document no longer has. */
function paired(before: readonly VersionedTool[], after: readonly VersionedTool[]): Paired {
  const inPlace = new Set(after.map(placeOf));
  const left = new Map(before.map((entry) => [placeOf(entry), entry]));
  const moved = Map.groupBy(
    before.filter((entry) => !inPlace.has(placeOf(entry))),
    ({ tool }) => operationOf(tool),
  );
  const added: VersionedTool[] = [];
  const kept: Paired['kept'] = [];
  for (const entry of after) {
    const earlier = left.get(placeOf(entry)) ?? moved.get(operationOf(entry.tool))?.shift();
    if (earlier === undefined) added.push(entry);
    else kept.push({ earlier, entry });
    if (earlier !== undefined) left.delete(placeOf(earlier));
  }
  return { added, removed: [...left.values()], kept };
}

/** An operation and its document, whose name changes where the file is given another one. */
const placeOf = ({ tool }: VersionedTool) => `${operationOf(tool)} ${tool.document}`;

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
      const direction = strictness(to) > strictness(from) ? 'rose' : 'fell';
      return `the class of ${operation} ${direction} from ${from} to ${to}`;
    }),
  ];
}
