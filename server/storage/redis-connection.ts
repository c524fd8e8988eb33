/** A connection to one Redis that proved what it has to. */
import { readFileSync } from 'node:fs';
import type { RedisClientType } from '@redis/client';
import type { RedisAddress } from '../config/redis-address.ts';
import { RouterError } from '../errors.ts';
import { proveServer } from './redis-proof.ts';

const CONNECT_MS = 2_000;

/** `learn` is told the password, so that it can be kept out of what is logged. REDIS_REFUSED when another try would not help. */
export async function connectRedis(
  { host, port, tls, database, username, passwordPath }: RedisAddress,
  learn?: (password: string) => void,
): Promise<RedisClientType> {
  const password = readPassword(passwordPath);
  learn?.(password);
  const { createClient } = await import('@redis/client');
  const open = (credentials: { password?: string; username?: string }): RedisClientType => {
    const client = createClient({
      ...credentials,
      database,
      RESP: 2,
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
      socket: { host, port, connectTimeout: CONNECT_MS, reconnectStrategy: false, ...(tls ? { tls } : {}) },
    }) as unknown as RedisClientType;
    // An end is noticed by `end`; without a listener the event would end the process.
    client.on('error', () => undefined);
    return client;
  };
  return proveServer(open, { password, ...(username === undefined ? {} : { username }) }, CONNECT_MS);
}

function readPassword(path: string): string {
  let password: string;
  try {
    password = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new RouterError('REDIS_REFUSED', `${path} should hold the password of the Redis and could not be read`, {
      cause,
    });
  }
  if (password === '')
    throw new RouterError('REDIS_REFUSED', `${path} should hold the password of the Redis, got nothing`);
  return password;
}
