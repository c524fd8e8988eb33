/** Fetches one file over HTTPS and nothing else: no redirect is followed, no certificate waved through, no endless answer kept. */
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RouterError } from '../errors.ts';

const SILENCE_MS = 30_000;

export function httpsUrl(text: string, flag: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && !url.username && !url.password) return url;
  throw new RouterError('USAGE', `${flag} should be an https address without user and password, got another one`);
}

/** Writes the body to a file that must not exist yet. */
export async function fetchFile(url: URL, path: string, maxBytes: number): Promise<void> {
  const failed = (what: string, cause?: unknown) =>
    new RouterError('DOWNLOAD_FAILED', `${url.origin}${url.pathname} ${what}`, { cause });
  let response: IncomingMessage;
  try {
    response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = get(url, { timeout: SILENCE_MS }, resolve);
      request.on('error', reject).on('timeout', () => request.destroy(new Error(`silent for ${SILENCE_MS} ms`)));
    });
  } catch (error) {
    throw failed('could not be fetched', error);
  }
  if (response.statusCode !== 200) {
    response.destroy();
    throw failed(`should answer 200, got ${response.statusCode}`);
  }
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      done(bytes > maxBytes ? failed(`is larger than ${maxBytes} bytes`) : null, chunk);
    },
  });
  try {
    await pipeline(response, limit, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    throw error instanceof RouterError ? error : failed('ended before it was whole', error);
  }
}
