/** Commands that change one platform at the same time, each a process of its own. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { takeLock } from '../files/file-lock.ts';
import { ROOT } from '../test/support/child-process.ts';
import { document, OK, oddFolder } from '../test/support/malformed-documents.ts';
import { startProcess } from '../test/support/running-process.ts';
import { importDocument } from './import-document.ts';
import { definePlatform, removeUserPlatform, writeUserPlatform } from './user-platform.ts';

const PROGRAM = `
import { existsSync, writeFileSync } from 'node:fs';
import { importDocument } from ${JSON.stringify(join(import.meta.dirname, 'import-document.ts'))};
import { definePlatform, writeUserPlatform } from ${JSON.stringify(join(import.meta.dirname, 'user-platform.ts'))};
const [own, other, documents, config] = process.argv.slice(1);
const taken = await importDocument(documents);
const platform = definePlatform({ name: 'shop' }, taken);
writeFileSync(own, '');
while (!existsSync(other));
writeUserPlatform(config, platform, taken);
`;

/** A folder of documents of some megabytes, so that a write takes a while. */
function documentsFor(write: (name: string, content: unknown) => string, folder: string): void {
  const operation = { get: { description: 'x'.repeat(2_000), responses: OK } };
  for (let file = 0; file < 6; file++) {
    const paths = Array.from({ length: 300 }, (_, at) => [`/${folder}${file}/${at}`, operation] as const);
    write(`${folder}/d${file}.json`, document(Object.fromEntries(paths)));
  }
}

test('of two adds at the same time one platform is there as a whole, and nothing of the other', async () => {
  using folder = oddFolder();
  for (const name of ['a', 'b']) documentsFor(folder.write, name);
  for (let round = 0; round < 2; round++) {
    const at = (name: string) => join(folder.path, `${name}${round}`);
    const add = (own: string, other: string) =>
      startProcess(
        process.execPath,
        ['--input-type=module', '-e', PROGRAM, at(own), at(other), join(folder.path, own[0] as string), at('config')],
        { cwd: ROOT, env: { PATH: process.env['PATH'] ?? '' } },
      ).ended;
    const ended = await Promise.all([add('a-ready', 'b-ready'), add('b-ready', 'a-ready')]);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const platforms = join(at('config'), 'platforms');
    const { documents } = parse(readFileSync(join(platforms, 'shop.yaml'), 'utf8')) as { documents: string };
    expect(readdirSync(platforms).sort()).toEqual([documents, 'shop.yaml'].sort());
    expect(readdirSync(join(platforms, documents))).toHaveLength(6);
  }
});

test('a platform that another command changes for long is left alone, and that is said', async () => {
  using folder = oddFolder();
  const taken = await importDocument(folder.write('api.json', document({ '/a': { get: { responses: OK } } })));
  const platform = definePlatform({ name: 'shop' }, taken);
  const platforms = join(folder.path, 'platforms');
  mkdirSync(platforms);
  writeUserPlatform(folder.path, platform, taken);
  const before = readdirSync(platforms, { recursive: true });
  const lock = takeLock(join(platforms, 'shop.lock'), { staleMs: 60_000 });
  const busy = { code: 'STATE_UNAVAILABLE', message: 'another command changes the platform shop: nothing was changed' };
  expect(() => writeUserPlatform(folder.path, platform, taken)).toThrow(expect.objectContaining(busy));
  expect(() => removeUserPlatform(folder.path, 'shop')).toThrow(expect.objectContaining(busy));
  lock?.release();
  expect(readdirSync(platforms, { recursive: true })).toEqual(before);
  removeUserPlatform(folder.path, 'shop');
  expect(readdirSync(platforms)).toEqual([]);
});
