/** What docs/extending.md shows is whole: its files are found by the folders they lie in, and its platform becomes tools. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { operationsOf } from '../../../fake-api/expand/lint/endpoint-count.ts';
import { platformDocuments } from '../../../fake-api/expand/platform-documents.ts';
import { loadChecks } from '../../../harness/grading/grading-check.ts';
import { loadScenarios } from '../../../harness/scenario/scenario.ts';
import { loadSubject } from '../../../harness/subject/subject.ts';
import { readPlatformFile } from '../../config/platform-file.ts';
import { loadChecks as loadDoctorChecks } from '../../doctor/examine.ts';
import { LOCAL_TOOLS } from '../../tools/local/registry.ts';
import { blocks } from './blocks.ts';
import { root } from './source-imports.ts';

const folder = mkdtempSync(join(tmpdir(), 'extending-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const own = blocks().filter(({ page }) => page === 'docs/extending.md');
const quoted = (start: string) => {
  const [block, ...more] = own.filter(({ file }) => file?.startsWith(start));
  expect(more).toEqual([]);
  return basename(block?.file ?? `nothing of ${start}`).replace(/\.(ts|yaml)$/, '');
};

test('its files are found by the folders they lie in', async () => {
  const scenarios = (await loadScenarios(root)).map(({ id }) => basename(id));
  expect(scenarios).toContain(quoted('scenarios/'));
  expect((await loadChecks()).map(({ id }) => id)).toContain(quoted('harness/grading/checks/'));
  expect(await loadSubject(quoted('harness/subjects/'))).toMatchObject({ name: quoted('harness/subjects/') });
  expect((await loadDoctorChecks()).map(({ id }) => id)).toContain(quoted('server/doctor/checks/'));
  expect(LOCAL_TOOLS.map(({ name }) => name)).toContain(quoted('server/tools/local/').replaceAll('-', '_'));
});

test('its platform becomes the operations it speaks of, and the router takes its file', async () => {
  const [platform = '', orders = '', router = ''] = own
    .filter(({ language, file }) => language === 'yaml' && file === undefined)
    .map(({ text }) => text);
  mkdirSync(join(folder, 'models', 'shop'), { recursive: true });
  mkdirSync(join(folder, 'models', 'shared'));
  writeFileSync(join(folder, 'models', 'shop', 'platform.yaml'), platform);
  writeFileSync(join(folder, 'models', 'shop', 'orders.yaml'), orders);
  writeFileSync(join(folder, 'shop.yaml'), router);
  const places = { platforms: join(folder, 'models'), output: join(folder, 'openapi') };
  const documents = (await platformDocuments(['shop'], places)).get('shop');
  const operations = [...(documents?.values() ?? [])].flatMap(operationsOf);
  const kinds = operations.map(({ operation }) => operation['x-svc-capability']);
  expect(kinds.sort()).toEqual(['destructive', 'read', 'read', 'write', 'write', 'write']);
  expect(readPlatformFile(join(folder, 'shop.yaml'))).toMatchObject({ id: 'shop', documents: 'var/openapi/shop' });
});
