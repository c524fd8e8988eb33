/** Tables of the commands: what a value is, and where blanks count. */
import { expect, test } from 'vitest';
import { readTable } from './csv.ts';

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

test.each(['10, Lab,mill', '10,Lab ,mill', '10,\tLab,mill', '10,\u00a0Lab,mill', '10,"Lab" two,mill'])(
  'where nobody can tell whether blanks are part of the name, the row is named: %j',
  (line) => {
    expect(() => namesIn(`20,Other,mill\n${line}`)).toThrow(
      /has blanks around the ssid_name in row 2: put all of it into/,
    );
  },
);
