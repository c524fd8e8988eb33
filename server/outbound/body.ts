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
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > limit) {
      throw new RouterError(
        'UPSTREAM_TOO_LARGE',
        `${platform}: the answer should be at most ${limit} bytes, got more`,
        {
          details: { upstream_status: response.status },
        },
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function parseBody(text: string, contentType: string): unknown {
  if (text === '') return undefined;
  if (!/json/i.test(contentType) && !/^\s*[[{]/.test(text)) return text;
  try {
    return HUGE.test(text) ? JSON.parse(text, lossless) : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Only an answer with so many digits in a row can hold an integer that a number would round. */
const HUGE = /\d{16}/;

/** An integer beyond 2^53 becomes text: a rounded id would name another object. */
function lossless(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const rounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
  return rounded ? source : value;
}
