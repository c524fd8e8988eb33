/** Bytes of one file → a value. Says precisely what was wrong with them; never more than a place and a reason. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { RouterError } from '../errors.ts';
import { yaml } from '../lazy-import.ts';
import { keepListedTexts } from './listed-values.ts';
import { textFormat } from './other-format.ts';
import { withDeeperLines } from './shallow-quotes.ts';

const MAX_BYTES = 64 * 1024 * 1024;
/** A document may name a part a few hundred times; more is a bomb. */
const MAX_ALIASES = 1_000;

/** Reads each file of an import once; what comes back belongs to all who ask. */
export class ParsedFiles {
  readonly #read = new Map<string, () => unknown>();

  /** Throws as `readValue` does, each time. */
  value(file: string): unknown {
    const known = this.#read.get(file) ?? outcomeOf(file);
    this.#read.set(file, known);
    return known();
  }
}

function outcomeOf(file: string): () => unknown {
  try {
    const value = readValue(file);
    return () => value;
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    return () => {
      throw error;
    };
  }
}

export function readValue(file: string): unknown {
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw invalid(file, `should be at most ${MAX_BYTES} bytes, got ${size}`);
  const text = textOf(file, readFileSync(file));
  const other = textFormat(text);
  if (other) throw invalid(file, `should be an OpenAPI document in JSON or YAML, got ${other.name}`, other.remedy);
  // The first character tells JSON from YAML, because the file name is the user's choice.
  return /^\s*[[{]/.test(text) ? parseJson(file, text) : parseYaml(file, text);
}

function textOf(file: string, bytes: Buffer): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw invalid(file, 'should be UTF-8, got UTF-16', 'save the document as UTF-8');
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\ufeff/, '');
  const at = firstBadByte(bytes);
  const byte = (bytes[at] ?? 0).toString(16);
  throw invalid(file, `should be UTF-8, got the byte 0x${byte} at offset ${at}`, 'save the document as UTF-8');
}

/** By halves: the longest beginning that is fine, without a character that is cut at its end. */
function firstBadByte(bytes: Buffer): number {
  let fine = 0;
  let bad = bytes.length;
  while (bad - fine > 1) {
    const middle = (fine + bad) >> 1;
    if (isUtf8Start(bytes, middle)) fine = middle;
    else bad = middle;
  }
  while (fine > 0 && !isUtf8(bytes.subarray(0, fine))) fine--;
  return fine;
}

/** Are these the first bytes of UTF-8 text, though perhaps cut within a character? */
const isUtf8Start = (bytes: Buffer, length: number) =>
  [0, 1, 2, 3].some((less) => isUtf8(bytes.subarray(0, Math.max(0, length - less))));

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A flow collection of YAML begins like JSON.
    if (!/\.json$/i.test(file)) return parseYaml(file, text);
    const said = cause instanceof Error ? cause.message : '';
    const position = Number(/position (\d+)/.exec(said)?.[1] ?? text.length);
    const before = text.slice(0, position).split('\n');
    const where = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    const what =
      position >= text.length || /end of|unterminated/i.test(said) ? 'the text ends too early' : 'a syntax error';
    throw invalid(file, `should be JSON, got ${what} at ${where}`, undefined, cause);
  }
}

function parseYaml(file: string, text: string): unknown {
  const { LineCounter, parseDocument, visit } = yaml();
  // Keys stay as written: 0123, 200, no and on are names here, whatever else YAML takes them for.
  const parsed = (written: string) =>
    parseDocument(written, { lineCounter: new LineCounter(), stringKeys: true, merge: true });
  const stated = parsed(text);
  const deeper = stated.errors.some(({ code }) => code === 'MISSING_CHAR') ? withDeeperLines(text) : text;
  const document = deeper === text ? stated : parsed(deeper);
  const broken = document.errors[0];
  if (broken)
    throw invalid(file, `should be YAML, got a syntax error (${broken.code}) at line ${broken.linePos?.[0].line ?? 1}`);
  try {
    visit(document, {
      Alias: (_, alias, above) => {
        const named = alias.resolve(document);
        if (named !== undefined && above.includes(named)) throw new Error(`the anchor ${alias.source} holds itself`);
      },
      Map: (_, map) => keepListedTexts(map),
    });
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw invalid(
      file,
      `should use each anchor at most ${MAX_ALIASES} times and never inside itself`,
      undefined,
      cause,
    );
  }
}

function invalid(
  file: string,
  what: string,
  remedy = 'correct the document and add it again',
  cause?: unknown,
): RouterError {
  return new RouterError('DOCUMENT_INVALID', `${file}: ${what}`, { remedy, ...(cause === undefined ? {} : { cause }) });
}
