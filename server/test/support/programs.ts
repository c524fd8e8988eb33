/** Programs that tests run for real. Where one is not installed, its tests are skipped and say why. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProcess, startProcess } from './running-process.ts';

/** Undefined when every program is there; else why nothing that needs them was run, which is printed as well. */
export function missing(...programs: ('redis-server' | 'nginx')[]): string | undefined {
  const absent = programs.filter((program) => spawnSync(program, ['-v'], { stdio: 'ignore' }).error !== undefined);
  if (absent.length === 0) return undefined;
  const why = `not run: ${absent.join(' and ')} ${absent.length > 1 ? 'are' : 'is'} not installed on this machine`;
  process.stderr.write(`${why}\n`);
  return why;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export interface Redis {
  url: string;
  passwordPath: string;
  port: number;
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
  /** Starts it again at the same place, with nothing remembered. */
  restart: () => Promise<void>;
  /** It keeps its connections and answers nobody. */
  pause: () => void;
  resume: () => void;
  /** Anything, as an administrator would. */
  command: (...words: string[]) => Promise<string>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

export const REDIS_PASSWORD = 'redis-password-of-a-test';

/** `settings` as lines of its configuration file; by default a password and no persistence. */
export async function startRedis(settings: readonly string[] = [`requirepass ${REDIS_PASSWORD}`]): Promise<Redis> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-redis-'));
  const passwordPath = join(folder, 'password');
  writeFileSync(passwordPath, `${REDIS_PASSWORD}\n`, { mode: 0o600 });
  const file = join(folder, 'redis.conf');
  let port = 0;
  let child: RunningProcess;
  const start = async () => {
    child = startProcess('redis-server', [file]);
    await untilListening(port, () => child.isRunning());
  };
  const kill = async () => void (await child.stop('SIGKILL'));
  for (let tries = 1; ; tries++) {
    port = await freePort();
    writeFileSync(file, ['bind 127.0.0.1', `port ${port}`, 'save ""', `dir ${folder}`, ...settings, ''].join('\n'));
    try {
      await start();
      break;
    } catch (cause) {
      // Another process may have taken the port in the meantime.
      if (tries === MOST_TRIES) throw cause;
    }
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    passwordPath,
    port,
    kill,
    restart: async () => {
      await kill();
      await start();
    },
    pause: () => child.signal('SIGSTOP'),
    resume: () => child.signal('SIGCONT'),
    command: (...words) => redisCommand(port, words),
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const MOST_TRIES = 5;
const LISTENING_MS = 60_000;

/** Rejects when what should listen has ended, or does not listen within a minute. */
export async function untilListening(port: number, isRunning = () => true): Promise<void> {
  const end = performance.now() + LISTENING_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const there = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (there) return;
    if (!isRunning() || performance.now() > end) throw new Error(`nothing listens on ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Without the client of the router, which is under test. */
async function redisCommand(port: number, words: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const encode = (parts: readonly string[]) =>
    `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;
  socket.write(encode(['AUTH', REDIS_PASSWORD]) + encode(words) + encode(['QUIT']));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.replace(/^[^\r]*\r\n/, '').replace(/\+OK\r\n$/, '');
}
