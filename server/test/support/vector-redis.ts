/** A Redis that knows vector sets, version 8 or newer: the installed one, or a container of an image that is on this machine. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisAddress } from '../../config/redis-address.ts';
import { freePort, REDIS_PASSWORD, startRedis } from './programs.ts';

export interface VectorRedis extends AsyncDisposable {
  address: RedisAddress;
  url: string;
  /** Ends it as a power cut would. */
  kill: () => Promise<void>;
}

const run = (program: string, ...words: string[]) => spawnSync(program, words, { encoding: 'utf8', timeout: 60_000 });

/** How one is started here, or why none is. */
function found(): (() => Promise<VectorRedis>) | string {
  const version = Number(/v=(\d+)/.exec(run('redis-server', '--version').stdout ?? '')?.[1] ?? 0);
  if (version >= 8) return installed;
  const images = run('docker', 'image', 'ls', '--format', '{{.Repository}}:{{.Tag}}').stdout ?? '';
  const image = [process.env['REDIS_IMAGE'] ?? '', ...images.split('\n')].find((name) =>
    /(^|\/)redis:([89]|\d{2})/.test(name),
  );
  if (image !== undefined) return () => contained(image);
  return `not run: vector sets need a Redis 8; redis-server is ${version === 0 ? 'not installed' : `version ${version}`}, and there is no container image redis:8 here`;
}

const way = found();

/** Undefined where a Redis with vector sets can be started; else why not, which is printed as well. */
export function noVectorRedis(): string | undefined {
  if (typeof way !== 'string') return undefined;
  process.stderr.write(`${way}\n`);
  return way;
}

export async function startVectorRedis(): Promise<VectorRedis> {
  if (typeof way === 'string') throw new Error(way);
  return way();
}

async function installed(): Promise<VectorRedis> {
  const redis = await startRedis();
  return { ...redis, address: addressOf(redis.port, redis.passwordPath) };
}

async function contained(image: string): Promise<VectorRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-redis-'));
  const passwordPath = join(folder, 'password');
  writeFileSync(passwordPath, `${REDIS_PASSWORD}\n`, { mode: 0o600 });
  const port = await freePort();
  const settings = ['--requirepass', REDIS_PASSWORD, '--save', ''];
  const started = run(
    'docker',
    'run',
    '--rm',
    '-d',
    '-p',
    `127.0.0.1:${port}:6379`,
    image,
    'redis-server',
    ...settings,
  );
  const id = started.stdout.trim();
  if (started.status !== 0 || id === '') throw new Error(`${image} did not start: ${started.stderr}`);
  const kill = async () => {
    run('docker', 'rm', '-f', id);
  };
  try {
    await untilAnswering(port);
  } catch (error) {
    await kill();
    throw error;
  }
  return {
    address: addressOf(port, passwordPath),
    url: `redis://127.0.0.1:${port}`,
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The engine listens for its container before anything in it does, so an answer is waited for. */
async function untilAnswering(port: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('PING\r\n');
    const said = await Promise.race([
      once(socket, 'data').then(([data]) => String(data)),
      once(socket, 'close').then(() => ''),
      delay(1_000, ''),
    ]).catch(() => '');
    socket.destroy();
    if (said.startsWith('-NOAUTH')) return;
    await delay(50);
  }
  throw new Error(`no Redis answers on ${port}`);
}

const addressOf = (port: number, passwordPath: string): RedisAddress => ({
  host: '127.0.0.1',
  port,
  tls: false,
  database: 0,
  username: undefined,
  passwordPath,
});
