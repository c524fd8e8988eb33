import { expect, test } from 'vitest';
import type { ApiDocument } from './platform-document.ts';
import { wholeSchema } from './whole-schema.ts';

const documentWith = (schemas: object) =>
  ({ id: 'switch', content: { components: { schemas } } }) as unknown as ApiDocument;
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('schemas that share their parts are put together in time that grows with their number', () => {
  let reads = 0;
  const last = {
    get properties() {
      reads += 1;
      return { name: { type: 'string' } };
    },
  };
  const level = (at: number) => ({ allOf: Array.from({ length: 4 }, () => named(`Level${at + 1}`)) });
  const levels = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`Level${at}`, level(at)]));
  const document = documentWith({ ...levels, Level7: last });
  expect(wholeSchema(document, named('Level0'))).toEqual({ properties: { name: { type: 'string' } } });
  expect(reads).toBeLessThan(100);
});

test('a schema that is a part of itself has what it says beside that', () => {
  const document = documentWith({
    Port: { allOf: [named('Port'), named('Named')], properties: { speed: {} } },
    Named: { oneOf: [named('Port')], properties: { name: {} } },
  });
  expect(Object.keys(wholeSchema(document, named('Port'))['properties'] as object).sort()).toEqual(['name', 'speed']);
});
