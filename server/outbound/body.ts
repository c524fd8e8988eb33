/** Waiting for and reading what a platform sends, within limits. */
import { RouterError } from '../errors.ts';

/** Waits for shared work without tying its life to one caller. */
export function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The whole body, or a refusal once it is longer than the limit: an endless answer must not fill the memory. */
export async function readLimited(response: Response, platform: string, limit: number): Promise<string> {
  if (response.body === null) return '';
  const { headers } = response;
  const announced = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  // The length that is announced is held by the runtime, but only of what was sent, not of what it unpacks to.
  if (announced <= limit && !headers.has('content-encoding')) return response.text();
  return readCounting(response.body, response.status, platform, limit);
}

async function readCounting(
  body: NonNullable<Response['body']>,
  status: number,
  platform: string,
  limit: number,
): Promise<string> {
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
  return Buffer.concat(chunks).toString('utf8');
}

/** What was read: a value, or why a success is not what it says it is. */
export type ReadBody = { value: unknown } | { wrong: string };

/** JSON as values, other text as it is. A page for people where an answer for programs belongs is no success. */
export function readBody(text: string, contentType: string): ReadBody {
  if (text === '') return { value: undefined };
  const json = /json/i.test(contentType);
  if (!json && !/^\s*[[{]/.test(text)) return PAGE.test(text) ? { wrong: 'a page of HTML' } : { value: text };
  try {
    return { value: HUGE.test(text) ? JSON.parse(text, lossless) : JSON.parse(text) };
  } catch {
    return json ? { wrong: 'text that is no JSON' } : { value: text };
  }
}

/** A fragment of HTML may be what an operation is for; a whole document is a login page or a proxy's word. */
const PAGE = /^\s*(<!doctype html|<html[\s>])/i;

/** Only an answer with so many digits in a row can hold an integer that a number would round. */
const HUGE = /\d{16}/;

/** An integer beyond 2^53 becomes text: a rounded id would name another object. */
function lossless(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const rounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
  return rounded ? source : value;
}
