/**
 * Quoted texts of YAML whose further lines stand no deeper than their key. YAML 1.2 (7.3.1) wants them deeper; most readers take them, and
 * so documents have them. White space before a further line is no part of the text, so it may be more of it.
 */
import { Lexer } from 'yaml';

/** Each of them is looked for from the start; characters that are read in all before the text stays an error. */
const MOST_READ = 300_000_000;
/** Tokens of the library that stand for nothing in the text: begin of a document, end of a flow, begin of a plain scalar. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f']);

/** The same text with these lines deeper; the same where there are none. */
export function withDeeperLines(text: string): string {
  let deeper = text;
  for (let read = 0; read < MOST_READ; read += deeper.length) {
    const at = cutQuote(deeper);
    const whole = at === undefined ? undefined : quotedAt(deeper, at);
    if (at === undefined || whole === undefined) return deeper;
    const indent = ' '.repeat(at - deeper.lastIndexOf('\n', at));
    deeper = deeper.slice(0, at) + whole.replace(/\n(?![ \t]*\n)/g, `\n${indent}`) + deeper.slice(at + whole.length);
  }
  return text;
}

/** Where the first quoted text begins that the library ends before its closing quote. */
function cutQuote(text: string): number | undefined {
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (MARKS.has(token)) continue;
    if (/^["']/.test(token) && quotedAt(token, 0) !== token) return offset;
    offset += token.length;
  }
  return undefined;
}

function quotedAt(text: string, at: number): string | undefined {
  const form = text[at] === '"' ? /"(?:[^"\\]|\\.)*"/sy : /'(?:[^']|'')*'/sy;
  form.lastIndex = at;
  return form.exec(text)?.[0];
}
