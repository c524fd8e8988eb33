/**
 * A connection to a server that is tried. Ready is who answers `initialize`: no line is waited for. Every way in which this
 * goes wrong ends within the server's limits, with a code.
 */
import { setTimeout as later } from 'node:timers/promises';
import { HarnessError } from '../harness-errors.ts';
import { type RunningProcess, startProcess } from '../running-process.ts';
import { connectStdio, connectUrl, type Upstream } from '../sandbox/upstream.ts';
import { endTree, treeOf } from '../subject/process-tree.ts';
import { baseEnvironment, indent, lastLines } from '../subject/subject-process.ts';
import { oauthFault } from './oauth-client.ts';
import { dialectOf } from './raw-dialect.ts';
import { serverFault } from './server-faults.ts';
import { type TriedServer, untilEither } from './tried-server.ts';

export interface ServerConnection extends AsyncDisposable {
  upstream: Upstream;
  tools: ListedTool[];
  /** From the start of the process, or of the first request, to the answer of `tools/list`. */
  startMs: number;
  /** Of the process that was started here. */
  pid: number | undefined;
  /** Whether it still answers to anybody: false once the process or the connection ended. */
  isOpen: () => boolean;
}

export interface ListedTool {
  name: string;
  description?: string;
  inputSchema?: unknown;
  annotations?: Record<string, unknown>;
}

/** A message of more bytes is no answer that a client could use. */
const LARGEST = 64 << 20;
const ASK_AGAIN_MS = 150;

export async function connectServer(server: TriedServer): Promise<ServerConnection> {
  const begun = performance.now();
  await using opening = new AsyncDisposableStack();
  let started: RunningProcess | undefined;
  if (server.url !== undefined) {
    if (server.command !== undefined) await assertFree(server, server.url);
    started = startFor(server, opening);
    await untilAnswered(server, server.url, started);
  }
  const upstream = await open(server).catch(async (error: unknown) => {
    const why = oauthFault(error, server.oauth) ?? serverFault(error, 'while it was asked to initialize');
    throw (await endOf(server, started)) ?? why;
  });
  opening.defer(() => upstream.close().catch(() => undefined));
  const tools = (await listOf(upstream, server).catch(async (error: unknown) => {
    throw (await endOf(server, started)) ?? error;
  })) as ListedTool[];
  const opened = opening.move();
  return {
    upstream,
    tools,
    startMs: performance.now() - begun,
    pid: upstream.pid ?? started?.process.pid,
    isOpen: () => {
      if (started?.isRunning() === false) return false;
      try {
        upstream.assertOpen();
        return true;
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Its own variables, and those that any program needs. */
export const environmentOf = ({ env }: TriedServer): Record<string, string> => {
  const { NODE_COMPILE_CACHE: _, SVC_MCP_DOTENV: __, ...needed } = baseEnvironment();
  return { ...needed, ...env };
};

function open(server: TriedServer): Promise<Upstream> {
  const { name, url, headers, oauth, cwd, limits, revision, signal } = server;
  const [file = '', ...args] = server.command ?? [];
  const options = { patienceMs: limits.startMs, callMs: limits.callMs, revision, signal };
  if (url !== undefined) return connectUrl({ url, headers, oauth, ...options });
  return connectStdio({ name, file, args, cwd, env: environmentOf(server), largest: LARGEST, ...options });
}

/** A list that fails or never ends is an end: whoever asks gets the code, and the process is ended. */
async function listOf(upstream: Upstream, { name, limits }: TriedServer): Promise<unknown[]> {
  const late = new AbortController();
  try {
    return await Promise.race([
      upstream.listTools(),
      later(limits.startMs, undefined, { signal: late.signal }).then(() => {
        throw new HarnessError(
          'SERVER_NOT_READY',
          `${name} should list its tools within ${limits.startMs} ms, got nothing`,
        );
      }),
    ]);
  } catch (error) {
    throw serverFault(error, 'while it was asked for its tools');
  } finally {
    late.abort();
  }
}

/** A server over HTTP that has a command is started, and ended with the connection. */
function startFor(server: TriedServer, opening: AsyncDisposableStack): RunningProcess | undefined {
  const [file, ...args] = server.command ?? [];
  if (file === undefined) return undefined;
  const child = startProcess(file, args, { cwd: server.cwd, env: environmentOf(server), kept: 1 << 16 });
  opening.defer(async () => {
    const tree = await treeOf(child.process.pid);
    await endTree(tree);
    child.process.kill('SIGKILL');
  });
  return child;
}

/** Who listens there already would be tried in place of the server that is started, which then finds its port taken. */
async function assertFree(server: TriedServer, url: string): Promise<void> {
  if ((await askOnce(server, url, server.limits.startMs)) === 'nobody') return;
  throw new HarnessError(
    'PORT_IN_USE',
    `${url} should be free for ${server.name}, which --command starts, got an answer from another program`,
    { remedy: 'end the program that listens there, or leave --command out to try it as it runs' },
  );
}

/** Asks until somebody answers at the address; what the answer says is an error is one at once. */
async function untilAnswered(server: TriedServer, url: string, started: RunningProcess | undefined): Promise<void> {
  const until = Date.now() + server.limits.startMs;
  for (;;) {
    server.signal?.throwIfAborted();
    const found = await askOnce(server, url, until - Date.now());
    if (found === 'answered') return;
    if (started !== undefined && !started.isRunning()) throw died(server, await started.exited);
    if (found !== 'nobody') throw found;
    const waits = started !== undefined && Date.now() < until;
    if (!waits) {
      throw new HarnessError('SERVER_UNREACHABLE', `${server.name} should answer at ${url}, got no connection`);
    }
    await later(ASK_AGAIN_MS);
  }
}

/** A connection breaks a little before the process is seen to have ended. */
const ENDS_WITHIN_MS = 500;

/** Of a server over HTTP that was started here: its end, with its last lines, where that is why a connection to it failed. */
async function endOf(server: TriedServer, started: RunningProcess | undefined): Promise<HarnessError | undefined> {
  if (started === undefined) return undefined;
  const ended = await Promise.race([started.exited, later(ENDS_WITHIN_MS, undefined, { ref: false })]);
  return ended === undefined ? undefined : died(server, ended);
}

function died({ name }: TriedServer, { code, signal, error, stderr }: Awaited<RunningProcess['exited']>): HarnessError {
  const words = lastLines(stderr);
  const how = error?.message ?? `its end with ${signal ?? `exit code ${code}`}`;
  const tail = words === '' ? '' : `; its last lines:\n${indent(words)}`;
  return new HarnessError(
    error === undefined ? 'SERVER_DIED' : 'SERVER_UNREACHABLE',
    `${name} should run until it has answered, got ${how}${tail}`,
  );
}

const { greeting: HELLO } = dialectOf('2025-11-25');

/** One `initialize` that follows no redirect. */
async function askOnce(
  { name, headers, oauth, limits, signal }: TriedServer,
  url: string,
  patienceMs: number,
): Promise<'answered' | 'nobody' | HarnessError> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(HELLO),
      signal: untilEither(AbortSignal.timeout(Math.max(1_000, patienceMs)), signal),
    });
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') return 'nobody';
    return new HarnessError(
      'SERVER_NOT_READY',
      `${name} should answer initialize within ${limits.startMs} ms, got nothing`,
    );
  }
  const session = response.headers.get('mcp-session-id');
  const isRpc = response.status === 404 && (await response.text().catch(() => '')).includes('"jsonrpc"');
  if (!response.bodyUsed) await response.body?.cancel();
  if (session !== null) {
    const end = {
      method: 'DELETE',
      headers: { ...headers, 'mcp-session-id': session },
      signal: AbortSignal.timeout(2_000),
    };
    await fetch(url, end).catch(() => undefined);
  }
  // The connection gets the token: the SDK follows what the refusal says about where.
  if (response.status === 401 && oauth !== undefined) return 'answered';
  // A server of 2026-07-28 alone has no such method: that is an answer.
  if (isRpc) return 'answered';
  return refusalOf(response, `${name} at ${url}`);
}

const OAUTH_REMEDY =
  'the server is behind OAuth: give --oauth-issuer, --oauth-client and --oauth-secret-env of a client with client credentials, or a token with --header "authorization: Bearer TOKEN"';

function refusalOf({ status, headers }: Response, who: string): 'answered' | 'nobody' | HarnessError {
  if (status === 401 || status === 403) {
    const asked = headers.get('www-authenticate');
    return new HarnessError(
      'SERVER_AUTH',
      `${who} should take the credential, got ${status}${asked === null ? '' : `, which asks for ${asked.slice(0, 200)}`}`,
      asked?.includes('resource_metadata') === true ? { remedy: OAUTH_REMEDY } : {},
    );
  }
  if (status >= 300 && status < 400)
    return new HarnessError(
      'SERVER_REDIRECTS',
      `${who} should answer itself, got ${status} to ${headers.get('location') ?? 'nowhere'}`,
    );
  // A gateway before a server that is still starting says so with one of these.
  if (status === 502 || status === 503) return 'nobody';
  if (status === 404 || status === 405)
    return new HarnessError('SERVER_UNREACHABLE', `${who} should be an MCP endpoint, got ${status} for a POST`);
  return 'answered';
}
