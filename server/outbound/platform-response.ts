/** What a platform answered, its body parsed or still as bytes. */
import type { BinaryBody } from './binary-body.ts';
import { type LargeBody, readBodyOf } from './body.ts';

export interface PlatformResponse {
  status: number;
  /** Parsed JSON, text, or undefined for an empty body. Throws UPSTREAM_TOO_LARGE where `large` is too long to compare. */
  readonly body: unknown;
  /** The body itself, where it is too long to be parsed between other calls. */
  large?: LargeBody;
  /** The bytes of a body that is no text; `body` then describes them. */
  binary?: BinaryBody;
  headers: Headers;
  location: string | null;
  retryAfterMs: number | undefined;
  attempts: number;
}

/** An object that a write is compared with is parsed on the main thread up to this length. */
const COMPARED_BYTES = 256 * 1024;

/** The body is parsed when it is asked for, and only where that takes a moment: an object to compare with. */
export function withLargeBody(rest: Omit<PlatformResponse, 'body' | 'large'>, large: LargeBody): PlatformResponse {
  const size = large.bytes.byteLength;
  return {
    ...rest,
    large,
    get body() {
      // A worker may have taken the bytes.
      if (size > COMPARED_BYTES || large.bytes.byteLength !== size)
        throw large.unusable({
          tooLarge: `an object to compare should have at most ${COMPARED_BYTES} bytes, got ${size}`,
        });
      const body = readBodyOf(rest.status, large.bytes, large.contentType, large.asked);
      if ('wrong' in body) throw large.unusable(body);
      return body.value;
    },
  };
}
