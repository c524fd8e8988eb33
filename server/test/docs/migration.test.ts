/** docs/migration.md says what the code does: its table is the code's, and each line of evidence is a test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROWS, type Row } from '../../migration/classification.ts';
import { LOCAL_TOOLS } from '../../tools/local/registry.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs/migration.md'), 'utf8');
const read = (path: string) => readFileSync(join(root, 'server/migration', path), 'utf8');

/** Cells of the rows below a heading, with `\|` as part of a cell. */
function rowsBelow(heading: string): string[][] {
  const lines = page.slice(page.indexOf(`## ${heading}`)).split('\n');
  const from = lines.findIndex((line) => line.startsWith('| --- |')) + 1;
  const until = lines.findIndex((line, at) => at > from && !line.startsWith('|'));
  return lines.slice(from, until).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

test('the table has the rows of the code, each with a test of its own words', () => {
  const rows = rowsBelow('What can be moved');
  const coded: Row[] = Object.values(ROWS);
  expect(rows.map(([family, classic, next]) => [family, classic, next])).toEqual(
    coded.map((row) => [row.family, row.classic, row.new]),
  );
  const tests = read('classification.test.ts');
  expect(rows.map((row) => row[3] as string).filter((title) => !tests.includes(title))).toEqual([]);
});

/** The cells of specification 3.3 for automatic classes; whatever is automatic beyond them would be a wider claim. */
const MAY_BE_AUTOMATIC: Record<string, readonly ('classic' | 'new')[]> = {
  vlan: ['new'],
  wlan_open: ['classic', 'new'],
  wlan_wpa2: ['new'],
  wlan_sae: ['classic', 'new'],
  wlan_enhanced_open: ['new'],
  wlan_wpa3_enterprise: ['classic'],
  aaa_profile: ['new'],
  login_profile: ['new'],
  auth_server_radius: ['new'],
  auth_server_radsec: ['new'],
  server_group: ['new'],
  role_allow_all: ['new'],
  vrrp: ['new'],
};

test('no row is wider than the specification', () => {
  const automatic = Object.values(ROWS).flatMap((row: Row) =>
    (['classic', 'new'] as const)
      .filter((target) => row[target] === 'exact' || row[target] === 'conditional')
      .map((target) => `${row.id} ${target}`),
  );
  const allowed = Object.entries(MAY_BE_AUTOMATIC).flatMap(([id, targets]) =>
    targets.map((target) => `${id} ${target}`),
  );
  expect(automatic.toSorted()).toEqual(allowed.toSorted());
  const exact = Object.values(ROWS).filter((row: Row) => row.classic === 'exact' || row.new === 'exact');
  expect(exact.map(({ id }) => id)).toEqual(['vlan', 'wlan_open']);
});

test('every sentence about secrets is proven by a test', () => {
  const rows = rowsBelow('What becomes of secrets');
  expect(rows).toHaveLength(9);
  for (const [sentence, file, title] of rows)
    expect(read(file as string).includes(title as string), sentence).toBe(true);
});

test('every tool of migrations is on the page', () => {
  const tools = LOCAL_TOOLS.filter(({ toolset }) => toolset === 'migration').map(({ name }) => name);
  expect(tools.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
