/**
 * The patterns of schemas: run against a text, and text that matches one. Of a sampled text, what models write is covered;
 * anything else is null.
 */
import { RE2JS } from 're2js';
import type { Dice } from '../state/determinism.ts';

type Part = { kind: 'set'; letters: string[] } | { kind: 'group'; choices: Repeated[][] } | { kind: 'nothing' };

interface Repeated {
  part: Part;
  least: number;
  most: number;
}

/** A compiled pattern, whichever engine runs it. */
type Matcher = Pick<RegExp, 'test'>;

const expressions = new Map<string, Matcher>();

/**
 * The expression of a schema's pattern, made once. JavaScript's engine backtracks: for one text a pattern of a foreign
 * document may take longer than anybody waits, so a pattern that may runs in an engine with linear time. Throws where it is
 * no regular expression.
 */
export function expressionOf(pattern: string): Matcher {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const linear = mayBacktrack(choicesOf(pattern)) ? inLinearTime(pattern) : undefined;
  const made = linear ?? new RegExp(pattern, 'u');
  expressions.set(pattern, made);
  return made;
}

/** Whether a repeated group holds a repetition or a choice; true as well where the pattern could not be parsed. */
function mayBacktrack(choices: Repeated[][] | null): boolean {
  if (choices === null) return true;
  const groups = choices.flat().flatMap(({ part, most }) => (part.kind === 'group' ? [{ ...part, most }] : []));
  return groups.some((group) => (group.most > 1 && isAmbiguous(group.choices)) || mayBacktrack(group.choices));
}

/** Whether texts of several lengths or forms fit. */
const isAmbiguous = (choices: Repeated[][]): boolean =>
  choices.length > 1 ||
  choices.flat().some(({ part, least, most }) => most > least || (part.kind === 'group' && isAmbiguous(part.choices)));

/** Undefined for what such an engine cannot express: a look-around, a reference to a group. */
function inLinearTime(pattern: string): Matcher | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined;
  }
}

const parsed = new Map<string, Repeated[][] | null>();

function choicesOf(pattern: string): Repeated[][] | null {
  const known = parsed.get(pattern);
  const choices = known === undefined ? parse(pattern) : known;
  parsed.set(pattern, choices);
  return choices;
}

/** A matching text near the wanted length, or null when the pattern is beyond this sampler. */
export function textMatching(pattern: string, dice: Dice, wanted = 8): string | null {
  const choices = choicesOf(pattern);
  if (choices === null) return null;
  const expression = expressionOf(pattern);
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const text = sample(choices, dice, wanted);
    if (expression.test(text)) return text;
  }
  return null;
}

const DIGITS = '0123456789';

/** One of the letters; a number of several digits does not begin with a nought. */
function letterOf(letters: readonly string[], dice: Dice, leads: boolean): string {
  const letter = dice.pick(letters);
  return leads && letter === '0' && letters.length === 10 && letters.join('') === DIGITS ? '4' : letter;
}

function sample(choices: Repeated[][], dice: Dice, wanted: number): string {
  let text = '';
  for (const { part, least, most } of dice.pick(choices)) {
    const top = Math.min(most, Math.max(least, wanted));
    const times = dice.int(least, top);
    for (let time = 0; time < times; time += 1) {
      if (part.kind === 'set') text += letterOf(part.letters, dice, times > 1 && time === 0);
      if (part.kind === 'group') text += sample(part.choices, dice, Math.min(wanted, 3));
    }
  }
  return text;
}

function parse(pattern: string): Repeated[][] | null {
  const reader = { text: pattern, at: 0 };
  try {
    const choices = readChoices(reader);
    return reader.at === pattern.length ? choices : null;
  } catch {
    return null;
  }
}

interface Reader {
  text: string;
  at: number;
}

function readChoices(reader: Reader): Repeated[][] {
  const choices: Repeated[][] = [[]];
  while (reader.at < reader.text.length && reader.text[reader.at] !== ')') {
    if (reader.text[reader.at] === '|') {
      reader.at += 1;
      choices.push([]);
    } else {
      choices.at(-1)?.push(readRepeated(reader));
    }
  }
  return choices;
}

function readRepeated(reader: Reader): Repeated {
  const part = readPart(reader);
  const mark = reader.text[reader.at];
  const rest = reader.text.slice(reader.at);
  const braces = /^\{(\d+)(,(\d*))?\}/.exec(rest);
  if (braces !== null) {
    reader.at += braces[0].length;
    const least = Number(braces[1]);
    const most = braces[2] === undefined ? least : braces[3] === '' ? least + 8 : Number(braces[3]);
    return lazy(reader, { part, least, most });
  }
  if (mark === '*' || mark === '+' || mark === '?') {
    reader.at += 1;
    return lazy(reader, { part, least: mark === '+' ? 1 : 0, most: mark === '?' ? 1 : 8 });
  }
  return { part, least: 1, most: 1 };
}

function lazy(reader: Reader, repeated: Repeated): Repeated {
  if (reader.text[reader.at] === '?') reader.at += 1;
  return repeated;
}

const CLASSES: Record<string, string[]> = {
  d: [...'0123456789'],
  w: [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'],
  s: [' '],
};
const ANY = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

function readPart(reader: Reader): Part {
  const mark = reader.text[reader.at] as string;
  if (mark === '^' || mark === '$') {
    reader.at += 1;
    return { kind: 'nothing' };
  }
  if (mark === '(') return readGroup(reader);
  if (mark === '[') return { kind: 'set', letters: readSet(reader) };
  if (mark === '.') {
    reader.at += 1;
    return { kind: 'set', letters: ANY };
  }
  return { kind: 'set', letters: readLetter(reader) };
}

function readGroup(reader: Reader): Part {
  reader.at += 1;
  const opening = /^\?(:|=|!|<=|<!|<\w+>)/.exec(reader.text.slice(reader.at));
  reader.at += opening?.[0].length ?? 0;
  const choices = readChoices(reader);
  if (reader.text[reader.at] !== ')') throw new Error('open group');
  reader.at += 1;
  // A look-around adds no text; whether it holds is tested on the whole sample.
  const looksAround =
    opening !== null && opening[1] !== ':' && !opening[1]?.startsWith('<') ? true : /^<[=!]/.test(opening?.[1] ?? '');
  return looksAround ? { kind: 'nothing' } : { kind: 'group', choices };
}

function readSet(reader: Reader): string[] {
  reader.at += 1;
  const negated = reader.text[reader.at] === '^';
  if (negated) reader.at += 1;
  const letters: string[] = [];
  while (reader.text[reader.at] !== ']') {
    if (reader.at >= reader.text.length) throw new Error('open set');
    const from = readLetter(reader);
    if (reader.text[reader.at] === '-' && reader.text[reader.at + 1] !== ']' && from.length === 1) {
      reader.at += 1;
      addRange(letters, from[0] as string, readLetter(reader)[0] as string);
    } else {
      letters.push(...from);
    }
  }
  reader.at += 1;
  return negated ? ANY.filter((letter) => !letters.includes(letter)) : letters;
}

/** A range may span all of Unicode; a sample needs no more than some letters of it. */
function addRange(letters: string[], from: string, to: string): void {
  const last = to.codePointAt(0) as number;
  for (let code = from.codePointAt(0) as number; code <= last && letters.length < 256; code += 1)
    letters.push(String.fromCodePoint(code));
}

function readLetter(reader: Reader): string[] {
  const mark = reader.text[reader.at] as string;
  reader.at += 1;
  if (mark !== '\\') return [mark];
  const escaped = reader.text[reader.at] as string;
  reader.at += 1;
  if (Object.hasOwn(CLASSES, escaped)) return CLASSES[escaped] as string[];
  if (escaped === 'n' || escaped === 't' || escaped === 'b' || escaped === 'B') throw new Error('not sampled');
  return [escaped];
}
