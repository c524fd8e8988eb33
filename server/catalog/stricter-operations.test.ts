/** Stricter operations below the fixed beginning of a path: a call looks them up, so those of other classes are not read. */
import { expect, test, vi } from 'vitest';
import { openCatalog } from '../open-catalog.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import type { Tool } from './tool.ts';

const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
const responses = { 200: { description: 'done', content: { 'application/json': { schema: { type: 'object' } } } } };
const get = (operationId: string, more: object = {}) => ({ get: { operationId, responses, ...more } });

test('of many operations only the stricter ones are read', () => {
  using installation = sampleInstallation();
  const many = Array.from({ length: 50 }, (_, at) => [`/things/kind-${at}`, get(`getKind${at}`)]);
  installation.writeDocument('things.json', {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1', 'x-svc-platform': 'mgmt', 'x-svc-document': 'things' },
    servers: [{ url: '/' }],
    paths: {
      '/things/{id}': get('getThing', { parameters }),
      '/things/reboot': get('rebootThings'),
      ...Object.fromEntries(many),
    },
  });
  const { catalog } = openCatalog(installation.config());
  try {
    const thing = catalog.tool('mgmt_get_thing') as Tool;
    const parse = vi.spyOn(JSON, 'parse');
    const found = catalog.stricterThan(thing);
    expect(found.map(({ name }) => name)).toEqual(['mgmt_reboot_things']);
    expect(parse).toHaveBeenCalledTimes(1);
    expect(catalog.stricterThan({ ...thing, platform: 'other' })).toEqual([]);
    parse.mockRestore();
  } finally {
    catalog.close();
  }
});
