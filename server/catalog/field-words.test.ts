import { expect, test } from 'vitest';
import { answeredWords, askedWords } from './field-words.ts';
import type { ApiDocument } from './platform-document.ts';

test('what is asked for: parameters and the fields of the body, through references', () => {
  const schema = {
    properties: { id: { description: 'Number of the fruit' }, body: { $ref: '#/$defs/Fruit' } },
    $defs: { Fruit: { properties: { name: { description: 'What it is called' }, bare: { type: 'string' } } } },
  };
  expect(askedWords(schema)).toEqual(['Number of the fruit', 'What it is called']);
  expect(askedWords({ properties: { long: { description: 'x'.repeat(1_000) } } })[0]).toHaveLength(160);
  expect(askedWords({})).toEqual([]);
});

test('what is answered: fields of the answer, of its entries, and one level below', () => {
  const document = {
    content: {
      components: {
        schemas: {
          Fruit: { allOf: [{ properties: { name: {} } }, { $ref: '#/components/schemas/Food' }] },
          Food: { properties: { nutrition: { properties: { calories: {}, sugar: {} } } } },
        },
      },
    },
  } as unknown as ApiDocument;
  const schema = { type: 'array', items: { $ref: '#/components/schemas/Fruit' } };
  const operation = { responses: { 200: { content: { 'application/json': { schema } } } } };
  expect(answeredWords(document, operation)).toEqual(['name', 'nutrition', 'calories', 'sugar']);
  expect(answeredWords(document, { responses: { 204: {} } })).toEqual([]);
});
