/** An endpoint for traces on loopback: OTLP/HTTP with JSON, as a collector takes it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  /** Nanoseconds since 1970. */
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: ReadonlyMap<string, string | number | boolean>;
  /** 2 is an error. */
  status: { code?: number; message?: string };
  events: unknown[];
}

export interface OtlpReceiver extends AsyncDisposable {
  url: string;
  /** Each request's body, as it came. */
  bodies: string[];
  spans: () => ReceivedSpan[];
}

/** Answers `status`; with `delayMs` only after that time. */
export async function otlpReceiver({ status = 200, delayMs = 0 } = {}): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      setTimeout(() => outgoing.writeHead(status, { 'content-type': 'application/json' }).end('{}'), delayMs).unref();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    bodies,
    spans: () => bodies.flatMap(spansIn),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Attribute[] })[] }[] }[];
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };
}

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as Sent;
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({ ...span, attributes: new Map(span.attributes.map(({ key, value }) => [key, plain(value)])) }));
}

function plain({ stringValue, intValue, boolValue, doubleValue }: Attribute['value']): string | number | boolean {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? boolValue ?? doubleValue ?? '';
}
