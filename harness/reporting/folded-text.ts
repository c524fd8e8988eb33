/** Indented lines of a terminal's text, broken between words where the terminal is narrower. Tables, which are not indented, stay. */
import { stripVTControlCharacters } from 'node:util';

/** Narrower than this, the terminal breaks lines itself. */
const NARROWEST = 40;

export function folded(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < NARROWEST) return text;
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith('  ') && widthOf(line) > columns ? broken(line, columns) : [line]))
    .join('\n');
}

/** What continues a line stands two further right. */
function broken(line: string, columns: number): string[] {
  const words = line.trimStart().split(' ');
  const indent = line.length - line.trimStart().length;
  const lines: string[] = [];
  let current = `${' '.repeat(indent)}${words[0]}`;
  for (const word of words.slice(1)) {
    if (widthOf(current) + 1 + widthOf(word) <= columns) current += ` ${word}`;
    else {
      lines.push(current);
      current = `${' '.repeat(indent + 2)}${word}`;
    }
  }
  return [...lines, current];
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length;
