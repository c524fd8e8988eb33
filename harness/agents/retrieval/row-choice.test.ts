/** Which rows a text means. */
import { expect, test } from 'vitest';
import { aliasesOf } from './aliases.ts';
import { rowsMeant } from './row-choice.ts';

const LOANS = [
  { id: 'a', state: 'OVERDUE', grade: 'MINOR', note: '2 reminders' },
  { id: 'b', state: 'OVERDUE', grade: 'MAJOR', note: 'lost' },
  { id: 'c', state: 'RETURNED', grade: 'MAJOR', note: 'one reminder' },
  { id: 'd', state: 'OVERDUE', grade: 'MAJOR', note: 'one reminder' },
];
const idsFor = (text: string) => rowsMeant(LOANS, text, [], aliasesOf()).rows.map(({ id }) => id);

test('states in the spelling of the platform are conditions, and all of them hold', () => {
  expect(idsFor('What is OVERDUE and MAJOR, with one line each?')).toEqual(['b', 'd']);
  expect(idsFor('What is OVERDUE?')).toEqual(['a', 'b', 'd']);
});

test('a word in capitals that no row knows is no condition', () => {
  expect(idsFor('Which loans of the NORTH wing are OVERDUE?')).toEqual(['a', 'b', 'd']);
});
