/**
 * Tools of one resource that are needed before or after each other, found by their paths: the list, one entry, the count and
 * the search of a collection, and the read that shows what a write did.
 */
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';

/** Ends of a path that read a collection in another form. */
const FORMS = ['count', 'search'] as const;
const LAST_FORM = /\/(?:count|search)$/;
const LAST_KEY = /\/\{[^{}]*\}$/;

/** The path under which the entries of a tool's resource stand: `/sites` for `/sites`, `/sites/{id}` and `/sites/count`. */
export const collectionPath = ({ path }: Pick<Tool, 'path'>): string =>
  path.replace(LAST_FORM, '').replace(LAST_KEY, '');

/** One text for all reads of a collection of a platform; undefined for every other tool. */
export function collectionKey(tool: Tool): string | undefined {
  if (tool.capability !== 'read' || tool.local) return undefined;
  return `${tool.platform} ${collectionPath(tool).replaceAll(/\{[^{}]*\}/g, '{}')}`;
}

/** The list that a collection path stands for, and the read of one of its entries. */
export function readsOf(tool: Tool, catalog: Pick<Catalog, 'wrapping'>): { list?: Tool; entry?: Tool; others: Tool[] } {
  const path = collectionPath(tool);
  const [list] = readsAt(`GET ${path}`, tool, catalog);
  const [entry] = readsAt(`GET ${path}/{key}`, tool, catalog);
  const others = FORMS.flatMap((form) => [
    ...readsAt(`GET ${path}/${form}`, tool, catalog),
    ...readsAt(`POST ${path}/${form}`, tool, catalog),
  ]);
  return { ...(list ? { list } : {}), ...(entry ? { entry } : {}), others };
}

const readsAt = (operation: string, { platform }: Tool, catalog: Pick<Catalog, 'wrapping'>): Tool[] =>
  catalog.wrapping(operation).filter((found) => found.platform === platform && found.capability === 'read');

/** Arguments without which a tool cannot be called, but for those of its body. */
export const requiredArguments = ({ parameters }: Pick<Tool, 'parameters'>): string[] =>
  parameters.filter(({ required }) => required).map(({ argument }) => argument);
