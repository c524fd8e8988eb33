/** Patterns of documents: the same answers as JavaScript's own engine gives, and none takes for ever. */
import { describe, expect, it } from 'vitest';
import { Dice } from '../state/determinism.ts';
import { expressionOf, textMatching } from './pattern.ts';

/** Each with a text on which an engine that backtracks goes back and forth until somebody ends it. */
const ENDLESS: [pattern: string, text: string][] = [
  ['^(https?:\\/\\/)?([\\da-z\\.-]+)\\.([a-z\\.]{2,6})([\\/\\w \\.-]*)*\\/?$', `http://a.example/${'a'.repeat(60)}?`],
  ['^(a+)+$', `${'a'.repeat(60)}!`],
  ['^(a|a)*$', `${'a'.repeat(60)}!`],
  ['^(\\w+\\s?)*$', `${'a'.repeat(60)}!`],
  ['^((ab)*)*$', `${'ab'.repeat(60)}!`],
  ['^(?:(?:x{1,3})+y?)+$', `${'x'.repeat(60)}!`],
];

describe('a pattern', () => {
  it.each(ENDLESS)('%s is tried in linear time', (pattern, text) => {
    const began = performance.now();
    expect(expressionOf(pattern).test(text)).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it.each([
    '^[a-z]+(-[a-z]+)*$',
    '^[0-9]{1,3}(\\.[0-9]{1,3}){3}$',
    '(b|c)+d',
    '^(é|ü)+$',
    '^(\\p{L}+ ?)+$',
    '^[^/]+(/[^/]*)*$',
  ])('%s means what it means in JavaScript', (pattern) => {
    const own = new RegExp(pattern, 'u');
    const dice = new Dice('pattern');
    const drawn = Array.from({ length: 50 }, () => textMatching(pattern, dice) ?? 'éü');
    const texts = drawn.flatMap((text) => [text, `${text}-`, `/${text}`, text.slice(1), text.toUpperCase()]);
    expect(texts.map((text) => expressionOf(pattern).test(text))).toEqual(texts.map((text) => own.test(text)));
  });

  it('with what no such engine can express runs in the engine of JavaScript', () => {
    const pattern = '^(?!.*--)[a-z]+(-[a-z]*)*$';
    expect(['a-b', 'a--b'].map((text) => expressionOf(pattern).test(text))).toEqual([true, false]);
  });

  it('that is no regular expression throws', () => {
    expect(() => expressionOf('^(a+')).toThrow(SyntaxError);
  });
});
