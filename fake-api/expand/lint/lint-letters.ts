/** A lint over every text of an expanded document: what a person who reviews it does not see, a model must not read. */
import type { Finding, LintRule } from './lint-rule.ts';

/** Controls, marks of direction, what has no width, variants, tags; line breaks are seen. */
const UNSEEN =
  /(?![\t\n\r])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Variation_Selector})/u;

const onlySeenLetters: LintRule = ({ expanded }) =>
  expanded.flatMap(({ name, document }) => [...unseenIn(document, name)]);

function* unseenIn(value: unknown, place: string): Generator<Finding> {
  if (typeof value === 'string') {
    const letter = UNSEEN.exec(value)?.[0].codePointAt(0);
    if (letter !== undefined)
      yield { rule: 'letters', place, message: `expected letters that are seen, got U+${letter.toString(16)}` };
  } else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) yield* unseenIn(key, place);
      yield* unseenIn(inner, `${place}/${key}`);
    }
}

export const letterRules: readonly LintRule[] = [onlySeenLetters];
