/**
 * Text for fields that say by their name what they hold. A value depends on the row it stands in, so the parts of one row agree: a person's names,
 * login and mail address, or city, country and time zone.
 */
import { atLongestEnding, endingTable, singularOf } from './field-name-words.ts';
import { namesOf } from './kind-names.ts';
import { MORE_ENDINGS } from './more-text-endings.ts';
import type { Draw } from './text-draws.ts';
import { ENDINGS } from './text-endings.ts';
import type { TextField } from './text-field.ts';

/** Pools a field may draw from, by its ending of one to three words. */
const byEnding = endingTable([...ENDINGS, ...MORE_ENDINGS]);

/** What fills a field whose name says nothing that is known: an ordinary name in a configuration. */
const COMMON = ['standard', 'default', 'primary', 'campus', 'branch', 'shared', 'staff', 'guest'] as const;

const found = (words: readonly string[]): Draw | undefined =>
  atLongestEnding(words, 3, (ending) => byEnding.get(ending) ?? byEnding.get(ending.replace(/s$/, '')));

const NO_WORDS: readonly string[] = [];
/** By the words of the holder and of the name; both are the same lists each time. */
const known = new Map<readonly string[], Map<readonly string[], Draw | undefined>>();

/** How a field of that name is filled; undefined where no ending of up to three words is known. */
function drawOf(words: readonly string[], holder: readonly string[] = NO_WORDS): Draw | undefined {
  const ofHolder = known.get(holder) ?? new Map<readonly string[], Draw | undefined>();
  known.set(holder, ofHolder);
  if (ofHolder.has(words)) return ofHolder.get(words);
  const draw = found(holder.length === 0 ? words : [...holder, ...words]);
  ofHolder.set(words, draw);
  return draw;
}

/** Whether the name says what the text is. */
export const hasTextType = (words: readonly string[]): boolean => drawOf(words) !== undefined;

/** A text that fits the name of the field; the caller sees to length and pattern. */
export function textFor(field: TextField): string {
  const draw = drawOf(field.words, field.holder);
  if (draw !== undefined) return draw(field);
  const said = examplesIn(field.description);
  if (said.length > 0) return field.dice.pick(said);
  return field.dice.pick(namesOf(singularOf(field.words)) ?? COMMON);
}

const examples = new Map<string, readonly string[]>();

/** Examples that a description gives: `weak signal`, `no DHCP answer` of `Cause, such as weak signal or no DHCP answer`. */
function examplesIn(description: string): readonly string[] {
  const read = examples.get(description) ?? readExamples(description);
  examples.set(description, read);
  return read;
}

function readExamples(description: string): readonly string[] {
  const [, list = ''] = /(?:such as|for example) ([^;.]{2,60})/.exec(description) ?? [];
  return list.split(/,? or |, | and /).filter((each) => each.length > 1 && each.length <= 24);
}
