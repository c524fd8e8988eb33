/**
 * What a Redis must prove before routers trust it: it refuses access without a password, it accepts ours, and it never
 * evicts a stored key. A Redis started with an empty password looks healthy and is open to everyone.
 */
import type { RedisClientType } from '@redis/client';
import { RouterError } from '../errors.ts';
import { within } from './redis-reply.ts';

export interface Credentials {
  password: string;
  username?: string;
}

const NO_WAY_IN = /^(NOAUTH|WRONGPASS|ERR (invalid password|AUTH|max number of clients)|NOPERM|DENIED)/;

/** A connection that proved all of it; REDIS_REFUSED when it never will, any other error when it may later. */
export async function proveServer(
  open: (credentials: Partial<Credentials>) => RedisClientType,
  credentials: Credentials,
  mostMs: number,
): Promise<RedisClientType> {
  await refuseOpenServer(open({}), mostMs);
  const client = open(credentials);
  try {
    await within(client.connect(), mostMs);
    await within(client.ping(), mostMs);
    await refuseForgetfulServer(client, mostMs);
  } catch (cause) {
    if (client.isOpen) client.destroy();
    if (cause instanceof Error && NO_WAY_IN.test(cause.message))
      throw new RouterError('REDIS_REFUSED', `the Redis refused this router: ${reasonOf(cause.message)}`, { cause });
    throw cause;
  }
  return client;
}

async function refuseOpenServer(client: RedisClientType, mostMs: number): Promise<void> {
  try {
    await within(client.connect(), mostMs);
    await within(client.ping(), mostMs);
  } catch (cause) {
    if (cause instanceof Error && NO_WAY_IN.test(cause.message)) return;
    throw cause;
  } finally {
    if (client.isOpen) client.destroy();
  }
  throw new RouterError(
    'REDIS_REFUSED',
    'the Redis lets everybody in without a password; it was probably started with an empty one',
  );
}

/** A plan token whose use is thrown away early could be applied twice. */
async function refuseForgetfulServer(client: RedisClientType, mostMs: number): Promise<void> {
  const memory = String(await within(client.info('memory'), mostMs));
  const told = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(memory)?.[1];
  const policy = told('maxmemory_policy');
  if (told('maxmemory') === '0' || policy === 'noeviction') return;
  throw new RouterError(
    'REDIS_REFUSED',
    `the Redis throws keys away when its memory is full (maxmemory-policy ${policy ?? 'unknown'}), expected noeviction`,
  );
}

function reasonOf(message: string): string {
  const [code = ''] = message.split(' ', 1);
  if (code === 'WRONGPASS' || /invalid password/.test(message)) return 'the password is wrong';
  if (code === 'NOPERM') return 'this user may not run what the router needs (eval, info, ping on svc-mcp:*)';
  return message.slice(0, 120);
}
