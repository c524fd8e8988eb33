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

export function syslogReceiver(address: SyslogAddress): AuditReceiver {
  return address.protocol === 'udp' ? overUdp(address) : overStream(address);
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

function overStream(address: SyslogAddress): AuditReceiver {
  let open: Promise<Socket> | undefined;
  const connected = () => {
    open ??= connection(address, () => {
      open = undefined;
    });
    return open;
  };
  return {
    name: 'syslog',
    send: async (lines) => {
      const socket = await connected();
      const framed = lines.map((line) => {
        const bytes = Buffer.from(messageOf(line));
        return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
      });
      await new Promise<void>((resolve, reject) => {
        const closed = () => reject(new Error('the receiver closed the connection'));
        socket.once('close', closed);
        socket.write(Buffer.concat(framed), (error) => {
          socket.off('close', closed);
          if (error) reject(error);
          else resolve();
        });
      });
    },
    close: () => void open?.then((socket) => socket.end()).catch(() => undefined),
  };
}

/** A server is named by a host name only (RFC 6066 §3); the certificate is compared with an address all the same. */
const namedServer = (host: string) => (isIP(host) === 0 ? { servername: host } : {});

function connection({ protocol, host, port }: SyslogAddress, onClose: () => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket =
      protocol === 'tls' ? connectTls({ host, port, ...namedServer(host) }) : connectPlain({ host, port });
    socket.setTimeout(TIMEOUT_MS, () => {
      if (socket.connecting) socket.destroy(new Error('no connection in time'));
    });
    socket.once(protocol === 'tls' ? 'secureConnect' : 'connect', () => {
      socket.setKeepAlive(true);
      socket.unref();
      resolve(socket);
    });
    socket.once('error', reject);
    socket.on('error', () => undefined);
    // A receiver that ends the connection is noticed before the next message.
    socket
      .resume()
      .once('end', () => socket.destroy())
      .once('close', onClose);
  });
}
