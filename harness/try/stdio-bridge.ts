/**
 * A stdio server at an HTTP address. Of 2025-11-25 one process for each session, every message passed on as it is; requests
 * of 2026-07-28 go to one process for all, with ids of the bridge's own.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { openLoopback } from '../sandbox/loopback.ts';
import { endTree, treeOf } from '../subject/process-tree.ts';
import { environmentOf } from './server-connection.ts';
import type { TriedServer } from './tried-server.ts';

export interface StdioBridge extends AsyncDisposable {
  url: string;
}

interface Session {
  http: StreamableHTTPServerTransport;
  stdio: StdioClientTransport;
}

export async function openStdioBridge(server: TriedServer): Promise<StdioBridge> {
  const sessions = new Map<string, Session>();
  const started: Session[] = [];
  let stateless: Promise<Stateless> | undefined;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers['mcp-protocol-version'] === '2026-07-28' && request.method === 'POST') {
      stateless ??= startStateless(server);
      await exchange(await stateless, request, response);
      return;
    }
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known === undefined && id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    const session = known ?? (await startSession(server, sessions));
    if (known === undefined) started.push(session);
    await session.http.handleRequest(request, response);
  };
  const listener = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502).end(String(error));
    });
  });
  const loopback = await openLoopback(listener);
  return {
    url: `${loopback.url}/mcp`,
    [Symbol.asyncDispose]: async () => {
      const running = stateless === undefined ? started : [...started, await stateless];
      for (const { stdio } of running) {
        const tree = await treeOf(stdio.pid ?? undefined);
        await stdio.close().catch(() => undefined);
        await endTree(tree, 500);
      }
      await loopback.close();
    },
  };
}

function stdioOf(server: TriedServer): StdioClientTransport {
  const [command = '', ...args] = server.command ?? [];
  return new StdioClientTransport({ command, args, cwd: server.cwd, env: environmentOf(server), stderr: 'ignore' });
}

interface Stateless {
  stdio: StdioClientTransport;
  /** The answer; undefined for a message that gets none. */
  ask: (message: JSONRPCMessage) => Promise<JSONRPCMessage | undefined>;
}

async function startStateless(server: TriedServer): Promise<Stateless> {
  const stdio = stdioOf(server);
  const waiting = new Map<unknown, (answer: JSONRPCMessage) => void>();
  let next = 0;
  stdio.onmessage = (message) => {
    const id = 'id' in message ? message.id : undefined;
    waiting.get(id)?.(message);
    waiting.delete(id);
  };
  await stdio.start();
  return {
    stdio,
    ask: async (message) => {
      if (!('id' in message) || message.id === undefined) {
        await stdio.send(message);
        return undefined;
      }
      const id = `bridge-${next++}`;
      const answered = new Promise<JSONRPCMessage>((resolve) => waiting.set(id, resolve));
      await stdio.send({ ...message, id } as JSONRPCMessage);
      return { ...(await answered), id: message.id } as JSONRPCMessage;
    },
  };
}

async function exchange({ ask }: Stateless, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await ask(JSON.parse(await text(request)) as JSONRPCMessage);
  if (answer === undefined) response.writeHead(202).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

async function startSession(server: TriedServer, sessions: Map<string, Session>): Promise<Session> {
  const stdio = stdioOf(server);
  const http = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => {
      sessions.set(id, { http, stdio });
    },
  });
  http.onmessage = (message) => void stdio.send(message).catch(() => undefined);
  stdio.onmessage = (message) => void http.send(message).catch(() => undefined);
  stdio.onclose = () => void http.close();
  await stdio.start();
  await http.start();
  return { http, stdio };
}
