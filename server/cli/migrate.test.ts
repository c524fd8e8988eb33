/** svc-mcp-migrate as a person starts it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { runNode } from '../test/support/running-process.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { SVC_MCP_DOTENV: '0', SVC_MCP_CATALOG_DIR: shippedCatalog() };
const migrate = (...words: string[]) => runNode([join(import.meta.dirname, 'migrate.mjs'), ...words], { env });

test('plan prints the counts and writes the page', async () => {
  const file = join(folder, 'export.json');
  const page = join(folder, 'plan.html');
  writeFileSync(file, '{"vlans": [{"id": 10}], "controllers": [{"ip": "10.0.0.1"}]}');
  const { code, stdout } = await migrate('plan', file, '--html', page);
  expect([code, stdout.split('\n').slice(1, 5)]).toEqual([
    0,
    ['     1 exact', '     0 conditional', '     0 manual', '     1 unsupported'],
  ]);
  expect(readFileSync(page, 'utf8')).toContain('<h1>Migration plan</h1>');
});

test('an object that a rule refuses is exact neither in the counts of the command nor on its page', async () => {
  const file = join(folder, 'refused.json');
  const page = join(folder, 'refused.html');
  const vap = { profile_name: 'net', ssid_prof: 'net', vlan: '10', forward_mode: 'bridge', broadcast_filter: 'all' };
  const wlans = { ssid_profiles: [{ profile_name: 'net', essid: 'net', opmode: 'opensystem' }], virtual_aps: [vap] };
  writeFileSync(file, JSON.stringify({ vlans: [{ id: 10 }], wlans }));
  const { stdout } = await migrate('plan', file, '--html', page);
  expect(stdout.split('\n').slice(1, 5)).toEqual([
    '     1 exact',
    '     0 conditional',
    '     1 manual',
    '     0 unsupported',
  ]);
  expect(readFileSync(page, 'utf8')).toContain('<li class="exact"><a href="#exact"><b>1</b>');
});

test('the terminal says what is written in which order, what is not and why, and what could not be read', async () => {
  const file = join(folder, 'shown.json');
  const roles = Array.from({ length: 22 }, (_, i) => ({ rname: `role-${i}`, role__acl: [{ pname: 'custom' }] }));
  writeFileSync(file, JSON.stringify({ vlans: [{ id: 10 }, { id: 11, odd: 1 }], roles, printers: [] }));
  const { stdout } = await migrate('plan', file);
  expect(stdout).toMatch(/^exact: Written as it is.*\n +\d+\. vlan 10: number and remark are written as they are$/m);
  expect(stdout).toMatch(/^ +\d+\. vlan 11: refused: .*no place at the target: odd$/m);
  expect(stdout).toMatch(/^ {2}3 more are in --html <file> and --json$/m);
  expect(stdout).toMatch(/^about the export\n {2}\/printers a section that is not part of the export format/m);
});

test.each([
  ['UTF-16 with its mark', Buffer.from('\uFEFF{"vlans": [{"id": 10}]}', 'utf16le')],
  ['UTF-16 of the other byte order', Buffer.from('\uFEFF{"vlans": [{"id": 10}]}', 'utf16le').swap16()],
  ['a byte order mark and line ends of two characters', '\uFEFF{\r\n"vlans": [{"id": 10}]}\r\n'],
])('an export in %s is read', async (_, bytes) => {
  const file = join(folder, 'encoded.json');
  writeFileSync(file, bytes);
  expect(await migrate('plan', file)).toMatchObject({ code: 0, stdout: expect.stringContaining(' 1 exact\n') });
});

test.each([
  ['compressed', gzipSync('{"vlans": [{"id": 10}]}'), 'is compressed by gzip'],
  ['in Latin-1', Buffer.from('{"vlans": [{"id": 10, "descr": "Gäste"}]}', 'latin1'), 'should be text in UTF-8'],
  ['cut off', '{"vlans": [{"id":', 'got a text that ends too early'],
  ['cut off after an item', '{"vlans":\n[{"id": 10}', 'got something else at line 2, column 12'],
  ['of something else', '{"openapi": "3.1.0"}', 'holds no object in a section of an export (vlans, wlans,'],
  ['empty', '{}', 'holds no object in a section of an export (vlans, wlans,'],
])('a file that is %s is no plan of nothing', async (_, bytes, said) => {
  const file = join(folder, 'other.json');
  writeFileSync(file, bytes);
  const { code, stdout, stderr } = await migrate('plan', file);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
});

test('the plan itself needs neither settings nor a catalog', async () => {
  const file = join(folder, 'vlans.json');
  writeFileSync(file, '{"vlans": [{"id": 10}]}');
  const wrong = { env: { SVC_MCP_DOTENV: '0', MCP_PORT: 'none', SVC_MCP_CATALOG_DIR: join(folder, 'none') } };
  const plan = (...words: string[]) =>
    runNode([join(import.meta.dirname, 'migrate.mjs'), 'plan', file, ...words], wrong);
  const { code, stdout } = await plan('--json');
  expect([code, JSON.parse(stdout).candidates.new.length]).toEqual([0, 1]);
  expect((await plan()).code).toBe(2);
});

test('a file that is no export fails with a code and a remedy, and nothing of its text', async () => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, '{"wpa_passphrase": "do not tell');
  const { code, stderr } = await migrate('plan', file);
  expect([code, stderr]).toEqual([2, expect.stringContaining('MIGRATION_EXPORT_INVALID')]);
  expect(stderr).not.toContain('do not tell');
  expect((await migrate('plan', file, '--target', 'old')).code).toBe(2);
});

test.each([
  [['profile', 'get', 'roles'], /missing required argument/],
  [['profile', 'get', 'roles', 'x', '--bogus'], /unknown option/],
  [['plan'], /missing required argument/],
])('%j is wrong usage and not the answer that there is no such profile', async (words, said) => {
  const { code, stderr } = await migrate(...words);
  expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
});

test('the fields of a profile are read behind a byte order mark, and refused in another encoding', async () => {
  const file = join(folder, 'fields.json');
  const set = () => migrate('profile', 'set', 'roles', 'x', '--input', file, '--directory', folder);
  writeFileSync(file, '\uFEFF{"allow-all": true}');
  expect((await set()).stderr).toContain('`mgmt.base_url` should be set');
  writeFileSync(file, Buffer.from('{"description": "Gäste"}', 'latin1'));
  expect(await set()).toMatchObject({ code: 2, stderr: expect.stringContaining('should be text in UTF-8') });
});

test.each<[string, Record<string, string>]>([
  ['a bearer token', { MCP_HTTP_BEARER_TOKEN: 'of-the-shell-and-long-enough' }],
  ['a file of it, as the setup names it', { MCP_HTTP_BEARER_TOKEN_FILE: 'token' }],
  ['principals', { SVC_MCP_PRINCIPALS_PATH: 'principals.yaml' }],
  ['an issuer', { SVC_MCP_OAUTH_ISSUER: 'https://issuer.test', SVC_MCP_OAUTH_AUDIENCE: 'router' }],
])(
  'what settings of a router over HTTP say of its callers (%s) is nothing to a person at a terminal',
  async (_, own) => {
    writeFileSync(join(folder, 'token'), `${'a'.repeat(64)}\n`, { mode: 0o600 });
    const settings = { ...env, MCP_TRANSPORT: 'streamable-http', SVC_MCP_STATE_DIR: join(folder, 'state'), ...own };
    const words = [join(import.meta.dirname, 'migrate.mjs'), 'profile', 'get', 'roles', 'x', '--directory', folder];
    const { code, stderr } = await runNode(words, { env: settings });
    expect([code, stderr]).toEqual([1, expect.stringContaining('`mgmt.base_url` should be set')]);
  },
);
