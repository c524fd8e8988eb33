import { expect, test } from 'vitest';
import { hasInvisible, shownName, visible, visibleText } from './invisible.ts';

test.each([
  ['tag block', 'a\u{e0041}\u{e007f}b', 'a\\u{e0041}\\u{e007f}b'],
  ['zero width', 'a\u200b\u200d\ufeffb', 'a\\u{200b}\\u{200d}\\u{feff}b'],
  ['bidi', 'a\u202e\u2066\u2069b', 'a\\u{202e}\\u{2066}\\u{2069}b'],
  ['controls', 'a\u001b[31m\u0000\u0085b', 'a\\u{1b}[31m\\u{0}\\u{85}b'],
  ['variation selectors', 'a\ufe0f\u{e0100}b', 'a\\u{fe0f}\\u{e0100}b'],
  ['separators', 'a\u2028\u2029\u00adb', 'a\\u{2028}\\u{2029}\\u{ad}b'],
])('%s is shown as escapes', (_, hidden, shown) => {
  expect(visibleText(hidden)).toBe(shown);
  expect(hasInvisible(hidden)).toBe(true);
  expect(hasInvisible(shown)).toBe(false);
});

test('visible text stays, and is the very same object', () => {
  const value = { a: ['Zürich\n\t東京 😀', { b: 1, c: null }] };
  expect(visible(value)).toBe(value);
  expect(hasInvisible('Zürich\n\t東京 😀')).toBe(false);
});

test('names of fields and values at any place are shown', () => {
  expect(visible({ 'na\u200bme': ['x', { y: 'z\u202e' }], plain: 1 })).toEqual({
    'na\\u{200b}me': ['x', { y: 'z\\u{202e}' }],
    plain: 1,
  });
});

test.each([
  ['Zürich 東京 😀', 'Zürich 東京 😀'],
  ['Gu\u200best', '"Gu\\u200best"'],
  ['Guest\u00a0Net', '"Guest\\u00a0Net"'],
  ['\u202etseuG', '"\\u202etseuG"'],
  ['Guest ', '"Guest "'],
])('a name of which not all can be seen is quoted: %j', (name, shown) => {
  expect(shownName(name)).toBe(shown);
});
