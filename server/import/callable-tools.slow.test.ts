/** Schemas of any keywords and values: no tool is in the catalog whose calls nothing can check. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KEYWORDS } from '../catalog/schema-keywords.ts';
import { importedApi } from '../test/support/imported-api.ts';
import { taking } from '../test/support/malformed-documents.ts';

const keyword = fc.constantFrom(
  ...KEYWORDS,
  ...'id $id $async $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $schema $comment dependencies definitions nullable readOnly discriminator formatMaximum example'.split(' '),
); // biome-ignore format: words side by side
const value = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
  schema: fc.dictionary(keyword, tie('value'), { maxKeys: 4 }),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('string', 'object', 'date', '^x', '(?<!a)b', 'a', '', null, true, false, 'true', -1, 0, 3, 1.5),
    fc.constantFrom(['a', 'a'], [], ['object', 'null'], [1, 1], '#/components/schemas/A', '#node', '#', '#/x'),
    tie('schema'),
    fc.dictionary(fc.constantFrom('a', 'value', '__proto__', '^x-', '('), tie('schema'), { maxKeys: 3 }),
    fc.array(tie('schema'), { maxLength: 3 }),
  ),
}));

test('whatever a schema holds, its operation is a tool whose calls are checked', async () => {
  await fc.assert(
    fc.asyncProperty(value.schema, value.schema, async (A, B) => {
      const api = await importedApi({
        'api.json': taking(
          { properties: { a: { $ref: '#/components/schemas/A' }, b: B } },
          { openapi: '3.1.0', components: { schemas: { A } } },
        ),
      });
      expect(api.setAside).toEqual([]);
      for (const body of [{}, { a: { a: {} }, b: { a: 'a' } }, { a: 'a', b: [1, 1] }])
        api.problems('createThing', { body });
    }),
    { numRuns: 1_000, seed: 11 },
  );
}, 300_000);
