/** Plain text: a line under a line of dashes or equals signs, or one in capitals, begins a section. */
import type { ReadParts } from './reader.ts';

const UNDERLINE = /^(=|-){3,}\s*$/;
const CAPITALS = /^(?=.*\p{Lu}{2})[\p{Lu}\d][\p{Lu}\d .,:/()-]{2,60}$/u;

export function readText(content: Uint8Array, text: string): ReadParts {
  const lines = text.split(/\r?\n/);
  const sections: { heading: string; text: string }[] = [];
  let heading = '';
  let current: string[] = [];
  const next = (words: string) => {
    sections.push({ heading, text: current.join('\n') });
    heading = words;
    current = [];
  };
  for (const [i, line] of lines.entries()) {
    if (UNDERLINE.test(line) && (lines[i - 1] ?? '').trim() !== '') {
      current.pop();
      next((lines[i - 1] as string).trim());
    } else if (CAPITALS.test(line.trim()) && (lines[i + 1] ?? '').trim() === '') next(line.trim());
    else current.push(line);
  }
  next('');
  return {
    title: sections.find(({ heading: words }) => words !== '')?.heading,
    head: {},
    sections,
    bytes: content.length,
  };
}
