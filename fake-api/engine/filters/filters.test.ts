import { describe, expect, it } from 'vitest';
import { holds } from './condition.ts';
import { fits, type ParsedExpression } from './expression.ts';
import { parseJsonExpression } from './json-expression.ts';
import { parseOdata } from './odata.ts';
import { matchesWildcard } from './wildcard.ts';

const fields = { name: ['eq', 'ne', 'in', 'contains'], port: ['gt', 'ge', 'lt', 'le'], enabled: ['eq'], note: ['eq'] };
const rows = [
  { name: 'lobby-1', port: 80, enabled: true, note: null },
  { name: 'lobby-2', port: 443, enabled: false, note: "it's" },
  { name: 'roof-1', port: 8080, enabled: true, note: 'old' },
];

function chosen(read: ParsedExpression): string[] {
  if (!read.ok) throw new Error(read.problem);
  return rows.filter((row) => fits(row, read.expression)).map((row) => row.name);
}

function problem(read: ParsedExpression): string {
  return read.ok ? 'none' : read.problem;
}

describe('the full filter', () => {
  it.each([
    ["name eq 'roof-1'", ['roof-1']],
    ["name ne 'roof-1' and enabled eq true", ['lobby-1']],
    ["name eq 'roof-1' or port lt 100 and enabled eq false", ['roof-1']],
    ["(name eq 'roof-1' or port lt 100) and enabled eq true", ['lobby-1', 'roof-1']],
    ["not (name in ('lobby-1','lobby-2'))", ['roof-1']],
    ["not enabled eq true or note eq 'old'", ['lobby-2', 'roof-1']],
    ["contains(name,'OBB') and port ge 443", ['lobby-2']],
    ["startswith(name,'roof')", ['roof-1']],
    ["note eq 'it''s'", ['lobby-2']],
    ['note eq null', ['lobby-1']],
  ])('takes %s', (text, expected) => {
    expect(chosen(parseOdata(text, fields))).toEqual(expected);
  });

  it.each([
    ['', /expected conditions such as/],
    ["colour eq 'red'", /expected a field of name, port, enabled, note, got "colour"/],
    ["port eq '1'", /expected operator gt or ge or lt or le on port, got "eq"/],
    ["contains(port,'1')", /expected operator gt or ge or lt or le on port, got "contains"/],
    ["(name eq 'a'", /expected "\)" after the conditions in parentheses/],
    ["name eq 'a' name eq 'b'", /expected and, or, or the end, got "name"/],
    ['name eq', /expected a quoted value after eq, got ""/],
    ["name in ('a'", /expected "," or "\)" in the list/],
  ])('refuses %s', (text, says) => {
    expect(problem(parseOdata(text, fields))).toMatch(says);
  });
});

describe('the filter in JSON', () => {
  it.each([
    [{ name: 'roof-1' }, ['roof-1']],
    [{ name: { $contains: 'lobby' }, port: { $gt: 100, $lte: 443 } }, ['lobby-2']],
    [{ $or: [{ name: { $in: ['roof-1'] } }, { enabled: false }] }, ['lobby-2', 'roof-1']],
    [{ $not: { enabled: true } }, ['lobby-2']],
    [{ note: null }, ['lobby-1']],
  ])('takes %j', (value, expected) => {
    expect(chosen(parseJsonExpression(JSON.stringify(value), fields))).toEqual(expected);
  });

  it.each([
    ['{"name"', /expected a JSON object, got/],
    ['[]', /expected a JSON object with conditions, got an array of 0/],
    ['{"colour":1}', /expected a field of/],
    ['{"port":{"$eq":1}}', /expected operator \$gt or \$gte or \$lt or \$lte on port, got "\$eq"/],
    ['{"name":{"$in":"a"}}', /expected a list after \$in/],
    ['{"name":{"$eq":{"a":1}}}', /expected a plain value after \$eq/],
    ['{"$or":{}}', /expected a list of conditions under \$or/],
  ])('refuses %s', (text, says) => {
    expect(problem(parseJsonExpression(text, fields))).toMatch(says);
  });
});

it.each([
  ['lobby-1', 'LOBBY*', true],
  ['lobby-1', '*obb*', true],
  ['lobby-1', '*-1', true],
  ['lobby-1', 'lobby', false],
  [['a', 'b'], 'b', true],
  [7, '7', true],
  [null, '*', false],
])('a value %j fits %s: %s', (value, wanted, expected) => {
  expect(matchesWildcard(value, wanted)).toBe(expected);
});

it('a moment is compared as such, in whatever zone it is written, and a MAC address in capitals or not', () => {
  const row = { at: '2026-03-02T09:00:00Z', mac: '02:5e:a0:75:e8:4a', up: true };
  const test = (operator: string, value: string, field = 'at') => holds(row, { field, operator, values: [value] });
  for (const same of ['2026-03-02T09:00:00.000Z', '2026-03-02T11:00:00+02:00']) {
    expect(['eq', 'ge', 'le', 'in', 'ne', 'gt', 'lt'].map((operator) => test(operator, same))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  }
  expect([test('gt', '2026-03-02T10:30:00+02:00'), test('lt', '2026-03-02T08:30:00-01:00')]).toEqual([true, true]);
  expect([test('ge', '2026-03-02'), test('gt', '2026-03-03')]).toEqual([true, false]);
  expect([test('eq', '02:5E:A0:75:E8:4A', 'mac'), test('eq', '02:5e:a0:75:e8:4b', 'mac')]).toEqual([true, false]);
});
