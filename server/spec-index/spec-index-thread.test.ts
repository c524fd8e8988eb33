/** A spec index that a thread writes is the one that the caller would have written, or is none. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { publicDocument } from '#bench/packages';
import { type ApiDocument, readDocument } from '../catalog/platform-document.ts';
import { buildSpecIndex, extendSpecIndex } from './build-spec-index.ts';
import { SpecIndexThread } from './spec-index-thread.ts';

const LARGE = publicDocument();
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-spec-index-thread-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const of = (document: ApiDocument) => ({ platform: 'github', document });
const SMALL = { openapi: '3.1.0', info: { title: 'Books' }, paths: { '/books': { get: { summary: 'List books' } } } };
const small = (name: string) => {
  writeFileSync(at(name), JSON.stringify(SMALL));
  return { platform: 'books', file: at(name) };
};

test('it holds the same bytes, also where it extends another one', () => {
  const document = readDocument(LARGE);
  const files = [{ platform: 'github', file: LARGE }];
  using whole = SpecIndexThread.start(at('whole'), files);
  buildSpecIndex(at('whole-here'), [of(document)]);
  expect(whole?.finish([of(document)])).toBe(true);
  expect(readFileSync(at('whole')).equals(readFileSync(at('whole-here')))).toBe(true);

  const { file } = small('books.json');
  buildSpecIndex(at('base'), [{ platform: 'books', document: readDocument(file) }]);
  using more = SpecIndexThread.start(at('more'), files, at('base'));
  extendSpecIndex(at('more-here'), at('base'), [of(document)]);
  expect(more?.finish([of(document)])).toBe(true);
  expect(readFileSync(at('more')).equals(readFileSync(at('more-here')))).toBe(true);
});

test('of other documents than the build took, or of a thread that failed, there is none', () => {
  const document = readDocument(LARGE);
  const kept = { platform: 'github', file: LARGE };
  writeFileSync(at('broken.json'), '{');
  {
    // The build left the small one out, the thread the broken one.
    using thread = SpecIndexThread.start(at('index'), [
      kept,
      small('s.json'),
      { platform: 'x', file: at('broken.json') },
    ]);
    expect(thread?.finish([of(document)])).toBe(false);
  }
  {
    using thread = SpecIndexThread.start(at('index'), [kept], at('no base'));
    expect(thread?.finish([of(document)])).toBe(false);
  }
  expect(readdirSync(folder).sort()).toEqual(['broken.json', 's.json']);
});

test('none is started for what is over before a thread began, nor where its memory is missing', () => {
  expect(SpecIndexThread.start(at('index'), [small('s.json')])).toBeUndefined();
  vi.spyOn(process, 'availableMemory').mockReturnValue(512_000_000);
  expect(SpecIndexThread.start(at('index'), [{ platform: 'github', file: LARGE }])).toBeUndefined();
  vi.restoreAllMocks();
});

test('one that says nothing is waited for once', () => {
  const waited = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
  {
    using thread = SpecIndexThread.start(at('index'), [{ platform: 'github', file: LARGE }]);
    expect(thread?.finish([])).toBe(false);
  }
  expect(waited).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});
