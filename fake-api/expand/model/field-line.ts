/**
 * The field grammar: one line says a field's type, limits, default, behaviour and meaning.
 *
 *   type(constraint)[](n..m)!=default flag flag(...) -- description
 */
import { ExpandError, type Place, shown } from './expand-errors.ts';
import { type Complain, Cursor } from './field-cursor.ts';

export const scalarTypes = [
  'str',
  'text',
  'int',
  'num',
  'bool',
  'ipv4',
  'ipv6',
  'ip',
  'cidr',
  'mac',
  'host',
  'fqdn',
  'url',
  'email',
  'uuid',
  'datetime',
  'date',
  'duration',
  'secret',
  'json',
] as const;
export type ScalarName = (typeof scalarTypes)[number];

export type FieldType =
  | { kind: 'scalar'; name: ScalarName; min?: number; max?: number; pattern?: string }
  | { kind: 'enum'; values: readonly string[] }
  | { kind: 'named-enum'; name: string }
  | { kind: 'object'; name: string }
  | { kind: 'ref'; resource: string; field?: string }
  | { kind: 'ref-by'; sibling: string }
  | { kind: 'map'; of: FieldType };

export type Plain = string | number | boolean | null | readonly Plain[];

export interface Field {
  readonly name: string;
  readonly place: Place;
  readonly type: FieldType;
  readonly array: { readonly min?: number; readonly max?: number } | null;
  readonly required: boolean;
  readonly default?: Plain;
  readonly readOnly: boolean;
  readonly immutable: boolean;
  readonly unique: boolean;
  readonly nullable: boolean;
  readonly inSummary: boolean;
  readonly filter: readonly string[];
  readonly sortable: boolean;
  readonly freeText: boolean;
  readonly deprecated: boolean;
  readonly examples: readonly string[];
  readonly deviceFunctions: readonly string[];
  readonly onDelete: 'restrict' | 'set-null';
  readonly description: string;
}

const filterOperators = ['eq', 'ne', 'in', 'gt', 'ge', 'lt', 'le', 'contains'] as const;
const plainFlags = ['ro', 'imm', 'uniq', 'null', 'list', 'sort', 'q', 'dep'] as const;
const argumentFlags = ['filter', 'ex', 'fn', 'del'] as const;
const rangeable = new Set<ScalarName>(['str', 'int', 'num', 'secret', 'text']);

export function parseFieldLine(name: string, line: string, place: Place): Field {
  const complain = (expected: string, got: string): never => {
    throw new ExpandError('MODEL_FIELD_LINE', { place, expected, got });
  };
  const split = line.indexOf(' -- ');
  if (split < 0) complain('a description after " -- "', shown(line));
  const description = line.slice(split + 4).trim();
  if (description === '') complain('a description after " -- "', 'an empty one');
  const cursor = new Cursor(line.slice(0, split).trim(), complain);

  const type = readType(cursor, complain);
  let array: Field['array'] = null;
  if (cursor.take('[]')) array = cursor.at('(') ? readRange(cursor.parenthesised(), complain) : {};
  const required = cursor.take('!');
  const fallback = cursor.take('=') ? cursor.word() : undefined;
  const flags = readFlags(cursor, complain);

  const has = (flag: (typeof plainFlags)[number]) => flags.has(flag);
  const filter = readFilter(flags, complain);
  const onDelete = readOnDelete(flags, complain);
  if (flags.has('del') && type.kind !== 'ref' && type.kind !== 'ref-by')
    complain('del(...) only on a ref', shown(line));
  if (required && has('ro')) complain('a field that is either required (!) or read-only (ro)', shown(line));
  if (has('imm') && has('ro')) complain('a field that is either set once (imm) or read-only (ro)', shown(line));

  return {
    name,
    place,
    type,
    array,
    required,
    description,
    filter,
    ...(fallback === undefined ? {} : { default: readDefault(fallback, type, array !== null, has('null'), complain) }),
    readOnly: has('ro'),
    immutable: has('imm'),
    unique: has('uniq'),
    nullable: has('null'),
    inSummary: has('list'),
    sortable: has('sort'),
    freeText: has('q'),
    deprecated: has('dep'),
    examples: flags.get('ex') ?? [],
    deviceFunctions: flags.get('fn') ?? [],
    onDelete,
  };
}

function readFilter(flags: ReadonlyMap<string, string[]>, complain: Complain): string[] {
  const filter = flags.get('filter') ?? [];
  const unknown = filter.find((operator) => !filterOperators.some((each) => each === operator));
  if (unknown !== undefined) complain(`filter operators of ${filterOperators.join(', ')}`, unknown);
  return filter;
}

function readOnDelete(flags: ReadonlyMap<string, string[]>, complain: Complain): Field['onDelete'] {
  const onDelete = flags.get('del')?.[0] ?? 'restrict';
  if (onDelete === 'restrict' || onDelete === 'set-null') return onDelete;
  return complain('del(restrict) or del(set-null)', `del(${onDelete})`);
}

function readType(cursor: Cursor, complain: Complain): FieldType {
  const name = cursor.identifier();
  const argument = cursor.at('(') ? cursor.parenthesised() : undefined;
  const scalar = scalarTypes.find((each) => each === name);
  if (scalar) return readScalar(scalar, argument, complain);
  switch (name) {
    case 'enum':
      return readEnum(argument, complain);
    case 'obj':
      return { kind: 'object', name: argument ?? complain('obj(Name)', 'obj without a name') };
    case 'ref':
      return readRef(argument, complain);
    case 'ref-by':
      return { kind: 'ref-by', sibling: argument ?? complain('ref-by(sibling-field)', 'ref-by without a field') };
    case 'map': {
      if (!argument) return complain('map(type)', 'map without a type');
      return { kind: 'map', of: readType(new Cursor(argument, complain), complain) };
    }
  }
  if (/^[A-Z]/.test(name) && argument === undefined) return { kind: 'named-enum', name };
  return complain(`a type of ${scalarTypes.join(', ')}, enum, obj, ref, ref-by, map or a named enum`, `"${name}"`);
}

function readEnum(argument: string | undefined, complain: Complain): FieldType {
  const values = (argument ?? '').split('|').map((value) => value.trim());
  if (values.length < 2 || values.includes('')) complain('enum(a|b|...) with at least two values', shown(argument));
  if (new Set(values).size !== values.length) complain('enum values that differ', shown(argument));
  return { kind: 'enum', values };
}

function readRef(argument: string | undefined, complain: Complain): FieldType {
  const [resource, field] = (argument ?? '').split('.');
  if (!resource) return complain('ref(resource) or ref(resource.field)', shown(argument));
  return { kind: 'ref', resource, ...(field ? { field } : {}) };
}

function readScalar(name: ScalarName, argument: string | undefined, complain: Complain): FieldType {
  if (argument === undefined) return { kind: 'scalar', name };
  if (!rangeable.has(name)) complain(`${name} without a constraint`, `${name}(${argument})`);
  if (argument.startsWith('/')) {
    if (name !== 'str' && name !== 'secret') complain(`a range for ${name}`, `a pattern ${argument}`);
    const pattern = argument.slice(1, -1);
    try {
      new RegExp(pattern, 'u');
    } catch {
      complain('a regular expression', argument);
    }
    return { kind: 'scalar', name, pattern };
  }
  return { kind: 'scalar', name, ...readRange(argument, complain) };
}

function readRange(text: string, complain: Complain): { min?: number; max?: number } {
  const found = /^(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?$/.exec(text.trim());
  if (!found || (found[1] === undefined && found[2] === undefined)) return complain('a range n..m', shown(text));
  const min = found[1] === undefined ? undefined : Number(found[1]);
  const max = found[2] === undefined ? undefined : Number(found[2]);
  if (min !== undefined && max !== undefined && min > max) complain('a range that rises', shown(text));
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function readFlags(cursor: Cursor, complain: Complain): Map<string, string[]> {
  const flags = new Map<string, string[]>();
  cursor.blank();
  while (!cursor.done) {
    if (!/^[a-z]/.test(cursor.rest)) complain('flags separated by blanks', shown(cursor.rest));
    const name = cursor.identifier();
    const takesArgument = argumentFlags.some((flag) => flag === name);
    if (!takesArgument && !plainFlags.some((flag) => flag === name)) {
      complain(`flags of ${[...plainFlags, ...argumentFlags.map((flag) => `${flag}(...)`)].join(', ')}`, `"${name}"`);
    }
    if (takesArgument !== cursor.at('('))
      complain(takesArgument ? `${name}(...)` : `${name} without argument`, shown(cursor.rest));
    flags.set(
      name,
      takesArgument
        ? cursor
            .parenthesised()
            .split(',')
            .map((value) => value.trim())
        : [],
    );
    cursor.blank();
  }
  return flags;
}

function readDefault(text: string, type: FieldType, isArray: boolean, nullable: boolean, complain: Complain): Plain {
  if (text === 'null') return nullable ? null : complain('the flag null beside the default null', text);
  if (isArray) {
    if (!/^\[.*\]$/.test(text)) complain('a list default such as =[a,b]', text);
    const inner = text.slice(1, -1);
    return inner === '' ? [] : inner.split(',').map((item) => readDefault(item.trim(), type, false, false, complain));
  }
  const value = text.startsWith('"') ? text.slice(1, -1) : text;
  if (type.kind === 'enum' && !type.values.includes(value)) complain(`a default of ${type.values.join(', ')}`, value);
  return type.kind === 'scalar' ? readScalarDefault(value, type, complain) : value;
}

type ScalarType = Extract<FieldType, { kind: 'scalar' }>;

function readScalarDefault(value: string, type: ScalarType, complain: Complain): string | number | boolean {
  switch (type.name) {
    case 'bool':
      return value === 'true' || (value === 'false' ? false : complain('true or false', value));
    case 'secret':
      return complain('no default on a secret', 'one');
    case 'int':
    case 'num':
      return readNumberDefault(value, type, complain);
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, pattern } = type;
  if (value.length < min || value.length > max) complain(`a default of ${min}..${max} characters`, shown(value));
  if (pattern && !new RegExp(pattern, 'u').test(value)) complain(`a default that matches ${pattern}`, value);
  return value;
}

function readNumberDefault(value: string, type: ScalarType, complain: Complain): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = type;
  const number = Number(value);
  if (Number.isNaN(number) || (type.name === 'int' && !Number.isInteger(number)))
    complain(`a default of type ${type.name}`, value);
  if (number < min || number > max) complain(`a default inside ${min}..${max}`, value);
  return number;
}
