/** What a build holds, and what a router that asks for more or less makes of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type SampleEstate, sampleEstate, samplePlatform } from '../test/support/sample-catalog.ts';
import { ensureCatalog } from './ensure.ts';

const ON = { SVC_MCP_PRODUCTS: 'all' };

/** The sample estate with two optional products beside its one toolset. */
function withProducts(): SampleEstate {
  const estate = sampleEstate();
  for (const id of ['nac', 'sdwan']) {
    const gate = { variable: `SVC_MCP_${id.toUpperCase()}_WRITES`, default: 'product-access' };
    const platform = { ...samplePlatform, id, kind: 'product', words: [id], documents: `var/openapi/${id}`, gate };
    writeFileSync(join(estate.root, `server/platforms/${id}.yaml`), stringify(platform));
    mkdirSync(join(estate.root, `var/openapi/${id}`));
    const paths = {
      '/things': { get: { operationId: 'listThings' }, post: { operationId: 'createThing' } },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path' }],
        delete: { operationId: 'deleteThing' },
        post: { operationId: 'pingThing' },
      },
      '/things/{id}/ping': { parameters: [{ name: 'id', in: 'path' }], post: { operationId: 'startPing' } },
    };
    writeFileSync(join(estate.root, `var/openapi/${id}/${id}.json`), JSON.stringify({ openapi: '3.0.3', paths }));
  }
  return estate;
}

const held = (estate: SampleEstate, request: Partial<Parameters<typeof ensureCatalog>[0]> = {}, variables = {}) => {
  const { catalog, built } = ensureCatalog({ ...estate.config(variables), ...request });
  const names = catalog.names();
  const { platforms, capabilities } = catalog.summary;
  catalog.close();
  return { names, platforms, capabilities, built };
};

test('by default optional products show what they read and diagnose, and hide what they write', () => {
  using estate = withProducts();
  const { names, platforms } = held(estate, { scope: { products: 'all', complete: false } });
  expect(platforms).toEqual({ mgmt: 13, nac: 2, sdwan: 2 });
  expect(names.filter((name) => name.startsWith('nac_'))).toEqual(['nac_list_things', 'nac_start_ping']);
  expect(names, 'a toolset is no optional product').toContain('mgmt_delete_auth_server');
});

test('a complete catalog holds everything', () => {
  using estate = withProducts();
  expect(held(estate, { scope: { products: 'all', complete: true } }).platforms).toEqual({
    mgmt: 13,
    nac: 5,
    sdwan: 5,
  });
});

test('products can be named, or left out', () => {
  using estate = withProducts();
  expect(held(estate, { scope: { products: ['nac'], complete: true } }).platforms).toEqual({ mgmt: 13, nac: 5 });
  expect(held(estate, { scope: { products: [], complete: true } }).platforms).toEqual({ mgmt: 13 });
});

test('a router takes the catalog it finds as long as it serves its platforms', () => {
  using estate = withProducts();
  held(estate, { scope: { products: ['nac'], complete: false } });
  expect(held(estate)).toMatchObject({ built: false, platforms: { nac: 2 } });
  expect(held(estate, {}, { SVC_MCP_PRODUCTS: 'nac' })).toMatchObject({ built: false });
  const more = held(estate, {}, ON);
  expect(more, 'and builds a wider one of the same kind when it does not').toMatchObject({
    built: true,
    platforms: { mgmt: 13, nac: 2, sdwan: 2 },
  });
  expect(held(estate, {}, { SVC_MCP_PRODUCTS: 'sdwan' })).toMatchObject({ built: false });
});

test('without any catalog a router builds one that serves every selection', () => {
  using estate = withProducts();
  expect(held(estate)).toMatchObject({ built: true, platforms: { mgmt: 13, nac: 5, sdwan: 5 } });
});

test('another scope is another build, and going back finds the first one', () => {
  using estate = withProducts();
  const scope = { products: 'all', complete: true } as const;
  expect(held(estate, { scope }).built).toBe(true);
  expect(held(estate, { scope: { products: [], complete: true } }).built).toBe(true);
  expect(held(estate, { scope }).platforms).toEqual({ mgmt: 13, nac: 5, sdwan: 5 });
});
