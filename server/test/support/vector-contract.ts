/** What every place for vectors promises; each of them runs this. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect } from 'vitest';
import { EmbeddedStore } from '../../knowledge/embedded-store.ts';
import { normal } from '../../knowledge/embedder.ts';
import type { VectorStore } from '../../knowledge/vector-store.ts';
import { product } from '../../knowledge/vectors/embedded.ts';

const DIMENSIONS = 96;
const random = xoroshiro128plus(13);
export const vector = () =>
  normal(Array.from({ length: DIMENSIONS }, () => uniformFloat64(random) - 0.5)) as Float32Array;

/** Passages of three places, in a corpus file of their own. */
export function corpus() {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  const file = join(folder, 'corpus.sqlite');
  const store = new EmbeddedStore(file);
  const places = [
    { source: 'a "quoted" source', platform: 'mgmt' },
    { source: 'notes', platform: '' },
    { source: 'notes', platform: 'sdwan' },
  ];
  const put = (path: string, at: number, collection = 'default') => {
    const metadata = {
      title: path,
      doc_type: 'x',
      version: '',
      date: '',
      licence: '',
      superseded_by: '',
      path,
      ...places[at]!,
    };
    const passages = Array.from({ length: 40 }, (_, n) => ({ section: `s${n}`, heading: 'h', text: `text ${n}` }));
    store.put(collection, path, { metadata, passages });
    const { id } = store.marks!.waiting(collection, '-').find((document) => document.path === path)!;
    return store.marks!.passagesOf(id).map((passage) => ({ passage: passage.id, vector: vector() }));
  };
  const dispose = () => {
    store[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  return { file, store, places, put, [Symbol.dispose]: dispose };
}

/** Keeps, finds, limits, replaces, counts and removes. */
export async function holdVectorContract(
  vectors: VectorStore,
  { places, put }: Pick<ReturnType<typeof corpus>, 'places' | 'put'>,
): Promise<void> {
  const kept = places.map((_, at) => put(`${at}.md`, at));
  const internal = put('other.md', 1, 'internal');
  for (const [at, place] of places.entries()) await vectors.put('default', place, kept[at]!);
  await vectors.put('internal', places[1]!, internal);
  expect([await vectors.count('default'), await vectors.count('internal')]).toEqual([120, 40]);
  expect(await vectors.count('nothing')).toBe(0);

  const wanted = { limit: 5, collection: 'default' };
  const asked = kept[0]![7]!.vector;
  const near = await vectors.near(asked, wanted);
  const exact = kept
    .flat()
    .map((one) => ({ passage: one.passage, score: product(one.vector, asked) }))
    .sort((a, b) => b.score - a.score);
  expect(near).toHaveLength(5);
  expect(near[0]).toEqual({ passage: kept[0]![7]!.passage, score: expect.closeTo(1, 1) });
  expect(near[1]!.score).toBeCloseTo(exact[1]!.score, 1);
  expect(near.map(({ score }) => score)).toEqual(near.map(({ score }) => score).sort((a, b) => b - a));

  const of = (list: { passage: number }[]) => new Set(list.map(({ passage }) => passage));
  const only = async (more: object) => of(await vectors.near(asked, { ...wanted, limit: 100, ...more }));
  expect(await only({ sources: ['a "quoted" source'] })).toEqual(of(kept[0]!));
  expect(await only({ platforms: new Set(['sdwan']) })).toEqual(of([...kept[1]!, ...kept[2]!]));
  expect(await only({ sources: ['notes'], platforms: new Set(['mgmt']) })).toEqual(of(kept[1]!));
  expect(await only({ collection: 'internal' })).toEqual(of(internal));
  expect(await only({ collection: 'nothing' })).toEqual(new Set());

  const moved = {
    passage: kept[1]![3]!.passage,
    vector: normal([...asked].map((value) => value * 2)) as Float32Array,
  };
  await vectors.put('default', places[1]!, [moved]);
  expect(await vectors.count('default')).toBe(120);
  expect((await only({ limit: 2 })).has(moved.passage)).toBe(true);
  await vectors.remove('default', [moved.passage]);
  expect([await vectors.count('default'), (await only({})).has(moved.passage)]).toEqual([119, false]);
}
