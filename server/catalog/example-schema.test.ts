import { describe, expect, it } from 'vitest';
import { statedOrShown } from './example-schema.ts';
import { answeredWords } from './field-words.ts';
import { readListLayout } from './list-layout.ts';
import type { ApiDocument } from './platform-document.ts';

const stored = { value: { switches: [{ serial: 'a' }, { serial: 'b', site: { name: 'Lab' } }], count: 2 } };
const document = {
  id: 'switch',
  content: { components: { examples: { Switches: stored } } },
} as unknown as ApiDocument;
const answering = (media: object) => ({ responses: { 200: { content: { 'application/json': media } } } });
const layoutOf = (media: object) => {
  const operation = answering(media);
  return readListLayout(document, { method: 'GET', path: '/switches', item: { get: operation }, operation });
};

describe('an answer that is shown by an example alone', () => {
  it.each([
    ['an array', { example: [{ serial: 'a' }] }, { property: null }],
    ['an object with a list', { example: stored.value }, { property: 'switches' }],
    ['a named example', { examples: { one: stored } }, { property: 'switches' }],
    ['an example that others use too', { examples: { one: { $ref: '#/components/examples/Switches' } } }, { property: 'switches' }],
    ['an example in a schema', { schema: { type: 'object', example: stored.value } }, { property: 'switches' }],
  ])('is the list that it shows: %s', (_, media, layout) => {
    expect(layoutOf(media)).toEqual(layout);
  }); // biome-ignore format: a case a line

  it('is one thing where the example is one', () => {
    expect(layoutOf({ example: { id: 1, name: 'Lab', serial: 'a' } })).toBeUndefined();
    expect(layoutOf({ example: 'switches' })).toBeUndefined();
  });

  it('is found by the fields of all entries', () => {
    const operation = answering({ examples: { one: stored } });
    expect(answeredWords(document, operation)).toEqual(['switches', 'count', 'serial', 'site']);
  });

  it('does not count where a schema says what is inside', () => {
    const schema = { type: 'object', properties: { id: {} } };
    expect(statedOrShown(document, { schema, example: [1] })).toBe(schema);
  });

  it('may be long and deep', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`);
    const many = Array.from({ length: 100_000 }, (_, at) => ({ [`name${at}`]: deep }));
    expect(JSON.stringify(statedOrShown(document, { example: many })).length).toBeLessThan(10_000);
  });
});
