/** A user's documents are added to a copy of the shipped catalog: of what did not change nothing is read again. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importDocument } from '../import/import-document.ts';
import { definePlatform, removeUserPlatform, writeUserPlatform } from '../import/user-platform.ts';
import { openCatalog } from '../open-catalog.ts';
import { openFinder } from '../search/open-finder.ts';
import { SpecIndex } from '../spec-index/look-up.ts';
import { SPEC_INDEX_FILE } from '../spec-index/spec-index-file.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import {
  SAMPLE_BASE,
  type SampleInstallation,
  sampleDocument,
  sampleInstallation,
} from '../test/support/sample-installation.ts';
import { SHIPPED } from './store.ts';

let installation: SampleInstallation;
beforeEach(() => {
  installation = sampleInstallation();
});
afterEach(() => installation[Symbol.dispose]());

async function add(name: string, noun: string): Promise<void> {
  using folder = oddFolder();
  const paths = {
    [`/${noun}s`]: {
      get: { operationId: `list_${noun}s`, summary: `List the ${noun}s of the library`, responses: OK },
    },
    [`/${noun}s/{id}`]: {
      get: {
        operationId: `get_${noun}`,
        summary: `Get one ${noun}`,
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: OK,
      },
    },
  };
  const taken = await importDocument(
    folder.write('library.json', document(paths, { servers: [{ url: SAMPLE_BASE }] })),
  );
  writeUserPlatform(installation.config().configDir, definePlatform({ name }, taken), taken);
}

const open = () => openCatalog(installation.config());
const names = () => {
  using catalog = open().catalog;
  return [...catalog.names()];
};
/** When the shipped part was last written, wherever it lies. */
const shippedWritten = () => {
  const directory = join(installation.config().catalogDir, SHIPPED);
  const digests = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'catalog.sqlite')));
  return digests.map((digest) => [digest, statSync(join(directory, digest, 'catalog.sqlite')).mtimeMs]);
};

describe('a catalog with documents of the user', () => {
  test('holds the shipped tools under the same numbers, then the user’s', async () => {
    const shipped = names();
    await add('books', 'book');
    expect(names()).toEqual([...shipped, 'books_get_book', 'books_list_books']);
    using catalog = open().catalog;
    expect(catalog.summary).toMatchObject({
      tools: shipped.length + 2,
      platforms: { mgmt: catalog.summary.platforms['mgmt'], books: 2 },
      documents: 2,
    });
    expect(catalog.toolAt(shipped.length).name).toBe('books_get_book');
    expect(catalog.exactly('GET /books')).toEqual([shipped.length + 1]);
    expect(catalog.schema('books_get_book')).toMatchObject({ required: ['id'] });
  });

  test('takes the shipped part from the catalog that all share, where that fits', async () => {
    open().catalog.close();
    await add('books', 'book');
    open().catalog.close();
    expect(existsSync(join(installation.config().catalogDir, SHIPPED))).toBe(false);
  });

  test('makes the shipped part once and leaves it alone when another document comes or goes', async () => {
    await add('books', 'book');
    open().catalog.close();
    const before = shippedWritten();
    expect(before).toHaveLength(1);
    await add('maps', 'map');
    expect(names()).toEqual(expect.arrayContaining(['books_list_books', 'maps_list_maps']));
    removeUserPlatform(installation.config().configDir, 'books');
    expect(names().filter((name) => name.startsWith('books_'))).toEqual([]);
    expect(shippedWritten()).toEqual(before);
  });

  test('follows a change of the shipped part', async () => {
    await add('books', 'book');
    names();
    const { '/auth-servers': kept } = sampleDocument.paths;
    installation.writeDocument('config-security.json', { ...sampleDocument, paths: { '/auth-servers': kept } });
    const ofPlatforms = names().filter((name) => /^(mgmt|books)_/.test(name));
    expect(ofPlatforms).toEqual(['mgmt_list_auth_servers', 'books_get_book', 'books_list_books']);
  });

  test('is searched and looked up as one', async () => {
    await add('books', 'book');
    using catalog = open().catalog;
    const finder = openFinder(installation.config(), catalog);
    const first = (query: string) => finder.find({ query, topK: 1 }).hits[0]?.tool.name;
    expect(first('list the books of the library')).toBe('books_list_books');
    expect(first('list authentication servers')).toBe('mgmt_list_auth_servers');
    using spec = new SpecIndex(join(catalog.folder, SPEC_INDEX_FILE));
    const platforms = ['mgmt', 'books'];
    expect(spec.lookUp({ query: 'GET /books', limit: 1, platforms })[0]).toMatchObject({ platform: 'books' });
    expect(spec.lookUp({ query: 'GET /auth-servers', limit: 1, platforms })[0]).toMatchObject({ platform: 'mgmt' });
    expect(spec.counts().documents).toBe(2);
  });

  const generations = () => readdirSync(installation.config().catalogDir).filter((name) => /^[0-9a-f]{16}$/.test(name));
  const change = async (noun: string) => {
    await add('books', noun);
    const { catalog } = open();
    catalog.close();
    return catalog.digest;
  };

  test('keeps one generation back, and what is shipped', async () => {
    const digests: string[] = [];
    for (const noun of ['book', 'map', 'plan', 'atlas']) digests.push(await change(noun));
    expect(generations().sort()).toEqual(digests.slice(-2).sort());
    expect(shippedWritten()).toHaveLength(1);
  });

  test.runIf(existsSync('/proc/self/fd'))('removes none that a process has open, until it closes it', async () => {
    const first = await change('book');
    const held = open().catalog;
    for (const noun of ['map', 'plan', 'atlas']) await change(noun);
    expect(generations()).toHaveLength(3);
    expect(held.folder).toContain(first);
    const spec = new SpecIndex(join(held.folder, SPEC_INDEX_FILE));
    expect(spec.lookUp({ query: 'GET /books', limit: 1, platforms: ['books'] })).toHaveLength(1);
    spec[Symbol.dispose]();
    held.close();
    await change('globe');
    expect(generations()).toHaveLength(2);
    expect(generations()).not.toContain(first);
  });

  test('leaves one alone that another process put in its place and is about to make current', async () => {
    await change('book');
    const { catalogDir } = installation.config();
    const other = join(catalogDir, '0123456789abcdef');
    mkdirSync(other);
    await change('map');
    expect(existsSync(other)).toBe(true);
    await change('plan');
    await change('atlas');
    expect(existsSync(other), 'it never became current').toBe(false);
  });

  test('is not built again while nothing changes', async () => {
    await add('books', 'book');
    expect(open().built).toBe(true);
    expect(open().built).toBe(false);
  });
});
