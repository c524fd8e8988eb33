/**
 * What people say → what documents of networks call it, in two files of one line per entry. `words.txt`: a word, words that
 * mean nearly the same, and behind a semicolon words for what it is often about. `phrases.txt`: a turn of phrase and what it
 * is about. It is about the language of the trade, not about any one API.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DictionaryEntry {
  /** One word, or the words of a turn of phrase in their order. */
  said: readonly string[];
  near: readonly string[];
  /** The likeliest first. */
  about: readonly string[];
}

const FOLDER = join(import.meta.dirname, 'dictionary');
const LINE = /^(?<said>[^=]+) = ?(?<near>[^;=]*)(?:; (?<about>[^;=]+))?$/;

let read: readonly DictionaryEntry[] | undefined;

/** Both files, read once. */
export function dictionary(): readonly DictionaryEntry[] {
  read ??= [...entriesOf('words.txt'), ...entriesOf('phrases.txt')];
  return read;
}

function entriesOf(file: string): DictionaryEntry[] {
  return readFileSync(join(FOLDER, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line, at) => {
      const { said, near, about } = LINE.exec(line)?.groups ?? {};
      if (said === undefined)
        throw new Error(`${file}:${at + 1} should read "said = near words ; words it is about", got "${line}"`);
      const words = listOf(said);
      return words.length === 1
        ? { said: words, near: listOf(near), about: listOf(about) }
        : { said: words, near: [], about: listOf(near) };
    });
}

const listOf = (text = '') => text.split(' ').filter((word) => word !== '');
