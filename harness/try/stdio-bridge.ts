/** A stdio server at an HTTP address: one process for each session, every message passed on as it is. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
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
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
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
      for (const { stdio } of started) {
        const tree = await treeOf(stdio.pid ?? undefined);
        await stdio.close().catch(() => undefined);
        await endTree(tree, 500);
      }
      await loopback.close();
    },
  };
}

async function startSession(server: TriedServer, sessions: Map<string, Session>): Promise<Session> {
  const [command = '', ...args] = server.command ?? [];
  const stdio = new StdioClientTransport({
    command,
    args,
    cwd: server.cwd,
    env: environmentOf(server),
    stderr: 'ignore',
  });
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
