/** Text of any code points, as `unit: 'binary'` of fast-check draws it, without its table of all of them: that takes a second. */
import fc from 'fast-check';

/** Read back as well, so that `fc.string` also draws names such as `__proto__`. Half a surrogate pair becomes U+FFFD. */
const CODE_POINT = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((point) => String.fromCodePoint(point).toWellFormed(), codePointOf);

function codePointOf(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (point !== undefined && String.fromCodePoint(point) === character) return point;
  throw new TypeError(`expected one code point, got ${String(character)}`);
}

/** Lengths count code points. */
export const anyText = (lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: CODE_POINT, ...lengths });
