/** A server that keeps every request as it arrives and answers all of them; what a request is, is read from its bytes alone. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RawRequest {
  method: string;
  /** As on the wire, with the query. */
  url: string;
  /** Names and values in turn, as on the wire. */
  headers: readonly string[];
  body: string;
}

export interface Recorder {
  origin: string;
  /** Requests since last asked. */
  take: () => RawRequest[];
  close: () => Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  let seen: RawRequest[] = [];
  const answer = JSON.stringify({ access_token: 't', token_type: 'Bearer', expires_in: 7200 });
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.rawHeaders, body });
    response.setHeader('content-type', 'application/json');
    response.end(request.method === 'HEAD' ? undefined : answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Anything by which a server could take a request for another one, wherever it stands in it. */
const OVERRIDES =
  /(?:^|[^a-z])_(?:http)?_?method\b|method[-_]?override|x[-_]http[-_]?method|x[-_](?:original|rewrite)[-_]ur[li]/i;

/** Does it ask a server to take it for another request? */
export const asksForAnother = ({ url, headers, body }: RawRequest): boolean =>
  [decodedOf(url), body, decodedOf(body), ...headers.filter((_, at) => at % 2 === 0)].some((text) =>
    OVERRIDES.test(text),
  );

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Is this request the one that a label `METHOD /path/{any}` names, below this prefix? The query does not count. */
export function isLabelled(request: RawRequest, prefix: string, label: string): boolean {
  const [method = '', path = ''] = label.split(/ (.*)/s);
  const pattern = path
    .split(/\{[^{}/]+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  const arrived = decodedOf(request.url.split('?', 1)[0] ?? '');
  return request.method === method && new RegExp(`^${prefix}${pattern}$`, 'u').test(arrived);
}
