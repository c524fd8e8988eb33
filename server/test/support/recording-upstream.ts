/** A platform on loopback that records the raw bytes of every request, reads and logins aside, and answers what a test sets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RawRequest {
  method: string;
  /** Path and query as they came. */
  target: string;
  host: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface RecordingUpstream extends AsyncDisposable {
  origin: string;
  /** Everything but GET, in the order of arrival. */
  writes: RawRequest[];
  reads: RawRequest[];
  /** Answer to a GET; by default 404. */
  object: (request: RawRequest) => { status: number; body: unknown; headers?: Record<string, string> };
  /** Answer to anything else; by default 200 and an empty object. */
  written: (request: RawRequest) => { status: number; body: unknown; headers?: Record<string, string> };
}

export async function recordingUpstream(): Promise<RecordingUpstream> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request: RawRequest = {
        method,
        target: url,
        host: headers.host ?? '',
        headers: headers as Record<string, string>,
        body: Buffer.concat(chunks),
      };
      const { status, body, headers: more } = answer(request);
      outgoing.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body));
    });
  });
  const upstream: Omit<RecordingUpstream, typeof Symbol.asyncDispose> = {
    origin: '',
    writes: [],
    reads: [],
    object: () => ({ status: 404, body: {} }),
    written: () => ({ status: 200, body: {} }),
  };
  const answer = (request: RawRequest) => {
    if (request.target.endsWith('/as/token'))
      return { status: 200, body: { access_token: 'recorded-token', expires_in: 7200 }, headers: {} };
    const isRead = request.method === 'GET';
    (isRead ? upstream.reads : upstream.writes).push(request);
    return (isRead ? upstream.object : upstream.written)(request);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(upstream, {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Headers that the runtime adds to every request. */
export const RUNTIME_HEADERS = [
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'user-agent',
];
