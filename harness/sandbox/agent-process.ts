/** Starts an agent in its own process, closed in: no environment, no files but its own, no children. */
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentTask } from '../agents/mcp/agent.ts';
import { HarnessError } from '../harness-errors.ts';
import { runProcess, startProcess } from '../running-process.ts';
import { discoverModules } from '../subject/module-folder.ts';

const agentFolder = join(import.meta.dirname, '..', 'agents');
/** Node looks for the nearest package.json to learn the module kind; that one file may be read too. */
const packageFile = join(import.meta.dirname, '..', '..', 'package.json');

export interface AgentRun {
  outcome: 'finished' | 'timeout' | 'crashed';
  final?: unknown;
  stderr: string;
  latencyMs: number;
}

export interface AgentProcessOptions {
  signal?: AbortSignal | undefined;
  /** A folder that `compileAgents` filled; without it the sources run, and types are stripped on every start. */
  compiled?: string | undefined;
  /** Where the agent's own module is, when it is not one of ours. */
  folder?: string;
  /** Packages it may load; they must be installed beside the harness. */
  packages?: readonly string[];
}

/** What agents that ask a model load. */
export const MODEL_PACKAGES = ['openai'] as const;

/** Every agent of the folder. */
const SHAPE = {
  about: 'string',
  role: ['control', 'contestant'],
  seesSteps: 'boolean',
  solve: 'function',
} as const;

export const loadAgents = (): Promise<Agent[]> => discoverModules<Agent>(agentFolder, SHAPE);

/** Fills a folder with the agents as plain JavaScript. */
export async function compileAgents(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(modules, { recursive: true });
  // A link says where a package is; whether an agent may read it is decided when the agent starts.
  for (const name of MODEL_PACKAGES) {
    // An installation for servers alone has no client of a model.
    const found = await packageFolder(name).catch(() => undefined);
    if (found !== undefined) await symlink(found, join(modules, name));
  }
  const script = join(import.meta.dirname, '..', 'compile-agents.mjs');
  const argv = ['--disable-warning=ExperimentalWarning', script, agentFolder, folder];
  const { code, stderr } = await runProcess(process.execPath, argv, { env: {} });
  if (code === 0) return;
  // Of the system, such as ENOSPC; the codes of Node have an underscore.
  const [, system] = /^(E[A-Z]+): /.exec(stderr) ?? [];
  if (system !== undefined) throw Object.assign(new Error(stderr.trim()), { code: system });
  throw new HarnessError('PROCESS_START_FAILED', `the agents should compile, got: ${stderr.slice(-1_000)}`);
}

export async function runAgent(
  id: string,
  task: AgentTask & { mcpUrl: string },
  { signal, compiled, folder, packages = [] }: AgentProcessOptions = {},
): Promise<AgentRun> {
  const started = performance.now();
  const home = compiled ?? agentFolder;
  const extension = compiled === undefined ? 'ts' : 'mjs';
  const readable = [
    `${home}/`,
    ...(folder === undefined ? [] : [`${folder}/`]),
    ...(compiled === undefined ? [packageFile] : []),
    ...(await Promise.all(packages.map(async (name) => `${await packageFolder(name)}/`))),
  ];
  const argv = [
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
    join(home, 'mcp', `process.${extension}`),
    join(folder ?? home, `${id}.${extension}`),
  ];
  const child = startProcess(process.execPath, argv, { cwd: home, env: {}, signal, stdin: JSON.stringify(task) });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.process.kill('SIGKILL');
  }, task.limits.timeoutMs);
  const { code, stdout, stderr } = await child.ended;
  clearTimeout(timer);
  const final = lastJsonLine(stdout);
  return {
    outcome: timedOut ? 'timeout' : code === 0 ? 'finished' : 'crashed',
    ...(final === undefined ? {} : { final }),
    stderr: stderr.slice(-2_000),
    latencyMs: performance.now() - started,
  };
}

/** Where an installed package really is: the permission model looks at real paths. */
const packageFolder = (name: string): Promise<string> =>
  realpath(join(import.meta.dirname, '..', '..', 'node_modules', name));

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
