/**
 * One exchange between Node's HTTP and the protocol library's web-standard handler. The library has an adapter of its own;
 * this one knows that the body is parsed already and that most answers are one JSON text, so it neither writes the body
 * again nor sends an answer in pieces. The caller's Authorization stays on this side.
 */
import type { ServerResponse } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { GuardedRaw } from './guard.ts';

export async function exchange(
  handler: McpHttpHandler,
  raw: GuardedRaw,
  response: ServerResponse,
  parsedBody: unknown,
): Promise<void> {
  // A client that left while its request waited for its turn has cancelled it, as one that leaves later has.
  if (response.destroyed) return;
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const request = new Request(`http://${raw.headers.host}${raw.url}`, {
    method: raw.method ?? 'POST',
    headers: headersOf(raw),
  });
  // Given to the constructor it would be followed by a second one, at a tenth of what the whole request costs.
  Object.defineProperty(request, 'signal', { value: gone.signal });
  const answer = await handler.fetch(request, {
    ...(raw.auth === undefined ? {} : { authInfo: raw.auth }),
    ...(parsedBody === undefined ? {} : { parsedBody }),
  });
  const headers = Object.fromEntries(answer.headers);
  if (answer.body !== null && answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return stream(answer.body, response.writeHead(answer.status, headers), gone.signal);
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...headers, 'content-length': body.length }).end(body);
}

async function stream(body: ReadableStream<Uint8Array>, response: ServerResponse, gone: AbortSignal): Promise<void> {
  const reader = body.getReader();
  // Aborts a handler whose client has disconnected.
  gone.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!response.write(next.value)) await drained(response, gone);
    if (gone.aborted) break;
  }
  response.end();
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go);
      gone.removeEventListener('abort', go);
      resolve();
    };
    response.once('drain', go);
    gone.addEventListener('abort', go, { once: true });
    if (gone.aborted) go();
  });
}

function headersOf({ headers }: GuardedRaw): [string, string][] {
  const pairs: [string, string][] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name === 'authorization') continue;
    if (typeof value === 'string') pairs.push([name, value]);
    else for (const one of value) pairs.push([name, one]);
  }
  return pairs;
}
