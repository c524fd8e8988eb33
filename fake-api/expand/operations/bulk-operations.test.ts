import { expect, test } from 'vitest';
import { cables, expandCables, linesOf } from '../../test/expand/cables.ts';
import { findingsOf } from '../../test/expand/findings.ts';
import { documentWith, smallPlatform } from '../../test/expand/small-model.ts';
import { schemasOf } from '../lint/endpoint-count.ts';

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
