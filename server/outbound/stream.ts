/** A platform's event stream over a WebSocket (RFC 6455), read for a bounded time. Nothing is ever sent on it. */

export interface StreamLimits {
  maxEvents: number;
  maxBytes: number;
  /** Ends it, whatever came. */
  signal: AbortSignal;
}

export interface StreamEvent {
  /** When it arrived here, ISO 8601. */
  received_at: string;
  /** The JSON of a text frame, or its text where it is none. */
  data: unknown;
}

export interface Collected {
  events: StreamEvent[];
  ended_by: 'time' | 'max_events' | 'max_bytes' | 'platform';
  /** Code of RFC 6455 section 7.4, where the platform closed it. */
  close_code?: number;
  /** Binary frames: counted, never shown. */
  binary_frames: number;
}

/** The stream could not be opened: refused, unreachable, or no WebSocket. */
export class NotOpened extends Error {}

/** As a Node of our version has it: the standard one, with headers for the handshake. */
type HeaderedSocket = new (url: string, options: { headers: Readonly<Record<string, string>> }) => WebSocket;
const Socket = WebSocket as unknown as HeaderedSocket;

export function collectStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  { maxEvents, maxBytes, signal }: StreamLimits,
): Promise<Collected> {
  const socket = new Socket(url.replace(/^http/, 'ws'), { headers });
  socket.binaryType = 'arraybuffer';
  const events: StreamEvent[] = [];
  let bytes = 0;
  let binary_frames = 0;
  let opened = false;
  const { promise, resolve, reject } = Promise.withResolvers<Collected>();
  const finish = (ended_by: Collected['ended_by'], close_code?: number) => {
    signal.removeEventListener('abort', late);
    resolve({ events, ended_by, ...(close_code === undefined ? {} : { close_code }), binary_frames });
    if (socket.readyState !== WebSocket.CLOSED) socket.close();
  };
  const late = () => (opened ? finish('time') : fail('it did not open in time'));
  const fail = (why: string) => {
    signal.removeEventListener('abort', late);
    reject(new NotOpened(why));
    socket.close();
  };
  signal.addEventListener('abort', late, { once: true });
  socket.addEventListener('open', () => {
    opened = true;
  });
  socket.addEventListener('message', ({ data: payload }) => {
    const data = payload as string | ArrayBuffer;
    if (events.length >= maxEvents || bytes >= maxBytes) return;
    bytes += typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength;
    if (bytes > maxBytes) return finish('max_bytes');
    if (typeof data !== 'string') {
      binary_frames += 1;
      return;
    }
    events.push({ received_at: new Date().toISOString(), data: parsed(data) });
    if (events.length >= maxEvents) finish('max_events');
  });
  socket.addEventListener('error', () => {
    if (!opened) fail('it was refused');
  });
  socket.addEventListener('close', ({ code }) => (opened ? finish('platform', code) : fail('it was refused')));
  if (signal.aborted) late();
  return promise;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
