/** Address and user of the Redis that replicas share. Its password comes only from a secret file. */
import { RouterError } from '../errors.ts';
import type { Environment } from './environment.ts';

export interface RedisAddress {
  host: string;
  port: number;
  tls: boolean;
  database: number;
  /** Undefined for the default user. */
  username: string | undefined;
  passwordPath: string;
}

const URL_VARIABLE = 'SVC_MCP_REDIS_URL';
const PASSWORD_VARIABLE = 'SVC_MCP_REDIS_PASSWORD_PATH';

export function readRedis(environment: Environment): RedisAddress | undefined {
  const text = environment.set(URL_VARIABLE);
  const named = environment.set(PASSWORD_VARIABLE) !== undefined;
  if (text === undefined && !named) return undefined;
  if (text === undefined || !named)
    throw new RouterError(
      'CONFIG_INVALID',
      `${named ? URL_VARIABLE : PASSWORD_VARIABLE} should be set beside ${named ? PASSWORD_VARIABLE : URL_VARIABLE}: a Redis is used with its password or not at all`,
    );
  return { ...parseAddress(text), passwordPath: environment.path(PASSWORD_VARIABLE) };
}

function parseAddress(text: string): Omit<RedisAddress, 'passwordPath'> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The text is never repeated, because of what else may stand in it.
  if (url?.password)
    throw new RouterError(
      'CONFIG_INVALID',
      `${URL_VARIABLE} should hold no password: put it into the file that ${PASSWORD_VARIABLE} names`,
    );
  const database = /^\/?(\d{0,3})$/.exec(url?.pathname ?? '?')?.[1];
  const known = url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && url.search === '' && url.hash === '';
  if (!known || database === undefined)
    throw new RouterError(
      'CONFIG_INVALID',
      `${URL_VARIABLE} should be redis://[user@]host[:port][/db] or rediss://…, got another form`,
    );
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 6379),
    tls: url.protocol === 'rediss:',
    database: Number(database),
    username: url.username === '' ? undefined : decodeURIComponent(url.username),
  };
}
