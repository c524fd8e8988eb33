/** Tables of the commands: what a value is, and where blanks count. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readTable } from './csv.ts';
import { utf8Text } from './text-file.ts';

const namesIn = (lines: string, exact: string[] = ['ssid_name']) =>
  readTable(`vlans,ssid_name,scope_id\r\n${lines}`, '--input', ['ssid_name', 'vlans', 'scope_id'], [], exact).map(
    (row) => [row['ssid_name'], row['vlans'], row['scope_id']],
  );

test('blanks within quotes are part of a network name, and of no other value', () => {
  expect(namesIn('" 10 "," Lab" , mill \r\n20,"The ""Lab"" ",mill\r\n')).toEqual([
    [' Lab', '10', 'mill'],
    ['The "Lab" ', '20', 'mill'],
  ]);
  expect(namesIn('10,Lab two,mill')).toEqual([['Lab two', '10', 'mill']]);
  expect(namesIn('10," Lab",mill', [])).toEqual([['Lab', '10', 'mill']]);
});

test.each([
  ['Latin-1', Buffer.from('ssid_name\nGäste\n', 'latin1'), /should be text in UTF-8, got another encoding/],
  ['UTF-16', Buffer.from('\uFEFFssid_name\nGäste\n', 'utf16le'), /should be text in UTF-8, got another encoding/],
])('a table in %s is refused: its names would be written with signs that nobody meant', (_, bytes, why) => {
  const file = join(mkdtempSync(join(tmpdir(), 'svc-mcp-table-')), 'table.csv');
  writeFileSync(file, bytes);
  expect(() => utf8Text(file, '--input')).toThrow(why);
  rmSync(dirname(file), { recursive: true });
  expect(() => utf8Text(file, '--input')).toThrow(/cannot be read/);
});

test('a table of semicolons, as spreadsheets of some countries save it, is told as one', () => {
  expect(() => readTable('ssid_name;vlans\nLab;10\n', '--input', ['ssid_name', 'vlans'])).toThrow(
    '--input parts its values by semicolons: save it with commas',
  );
});

test.each(['10, Lab,mill', '10,Lab ,mill', '10,\tLab,mill', '10,\u00a0Lab,mill', '10,"Lab" two,mill'])(
  'where nobody can tell whether blanks are part of the name, the row is named: %j',
  (line) => {
    expect(() => namesIn(`20,Other,mill\n${line}`)).toThrow(
      /has blanks around the ssid_name in row 2: put all of it into/,
    );
  },
);
