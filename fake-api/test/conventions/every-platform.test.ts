/** The folder is the registry: each platform that is shipped has a test of its own ways. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listPlatforms } from '../../expand/model/platforms-folder.ts';

it('has the ways of each platform tested', async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file !== 'every-platform.test.ts');
  expect(files).toEqual((await listPlatforms()).map((id) => `${id}.test.ts`));
});
