/** The documents of an import of which more operations are set aside than an operator may be expected to overlook. */
import type { BuiltCatalog } from '../catalog/build.ts';
import type { TakenIn } from './import-document.ts';

/** Set aside is what an agent cannot call; above this share of a document, `add` wants the operator's consent. */
const MOST_SET_ASIDE = 0.05;

export interface PartialDocument {
  document: string;
  set_aside: number;
  /** All that the document has, those set aside included. */
  operations: number;
}

/** Counts what the import left out and what the build of the same documents quarantined. */
export function partialDocuments(
  { documents }: Pick<TakenIn, 'documents'>,
  { tools, quarantined }: Pick<BuiltCatalog, 'tools' | 'quarantined'>,
): PartialDocument[] {
  return documents
    .map(({ id, leftOut }): PartialDocument => {
      const set_aside = leftOut + quarantined.filter(({ document }) => document === id).length;
      const usable = tools.filter(({ tool }) => tool.document === id).length;
      return { document: id, set_aside, operations: set_aside + usable };
    })
    .filter(({ set_aside, operations }) => set_aside > MOST_SET_ASIDE * operations);
}

/** What an agent cannot call, of documents in part and of whole ones; empty where that is little. */
export function missingText(partial: readonly PartialDocument[], leftOut: readonly string[]): string {
  const whole =
    leftOut.length === 1 ? `the document ${leftOut[0]} is left out` : `the documents ${listed(leftOut)} are left out`;
  return [...(leftOut.length > 0 ? [whole] : []), ...(partial.length > 0 ? [partialText(partial)] : [])].join('; ');
}

const listed = (names: readonly string[]) =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

/** `3 of 20 operations of library (15 %) are set aside` */
export function partialText(partial: readonly PartialDocument[]): string {
  const shares = partial.map(({ document, set_aside, operations }) => {
    const percent = Math.round((100 * set_aside) / operations);
    return `${set_aside} of ${operations} operations of ${document} (${percent} %)`;
  });
  const rest = shares.length > 3 ? ` and of ${shares.length - 3} more documents` : '';
  return `${shares.slice(0, 3).join(', ')}${rest} are set aside`;
}
