/** A platform that streams: a token endpoint and a WebSocket (RFC 6455), written by hand so that nothing of ours is on both ends. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface StreamServer extends AsyncDisposable {
  url: string;
  /** The requested path and its authorization header. */
  asked: { path: string; authorization: string }[];
  /** Tokens that were given out. */
  tokens: number;
  /** Connections that are open now. */
  open: number;
}

export interface Player {
  send: (payload: string | Buffer) => void;
  close: (code: number) => void;
  /** In frames of so many bytes, with a ping between each two. */
  sendInPieces: (text: string, bytes: number) => void;
  /** Begins a message of 100 MB and sends of it for as long as somebody listens; a close is not answered. */
  sendWithoutEnd: () => void;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** `play` sends once a client is let in; answering undefined from `admit` refuses the handshake. */
export async function streamServer(
  play: (send: Player['send'], close: Player['close'], player: Player) => void,
  admit: (authorization: string) => boolean = () => true,
): Promise<StreamServer> {
  const sockets = new Set<Duplex>();
  const asked: StreamServer['asked'] = [];
  let tokens = 0;
  const server = createServer((_, response) => {
    tokens += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: `stream-token-${tokens}`, token_type: 'Bearer', expires_in: 3600 }));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const authorization = request.headers.authorization ?? '';
    asked.push({ path: request.url ?? '', authorization });
    if (!admit(authorization)) return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    // A close of the client's is answered by ending the connection.
    socket.on(
      'data',
      (chunk: Buffer) => ((chunk[0] ?? 0) & 0x0f) === 8 && socket.end(frame(8, Buffer.from([0x03, 0xe8]))),
    );
    socket.on('close', () => sockets.delete(socket));
    const player: Player = {
      sendWithoutEnd: () => {
        socket.write(Buffer.from([0x81, 127, 0, 0, 0, 0, 0x06, 0, 0, 0]));
        const more = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'x')));
        };
        socket.on('drain', more);
        more();
      },
      send: (payload) => socket.write(typeof payload === 'string' ? frame(1, Buffer.from(payload)) : frame(2, payload)),
      close: (code) => socket.end(frame(8, Buffer.from([code >> 8, code & 0xff]))),
      sendInPieces: (text, bytes) => {
        const whole = Buffer.from(text);
        for (let from = 0; from < whole.length; from += bytes) {
          if (from > 0) socket.write(frame(9, Buffer.from('still here')));
          const last = from + bytes >= whole.length;
          socket.write(frame(from === 0 ? 1 : 0, whole.subarray(from, from + bytes), last));
        }
      },
    };
    play(player.send, player.close, player);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    get tokens() {
      return tokens;
    },
    get open() {
      return sockets.size;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** One frame, as servers send them: not masked. */
function frame(opcode: number, payload: Buffer, last = true): Buffer {
  const { length } = payload;
  const first = (last ? 0x80 : 0) | opcode;
  const head =
    length < 126
      ? Buffer.from([first, length])
      : length < 65_536
        ? Buffer.from([first, 126, length >> 8, length & 0xff])
        : Buffer.from([
            first,
            127,
            0,
            0,
            0,
            0,
            (length >> 24) & 0xff,
            (length >> 16) & 0xff,
            (length >> 8) & 0xff,
            length & 0xff,
          ]);
  return Buffer.concat([head, payload]);
}
