import * as typebox from 'typebox';
import { expect, test } from 'vitest';
import { Type } from './schema.ts';

/** Everything the builders can do, said once. */
const sample = (type: typeof Type) =>
  type.Object(
    {
      text: type.String({ minLength: 1, pattern: '^a' }),
      maybe: type.Optional(type.String({ description: 'left out' })),
      count: type.Integer({ minimum: 0 }),
      flag: type.Optional(type.Boolean()),
      one: type.Enum(['a', 'b']),
      list: type.Array(type.String(), { maxItems: 3 }),
      either: type.Union([type.Object({ x: type.Integer() }, { additionalProperties: false }), type.Null()]),
      any: type.Record(type.String(), type.String()),
      named: type.Record(type.String({ pattern: '^[A-Z]+$' }), type.Integer(), { additionalProperties: false }),
      raw: type.Unsafe<'x'>({ type: 'string', enum: ['x'] }),
      none: type.Object({ only: type.Optional(type.Integer()) }),
    },
    { additionalProperties: false },
  );

test('the builders make the very schemas of the package, key by key', () => {
  expect(JSON.stringify(sample(Type))).toBe(JSON.stringify(sample(typebox.Type)));
});
