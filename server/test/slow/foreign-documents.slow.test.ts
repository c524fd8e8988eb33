/**
 * Documents of many habits go the whole road: added to a router, every read, a confirmed create that a list shows, and the fake's
 * own check of the credentials. One table has the counts.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PlayedDocument, playDocument } from '../support/foreign-play.ts';
import { foreignVariants } from '../support/foreign-variants.ts';
import { oddFolder } from '../support/malformed-documents.ts';

/** Credentials that the router does not send yet: such documents are played, and nothing is asked of them but their tools. */
const NOT_SENT = ['query', 'cookie', 'basic', 'both'];

const sum = (played: readonly PlayedDocument[], count: (one: PlayedDocument) => number): number =>
  played.reduce((total, one) => total + count(one), 0);

test('operations become tools, reads answer, and what is created is shown, whatever the habits of a document', async () => {
  using folder = oddFolder();
  const rows: { name: string; security: string; played: PlayedDocument }[] = [];
  for (const { name, document, bodies } of foreignVariants()) {
    const file = folder.write(join(name, `${name}.json`), document);
    rows.push({ name, security: name.split('-')[1] as string, played: await playDocument(file, bodies) });
  }
  console.table(rows.map(({ name, played: { problems: _, ...counts } }) => ({ document: name, ...counts })));
  const all = rows.map(({ played }) => played);
  const met = rows.filter(({ security }) => !NOT_SENT.includes(security)).map(({ played }) => played);
  expect(rows.length).toBeGreaterThanOrEqual(40);
  expect(sum(all, ({ tools }) => tools) / sum(all, ({ operations }) => operations)).toBeGreaterThanOrEqual(0.995);
  expect(met.flatMap(({ problems }) => problems)).toEqual([]);
  expect(sum(met, ({ answered }) => answered) / sum(met, ({ reads }) => reads)).toBeGreaterThanOrEqual(0.99);
  expect(sum(met, ({ shown }) => shown) / sum(met, ({ creates }) => creates)).toBeGreaterThanOrEqual(0.95);
  const unmet = rows.filter(({ played }) => !played.met).map(({ security }) => security);
  expect([...new Set(unmet)].sort()).toEqual([...NOT_SENT].sort());
});
