/**
 * Audit lines as syslog messages (RFC 5424): over UDP one a datagram (RFC 5426), over TCP and TLS by their length (RFC 6587, RFC
 * 5425). The message is the JSON line as the log has it, so its hashes can be verified at the receiver.
 */
import { createSocket } from 'node:dgram';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { SyslogAddress } from '../config/audit-settings.ts';
import type { AuditReceiver } from './audit-export.ts';

/** Facility 13 (log audit), severity 6 (informational); 5 (notice) for what is about to change something. */
const AUDIT = 13 * 8 + 6;
const INTENT = 13 * 8 + 5;
const TIMEOUT_MS = 5_000;
const APP = 'svc-mcp-router';
/** Byte order mark: the message is UTF-8. */
const BOM = '\ufeff';

/** `timeoutMs`: how long a receiver may neither finish a connection nor take bytes of lines. */
export function syslogReceiver(address: SyslogAddress, timeoutMs = TIMEOUT_MS): AuditReceiver {
  return address.protocol === 'udp' ? overUdp(address) : overStream(address, timeoutMs);
}

export function messageOf(line: string, host = hostname(), pid = process.pid): string {
  const { at, kind } = JSON.parse(line) as { at?: string; kind?: string };
  const isId = /^[a-z_]{1,32}$/.test(kind ?? '');
  return `<${kind === 'intent' ? INTENT : AUDIT}>1 ${at ?? '-'} ${printable(host)} ${APP} ${pid} ${isId ? kind : '-'} - ${BOM}${line}`;
}

const printable = (text: string): string => text.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';

function overUdp({ host, port }: SyslogAddress): AuditReceiver {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4').unref();
  const one = (line: string) =>
    new Promise<void>((resolve, reject) =>
      socket.send(messageOf(line), port, host, (error) => (error ? reject(error) : resolve())),
    );
  return {
    name: 'syslog',
    send: async (lines) => {
      for (const line of lines) await one(line);
    },
    close: () => socket.close(),
  };
}

function overStream(address: SyslogAddress, timeoutMs: number): AuditReceiver {
  let open: { socket: Socket; ready: Promise<void> } | undefined;
  let isSending = false;
  const connected = () => {
    const socket = connection(address, () => {
      open = undefined;
    });
    const event = address.protocol === 'tls' ? 'secureConnect' : 'connect';
    const ready = moving(socket, timeoutMs, (done) => socket.once(event, () => done()));
    return { socket, ready };
  };
  return {
    name: 'syslog',
    send: async (lines) => {
      isSending = true;
      try {
        open ??= connected();
        const { socket, ready } = open;
        await ready;
        await moving(socket, timeoutMs, (done) => socket.write(Buffer.concat(lines.map(framed)), done));
      } finally {
        isSending = false;
      }
    },
    close: () => {
      if (isSending) open?.socket.destroy(new Error('the receiver did not take the last lines in time'));
      else open?.socket.end();
    },
  };
}

function framed(line: string): Buffer {
  const bytes = Buffer.from(messageOf(line));
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

/** One step at the receiver. Rejects when the connection ends, and ends it when nothing moves on it for this long. */
function moving(socket: Socket, timeoutMs: number, begin: (done: (error?: Error | null) => void) => void) {
  return new Promise<void>((resolve, reject) => {
    const late = () => socket.destroy(new Error(`the receiver did nothing for ${timeoutMs} ms`));
    const closed = () => done(new Error('the receiver closed the connection'));
    const done = (error?: Error | null) => {
      socket.setTimeout(0, late).off('error', done).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    socket.setTimeout(timeoutMs, late).once('error', done).once('close', closed);
    begin(done);
  });
}

/** A server is named by a host name only (RFC 6066 §3); the certificate is compared with an address all the same. */
const namedServer = (host: string) => (isIP(host) === 0 ? { servername: host } : {});

/** It keeps no process alive: at its end a process waits for its lines by itself, for a bounded time. */
function connection({ protocol, host, port }: SyslogAddress, onClose: () => void): Socket {
  const socket: Socket =
    protocol === 'tls' ? connectTls({ host, port, ...namedServer(host) }) : connectPlain({ host, port });
  return (
    socket
      .setKeepAlive(true)
      .unref()
      .on('error', () => undefined)
      // A receiver that ends the connection is noticed before the next message.
      .resume()
      .once('end', () => socket.destroy())
      .once('close', onClose)
  );
}
