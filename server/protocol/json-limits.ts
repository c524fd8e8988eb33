/**
 * Limits of a message beyond being JSON. Deeper nesting breaks recursive code, and a lone surrogate cannot be written
 * in UTF-8: it would be sent as U+FFFD, which differs from the text that was shown.
 */

/** Levels of objects and lists in one message. Requests of platforms have fewer than twenty. */
export const MAX_DEPTH = 200;

export interface JsonProblem {
  /** Where, as a JSON pointer; cut where it is very long. */
  pointer: string;
  expected: string;
  got: string;
}

type Path = { key: string; above: Path } | undefined;

/** The first level too many, or the first text that is no Unicode text, among keys as well; undefined where there is none. */
export function jsonProblem(value: unknown, { depth = true, text = true } = {}): JsonProblem | undefined {
  return walk(value, undefined, 0, { depth, text });
}

function walk(
  value: unknown,
  path: Path,
  level: number,
  look: { depth: boolean; text: boolean },
): JsonProblem | undefined {
  if (typeof value === 'string') return look.text && !value.isWellFormed() ? loneSurrogate(path) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (level >= MAX_DEPTH) {
    const got = `more than ${MAX_DEPTH}`;
    return look.depth ? { pointer: pointerOf(path), expected: `at most ${MAX_DEPTH} levels`, got } : undefined;
  }
  for (const [key, entry] of Object.entries(value)) {
    const below = { key, above: path };
    const problem = look.text && !key.isWellFormed() ? loneSurrogate(below) : walk(entry, below, level + 1, look);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const loneSurrogate = (path: Path): JsonProblem => ({
  pointer: pointerOf(path),
  expected: 'text in Unicode',
  got: 'half of a surrogate pair',
});

function pointerOf(path: Path): string {
  const keys: string[] = [];
  for (let at = path; at !== undefined; at = at.above)
    keys.unshift(at.key.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
  return keys
    .map((key) => `/${key}`)
    .join('')
    .slice(0, 200);
}
