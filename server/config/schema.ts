/**
 * The few schema builders that the router uses, with the types of the `typebox` package and none of its code: loading
 * that package takes as long as all code of the router. The builders return plain JSON Schema. A test compares both.
 */
import type * as typebox from 'typebox';

type Builders = Pick<
  typeof typebox.Type,
  'Array' | 'Boolean' | 'Enum' | 'Integer' | 'Null' | 'Object' | 'Optional' | 'Record' | 'String' | 'Union' | 'Unsafe'
>;
type Schema = Record<string, unknown>;

/** Marks a property that may be left out; the mark is no part of the JSON. */
const OPTIONAL = Symbol('optional');

const builders = {
  Array: (items: Schema, options: Schema = {}) => ({ type: 'array', items, ...options }),
  Boolean: (options: Schema = {}) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options: Schema = {}) => ({ enum: values, ...options }),
  Integer: (options: Schema = {}) => ({ type: 'integer', ...options }),
  Null: (options: Schema = {}) => ({ type: 'null', ...options }),
  Object: (properties: Record<string, Schema & { [OPTIONAL]?: true }>, options: Schema = {}) => {
    const required = Object.keys(properties).filter((name) => properties[name]?.[OPTIONAL] !== true);
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Record: (key: Schema, value: Schema, options: Schema = {}) => ({
    type: 'object',
    patternProperties: { [typeof key['pattern'] === 'string' ? key['pattern'] : '^.*$']: value },
    ...options,
  }),
  String: (options: Schema = {}) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options: Schema = {}) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => schema,
};

export const Type = builders as unknown as Builders;
export type { Static, TSchema } from 'typebox';
