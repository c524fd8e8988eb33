/** Starts an agent in its own process, closed in: no environment, no files but its own, no children. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Agent, AgentTask } from './agent.ts';
import { discoverModules } from './discover.ts';

const agentFolder = join(import.meta.dirname, 'agents');
/** Node looks for the nearest package.json to learn the module kind; that one file may be read too. */
const packageFile = join(import.meta.dirname, '..', 'package.json');

export interface AgentRun {
  outcome: 'finished' | 'timeout' | 'crashed';
  final?: unknown;
  stderr: string;
  latencyMs: number;
}

export const loadAgents = (): Promise<Agent[]> => discoverModules<Agent>(agentFolder);

export interface AgentProcessOptions {
  signal?: AbortSignal | undefined;
  folder?: string;
  /** A folder that `compileAgents` filled; the agent may read it and not write it. */
  compiled?: string | undefined;
}

/** Fills a folder with the agents' compiled code, so that each of many short processes does not strip types again. */
export async function compileAgents(ids: readonly string[], folder: string): Promise<void> {
  const files = ['mcp/client.ts', ...ids.map((id) => `${id}.ts`)].map((name) => join(agentFolder, name));
  const code = files.map((file) => `await import(${JSON.stringify(file)});`).join('');
  const env = { NODE_COMPILE_CACHE: folder };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env, stdio: 'ignore' });
  await new Promise((resolve) => child.on('close', resolve).on('error', resolve));
}

export async function runAgent(
  id: string,
  task: AgentTask & { mcpUrl: string },
  { signal, folder = agentFolder, compiled }: AgentProcessOptions = {},
): Promise<AgentRun> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--permission',
      `--allow-fs-read=${agentFolder}/`,
      `--allow-fs-read=${folder}/`,
      `--allow-fs-read=${packageFile}`,
      ...(compiled === undefined ? [] : [`--allow-fs-read=${compiled}/`]),
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
      join(agentFolder, 'mcp', 'process.ts'),
      join(folder, `${id}.ts`),
    ],
    {
      cwd: agentFolder,
      env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    },
  );
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => {}); // an agent may end before it has read its task
  child.stdin.end(JSON.stringify(task));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
  }, task.limits.timeoutMs);
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  clearTimeout(timer);
  const final = lastJsonLine(Buffer.concat(stdout).toString('utf8'));
  return {
    outcome: timedOut ? 'timeout' : code === 0 ? 'finished' : 'crashed',
    ...(final === undefined ? {} : { final }),
    stderr: Buffer.concat(stderr).toString('utf8').slice(-2_000),
    latencyMs: performance.now() - started,
  };
}

/** The answer is whatever JSON value was printed last; anything else on standard output is chatter. */
export function lastJsonLine(output: string): unknown {
  for (const line of output.split('\n').reverse()) {
    if (line.trim() === '') continue;
    try {
      return JSON.parse(line);
    } catch {
      // keep looking upward
    }
  }
  return undefined;
}
