/**
 * How far the edition of a document fits a question: the version it names, else whichever still holds, or the
 * one before where it asks for that.
 */
import { type Asked, plain } from './knowledge-query.ts';
import type { DocumentMetadata } from './passage.ts';

const OTHER_VERSION = 0.3;
const NOT_MEANT = 0.5;

/** A factor, at most 1. */
export function editionFit(
  { version, title, superseded_by }: Pick<DocumentMetadata, 'version' | 'title' | 'superseded_by'>,
  { versions, earlier }: Pick<Asked, 'versions' | 'earlier'>,
): number {
  if (earlier || versions.length === 0) return (superseded_by !== '') === earlier ? 1 : NOT_MEANT;
  return versions.some((named) => plain(`${version} ${title}`).includes(` ${named} `)) ? 1 : OTHER_VERSION;
}
