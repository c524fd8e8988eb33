import { describe, expect, test } from 'vitest';
import { ExpandError } from './expand-errors.ts';
import { type Field, parseFieldLine } from './field-line.ts';

const place = { file: 'demo/small.yaml', line: 7, field: 'resources.things.fields.size' };
const parse = (line: string): Field => parseFieldLine('size', line, place);

describe('a field line says', () => {
  test.each<[string, Partial<Field>]>([
    ['text -- Free prose', { type: { kind: 'scalar', name: 'text' }, required: false, array: null }],
    ['str(1..63)! -- Required text', { type: { kind: 'scalar', name: 'str', min: 1, max: 63 }, required: true }],
    [
      'str(/^a(b|c)\\)$/) -- A pattern may hold parentheses',
      { type: { kind: 'scalar', name: 'str', pattern: '^a(b|c)\\)$' } },
    ],
    ['int(1..4094)=10 -- With default', { type: { kind: 'scalar', name: 'int', min: 1, max: 4094 }, default: 10 }],
    ['int(-110..-40) -- Negative range', { type: { kind: 'scalar', name: 'int', min: -110, max: -40 } }],
    ['num(..1.5) -- Open below', { type: { kind: 'scalar', name: 'num', max: 1.5 } }],
    ['int(0..) -- Open above', { type: { kind: 'scalar', name: 'int', min: 0 } }],
    ['bool=false list -- Truth', { type: { kind: 'scalar', name: 'bool' }, default: false, inSummary: true }],
    ['enum(a|b|c)=b -- Values', { type: { kind: 'enum', values: ['a', 'b', 'c'] }, default: 'b' }],
    [
      'DeviceType[](1..8) -- Named values',
      { type: { kind: 'named-enum', name: 'DeviceType' }, array: { min: 1, max: 8 } },
    ],
    ['str(1..8)[]=[a,b] -- List with default', { array: {}, default: ['a', 'b'] }],
    ['int(0..9)[]=[] -- Empty list', { array: {}, default: [] }],
    ['str(0..20)="two words" -- Quoted default', { default: 'two words' }],
    ['obj(Range)[](0..4) -- Nested', { type: { kind: 'object', name: 'Range' }, array: { min: 0, max: 4 } }],
    ['ref(sites) -- To the key', { type: { kind: 'ref', resource: 'sites' }, onDelete: 'restrict' }],
    [
      'ref(sites.name) null del(set-null) -- To a field',
      { type: { kind: 'ref', resource: 'sites', field: 'name' }, onDelete: 'set-null', nullable: true },
    ],
    ['ref-by(kind) -- Named by a sibling', { type: { kind: 'ref-by', sibling: 'kind' } }],
    ['map(int(0..9)) -- Free keys', { type: { kind: 'map', of: { kind: 'scalar', name: 'int', min: 0, max: 9 } } }],
    ['secret(8..63) -- Never returned', { type: { kind: 'scalar', name: 'secret', min: 8, max: 63 } }],
    [
      'host imm uniq sort q dep -- Flags',
      { immutable: true, unique: true, sortable: true, freeText: true, deprecated: true },
    ],
    ['str(1..9) ro filter(eq, in) -- Filter', { readOnly: true, filter: ['eq', 'in'] }],
    [
      'str(1..9) ex(a,b) fn(CAMPUS_AP,VPNC) -- Examples',
      { examples: ['a', 'b'], deviceFunctions: ['CAMPUS_AP', 'VPNC'] },
    ],
  ])('%s', (line, expected) => {
    expect(parse(line)).toMatchObject(expected);
    expect(parse(line).description).toBe(line.slice(line.indexOf(' -- ') + 4));
  });
});

describe('a field line is refused when', () => {
  test.each<[string, string, string]>([
    ['it has no description', 'int(1..4)', 'a description after " -- "'],
    ['the description is empty', 'int(1..4) --  ', 'a description after " -- "'],
    ['the type is unknown', 'integer -- Number', 'a type of str'],
    ['the range falls', 'int(9..1) -- Number', 'a range that rises'],
    ['the range is no range', 'int(9) -- Number', 'a range n..m'],
    ['a type takes no constraint', 'bool(1..2) -- Truth', 'bool without a constraint'],
    ['a parenthesis stays open', 'str(1..3 -- Text', 'a closing parenthesis'],
    ['a pattern stays open', 'str(/abc) -- Text', 'a pattern closed by "/)"'],
    ['a pattern is no pattern', 'str(/[/) -- Text', 'a regular expression'],
    ['a number has a pattern', 'int(/1/) -- Number', 'a range for int'],
    ['an enum has one value', 'enum(a) -- Value', 'enum(a|b|...) with at least two values'],
    ['an enum repeats a value', 'enum(a|a) -- Value', 'enum values that differ'],
    ['a default is outside the range', 'int(1..4)=9 -- Number', 'a default inside 1..4'],
    ['a default is no number', 'int(1..4)=x -- Number', 'a default of type int'],
    ['a default is too long', 'str(1..2)=abc -- Text', 'a default of 1..2 characters'],
    ['a default breaks the pattern', 'str(/^a$/)=b -- Text', 'a default that matches ^a$'],
    ['a default is not in the enum', 'enum(a|b)=c -- Value', 'a default of a, b'],
    ['a default is not truth', 'bool=yes -- Truth', 'true or false'],
    ['a list has a single default', 'int(0..9)[]=1 -- Numbers', 'a list default'],
    ['null is the default of what cannot be null', 'str(1..2)=null -- Text', 'the flag null'],
    ['a secret has a default', 'secret(1..9)=abc -- Secret', 'no default on a secret'],
    ['a flag is unknown', 'str(1..2) sorted -- Text', 'flags of ro, imm'],
    ['a flag lacks its argument', 'str(1..2) filter -- Text', 'filter(...)'],
    ['a flag has an argument too many', 'str(1..2) list(x) -- Text', 'list without argument'],
    ['a filter operator is unknown', 'str(1..2) filter(like) -- Text', 'filter operators of'],
    ['del stands on no reference', 'str(1..2) del(restrict) -- Text', 'del(...) only on a ref'],
    ['it is required and read-only', 'str(1..2)! ro -- Text', 'either required (!) or read-only'],
    ['it is set once and read-only', 'str(1..2) imm ro -- Text', 'either set once (imm) or read-only'],
  ])('%s', (_reason, line, expected) => {
    const error = failure(() => parse(line));
    expect(error.code).toBe('MODEL_FIELD_LINE');
    expect(error.message).toContain('demo/small.yaml:7 resources.things.fields.size: expected ');
    expect(error.message).toContain(expected);
    expect(error.exitCode).toBe(2);
  });
});

function failure(work: () => unknown): ExpandError {
  try {
    work();
  } catch (error) {
    if (error instanceof ExpandError) return error;
    throw error;
  }
  throw new Error('expected a refusal, got none');
}
