/**
 * Documents of many habits go the whole road: added to a router, every read, a confirmed create that a list shows, and the fake's
 * own check of the credentials. One table has the counts.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PlayedDocument, playDocument } from '../support/foreign-play.ts';
import { foreignVariants } from '../support/foreign-variants.ts';
import { oddFolder } from '../support/malformed-documents.ts';
import { sampledDocuments } from '../support/sampled-documents.ts';

const EMPTY = new Set(['firstinspires.org.json']);

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

test('reads of public documents answer, with the documents\u2019 own security', async () => {
  const rows: ({ document: string } & PlayedDocument)[] = [];
  // A document without one path, which neither the router nor the fake takes, is none to play.
  const played = sampledDocuments(26, 5, { least: 5_000, most: 250_000 }).filter(({ name }) => !EMPTY.has(name));
  for (const { file, name } of played) rows.push({ document: name, ...(await playDocument(file, new Map())) });
  console.table(rows.map(({ problems, ...counts }) => ({ ...counts, problems: problems.length })));
  process.stdout.write(`${rows.flatMap(({ problems }) => problems.slice(0, 3)).join('\n')}\n`);
  expect(sum(rows, ({ tools }) => tools) / sum(rows, ({ operations }) => operations)).toBeGreaterThanOrEqual(0.99);
  expect(sum(rows, ({ answered }) => answered) / sum(rows, ({ reads }) => reads)).toBeGreaterThanOrEqual(0.99);
  expect(rows.filter(({ reads, met }) => reads > 0 && !met).map(({ document }) => document)).toEqual([]);
});
