import { expect, test } from 'vitest';
import { folded } from './folded-text.ts';

const table = `${'─'.repeat(60)}\nsuite  ${'solved '.repeat(9)}`;
const note = `  \u001b[33mnote\u001b[0m ${'a loss that is accepted '.repeat(4).trim()}`;

test('a note is broken between words at the width of the terminal, and a table is not', () => {
  const text = folded(`${table}\n${note}\nshort`, 50);
  const lines = text.split('\n');
  expect(lines.slice(0, 2).join('\n')).toBe(table);
  expect(lines.slice(2)).toEqual([
    '  \u001b[33mnote\u001b[0m a loss that is accepted a loss that is',
    '    accepted a loss that is accepted a loss that',
    '    is accepted',
    'short',
  ]);
  expect(text.replaceAll(/\n {4}/g, ' ')).toContain(note);
});

test('nothing is broken without a terminal, in a very narrow one, and inside of a long word', () => {
  expect(folded(note, undefined)).toBe(note);
  expect(folded(note, 20)).toBe(note);
  expect(folded(`  ${'x'.repeat(90)}`, 50)).toBe(`  ${'x'.repeat(90)}`);
});
