/** Text of any code points, as `unit: 'binary'` of fast-check draws it, without its table of all of them: that takes a second. */
import fc from 'fast-check';

const CODE_POINT = fc.integer({ min: 0, max: 0x10ffff });

/** Lengths count code points. Lone surrogates are replaced, so the text has a form in UTF-8. */
export const anyText = (lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.array(CODE_POINT, lengths).map((points) => String.fromCodePoint(...points).toWellFormed());
