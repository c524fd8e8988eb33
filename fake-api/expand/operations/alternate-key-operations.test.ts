import { describe, expect, test } from 'vitest';
import { cables, expandCables, linesOf } from '../../test/expand/cables.ts';
import { findingsOf } from '../../test/expand/findings.ts';
import { documentWith, smallPlatform } from '../../test/expand/small-model.ts';
import { operationsOf } from '../lint/endpoint-count.ts';

const alsoBy = (field: string): string => `${cables}\n  also-by: [${field}]`;

describe('a resource that is also reached by another field', () => {
  test('has what its ops have of reading, replacing, changing and deleting, under that field', () => {
    const document = expandCables(alsoBy('barcode'));
    expect(linesOf(document, /ByBarcode/)).toEqual([
      'deleteCableByBarcode delete /api/cables/barcode/{barcode}',
      'getCableByBarcode get /api/cables/barcode/{barcode}',
      'replaceCableByBarcode put /api/cables/barcode/{barcode}',
      'updateCableByBarcode patch /api/cables/barcode/{barcode}',
    ]);
    const get = operationsOf(document).find(({ operation }) => operation['operationId'] === 'getCableByBarcode')!;
    expect(get.operation).toMatchObject({
      'x-svc-by': 'barcode',
      parameters: [{ name: 'barcode', in: 'path', required: true, schema: { minLength: 4 } }],
    });
    expect(get.operation['description']).toContain('Takes the barcode instead of the label');
    expect(findingsOf(smallPlatform(documentWith(alsoBy('barcode'))))).toEqual([]);
  });

  test('reads only what it may', () => {
    expect(linesOf(expandCables(alsoBy('barcode').replace('ops: crud', 'ops: LG')), /ByBarcode/)).toHaveLength(1);
  });

  test.each([
    ['a field it does not have', 'weight', 'expected also-by: a field of cables, got weight'],
    ['a field that several may share', 'medium', 'expected also-by: a field that is uniq'],
  ])('refuses %s', (_what, field, message) => {
    expect(() => expandCables(alsoBy(field))).toThrow(message);
  });
});
