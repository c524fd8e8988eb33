/** The figures of docs/results.md that are counted over all documents of the ten platforms. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { count } from '../../../fake-api/expand/lint/endpoint-count.ts';
import { listPlatforms } from '../../../fake-api/expand/model/platforms-folder.ts';
import { platformDocuments } from '../../../fake-api/expand/platform-documents.ts';
import { root } from './source-imports.ts';

test('schemas and fields of the ten platforms are counted as they are', async () => {
  const { total } = count(await platformDocuments(await listPlatforms()));
  const [schemas, fields] = [total.schemas, total.fields].map((each) => each.toLocaleString('en'));
  const page = readFileSync(join(root, 'docs/results.md'), 'utf8');
  expect(page).toContain(`| their schemas, shared ones once | ${schemas} |`);
  expect(page).toContain(`| their fields, shared ones once | ${fields} |`);
});
