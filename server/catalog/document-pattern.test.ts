/** Patterns of documents: the meaning that ECMA-262 gives them, in linear time, or not at all. */
import { expect, test } from 'vitest';
import { documentPattern, PatternTooSlow, restartPatternClock, uncheckedPatterns } from './document-pattern.ts';

test.each([
  '^\\s+$',
  '^\\S+$',
  '^.$',
  '^[\\s,]+$',
  '^[^\\s]$',
  '^.{2}$',
  'a$',
  '^\\w+$',
  '^\\d$',
  '^[.]$',
  '^\\.$',
  '^\\u0041$',
])('%s means what ECMA-262 says', (pattern) => {
  const own = new RegExp(pattern, 'u');
  for (const text of [
    '\u00a0',
    '\v',
    '\r',
    '\u2028',
    '\ufeff',
    '\u3000',
    'a\n',
    '😀',
    'é',
    '٣',
    ', ',
    '.',
    'A',
    'ab',
    '𝒳𝒳',
    '',
  ])
    expect(documentPattern(pattern)?.test(text), JSON.stringify(text)).toBe(own.test(text));
});

test.each([
  '(?=a)b',
  '(?<!a)b',
  '(a)\\1',
  '(?<n>a)\\k<n>',
  'a{1001}',
  '(a{100}){100}',
  `${'\\p{L}{1,1000}'.repeat(10)}`,
])('%s is not checked, and named with its place', (pattern) => {
  expect(documentPattern(pattern)).toBeUndefined();
  const schema = { type: 'object', properties: { 'a/b': { type: 'string', pattern } } };
  expect(uncheckedPatterns(schema)).toEqual([{ pattern, pointer: '/properties/a~1b/pattern' }]);
});

test('no text and no pattern takes longer than a moment: a slow one is not run', () => {
  const texts = ['a'.repeat(1_000_000), 'é'.repeat(500_000), `${' '.repeat(900_000)}x`, 'ab'.repeat(20)];
  for (const pattern of ['^(a+)+$', '(x+x+)+y', '^.*a.*a.*b$', '\\s+$', '\\p{L}{1,1000}\\p{N}', '[ab]*a[ab]{400}c'])
    for (const text of texts) {
      restartPatternClock();
      const began = performance.now();
      try {
        documentPattern(pattern)?.test(text);
      } catch (error) {
        expect(error).toBeInstanceOf(PatternTooSlow);
      }
      expect(performance.now() - began, `${pattern} on ${text.slice(0, 5)}`).toBeLessThan(1_000);
    }
});
