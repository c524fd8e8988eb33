/** How far the edition of a document fits a question: the version it names, else whichever still holds. */
import type { DocumentFacts } from './passage.ts';
import { type Asked, plain } from './question.ts';

const OTHER_VERSION = 0.3;
const SUPERSEDED = 0.5;

/** A factor, at most 1. */
export function editionFit(
  { version, title, superseded_by }: Pick<DocumentFacts, 'version' | 'title' | 'superseded_by'>,
  { versions }: Pick<Asked, 'versions'>,
): number {
  if (versions.length === 0) return superseded_by === '' ? 1 : SUPERSEDED;
  return versions.some((named) => plain(`${version} ${title}`).includes(` ${named} `)) ? 1 : OTHER_VERSION;
}
