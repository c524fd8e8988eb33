/**
 * The connection below a WebSocket. The standard interface does not expose it: a platform that does not answer a close
 * goes on sending, and the runtime buffers up to 128 MB of a message before it reports it. So this takes the socket
 * from a diagnostics channel of the runtime, and closes it.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const CONNECTED = 'undici:client:connected';
const OPENED = 'undici:websocket:open';

export class StreamWire {
  readonly #websocket: WebSocket;
  /** Connections since the handshake began, by their port on this side. */
  readonly #young = new Map<number | undefined, Socket>();
  #own: Socket | undefined;

  constructor(websocket: WebSocket) {
    this.#websocket = websocket;
    subscribe(CONNECTED, this.#connected);
    subscribe(OPENED, this.#opened);
  }

  /** Received bytes, including those of incomplete messages. */
  get bytes(): number {
    return this.#own?.bytesRead ?? 0;
  }

  cut(): void {
    this.#own?.destroy();
    this.release();
  }

  release(): void {
    unsubscribe(CONNECTED, this.#connected);
    unsubscribe(OPENED, this.#opened);
    this.#young.clear();
  }

  #connected = (told: unknown): void => {
    const { socket } = told as { socket: Socket };
    this.#young.set(socket.localPort, socket);
  };

  #opened = (told: unknown): void => {
    const { websocket, address } = told as { websocket: WebSocket; address: { port?: number } };
    if (websocket !== this.#websocket) return;
    this.#own = this.#young.get(address.port);
    this.release();
  };
}
