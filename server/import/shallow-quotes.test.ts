import { expect, test } from 'vitest';
import { oddFolder } from '../test/support/malformed-documents.ts';
import { readValue } from './parse-file.ts';

const read = (text: string) => {
  using folder = oddFolder();
  return readValue(folder.write('api.yaml', text));
};

test.each([
  ["a:\n  b: 'one\n  two'\n  c: 1\n", { a: { b: 'one two', c: 1 } }],
  ['a:\n  b: "one\n\n  two \\\n  and \\" three\nfour"\n  c: "#"\n', { a: { b: 'one\ntwo and " three four', c: '#' } }],
  ["a:\n- 'it''s\n- no entry'\n- d\nb: plain 'one'\n", { a: ["it's - no entry", 'd'], b: "plain 'one'" }],
])('%j is taken though its further lines are not deep enough', (text, value) => {
  expect(read(text)).toEqual(value);
});

test('a block of text keeps what looks like a quote', () => {
  const block = "b: |\n  x: 'no end\n  y\na: 'one\n\n\ntwo'\nc:\n  'three\n  four'\n";
  expect(read(block)).toEqual({ b: "x: 'no end\ny\n", a: 'one\n\ntwo', c: 'three four' });
});

test.each(["a: 'one\ntwo\n", 'a: "one\nb: 2\n', "a: 'b'#c\n"])('%j stays an error with its line', (text) => {
  expect(() => read(text)).toThrow(/got a syntax error \(MISSING_CHAR\) at line \d/);
});
