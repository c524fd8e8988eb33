/** Waiting for and reading what a platform sends, within limits. */
import { RouterError } from '../errors.ts';

/** Waits for shared work without tying its life to one caller. */
export function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // What nobody waits for any more may fail: an unhandled rejection would end the process.
  work.catch(() => undefined);
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The whole body, or a refusal once it is longer than the limit: an endless answer must not fill the memory. */
export async function readBytes(response: Response, platform: string, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array();
  const { headers } = response;
  const announced = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  // The length that is announced is held by the runtime, but only of what was sent, not of what it unpacks to.
  if (announced <= limit && !headers.has('content-encoding')) return new Uint8Array(await response.arrayBuffer());
  return readCounting(response.body, response.status, platform, limit);
}

/** The same as text. */
export async function readLimited(response: Response, platform: string, limit: number): Promise<string> {
  return textOf(await readBytes(response, platform, limit));
}

const UTF8 = new TextDecoder();

/** UTF-8 without its byte order mark; what is no UTF-8 becomes U+FFFD. */
export const textOf = (bytes: Uint8Array): string => UTF8.decode(bytes);

/** In the charset that the answer names, where this runtime knows it; else UTF-8. */
function decoded(bytes: Uint8Array, contentType: string): string {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType) ?? [];
  if (/^utf-?8$/i.test(charset)) return textOf(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return textOf(bytes);
  }
}

async function readCounting(
  body: NonNullable<Response['body']>,
  status: number,
  platform: string,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) {
      throw new RouterError(
        'UPSTREAM_TOO_LARGE',
        `${platform}: the answer should be at most ${limit} bytes, got more`,
        { details: { upstream_status: status } },
      );
    }
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** A longer body is parsed, masked and shaped by a worker thread, so that other calls do not wait for it. In bytes. */
export const LARGE_BODY_BYTES = 64 * 1024;

/** A body that the main thread does not parse. */
export interface LargeBody {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  /** Media types that were asked for, where JSON was not. */
  asked?: string | undefined;
  /** The error of the call when the body turns out to be of no use: a write has been sent by then. */
  unusable: (problem: BodyProblem) => RouterError;
}

/** Why a success is not what it says it is, or why it could not be read. */
export type BodyProblem = { wrong: string } | { tooLarge: string };

/** The result of reading a body: a value, or why a successful answer is malformed. */
export type ReadBody = { value: unknown } | { wrong: string };

/**
 * JSON as values, other text as it is. A page for people where an answer for programs belongs is no success; where HTML
 * was asked for, it is the answer.
 */
export function readBody(text: string, contentType: string, asked = ''): ReadBody {
  if (text === '') return { value: undefined };
  if (ROWS.test(contentType)) return readRows(text);
  const json = /json/i.test(contentType);
  if (!json && !/^\s*[[{]/.test(text))
    return PAGE.test(text) && !/html/i.test(asked) ? { wrong: 'a page of HTML' } : { value: text };
  // Everything that walks a value does so by recursion.
  if (nestsDeeper(text, MOST_NESTED))
    return json ? { wrong: `JSON nested more than ${MOST_NESTED} levels deep` } : { value: text };
  const read = readJson(text);
  return 'wrong' in read && !json ? { value: text } : read;
}

/** Some platforms write a line end in place of nothing. */
function readJson(text: string): ReadBody {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: HUGE.test(text) ? JSON.parse(text, lossless) : JSON.parse(text) };
  } catch {
    return { wrong: 'text that is no JSON' };
  }
}

/** JSON values one after the other: `application/x-ndjson`, `application/jsonl`, `application/json-seq` (RFC 7464). */
export const ROWS = /ndjson|jsonl|jsonlines|json-lines|json-seq|stream\+json/i;

const RECORD_SEPARATOR = '\u001e';

/** A list of the values. */
function readRows(text: string): ReadBody {
  const rows: unknown[] = [];
  for (const [at, line] of text.replaceAll(RECORD_SEPARATOR, '\n').split('\n').entries()) {
    if (line.trim() === '') continue;
    const row = readBody(line, 'application/json');
    if ('wrong' in row) return { wrong: `${row.wrong} in line ${at + 1}` };
    rows.push(row.value);
  }
  return { value: rows };
}

/**
 * Reads the body of an answer with this status. The body of a failure is plain text, because nothing depends on its
 * form.
 */
export function readBodyOf(status: number, bytes: Uint8Array, contentType: string, asked?: string): ReadBody {
  const text = decoded(bytes, contentType);
  const body = readBody(text, contentType, asked);
  const fine = status >= 200 && status < 300;
  return 'wrong' in body && !fine ? { value: text } : body;
}

/** Levels of objects and lists. Configurations of network devices reach about 30. */
export const MOST_NESTED = 200;

/** Whether brackets outside of strings open more than `most` levels; linear in the length of the text. */
function nestsDeeper(text: string, most: number): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === BRACE || code === BRACKET) {
      open += 1;
      if (open > most) return true;
    } else if (code === BRACE_END || code === BRACKET_END) open -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];

/** Index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** A fragment of HTML may be what an operation is for; a whole document that nobody asked for is a login page or a proxy's word. */
const PAGE = /^\s*(<!doctype html|<html[\s>])/i;

/** Only an answer with so many digits in a row can hold an integer that a number would round. */
const HUGE = /\d{16}/;

/** An integer beyond 2^53 becomes text: a rounded id would name another object. */
function lossless(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const rounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
  return rounded ? source : value;
}
