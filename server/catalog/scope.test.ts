/** What a build contains, and which catalog a router uses that asks for more or less. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type SampleInstallation, sampleInstallation, samplePlatform } from '../test/support/sample-installation.ts';
import { ensureCatalog } from './ensure.ts';

const ON = { SVC_MCP_PRODUCTS: 'all' };

/** The sample installation with two optional products beside its one toolset. */
function withProducts(): SampleInstallation {
  const installation = sampleInstallation();
  for (const id of ['nac', 'sdwan']) {
    const gate = { variable: `SVC_MCP_${id.toUpperCase()}_WRITES`, default: 'product-access' };
    const platform = { ...samplePlatform, id, kind: 'product', words: [id], documents: `var/openapi/${id}`, gate };
    writeFileSync(join(installation.root, `server/platforms/${id}.yaml`), stringify(platform));
    mkdirSync(join(installation.root, `var/openapi/${id}`));
    const paths = {
      '/things': { get: { operationId: 'listThings' }, post: { operationId: 'createThing' } },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path' }],
        delete: { operationId: 'deleteThing' },
        post: { operationId: 'pingThing' },
      },
      '/things/{id}/ping': { parameters: [{ name: 'id', in: 'path' }], post: { operationId: 'startPing' } },
    };
    writeFileSync(join(installation.root, `var/openapi/${id}/${id}.json`), JSON.stringify({ openapi: '3.0.3', paths }));
  }
  return installation;
}

const held = (
  installation: SampleInstallation,
  request: Partial<Parameters<typeof ensureCatalog>[0]> = {},
  variables = {},
) => {
  const { catalog, built } = ensureCatalog({ ...installation.config(variables), ...request });
  const names = catalog.names();
  const { platforms, capabilities } = catalog.summary;
  catalog.close();
  return { names, platforms, capabilities, built };
};

test('by default optional products show what they read and diagnose, and hide what they write', () => {
  using installation = withProducts();
  const { names, platforms } = held(installation, { scope: { products: 'all', complete: false } });
  expect(platforms).toEqual({ mgmt: 13, nac: 2, sdwan: 2 });
  expect(names.filter((name) => name.startsWith('nac_'))).toEqual(['nac_list_things', 'nac_start_ping']);
  expect(names, 'a toolset is no optional product').toContain('mgmt_delete_auth_server');
});

test('a complete catalog holds everything', () => {
  using installation = withProducts();
  expect(held(installation, { scope: { products: 'all', complete: true } }).platforms).toEqual({
    mgmt: 13,
    nac: 5,
    sdwan: 5,
  });
});

test('products can be named, or left out', () => {
  using installation = withProducts();
  expect(held(installation, { scope: { products: ['nac'], complete: true } }).platforms).toEqual({ mgmt: 13, nac: 5 });
  expect(held(installation, { scope: { products: [], complete: true } }).platforms).toEqual({ mgmt: 13 });
});

test('a router takes the catalog it finds as long as it serves its platforms', () => {
  using installation = withProducts();
  held(installation, { scope: { products: ['nac'], complete: false } });
  expect(held(installation)).toMatchObject({ built: false, platforms: { nac: 2 } });
  expect(held(installation, {}, { SVC_MCP_PRODUCTS: 'nac' })).toMatchObject({ built: false });
  const more = held(installation, {}, ON);
  expect(more, 'and builds a wider one of the same kind when it does not').toMatchObject({
    built: true,
    platforms: { mgmt: 13, nac: 2, sdwan: 2 },
  });
  expect(held(installation, {}, { SVC_MCP_PRODUCTS: 'sdwan' })).toMatchObject({ built: false });
});

test('without any catalog a router builds one that serves every selection', () => {
  using installation = withProducts();
  expect(held(installation)).toMatchObject({ built: true, platforms: { mgmt: 13, nac: 5, sdwan: 5 } });
});

test('another scope is another build, and going back finds the first one', () => {
  using installation = withProducts();
  const scope = { products: 'all', complete: true } as const;
  expect(held(installation, { scope }).built).toBe(true);
  expect(held(installation, { scope: { products: [], complete: true } }).built).toBe(true);
  expect(held(installation, { scope }).platforms).toEqual({ mgmt: 13, nac: 5, sdwan: 5 });
});
