/** More than one operation in twenty that cannot be called is something that an operator has to accept. */
import { expect, test } from 'vitest';
import { trialBuild } from '../open-catalog.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { importDocument } from './import-document.ts';
import { partialDocuments, partialText } from './partial-import.ts';
import { definePlatform } from './user-platform.ts';

async function partialOf(sound: number, broken: object) {
  using folder = oddFolder();
  const paths = Object.fromEntries(Array.from({ length: sound }, (_, i) => [`/ok-${i}`, { get: { responses: OK } }]));
  const taken = await importDocument(folder.write('library.json', document({ ...paths, ...broken })));
  const built = trialBuild(
    definePlatform({ name: 'books' }, taken),
    taken.documents.map(({ id, content }) => ({ id, file: id, content })),
  );
  return partialDocuments(taken, built);
}

const WITH_BODY = { '/odd': { get: { requestBody: { required: true, content: {} }, responses: OK } } };
const WRONG_PATH = { '/a/../b': { get: { responses: OK }, put: { responses: OK } } };
const WRONG_REFERENCE = { '/c': { post: { $ref: 'missing.yaml' } } };

test.each([
  [19, WITH_BODY, []],
  [18, WITH_BODY, [{ document: 'library', set_aside: 1, operations: 19 }]],
  [30, WRONG_PATH, [{ document: 'library', set_aside: 2, operations: 32 }]],
  [10, WRONG_REFERENCE, [{ document: 'library', set_aside: 1, operations: 11 }]],
  [40, { ...WITH_BODY, ...WRONG_PATH, ...WRONG_REFERENCE }, [{ document: 'library', set_aside: 4, operations: 44 }]],
  [3, {}, []],
])('beside %i sound operations %j counts', async (sound, broken, expected) => {
  expect(await partialOf(sound, broken)).toEqual(expected);
});

test('the text names three documents and counts the others', () => {
  const one = { document: 'a', set_aside: 3, operations: 20 };
  expect(partialText([one])).toBe('3 of 20 operations of a (15 %) are set aside');
  expect(partialText([one, one, one, one, one])).toMatch(/\(15 %\) and of 2 more documents are set aside$/);
});
