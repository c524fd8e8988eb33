/** A connection that sends text as it is: to see what a server does with messages that no client library would send. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as later } from 'node:timers/promises';
import { endTree, treeOf } from '../subject/process-tree.ts';
import type { RawConnection } from './malformed-messages.ts';
import { bearerOf } from './oauth-client.ts';
import { dialectOf, type RawDialect } from './raw-dialect.ts';
import { environmentOf } from './server-connection.ts';
import type { TriedServer } from './tried-server.ts';

type Message = Record<string, unknown>;

/** Greeted. Throws where the greeting is not answered. */
export const openRaw = (server: TriedServer): Promise<RawConnection> =>
  server.url === undefined ? openRawStdio(server) : openRawHttp(server, server.url);

async function openRawStdio(server: TriedServer): Promise<RawConnection> {
  const dialect = dialectOf(server.revision);
  const [file = '', ...args] = server.command ?? [];
  const child = spawn(file, args, { cwd: server.cwd, env: environmentOf(server), stdio: ['pipe', 'pipe', 'ignore'] });
  let open = true;
  const messages: Message[] = [];
  child
    .on('error', () => undefined)
    .once('close', () => {
      open = false;
    });
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => messages.push(...parsed(line)));
  const connection: RawConnection = {
    send: (text) =>
      new Promise((resolve) => {
        // A line break inside would make two messages of one.
        if (!open || !child.stdin.writable) resolve();
        else child.stdin.write(`${dialect.dressed(text).replaceAll('\n', ' ')}\n`, () => resolve());
      }),
    received: () => messages,
    question: dialect.question,
    isOpen: () => open,
    [Symbol.asyncDispose]: async () => {
      const tree = await treeOf(child.pid);
      child.stdin.destroy();
      await endTree(tree, 500);
      child.kill('SIGKILL');
    },
  };
  await greet(connection, dialect, server.limits.startMs);
  return connection;
}

async function openRawHttp(server: TriedServer, url: string): Promise<RawConnection> {
  const dialect = dialectOf(server.revision);
  const messages: Message[] = [];
  /** That the server answered the greeting with. A request that names another one it would refuse for that alone. */
  const revision = (): Record<string, string> => {
    const { result } = messages.find(({ id }) => id === dialect.greeting.id) ?? {};
    const { protocolVersion } = (result ?? {}) as { protocolVersion?: unknown };
    return typeof protocolVersion === 'string' ? { 'mcp-protocol-version': protocolVersion } : {};
  };
  let session: Record<string, string> = {};
  let open = true;
  const ended = new AbortController();
  const post = async (text: string): Promise<void> => {
    const body = dialect.dressed(text);
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...dialect.headers(body),
        ...revision(),
        ...server.headers,
        ...(await bearerOf(server.oauth)),
        ...session,
      },
      body,
      signal: AbortSignal.timeout(server.limits.callMs),
    }).catch((error: Error) => {
      if (error.name !== 'TimeoutError') open = false;
      return undefined;
    });
    if (response === undefined) return;
    const id = response.headers.get('mcp-session-id');
    if (id !== null) session = { 'mcp-session-id': id };
    const said = await response.text().catch(() => '');
    const events = [...said.matchAll(/^data:\s*(.*)$/gm)].map(([, data = '']) => data);
    for (const one of events.length > 0 ? events : [said])
      messages.push(...answeredTo(body, parsed(one), response.status));
  };
  const connection: RawConnection = {
    send: post,
    received: () => messages,
    question: dialect.question,
    isOpen: () => open,
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await fetch(url, {
        method: 'DELETE',
        headers: { ...server.headers, ...(await bearerOf(server.oauth)), ...session },
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
    },
  };
  await greet(connection, dialect, server.limits.startMs);
  const headers = { ...revision(), ...server.headers, ...(await bearerOf(server.oauth)), ...session };
  if (dialect.ready !== undefined) {
    const listening = listen(url, headers, ended.signal, (line) => messages.push(...parsed(line)));
    await Promise.race([listening, later(LISTENS_WITHIN_MS, undefined, { ref: false })]);
  }
  return connection;
}

/** A server may hold the answer back until it has something to say. */
const LISTENS_WITHIN_MS = 500;

/** Some servers answer on the stream that a client opens by GET, where any client hears them. */
async function listen(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  onData: (data: string) => void,
): Promise<void> {
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal }).catch(
    () => undefined,
  );
  const isStream = response?.ok === true && response.headers.get('content-type')?.includes('text/event-stream');
  if (response?.body == null) return;
  if (isStream !== true) return response.body.cancel().catch(() => undefined);
  const lines = Readable.fromWeb(response.body as ReadableStream);
  lines.on('error', () => undefined);
  createInterface({ input: lines })
    .on('line', (line) => line.startsWith('data:') && onData(line.slice('data:'.length)))
    .on('error', () => undefined);
}

/** An HTTP status is an answer too: of a request refused with 4xx the body need not say which one it was. */
function answeredTo(body: string, answers: Message[], status: number): Message[] {
  if (status < 400 || answers.some((answer) => typeof answer['id'] === 'number')) return answers;
  const [asked] = parsed(body);
  return asked === undefined
    ? []
    : [{ jsonrpc: '2.0', id: asked['id'], error: { code: -status, message: `HTTP ${status}` } }];
}

async function greet(connection: RawConnection, { greeting, ready }: RawDialect, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs;
  await connection.send(JSON.stringify(greeting));
  while (Date.now() < until && connection.isOpen()) {
    if (connection.received().some(({ id }) => id === greeting.id)) {
      if (ready !== undefined) await connection.send(JSON.stringify(ready));
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await connection[Symbol.asyncDispose]();
  throw new Error(`${greeting['method']} was not answered`);
}

function parsed(line: string): Message[] {
  try {
    const value: unknown = JSON.parse(line);
    return [value].flat().filter((one): one is Message => typeof one === 'object' && one !== null);
  } catch {
    return [];
  }
}
