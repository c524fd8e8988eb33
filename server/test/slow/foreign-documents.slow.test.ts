/**
 * Documents of many habits go the whole road: added to a router, every read, a confirmed create that a list shows, and the fake's
 * own check of the credentials. One table has the counts.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PlayedDocument, playDocument } from '../support/foreign-play.ts';
import { foreignVariants } from '../support/foreign-variants.ts';
import { oddFolder } from '../support/malformed-documents.ts';

const sum = (played: readonly PlayedDocument[], count: (one: PlayedDocument) => number): number =>
  played.reduce((total, one) => total + count(one), 0);

test('operations become tools, reads answer, and what is created is shown, whatever the habits of a document', async () => {
  using folder = oddFolder();
  const rows: { name: string; played: PlayedDocument }[] = [];
  for (const { name, document, bodies } of foreignVariants()) {
    const file = folder.write(join(name, `${name}.json`), document);
    rows.push({ name, played: await playDocument(file, bodies) });
  }
  console.table(rows.map(({ name, played: { problems: _, ...counts } }) => ({ document: name, ...counts })));
  const all = rows.map(({ played }) => played);
  expect(rows.length).toBeGreaterThanOrEqual(40);
  expect(sum(all, ({ tools }) => tools) / sum(all, ({ operations }) => operations)).toBeGreaterThanOrEqual(0.995);
  expect(all.flatMap(({ problems }) => problems)).toEqual([]);
  expect(sum(all, ({ answered }) => answered) / sum(all, ({ reads }) => reads)).toBeGreaterThanOrEqual(0.99);
  expect(sum(all, ({ shown }) => shown) / sum(all, ({ creates }) => creates)).toBeGreaterThanOrEqual(0.95);
  expect(rows.filter(({ played }) => !played.met).map(({ name }) => name)).toEqual([]);
});
