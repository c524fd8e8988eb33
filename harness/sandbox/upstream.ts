/** The harness's own MCP connection to a subject: a client library of one revision, over HTTP or stdio, able to be asked. */
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { HarnessError } from '../harness-errors.ts';
import { endTree, type Process, treeOf } from '../subject/process-tree.ts';
import { indent, lastLines } from '../subject/subject-process.ts';
import { type AskedForm, yesTo } from './approver-form.ts';
import { sessionClient } from './client-2025-11-25.ts';
import type { CallResult, ClientEvents, FormAnswer, ProtocolClient } from './protocol-client.ts';
import type { Revision } from './revision.ts';
import type { ApproverAnswer } from './scenario-approver.ts';

export interface Upstream {
  serverInfo: unknown;
  /** That the server answered with. */
  revision?: string | undefined;
  /** Of the process behind a stdio connection. */
  pid?: number | undefined;
  /** From its start to its answer to `initialize`. */
  initializeMs?: number;
  instructions: string | undefined;
  /** As the server declares them. */
  capabilities?: Record<string, unknown> | undefined;
  listTools: () => Promise<unknown[]>;
  /** The signal cancels the call. */
  callTool: (name: string, args: Record<string, unknown>, signal?: AbortSignal) => Promise<CallResult>;
  /** Sets the approver of later elicitations; undefined declines them. */
  askApprover: (
    ask: ((message: string, form: AskedForm) => ApproverAnswer | Promise<ApproverAnswer>) | undefined,
  ) => void;
  /** Throws when the connection ended although nobody closed it. */
  assertOpen: () => void;
  close: () => Promise<void>;
}

/** Of one message over stdio, unless the command says otherwise: a server that lists thousands of tools needs more than the ten megabytes that are the default. */
const LARGEST = 256 << 20;

export interface StdioCommand {
  name: string;
  /** How long the first answer may take; a minute when left out. */
  patienceMs?: number | undefined;
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** How long each call may take; a minute when left out. */
  callMs?: number | undefined;
  /** Bytes of the largest message. */
  largest?: number | undefined;
  /** 2025-11-25 when left out. */
  revision?: Revision | undefined;
  /** Closes the connection, also one that is not open yet. */
  signal?: AbortSignal | undefined;
}

export const connectHttp = (url: string, bearer: string, elicits = true): Promise<Upstream> =>
  connectUrl({ url, headers: { authorization: `Bearer ${bearer}` }, elicits });

export interface HttpAddress {
  url: string;
  headers: Record<string, string>;
  /** Gets a token where the server asks for one. */
  oauth?: OAuthClientProvider | undefined;
  elicits?: boolean;
  patienceMs?: number | undefined;
  callMs?: number | undefined;
  /** 2025-11-25 when left out. */
  revision?: Revision | undefined;
  /** Closes the connection, also one that is not open yet. */
  signal?: AbortSignal | undefined;
}

/** Over streamable HTTP, with these headers on every request. */
export async function connectUrl(address: HttpAddress): Promise<Upstream> {
  const { url, headers, oauth, revision, ...options } = address;
  if (revision === '2026-07-28') {
    const { statelessClient, statelessTransport } = await import('./client-2026-07-28.ts');
    return connect(
      (events) => statelessClient(statelessTransport(address), events),
      url,
      () => '',
      options,
    );
  }
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    ...(oauth === undefined ? {} : { authProvider: oauth }),
  });
  const upstream = await connect(
    (events) => sessionClient(transport as McpTransport, events),
    url,
    () => '',
    options,
  );
  const close = async () => {
    // A server keeps only so many sessions, and a campaign opens one for each run.
    await transport.terminateSession().catch(() => {});
    await upstream.close();
  };
  return { ...upstream, close };
}

/** Over stdio the connection is the process: closing one ends the other, and whatever that started. */
export async function connectStdio(command: StdioCommand): Promise<Upstream> {
  const { file, args, cwd, env, patienceMs, callMs, largest = LARGEST, revision, signal } = command;
  const begun = performance.now();
  const transport = new StdioClientTransport({ command: file, args, cwd, env, stderr: 'pipe', maxBufferSize: largest });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString('utf8')}`.slice(-4_000);
  });
  const lastWords = () => lastLines(stderr);
  let started: Process[] = [];
  let pid: number | undefined;
  const remember = async () => {
    // A transport that is closed knows no process; a program that starts the server may end before it.
    pid ??= transport.pid ?? undefined;
    started = [...started, ...(await treeOf(pid))];
  };
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    await remember();
  };
  const end = async (close: () => Promise<void>) => {
    await remember();
    await close();
    await endTree(started);
  };
  const upstream = await connect(await clientOver(transport, revision), command.name, lastWords, {
    patienceMs,
    callMs,
    signal,
    end,
  });
  const initializeMs = performance.now() - begun;
  await remember();
  return { ...upstream, pid: transport.pid ?? undefined, initializeMs };
}

type OpenClient = (events: ClientEvents) => ProtocolClient;

/** The later library is loaded only where it is spoken. */
async function clientOver(transport: McpTransport, revision: Revision | undefined): Promise<OpenClient> {
  if (revision !== '2026-07-28') return (events) => sessionClient(transport, events);
  const { statelessClient } = await import('./client-2026-07-28.ts');
  return (events) => statelessClient(transport as never, events);
}

interface ConnectOptions {
  elicits?: boolean;
  patienceMs?: number | undefined;
  callMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Actions around the end of the connection. */
  end?: (close: () => Promise<void>) => Promise<void>;
}

async function connect(
  openClient: OpenClient,
  name: string,
  lastWords: () => string,
  { elicits = true, patienceMs = 60_000, callMs = 60_000, signal, end = (close) => close() }: ConnectOptions,
): Promise<Upstream> {
  let closing = false;
  let ended = false;
  let approver: Parameters<Upstream['askApprover']>[0];
  let fault = '';
  const onQuestion = async (message: string, form: AskedForm): Promise<FormAnswer> => {
    const answer = (await approver?.(message, form)) ?? { action: 'decline' as const };
    return answer.action === 'accept' && answer.content === undefined ? { ...answer, content: yesTo(form) } : answer;
  };
  const client = openClient({
    onQuestion: elicits ? onQuestion : undefined,
    onEnd: () => {
      ended = true;
    },
    onFault: (message) => {
      fault = message;
    },
  });
  const interrupt = () => {
    closing = true;
    void end(() => client.close().catch(() => {}));
  };
  signal?.throwIfAborted();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    await client.connect(patienceMs);
  } catch (cause) {
    signal?.removeEventListener('abort', interrupt);
    await end(() => client.close().catch(() => {}));
    const words = lastWords();
    const heard = fault === '' || fault === (cause as Error).message ? '' : `, after ${fault.slice(0, 300)}`;
    const tail = `${heard}${words === '' ? '' : `; its last lines:\n${indent(words)}`}`;
    throw new HarnessError(
      'SUBJECT_UNREACHABLE',
      `${name} should answer ${client.hello}, got ${(cause as Error).message}${tail}`,
      { cause },
    );
  }
  return {
    serverInfo: client.serverInfo(),
    revision: client.revision(),
    instructions: client.instructions(),
    capabilities: client.capabilities(),
    listTools: () => client.listTools(patienceMs),
    callTool: (tool, args, signal) => client.callTool(tool, args, { timeout: callMs, signal }),
    askApprover: (ask) => {
      approver = ask;
    },
    assertOpen: () => {
      if (!ended || closing) return;
      throw new HarnessError(
        'PROCESS_DIED',
        `${name} should keep its connection open, got an end; its last lines:\n${indent(lastWords())}`,
      );
    },
    close: async () => {
      closing = true;
      signal?.removeEventListener('abort', interrupt);
      await end(() => client.close());
    },
  };
}
