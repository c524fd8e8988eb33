/**
 * How far the edition of a document fits a question: the version it names, else whichever still holds, or the
 * one before where it asks for that.
 */
import { type Asked, plain } from './knowledge-query.ts';
import type { DocumentMetadata } from './passage.ts';

const OTHER_VERSION = 0.3;
const NOT_MEANT = 0.5;

type Edition = Pick<DocumentMetadata, 'version' | 'title' | 'superseded_by'>;

/** Without what only looks like a version: 802.1X, 2.4 GHz and an address are those of no document. */
export function withKnownVersions<T extends Pick<Asked, 'versions'>>(asked: T, editions: readonly Edition[]): T {
  return { ...asked, versions: asked.versions.filter((named) => editions.some((edition) => isOf(edition, named))) };
}

const isOf = ({ version, title }: Edition, named: string): boolean =>
  plain(`${version} ${title}`).includes(` ${named} `);

/** A factor, at most 1. */
export function editionFit(edition: Edition, { versions, earlier }: Pick<Asked, 'versions' | 'earlier'>): number {
  if (earlier || versions.length === 0) return (edition.superseded_by !== '') === earlier ? 1 : NOT_MEANT;
  return versions.some((named) => isOf(edition, named)) ? 1 : OTHER_VERSION;
}
