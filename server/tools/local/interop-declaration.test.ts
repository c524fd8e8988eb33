/** A translation is checked against the documents of its target, as the call with it would be. */
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import type { Translated } from '../../interop/translation.ts';
import { openCatalog } from '../../open-catalog.ts';
import { shippedCatalog } from '../../test/support/shipped-catalog.ts';
import siteToCloudwlan from './interop/interop-translate-site-to-cloudwlan.ts';
import siteToMgmt from './interop/interop-translate-site-to-mgmt.ts';
import wlanToMgmt from './interop/interop-translate-wlan-to-mgmt.ts';
import type { LocalTool } from './registry.ts';

const folder = shippedCatalog();
const env = { SVC_MCP_DOTENV: '0', SVC_MCP_CATALOG_DIR: folder, CREDS_PATH: `${folder}/none` };
const { catalog } = openCatalog(loadConfig({ env, cwd: folder }), { products: 'all', complete: true });
afterAll(() => catalog.close());

const translate = (tool: Pick<LocalTool<never>, 'open'>, args: object) =>
  tool.open({ catalog } as never)(args as never, undefined as never) as Promise<Translated>;

const SITE = { name: 'Quay', country_code: 'IE', address: '12 Quay Street, Newry, Down', timezone: 'Europe/Dublin' };

test('a translation that the target takes has no warning of it', async () => {
  const over = await translate(siteToMgmt, { site: SITE });
  expect(over.warnings.map(({ kind }) => kind)).toEqual(['approximated']);
  expect(over.complete).toBe(true);
});

test.each<[string, Pick<LocalTool<never>, 'open'>, object, string]>([
  ['a name that is too long', siteToMgmt, { site: { ...SITE, name: 'q'.repeat(1_000) } }, 'body.name'],
  ['a country of another form', siteToMgmt, { site: { ...SITE, country_code: 'Ireland' } }, 'body.country'],
  [
    'a name that the air does not carry',
    wlanToMgmt,
    { wlan: { ssid: 'n'.repeat(33), auth_type: 'open' } },
    'body.essid.name',
  ],
])('%s at the target is said of its field, and the translation is not complete', async (_, tool, args, field) => {
  const over = await translate(tool, args);
  expect(over.warnings).toContainEqual({
    field,
    kind: 'needed',
    message: expect.stringMatching(/^the target does not take it: it (must|should) .*, got /),
  });
  expect(over.complete).toBe(false);
  expect(over.next_action).toMatch(/^nothing was written: fill in what the warnings ask for, .* mgmt_create_/);
});

test('a field that is missing and asked for is asked for once', async () => {
  const over = await translate(siteToCloudwlan, { site: { name: 'Quay' } });
  expect(over.warnings.map(({ field }) => field)).toEqual(['street', 'country', 'org_id']);
});
