/** Audit lines at real receivers: what each gets, in which order, and that a receiver that is down or slow costs no call anything. */
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAudit } from '../config/audit-settings.ts';
import { Environment } from '../config/environment.ts';
import { Egress } from '../egress/egress.ts';
import { KnownSecrets } from '../telemetry/known-secrets.ts';
import { createLogger } from '../telemetry/logger.ts';
import { operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';
import { freePort } from '../test/support/programs.ts';
import { AuditExport, type AuditReceiver } from './audit-export.ts';
import { AuditLog } from './audit-log.ts';
import { hashOf } from './chain.ts';
import { otlpReceiver } from './otlp-receiver.ts';
import { messageOf, syslogReceiver } from './syslog-receiver.ts';

let folder: string;
let open: AsyncDisposableStack;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-export-'));
  open = new AsyncDisposableStack();
});
afterEach(async () => {
  await open.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

const path = () => join(folder, 'tools.jsonl');
const linesOfFile = () => readFileSync(path(), 'utf8').trimEnd().split('\n');
const said: string[] = [];
const logger = createLogger('info', (line: string) => void said.push(line));
beforeEach(() => {
  said.length = 0;
});

function logWith(...receivers: AuditReceiver[]): AuditLog {
  const exports = receivers.map((receiver) => new AuditExport({ receiver, logger, everyMs: 5 }));
  const log = new AuditLog({ path: path(), keyPath: join(folder, 'audit-key'), secrets: new KnownSecrets(), exports });
  open.defer(() => log.close());
  return log;
}
const record = (log: AuditLog, operator: string) =>
  log.record({ kind: 'sign_in', event: 'accepted', operator, where: 'console' });

/** A syslog receiver over TCP, or TLS with this certificate, that takes messages apart by their length. */
async function tcpReceiver(port = 0, tls?: { key: Buffer; cert: Buffer }) {
  let bytes = Buffer.alloc(0);
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = tls ? createTlsServer(tls) : createServer();
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (;;) {
        const [head = '', length] = /^(\d+) /.exec(bytes.toString('latin1')) ?? [];
        if (head === '' || bytes.length < head.length + Number(length)) return;
        messages.push(bytes.subarray(head.length, head.length + Number(length)).toString('utf8'));
        bytes = bytes.subarray(head.length + Number(length));
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  open.defer(stop);
  return { port: (server.address() as AddressInfo).port, messages, stop };
}
const lineIn = (message: string) => message.slice(message.indexOf('\ufeff') + 1);

describe('syslog', () => {
  test('over TCP gets every line as the file has it, in order, with head and structure of RFC 5424', async () => {
    const { port, messages } = await tcpReceiver();
    const log = logWith(syslogReceiver({ protocol: 'tcp', host: '127.0.0.1', port }));
    for (let n = 0; n < 500; n++) record(log, `ada-${n}-é`);
    await log.sendRest(5_000);
    await expect.poll(() => messages).toHaveLength(500);
    expect(messages.map(lineIn)).toEqual(linesOfFile());
    expect(messages[0]).toMatch(/^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ svc-mcp-router \d+ sign_in - \ufeff\{"seq":1,/);
    // So the receiver can see by itself that no line is missing.
    const chain = messages.map(lineIn).map((line) => [JSON.parse(line).prev, hashOf(line)]);
    expect(chain.slice(1).map(([prev]) => prev)).toEqual(chain.slice(0, -1).map(([, hash]) => hash));
  });

  const certificate = (subject: string) => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=receiver'.split(' ');
    execFileSync('openssl', [...made, '-addext', `subjectAltName=${subject}`, '-keyout', key, '-out', cert], {
      stdio: 'pipe',
    });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  };
  /** As NODE_EXTRA_CA_CERTS does at a start. */
  const trust = (cert: Buffer) => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, cert.toString()]);
    open.defer(() => setDefaultCACertificates(before));
  };

  test.each([
    ['localhost', 'DNS:localhost'],
    ['127.0.0.1', 'IP:127.0.0.1'],
  ])('over TLS gets every line once its certificate is of a known authority: %s', async (host, subject) => {
    const made = certificate(subject);
    trust(made.cert);
    const { port, messages } = await tcpReceiver(0, made);
    const log = logWith(syslogReceiver({ protocol: 'tls', host, port }));
    const warnings: string[] = [];
    const warned = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`);
    process.on('warning', warned);
    open.defer(() => void process.off('warning', warned));
    // Many messages over one connection.
    for (let n = 0; n < 15; n++) {
      record(log, `ada-${n}`);
      await expect.poll(() => messages).toHaveLength(n + 1);
    }
    expect(messages.map(lineIn)).toEqual(linesOfFile());
    expect(warnings).toEqual([]);
  });

  test.each([
    ['of an unknown authority', 'DNS:localhost', false],
    ['of another name', 'DNS:other.example', true],
  ])('over TLS with a certificate %s gets nothing, and the log says so', async (_how, subject, isTrusted) => {
    const made = certificate(subject);
    if (isTrusted) trust(made.cert);
    const { port, messages } = await tcpReceiver(0, made);
    const log = logWith(syslogReceiver({ protocol: 'tls', host: 'localhost', port }));
    record(log, 'ada');
    await expect.poll(() => said.filter((line) => line.includes('audit.unsent'))).toHaveLength(1);
    expect([messages, linesOfFile().length]).toEqual([[], 1]);
  });

  test('over UDP gets one message a datagram; an intent stands out by its severity', async () => {
    const socket = createSocket('udp4');
    open.defer(() => void socket.close());
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const messages: string[] = [];
    socket.on('message', (bytes) => messages.push(bytes.toString('utf8')));
    const log = logWith(syslogReceiver({ protocol: 'udp', host: '127.0.0.1', port: socket.address().port }));
    for (const name of ['ada', 'bob', 'cid']) record(log, name);
    await log.sendRest(5_000);
    await expect.poll(() => messages.map(lineIn)).toEqual(linesOfFile());
    expect(messageOf('{"kind":"intent","at":"2026-01-01T00:00:00.000Z"}', 'a host', 7)).toBe(
      '<109>1 2026-01-01T00:00:00.000Z ahost svc-mcp-router 7 intent - \ufeff{"kind":"intent","at":"2026-01-01T00:00:00.000Z"}',
    );
  });

  test('that is down holds up nothing; when it is back it gets what waited, and the log has said both', async () => {
    const port = await freePort();
    const log = logWith(syslogReceiver({ protocol: 'tcp', host: '127.0.0.1', port }));
    const started = performance.now();
    for (let n = 0; n < 50; n++) record(log, `ada-${n}`);
    expect(performance.now() - started).toBeLessThan(5_000);
    await expect.poll(() => said.join()).toContain('audit.unsent');
    const { messages } = await tcpReceiver(port);
    await expect.poll(() => messages.map(lineIn)).toEqual(linesOfFile());
    expect(said.filter((line) => line.includes('audit.unsent'))).toHaveLength(1);
    await expect.poll(() => said.join()).toContain('audit.sent-again');
    await log.sendRest(1_000);
  });
});

describe('a receiver that accepts and then does nothing', () => {
  /** Takes connections, never finishes a handshake and never reads. */
  async function silent() {
    const sockets: Socket[] = [];
    const server = createServer({ pauseOnConnect: true }, (socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.defer(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return { port: (server.address() as AddressInfo).port, sockets };
  }
  const unsent = () => said.filter((line) => line.includes('audit.unsent'));

  test('to a TLS handshake is given up, told once, and tried again', async () => {
    const { port, sockets } = await silent();
    const log = logWith(syslogReceiver({ protocol: 'tls', host: '127.0.0.1', port }, 50));
    record(log, 'ada');
    await expect.poll(() => sockets.length).toBeGreaterThan(1);
    expect(unsent()).toEqual([expect.stringContaining('did nothing for 50 ms')]);
  });

  test('to lines is given up, told once, and tried again', async () => {
    const { port, sockets } = await silent();
    const receiver = syslogReceiver({ protocol: 'tcp', host: '127.0.0.1', port }, 50);
    const queue = new AuditExport({ receiver, logger, everyMs: 5 });
    // More than the buffers of both ends take.
    queue.add(JSON.stringify({ kind: 'call', text: 'x'.repeat(12_000_000) }));
    await expect.poll(() => sockets.length).toBeGreaterThan(1);
    expect(unsent()).toEqual([expect.stringContaining('did nothing for 50 ms')]);
    await queue.close(0);
  });

  test('to a TLS handshake costs the end of a process no more than it may wait, and the lines are told as unsent', async () => {
    const { port, sockets } = await silent();
    const log = logWith(syslogReceiver({ protocol: 'tls', host: '127.0.0.1', port }));
    record(log, 'ada');
    await expect.poll(() => sockets).toHaveLength(1);
    const closed = once(sockets[0]!.resume(), 'close');
    await log.sendRest(50);
    await closed;
    expect(unsent()).toEqual([expect.stringContaining('did not take the last lines in time')]);
  });
});

test('what does not fit into the queue is dropped, the oldest first, and counted; the end waits no longer than it may', async () => {
  let down = true;
  const got: string[] = [];
  const receiver: AuditReceiver = {
    name: 'otlp',
    send: async (lines) => {
      if (down) throw new Error('down');
      got.push(...lines);
    },
    close: () => undefined,
  };
  const queue = new AuditExport({ receiver, logger, everyMs: 1 });
  for (let n = 0; n < 10_050; n++) queue.add(String(n));
  await expect.poll(() => said.join()).toContain('audit.unsent');
  down = false;
  await expect.poll(() => got).toHaveLength(10_000);
  expect([got[0], got.at(-1), said.join()]).toEqual(['50', '10049', expect.stringContaining('"lost":50')]);
  const stuck = new AuditExport({ receiver: { ...receiver, send: () => new Promise(() => undefined) }, logger });
  stuck.add('{}');
  const started = performance.now();
  await stuck.close(50);
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('an OTLP endpoint gets log records whose bodies are the lines; one that refuses is named once', async () => {
  const bodies: { resourceLogs: { scopeLogs: { logRecords: { body: { stringValue: string } }[] }[] }[] }[] = [];
  let status = 500;
  const server = createHttpServer(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join(''));
    if (status === 200) bodies.push(body);
    response.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.defer(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`;
  const log = logWith(otlpReceiver(url, new Egress()));
  for (const name of ['ada', 'bob', 'cid']) record(log, name);
  await expect.poll(() => said.join()).toContain('should answer 200, got 500');
  status = 200;
  const records = () =>
    bodies.flatMap(({ resourceLogs }) =>
      resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((one) => one.logRecords)),
    );
  await expect.poll(() => records().map(({ body }) => body.stringValue)).toEqual(linesOfFile());
  expect(records()[0]).toMatchObject({
    timeUnixNano: expect.stringMatching(/^\d{19}$/),
    severityText: 'INFO',
    attributes: [
      { key: 'svc_mcp.audit.kind', value: { stringValue: 'sign_in' } },
      { key: 'svc_mcp.audit.seq', value: { intValue: '1' } },
    ],
  });
});

test('an OTLP endpoint that takes no more than a megabyte gets long lines too', async () => {
  const got: string[] = [];
  const server = createHttpServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    if (text.length > 1 << 20) return void response.writeHead(413).end();
    const [{ scopeLogs }] = JSON.parse(text).resourceLogs;
    got.push(...scopeLogs[0].logRecords.map(({ body }: { body: { stringValue: string } }) => body.stringValue));
    return void response.writeHead(200).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.defer(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`;
  const queue = new AuditExport({ receiver: otlpReceiver(url, new Egress()), logger, everyMs: 1 });
  // As long as the names of its arguments make a line.
  const lines = Array.from({ length: 250 }, (_, seq) =>
    JSON.stringify({ seq, kind: 'call', keys: 'x'.repeat(30_000) }),
  );
  for (const line of lines) queue.add(line);
  await queue.close(10_000);
  expect([got.length, got.join() === lines.join()]).toEqual([250, true]);
  expect(said).toEqual([]);
});

test('what a process could not send until its end is counted in its log', async () => {
  const receiver: AuditReceiver = {
    name: 'otlp',
    send: () => Promise.reject(new Error('down')),
    close: () => undefined,
  };
  const queue = new AuditExport({ receiver, logger, everyMs: 1 });
  for (let n = 0; n < 300; n++) queue.add(String(n));
  await expect.poll(() => said.join()).toContain('audit.unsent');
  await queue.close(50);
  expect(said.at(-1)).toContain('"event":"audit.lost","to":"otlp","lines":300');
});

test('a router sends the lines of its calls and of its operators, and a secret of an account is in none', async () => {
  const { port, messages } = await tcpReceiver();
  await using bed = await operatorTestbed({
    SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl',
    SVC_MCP_AUDIT_SYSLOG: `tcp://127.0.0.1:${port}`,
  });
  const call = await bed.agent.previewed('mgmt_update_auth_server', PATCH);
  await bed.operators.approve((await call.apply()).approval_id);
  await call.apply();
  await expect.poll(() => messages.map(lineIn).some((line) => line.includes('"kind":"intent"'))).toBe(true);
  const kinds = new Set(messages.map((message) => JSON.parse(lineIn(message)).kind));
  expect([...kinds].sort()).toEqual(expect.arrayContaining(['approval', 'call', 'intent']));
});

test.each([
  [{ SVC_MCP_AUDIT_SYSLOG: 'tcp://log.lan:601' }, /SVC_MCP_AUDIT_SYSLOG contradicts SVC_MCP_AUDIT_LOG=0/],
  [{ SVC_MCP_AUDIT_LOG: '1', SVC_MCP_AUDIT_SYSLOG: 'log.lan' }, /should be udp:\/\/host:port/],
  [{ SVC_MCP_AUDIT_LOG: '1', SVC_MCP_AUDIT_SYSLOG: 'tcp://log.lan:70000' }, /should be udp:\/\/host:port/],
  [
    { SVC_MCP_AUDIT_LOG: '1', SVC_MCP_AUDIT_OTLP_URL: 'https://user:pass@log.lan/v1/logs' },
    /without a password, got another form/,
  ],
  [{ SVC_MCP_AUDIT_LOG: '1', SVC_MCP_AUDIT_OTLP_URL: 'https://log.lan/v1/logs', egress: '' }, /on SVC_MCP_EGRESS/],
  [{ SVC_MCP_AUDIT_LOG: '1', SVC_MCP_AUDIT_SYSLOG: 'tls://log.lan:6514', egress: '' }, /on SVC_MCP_EGRESS/],
])('%j is refused', (settings, says) => {
  const { egress, ...variables } = settings as Record<string, string>;
  const listed = egress === undefined ? undefined : ['https://api.lan'];
  expect(() => readAudit(new Environment({ SVC_MCP_DOTENV: '0', ...variables }, folder), listed)).toThrow(says);
});
