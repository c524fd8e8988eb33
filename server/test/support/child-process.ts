/** A program of ours as a process: ready when it says so on stdout, gone when it is stopped. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from './running-process.ts';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

export interface Child {
  process: ChildProcess;
  /** The line it said when it was ready. */
  ready: Record<string, unknown>;
  /** Everything it wrote to stderr. */
  log: string[];
  /** CPU seconds so far, all threads; undefined where the system does not say. */
  cpuSeconds: () => number | undefined;
  /** SIGTERM; answers the exit code. */
  stop: () => Promise<number | null>;
}

/** Throws with the message of a program that says that it cannot start. */
export async function startChild(
  file: string,
  words: readonly string[],
  env: Record<string, string>,
  cwd: string = ROOT,
): Promise<Child> {
  const child = startProcess(process.execPath, [file, ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, SVC_MCP_DOTENV: '0', ...env },
  });
  const log: string[] = [];
  child.process.stderr.on('data', (text: string) => log.push(text));
  const ready = JSON.parse(await child.line()) as Record<string, unknown>;
  if (ready['ok'] === false) throw new Error(`${file} did not start: ${ready['message']}`);
  return {
    process: child.process,
    ready,
    log,
    cpuSeconds: () => cpuSeconds(child.pid),
    stop: async () => (await child.stop()).code,
  };
}

/** User and system time of all threads: to the nanosecond where the scheduler keeps account, else in ticks of a hundredth of a second. */
function cpuSeconds(pid: number): number | undefined {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return undefined;
  if (existsSync(`/proc/${pid}/schedstat`)) {
    return readdirSync(tasks).reduce((sum, task) => sum + nanosecondsOf(join(tasks, task, 'schedstat')), 0) / 1e9;
  }
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function nanosecondsOf(schedstat: string): number {
  try {
    return Number(readFileSync(schedstat, 'utf8').split(' ')[0]);
  } catch {
    // The thread has ended.
    return 0;
  }
}

export interface RouterProcess extends Child {
  port: number;
  bearer: string;
  folder: string;
  [Symbol.asyncDispose]: () => Promise<void>;
}

const BEARER = 'bench-7f3c1d9a5e2b48607f3c1d9a5e2b4860';

/** The router as it ships: guard with bearer, metrics counted and served. `root` may be a changed copy. */
export async function startRouter(env: Record<string, string> = {}, root: string = ROOT): Promise<RouterProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-bench-'));
  const child = await startChild(
    join(root, 'server/cli/router.mjs'),
    ['--json'],
    {
      MCP_TRANSPORT: 'streamable-http',
      MCP_PORT: '0',
      MCP_HTTP_BEARER_TOKEN: BEARER,
      SVC_MCP_METRICS: '1',
      SVC_MCP_METRICS_HTTP: '1',
      SVC_MCP_RATE_PER_SECOND: '0',
      SVC_MCP_LOG_LEVEL: 'warn',
      CREDS_PATH: join(folder, 'credentials.yaml'),
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
      SVC_MCP_STATE_DIR: join(folder, 'state'),
      ...env,
    },
    folder,
  ).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    ...child,
    port: Number(new URL(String(child.ready['url'])).port),
    bearer: BEARER,
    folder,
    [Symbol.asyncDispose]: async () => {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface FakeProcess extends Child {
  base: string;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** Variables of the account that the fake takes, for a router whose platform is at `base`. */
export const demoAccount = (base: string) => ({
  SOURCE_BASE_URL: base,
  SOURCE_CLIENT_ID: 'demo-client',
  SOURCE_CLIENT_SECRET: 'demo-secret',
});

export async function startFake(platform: string): Promise<FakeProcess> {
  const child = await startChild(
    join(ROOT, 'fake-api/main.ts'),
    ['--platforms', platform, '--port', '0', '--control-port', '0', '--json'],
    {},
  );
  const { [platform]: base } = child.ready['platforms'] as Record<string, string>;
  return { ...child, base: String(base), [Symbol.asyncDispose]: async () => void (await child.stop()) };
}
