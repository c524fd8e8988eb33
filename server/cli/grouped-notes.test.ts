/** Hundreds of notes become ten lines that still say what happened and how often. */
import { expect, test } from 'vitest';
import { kindOf, type Note, noteLines } from './grouped-notes.ts';

const note = (text: string, label = 'note'): Note => ({ label, where: 'books/library: ', text });

test('notes that differ only in operation, name, place and number are one kind, with its count and first note', () => {
  const notes = [
    note('POST /a: its schema was too long: an enum of 3953 values left to the platform'),
    note('GET /b/{id}: its schema was too long: an enum of 120 values left to the platform'),
    note('operationId "run" is used more than once', 'warning'),
    note('PUT /c: its schema was too long: an enum of 7 values left to the platform'),
  ];
  expect(noteLines(notes, false)).toEqual([
    '  note: books/library: POST /a: its schema was too long: an enum of 3953 values left to the platform (3 of this kind, this is the first)',
    '  warning: books/library: operationId "run" is used more than once',
  ]);
  expect(noteLines(notes, true)).toHaveLength(4);
});

test.each([
  ['`{id}` in the path has no parameter', '`{name}` in the path has no parameter'],
  [
    'GET /a (/paths/~1a/get): the query parameter "_method" is never sent',
    'PUT /b/{id} (/paths/~1b~1{id}/put): the query parameter "x \\"y\\"" is never sent',
  ],
  ['items [{"type":"string"}] should be one schema', 'items [{"enum":[1]},{"$ref":"#/a"}] should be one schema'],
  [
    'POST /a: the pattern "(?=x" at /properties/a is left to the platform',
    'PUT /b: the pattern "y" at / is left to the platform',
  ],
  ['is the same address as GET /a/{id}: correct one', 'is the same address as PUT /b/{x}/c: correct one'],
  ['is served from https://a.test/x, not from b', 'is served from http://c.test, not from b'],
])('%j and %j are one kind', (one, other) => {
  expect(kindOf(one)).toBe(kindOf(other));
});

test.each([
  ['its body cannot be sent with GET', '`{id}` in the path has no parameter'],
  ['minimum "low" should be a number: left out', 'maximum "low" should be a number: left out'],
])('%j and %j are two kinds', (one, other) => {
  expect(kindOf(one)).not.toBe(kindOf(other));
});

test('at most ten lines are shown, what is set aside first and then the commonest, and the rest is counted', () => {
  const kinds = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ');
  const notes = kinds.flatMap((kind, i) => Array.from({ length: i + 1 }, (_, n) => note(`GET /${n}: ${kind}`)));
  const lines = noteLines([note('last', 'set aside'), ...notes], false);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('  set aside: books/library: last');
  expect(lines[1]).toBe('  note: books/library: GET /0: mu (12 of this kind, this is the first)');
  expect(lines[9]).toBe('  … and 10 of 4 other kinds: --verbose shows all');
  expect(noteLines(notes.slice(0, 55), false), 'ten kinds need no more line').toHaveLength(10);
});
