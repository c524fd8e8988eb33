/** Counts and look-ups in documents of other authors, and in one small document. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { publicDocument } from '#bench/packages';
import { type ApiDocument, readDocument } from '../catalog/platform-document.ts';
import { buildSpecIndex } from './build-spec-index.ts';
import { countDocument } from './count.ts';
import { entriesOf } from './entry.ts';
import { SpecIndex } from './look-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-spec-index-'));
const opened: SpecIndex[] = [];
afterAll(() => {
  for (const index of opened) index[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const github = readDocument(publicDocument());

const small: ApiDocument = {
  id: 'library',
  file: 'library.json',
  content: {
    openapi: '3.1.0',
    info: { title: 'Library', version: '2.1' },
    paths: {
      '/v1/books/{isbn}': {
        get: { operationId: 'getBookV1', summary: 'Get one book', 'x-svc-twin': { of: 'getBook' } },
      },
      '/v1alpha1/books/{isbn}': {
        get: { operationId: 'getBook', summary: 'Get one book', parameters: [{ name: 'isbn', required: true }] },
        trace: { operationId: 'notCounted' },
      },
    },
    components: {
      schemas: {
        Book: {
          type: 'object',
          required: ['isbn'],
          properties: {
            isbn: { type: 'string', minLength: 10, maxLength: 13 },
            binding: { type: 'string', enum: ['hardcover', 'paperback'] },
            authors: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
            shelf: { $ref: '#/components/schemas/Shelf' },
          },
        },
        Shelf: { allOf: [{ type: 'object', properties: { row: { type: 'integer' } } }, { properties: { row: {} } }] },
        Genre: { type: 'string', enum: ['mystery', 'poetry'] },
      },
    },
  },
};

function indexOf(name: string, ...documents: [string, ApiDocument][]): SpecIndex {
  const file = join(folder, `${name}.sqlite`);
  buildSpecIndex(
    file,
    documents.map(([platform, document]) => ({ platform, document })),
  );
  const index = new SpecIndex(file);
  opened.push(index);
  return index;
}

describe('the counting rule', () => {
  test('five methods, components once, copies each time, never through a reference', () => {
    // Book: isbn, binding, authors, authors.name, shelf; Shelf: row twice; Genre: none.
    expect(countDocument(small)).toEqual({ endpoints: 2, schemas: 3, fields: 7 });
  });

  test('a document of 1,223 endpoints counts as its publisher counts it', () => {
    expect(countDocument(github)).toEqual({ endpoints: 1223, schemas: 969, fields: 36454 });
  });

  test('walking stops at the twelfth level', () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { properties: { next: deep(levels - 1) } });
    const content = { paths: {}, components: { schemas: { Deep: deep(30) } } };
    expect(countDocument({ content }).fields).toBe(13);
  });

  test('a Swagger 2.0 document keeps its schemas under definitions', () => {
    const content = { swagger: '2.0', paths: {}, definitions: { A: { properties: { b: {} } } } };
    expect(countDocument({ content })).toEqual({ endpoints: 0, schemas: 1, fields: 1 });
  });
});

test('an entry says where it stands, what a caller must keep to, and which form is the older one', () => {
  const entries = [...entriesOf(small)];
  expect(entries.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'endpoint GET /v1/books/{isbn}',
    'endpoint GET /v1alpha1/books/{isbn}',
    'schema Book',
    'field Book.isbn',
    'enum Book.binding',
    'field Book.authors',
    'field Book.authors.name',
    'field Book.shelf',
    'schema Shelf',
    'field Shelf.row',
    'field Shelf.row',
    'enum Genre',
  ]);
  expect(entries[0]).toMatchObject({
    ref: '#/paths/~1v1~1books~1{isbn}/get',
    apiVersion: 'v1',
    newer: 'getBook',
    text: expect.stringContaining('Older form, not interchangeable with getBook.'),
  });
  expect(entries[3]?.text).toContain('string 10..13 characters');
});

describe('look-up', () => {
  const index = indexOf('small', ['books', small], ['other', { ...small, id: 'copy' }]);
  const names = (query: string, more: object = {}) =>
    index.lookUp({ query, limit: 10, platforms: ['books'], ...more }).map(({ name, match }) => `${match} ${name}`);

  test.each([
    ['GET /v1alpha1/books/{isbn}', 'exact GET /v1alpha1/books/{isbn}'],
    ['get  /v1alpha1/books/{any-name}', 'exact GET /v1alpha1/books/{isbn}'],
    ['/v1alpha1/books/{isbn}', 'exact GET /v1alpha1/books/{isbn}'],
    ['getBook', 'exact GET /v1alpha1/books/{isbn}'],
    ['Shelf', 'exact Shelf'],
    ['Book.authors.name', 'exact Book.authors.name'],
    ['isbn', 'exact Book.isbn'],
    ['paperback', 'exact Book.binding'],
    ['poetry', 'exact Genre'],
  ])('%s is found exactly', (query, first) => {
    expect(names(query)[0]).toBe(first);
  });

  test('a schema of a name, and of a value, stands before the fields of others that have it', () => {
    const values = { type: 'string', enum: ['mystery', 'poetry'] };
    const schemas = { Book: { type: 'object', properties: { genre: values } }, Genre: values };
    const found = indexOf('named', ['books', { ...small, content: { ...small.content, components: { schemas } } }]);
    const first = (query: string) => found.lookUp({ query, limit: 10 }).map(({ name }) => name);
    expect(first('genre')).toEqual(['Genre', 'Book.genre']);
    expect(first('poetry')).toEqual(['Genre', 'Book.genre']);
  });

  test('the beginning of an operationId finds it, the newer form first', () => {
    expect(names('getBo')).toEqual(['prefix GET /v1alpha1/books/{isbn}', 'prefix GET /v1/books/{isbn}']);
  });

  test('plain words are ranked, the newer form first', () => {
    expect(names('how do I get one book').slice(0, 2)).toEqual([
      'text GET /v1alpha1/books/{isbn}',
      'text GET /v1/books/{isbn}',
    ]);
  });

  test('a question that no document covers gets an empty answer, not a guess', () => {
    expect(names('reboot the espresso machine')).toEqual([]);
    expect(names('zzzz')).toEqual([]);
    expect(names('   ')).toEqual([]);
  });

  test.each([
    ['platforms', { platforms: ['other'] }, 2],
    ['no platform at all', { platforms: [] }, 0],
    ['document', { document: 'nothing' }, 0],
    ['version of the document', { version: '2.1' }, 2],
    ['version in the path', { version: 'v1' }, 1],
  ])('%s narrows the answer', (_, filter, hits) => {
    expect(names('get one book', filter)).toHaveLength(hits);
  });

  test('quotes, operators and wildcards of the database are only words', () => {
    for (const query of ['"', "' OR 1=1 --", 'book*', 'name:book', 'NEAR(book)', '(((', 'book AND NOT isbn', '\u0000'])
      expect(() => names(query), query).not.toThrow();
  });
});

test('a file that is damaged, wherever it is, is refused with a code', () => {
  const whole = join(folder, 'whole.sqlite');
  buildSpecIndex(whole, [{ platform: 'library', document: small }]);
  const bytes = readFileSync(whole);
  let refused = 0;
  for (let at = 0; at < bytes.length; at += 512) {
    const file = join(folder, 'damaged.sqlite');
    writeFileSync(file, Buffer.concat([bytes.subarray(0, at), Buffer.alloc(512, 0xa5), bytes.subarray(at + 512)]));
    try {
      using index = new SpecIndex(file);
      for (const query of ['getBook', 'GET /v2/books/{isbn}', 'getb', 'get one book'])
        index.lookUp({ query, limit: 3 });
    } catch (error) {
      refused += 1;
      expect(error, `damaged at ${at}`).toMatchObject({ code: 'CATALOG_INVALID' });
    }
  }
  expect(refused).toBeGreaterThan(10);
});

test('the file cannot be written, appears whole or not at all, and adds up', () => {
  const index = indexOf('github', ['github', github]);
  expect(statSync(join(folder, 'github.sqlite')).mode & 0o777).toBe(0o444);
  expect(index.counts()).toEqual({ documents: 1, endpoints: 1223, schemas: 969, fields: 36454 });
  expect(index.lookUp({ query: 'issues/create', limit: 3 })[0]).toMatchObject({
    name: 'POST /repos/{owner}/{repo}/issues',
    kind: 'endpoint',
    match: 'exact',
  });
  const broken = { platform: 'x', document: { ...small, content: { paths: { '/a': null, '/b': { get: 1 } } } } };
  const file = join(folder, 'later.sqlite');
  expect(buildSpecIndex(file, [broken])).toEqual({ endpoints: 0, schemas: 0, fields: 0 });
});
