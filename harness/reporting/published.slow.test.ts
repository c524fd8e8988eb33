/** Every published version can be made again from the stored data, byte for byte and without a network, by its methodology. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { METHODOLOGY } from '../grading/baseline.ts';
import { campaignMetas, PUBLISHED_FOLDER, publishedFolder } from './publication.ts';

const root = join(import.meta.dirname, '..', '..');
const versions: string[] = [];
// A version may hold a comparison with other servers alone, which has no results page.
for (const version of await readdir(join(root, PUBLISHED_FOLDER)))
  if ((await campaignMetas(publishedFolder(root, version))).length > 0) versions.push(version);

test('there is a published version', () => {
  expect(versions).toContain('0.1.0');
});

test.each(versions)('the results page of %s is what its recordings say', async (version) => {
  let [stdout, stderr] = ['', ''];
  const exit = await main(['reproduce', version, '--check'], {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) } as never,
  });
  // What was judged by another methodology is made again at its own commit, which the refusal names.
  const metas = await campaignMetas(publishedFolder(root, version));
  const other = metas.find(({ meta }) => meta.methodology !== METHODOLOGY);
  if (other !== undefined) {
    expect(exit).toBe(2);
    expect(stderr).toContain(`check out commit ${other.meta.commit}`);
    return;
  }
  expect({ exit, stdout, stderr }).toEqual({
    exit: 0,
    stdout: expect.stringContaining('is equal to the report of its recordings, byte for byte'),
    stderr: '',
  });
});
