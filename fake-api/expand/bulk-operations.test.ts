import { expect, test } from 'vitest';
import { schemasOf } from './count.ts';
import { cables, expandCables, linesOf } from './testing/cables.ts';
import { findingsOf } from './testing/findings.ts';
import { documentWith, smallPlatform } from './testing/small-platform.ts';

const bulk = `${cables}\n  bulk: [create, patch, delete]`;

test('a bulk change names each entry by its key and says what changes', () => {
  const document = expandCables(bulk);
  expect(linesOf(document, /bulk/)).toEqual([
    'bulkCreateCables post /api/cables/bulk',
    'bulkDeleteCables delete /api/cables/bulk',
    'bulkUpdateCables patch /api/cables/bulk',
  ]);
  expect(schemasOf(document)['CableBulkPatch']).toMatchObject({
    properties: {
      items: {
        maxItems: 100,
        items: {
          properties: { label: { maxLength: 9 }, changes: { $ref: '#/components/schemas/CablePatch' } },
          required: ['changes', 'label'],
          additionalProperties: false,
        },
      },
    },
  });
  expect(findingsOf(smallPlatform(documentWith(bulk)))).toEqual([]);
});
