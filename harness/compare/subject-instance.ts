/** One subject started alone, with a document of somebody else's or in the platforms' world, and a client as agents have one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentRoles, AgentSurface } from '../agents/mcp/agent.ts';
import { type McpClient, type McpTool, type ToolAnswer, textsOf } from '../agents/mcp/agent-client.ts';
import { SURFACE_ROLES, throughSurface } from '../agents/surface/tool-adapter.ts';
import { publicDocument } from '../bench/packages.ts';
import { tokensOf } from '../recording/token-count.ts';
import { demoAccount } from '../sandbox/demo-account.ts';
import { writeCredentials } from '../sandbox/sandbox.ts';
import { connectStdio, type Upstream } from '../sandbox/upstream.ts';
import { prepareLane, runToItsEnd } from '../subject/prepare-subject.ts';
import { type Memory, memoryOf } from '../subject/process-tree.ts';
import type { Subject } from '../subject/subject.ts';
import { installSubject } from '../subject/subject-install.ts';
import { baseEnvironment } from '../subject/subject-process.ts';
import { PATIENCE_MS } from './measure.ts';

export interface SubjectInstance extends AsyncDisposable {
  upstream: Upstream;
  list: McpTool[];
  /** From the start of the process to the answer of the first `tools/list`. */
  startMs: number;
  /** Of the process and all that it started. */
  memory: Memory;
}

/** Nothing listens there: the document is about finding, and nothing is called. */
const NOWHERE = 'http://127.0.0.1:9';

/** How a subject is started with the public document, as often as wanted. */
export async function openWithPublicDocument(
  subject: Subject,
  root: string,
): Promise<{ start: () => Promise<SubjectInstance> } & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), 'tool-router-document-'));
  opening.defer(() => rm(home, { recursive: true, force: true }));
  const cwd = (await installSubject(subject, root)) ?? root;
  const given = (parts: readonly string[]) =>
    parts.map((part) => part.replace('{document}', publicDocument()).replace('{api}', NOWHERE));
  const fill = (parts: readonly string[]) => given(parts).map((part) => part.replace('{folder}', home));
  const own = Object.entries(subject.own_document?.env ?? {}).map(([name, value]) => [name, fill([value])[0] ?? '']);
  const env = {
    ...baseEnvironment(),
    HOME: home,
    CREDS_PATH: await writeCredentials(home, { mgmt: demoAccount(NOWHERE) }),
    TOKEN_CACHE_DIR: join(home, 'tokens'),
    ...subject.env,
    ...subject.transport_env.stdio,
    ...subject.gate_env.open,
    ...Object.fromEntries(own),
  };
  for (const command of subject.own_document?.prepare ?? []) await runToItsEnd(subject.name, fill(command), cwd, env);
  const lane = await prepareLane(subject, cwd, given);
  opening.defer(lane.close);
  const opened = opening.move();
  return {
    start: () => start(subject, lane.command, cwd, env),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function start(
  subject: Subject,
  command: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<SubjectInstance> {
  const [file = '', ...args] = command;
  const upstream = await connectStdio({
    name: subject.name,
    file: file === 'node' ? process.execPath : file,
    args,
    cwd,
    env,
    patienceMs: PATIENCE_MS,
  });
  return instanceOf(upstream);
}

/** The tool list of a process that has just started, and its start time and memory. */
export async function instanceOf(upstream: Upstream): Promise<SubjectInstance> {
  const asked = performance.now();
  const list = (await listOf(upstream)) as McpTool[];
  const startMs = (upstream.initializeMs ?? 0) + performance.now() - asked;
  return {
    upstream,
    list,
    startMs,
    memory: await memoryOf(upstream.pid),
    [Symbol.asyncDispose]: upstream.close,
  };
}

/** A list that breaks the protocol is an end: nobody else would stop the process, and this one would wait for it. */
async function listOf(upstream: Upstream): Promise<unknown[]> {
  try {
    return await upstream.listTools();
  } catch (error) {
    await upstream.close();
    throw error;
  }
}

/** What an agent would be handed, with every token that passes counted. */
export function connectAgent(
  subject: Subject,
  { upstream, list }: Pick<SubjectInstance, 'upstream' | 'list'>,
): { mcp: McpClient; roles: AgentRoles; tokensUsed: () => number } {
  let [calls, tokens] = [0, 0];
  const plain: McpClient = {
    get calls() {
      return calls;
    },
    listTools: async () => list,
    callTool: async (name, args): Promise<ToolAnswer> => {
      calls++;
      const { isError, content } = await upstream.callTool(name, args);
      const texts = textsOf(content);
      tokens += tokensOf(args) + tokensOf(texts);
      return { isError, texts, json: parsed(texts[0]) };
    },
  };
  const { surface, roles } = subject;
  if (roles !== undefined) return { mcp: plain, roles, tokensUsed: () => tokens };
  return {
    mcp: throughSurface(plain, (surface ?? {}) as AgentSurface),
    roles: SURFACE_ROLES,
    tokensUsed: () => tokens,
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
