/** Rule 9 of specification 3.3: the transition-flag parser. */
import { describe, expect, test } from 'vitest';
import { network, wlanIn } from '../test/migration/exports.ts';
import { flagOf } from './unwrap.ts';

const wrapped = (value: unknown, levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner) => ({ value: inner }), value);

describe('9. the transition flag parser accepts real booleans and integer 0 or 1', () => {
  test.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
  ])('%j is %j', (value, flag) => expect(flagOf(value)).toBe(flag));
});

describe('9. it accepts explicit true/false-like strings', () => {
  test.each([
    ...['true', 'TRUE', ' True ', 'yes', 'on', 'enable', 'enabled', '1'].map((text) => [text, true] as const),
    ...['false', 'False', 'no', 'off', 'disable', 'disabled', ' 0 '].map((text) => [text, false] as const),
  ])('%j is %j', (value, flag) => expect(flagOf(value)).toBe(flag));
});

describe('9. it unwraps single-key wrapper dictionaries up to 4 levels', () => {
  test.each([1, 2, 3, 4])('%i levels are read', (levels) => {
    expect(flagOf(wrapped(true, levels))).toBe(true);
    expect(flagOf(wrapped('no', levels))).toBe(false);
  });
  test.each([5, 6, 40])('%i levels are undetermined', (levels) =>
    expect(flagOf(wrapped(true, levels))).toBeUndefined(),
  );
});

const SHAPES: unknown[] = [{}, { a: true, b: true }, [], [true], 'maybe', '', '2', 2, -1, 0.5, 'truee', null, [[1]]];
describe('9. every other shape yields undetermined rather than false', () => {
  test.each(SHAPES.map((shape) => [JSON.stringify(shape), shape] as const))('%s', (_, shape) => {
    expect(flagOf(shape)).toBeUndefined();
    expect(flagOf({ flag: shape })).toBeUndefined();
  });
  test.each([{}, { a: true, b: true }, [], [true], 'maybe', 2])(
    'a network whose flag is %j says so and is ambiguous, and its block says neither true nor false',
    (shape) => {
      const { payload, warnings } = wlanIn(network({ opmode: 'wpa3-sae-aes', opmode_transition: shape }));
      expect(payload.security).toMatchObject({ mode: 'wpa3_sae', ambiguous: true, wpa3_transition: null });
      expect(warnings).toContainEqual(expect.objectContaining({ field: 'opmode_transition' }));
    },
  );
});
