import { describe, expect, test } from 'vitest';
import { exampleText, smallPlatform } from '../../test/expand/small-model.ts';
import { expandPlatform } from '../assemble-document.ts';
import { count, fieldsIn, tallyOf } from './endpoint-count.ts';

describe('the counting rule', () => {
  test('walks properties, items and compositions, and never follows a reference', () => {
    const address = { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } };
    expect(fieldsIn(address)).toBe(2);
    expect(fieldsIn({ properties: { home: address, work: { $ref: '#/components/schemas/Address' } } })).toBe(4);
    expect(fieldsIn({ type: 'array', items: address })).toBe(2);
    expect(fieldsIn({ allOf: [address, { properties: { zip: {} } }], oneOf: [address] })).toBe(5);
    expect(fieldsIn({ additionalProperties: address })).toBe(0);
    expect(fieldsIn(undefined)).toBe(0);
  });

  test('stops at twelve levels', () => {
    let deep: object = { properties: { last: {} } };
    for (let level = 0; level < 20; level += 1) deep = { properties: { next: deep } };
    expect(fieldsIn(deep)).toBe(13);
  });

  test('counts a component that several documents share once per platform', () => {
    const [document] = expandPlatform(smallPlatform(exampleText));
    const one = tallyOf(document!.document);
    expect(one).toMatchObject({ operations: 13, endpoints: 13 });
    const counts = count(
      new Map([
        [
          'demo',
          new Map([
            ['a', document!.document],
            ['b', document!.document],
          ]),
        ],
      ]),
    );
    expect(counts.platforms['demo']!.total).toEqual({ ...one, operations: 26, endpoints: 26 });
    expect(counts.total).toEqual(counts.platforms['demo']!.total);
  });
});
