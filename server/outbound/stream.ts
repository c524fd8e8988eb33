/** A platform's event stream over a WebSocket (RFC 6455), read for a bounded time. Nothing is ever sent on it. */
import { readBody } from './body.ts';
import { StreamWire } from './stream-wire.ts';

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

/** From our close until the connection is cut, whether or not it was answered. */
const GOODBYE_MS = 500;
/** How often is looked at what came and is no message yet. */
const LOOK_MS = 50;
/** What came besides messages: the answer to the handshake, and the heads of frames. */
const HANDSHAKE_BYTES = 64_000;

/** `socket`: one that was made in this turn of the event loop, so that nothing of it was missed. */
export function collectStream(socket: WebSocket, { maxEvents, maxBytes, signal }: StreamLimits): Promise<Collected> {
  const wire = new StreamWire(socket);
  socket.binaryType = 'arraybuffer';
  const events: StreamEvent[] = [];
  let bytes = 0;
  let binary_frames = 0;
  let opened = false;
  const { promise, resolve, reject } = Promise.withResolvers<Collected>();
  const leave = () => {
    signal.removeEventListener('abort', late);
    clearInterval(look);
    if (socket.readyState !== WebSocket.CLOSED) socket.close();
    setTimeout(() => wire.cut(), GOODBYE_MS).unref();
  };
  const finish = (ended_by: Collected['ended_by'], close_code?: number) => {
    leave();
    resolve({ events, ended_by, ...(close_code === undefined ? {} : { close_code }), binary_frames });
  };
  const late = () => (opened ? finish('time') : fail('it did not open in time'));
  const fail = (why: string) => {
    leave();
    reject(new NotOpened(why));
  };
  const look = setInterval(() => {
    if (wire.bytes <= maxBytes + HANDSHAKE_BYTES) return;
    finish('max_bytes');
    wire.cut();
  }, LOOK_MS);
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

/** As of any answer of a platform: no integer loses digits, and what nests too deep stays text. */
function parsed(text: string): unknown {
  const read = readBody(text, 'application/json');
  return 'wrong' in read || read.value === undefined ? text : read.value;
}
