/**
 * Runs the patterns of documents in an engine with linear time. JavaScript's engine backtracks, so a pattern of a
 * foreign document could block the router. The router does not check patterns that the engine cannot express; the
 * platform checks them.
 */
import { re2 } from '../lazy-import.ts';
import { pointerPart } from './platform-document.ts';
import { subSchemas } from './sub-schemas.ts';
import type { JsonSchema } from './tool.ts';

export interface DocumentPattern {
  test: (text: string) => boolean;
}

/** Thrown by a test that would take longer than a call may hold the others up. */
export class PatternTooSlow extends Error {}

/** Characters of the text times instructions of the pattern: the engine's worst case takes about 0.1 µs for each. */
const MOST_STEPS = 1_000_000;
/** For all tests of one call, together: so many steps, and milliseconds. On a busy machine a few steps may take long. */
const MOST_IN_ALL = { steps: 300_000, ms: 60 };
/** Repetitions written out; compiling 1,000 of them takes up to 20 ms. */
const MOST_REPEATED = 4_000;
const MOST_COMPILED = 2_000;
/** The engine takes it for a letter. */
const NAMED_REFERENCE = /\\k</;

const compiled = new Map<string, DocumentPattern | undefined>();
const consumed = { steps: 0, ms: 0 };

/** Begins a new allowance for tests: one per call. */
export function restartPatternClock(): void {
  consumed.steps = 0;
  consumed.ms = 0;
}

/** The pattern, with the meaning of ECMA-262 and the flag `u`; undefined where it cannot be run in linear time. */
export function documentPattern(pattern: string): DocumentPattern | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  const refused = repeated(pattern) > MOST_REPEATED || NAMED_REFERENCE.test(pattern);
  const made = refused ? undefined : compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): DocumentPattern | undefined {
  const { RE2JS } = re2();
  let regex: ReturnType<typeof RE2JS.compile>;
  try {
    regex = RE2JS.compile(RE2JS.translateRegExp(withSpaces(pattern)));
  } catch {
    return undefined;
  }
  const size = regex.programSize();
  return {
    test: (text) => {
      const steps = text.length * size;
      consumed.steps += steps;
      if (steps > MOST_STEPS || (consumed.steps > MOST_IN_ALL.steps && consumed.ms > MOST_IN_ALL.ms))
        throw new PatternTooSlow();
      const began = performance.now();
      const found = regex.test(text);
      consumed.ms += performance.now() - began;
      return found;
    },
  };
}

/** Instructions that the counted repetitions of a pattern unfold to, roughly and rather too many. */
function repeated(pattern: string): number {
  let sum = 0;
  for (const { 0: found, 1: least = '0', 2: most, index } of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    const group = pattern[index - 1] === ')';
    sum +=
      Math.max(Number(least), Number(most || 0)) * (group ? index - pattern.lastIndexOf('(', index) + found.length : 1);
  }
  return sum;
}

/** ECMA-262 counts more characters as white space, and more as ends of line, than RE2 does. */
const SPACE =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const LINE_END = '\\n\\r\\x{2028}\\x{2029}';

function withSpaces(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\.|[[\].]/gsu, (part) => {
    if (part === '[' || part === ']') {
      inClass = part === '[';
      return part;
    }
    if (part === '\\s') return inClass ? SPACE : `[${SPACE}]`;
    // Within a class RE2 has no way to say "no white space" of ECMA-262; its own `\S` holds a little more.
    if (part === '\\S' && !inClass) return `[^${SPACE}]`;
    return part === '.' && !inClass ? `[^${LINE_END}]` : part;
  });
}

/** Patterns of a schema that are not checked, each with a JSON pointer to it. */
export function uncheckedPatterns(schema: JsonSchema): { pattern: string; pointer: string }[] {
  return [...subSchemas(schema)].flatMap((part) => {
    const patterns: [pattern: unknown, keyword: string][] = [
      [part['pattern'], 'pattern'],
      ...Object.keys((part['patternProperties'] as object | undefined) ?? {}).map((name): [string, string] => [
        name,
        'patternProperties',
      ]),
    ];
    return patterns.flatMap(([pattern, keyword]) =>
      typeof pattern === 'string' && documentPattern(pattern) === undefined
        ? [{ pattern, pointer: `${pointerOf(schema, part)}/${keyword}` }]
        : [],
    );
  });
}

function pointerOf(whole: unknown, part: unknown): string {
  if (whole === part) return '';
  if (typeof whole !== 'object' || whole === null) return '\0';
  for (const [name, inner] of Object.entries(whole)) {
    const below = pointerOf(inner, part);
    if (below !== '\0') return `/${pointerPart(name)}${below}`;
  }
  return '\0';
}
