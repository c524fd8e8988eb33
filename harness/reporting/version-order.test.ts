import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newestPublished, PUBLISHED_FOLDER } from './publication.ts';
import { byVersion } from './version-order.ts';

test('a release comes after its candidates, and numbers are read as numbers', () => {
  const ordered = ['0.9.0', '0.10.0', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1-rc.1'];
  expect(ordered.toReversed().sort(byVersion)).toEqual(ordered);
});

test('the newest published version is the release, not its candidate', async () => {
  const root = await mkdtemp(join(tmpdir(), 'versions-'));
  for (const version of ['1.0.0-rc.1', '1.0.0', '0.9.0']) {
    const folder = join(root, PUBLISHED_FOLDER, version);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'golden.campaign.json'), '{}');
  }
  expect(await newestPublished(root)).toBe('1.0.0');
  await rm(root, { recursive: true });
});
