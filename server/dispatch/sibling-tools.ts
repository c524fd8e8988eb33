/**
 * Tools of one resource that are needed before or after each other, found by their paths: the list, one entry, the count and
 * the search of a collection, and the read that shows what a write did.
 */
import { collectionOf, endingOf, withoutEnding } from '../catalog/item-path.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';

/** Ends of a path that read a collection in another form. */
const FORMS = ['count', 'search'] as const;
const LAST_FORM = /\/(?:count|search)$/;

/** The path under which the entries of a tool's resource stand: `/sites` for `/sites`, `/sites/{id}/` and `/sites/count`. */
export const collectionPath = ({ path }: Pick<Tool, 'path'>): string =>
  collectionOf(withoutEnding(path).replace(LAST_FORM, ''));

/** One text for all reads of a collection of a platform; undefined for every other tool. */
export function collectionKey(tool: Tool): string | undefined {
  if (tool.capability !== 'read' || tool.local) return undefined;
  return `${tool.platform} ${collectionPath(tool).replaceAll(/\{[^{}]*\}/g, '{}')}`;
}

/** The list that a collection path stands for, and the read of one of its entries. */
export function readsOf(tool: Tool, catalog: Pick<Catalog, 'wrapping'>): { list?: Tool; entry?: Tool; others: Tool[] } {
  const path = collectionPath(tool);
  const ending = endingOf(tool.path);
  const [list] = readsAt(`GET ${path}${ending}`, tool, catalog);
  const [entry] = readsAt(`GET ${path}/{key}${ending}`, tool, catalog);
  const others = FORMS.flatMap((form) => [
    ...readsAt(`GET ${path}/${form}${ending}`, tool, catalog),
    ...readsAt(`POST ${path}/${form}${ending}`, tool, catalog),
  ]);
  return { ...(list ? { list } : {}), ...(entry ? { entry } : {}), others };
}

const readsAt = (operation: string, { platform }: Tool, catalog: Pick<Catalog, 'wrapping'>): Tool[] =>
  catalog.wrapping(operation).filter((found) => found.platform === platform && found.capability === 'read');

/** Arguments without which a tool cannot be called, but for those of its body. */
export const requiredArguments = ({ parameters }: Pick<Tool, 'parameters'>): string[] =>
  parameters.filter(({ required }) => required).map(({ argument }) => argument);

/**
 * The arguments with which a tool reads one entry: those of the call that named the collection, and those of the entry itself.
 * Undefined where one of them is in neither.
 */
export function entryArguments(
  reader: Tool,
  values: Readonly<Record<string, unknown>>,
  entry: Readonly<Record<string, unknown>>,
  /** What stands for a field of the entry: its value. */
  readField: (field: string) => unknown = (field) => entry[field],
): Record<string, unknown> | undefined {
  const fields = entryFields(reader, values, entry);
  return (
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, field === null ? values[name] : readField(field)]),
    )
  );
}

/** By required argument, the field of an entry that holds its value; null where the call itself has it. */
function entryFields(
  reader: Tool,
  values: Readonly<Record<string, unknown>>,
  entry: Readonly<Record<string, unknown>>,
): Record<string, string | null> | undefined {
  const last = entryArgument(reader);
  const found: Record<string, string | null> = {};
  for (const name of requiredArguments(reader)) {
    const own = isKey(values[name]) && name !== last;
    const field = own ? null : fieldFor(name, reader, entry, name === last);
    if (field === undefined && !isKey(values[name])) return undefined;
    found[name] = field ?? null;
  }
  return found;
}

/** The argument that names the entry: the last one of the path, in whatever order the document states its parameters. */
function entryArgument(reader: Tool): string | undefined {
  const name = /\{([^{}]+)\}[^{}]*$/.exec(reader.path)?.[1];
  const stated = reader.parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
  return stated?.argument ?? requiredArguments(reader).at(-1);
}

const isKey = (value: unknown) => typeof value === 'string' || typeof value === 'number';
const plain = (name: string) => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();

/** The field named like the argument; for the one that names the entry also the key of the resource, and `id`. */
function fieldFor(
  name: string,
  { resource }: Tool,
  entry: Readonly<Record<string, unknown>>,
  isLast: boolean,
): string | undefined {
  const fields = Object.keys(entry).filter((field) => isKey(entry[field]));
  const named = fields.find((field) => plain(field) === plain(name));
  if (named !== undefined || !isLast) return named;
  const key = resource?.key;
  return fields.find((field) => field === key) ?? fields.find((field) => field === 'id');
}
