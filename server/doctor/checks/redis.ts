/** What replicas share. The Redis itself is not asked; its settings and its password file are looked at. */
import { readFileSync } from 'node:fs';
import { RouterError } from '../../errors.ts';
import { type Check, fail, ok, warn } from '../doctor-check.ts';

export default {
  id: 'redis',
  order: 270,
  inside: true,
  needs: 'config',
  look: ({ config }) => {
    if (config instanceof RouterError) return [];
    const { redis, replicas, signingKeysPath } = config;
    if (redis === undefined)
      return replicas > 1 && signingKeysPath === undefined
        ? [
            warn(
              'replicas',
              `${replicas} routers share no Redis and no key file`,
              'set SVC_MCP_REDIS_URL and SVC_MCP_SIGNING_KEYS_PATH (docs/replicas.md)',
            ),
          ]
        : [ok('replicas', `${replicas}, no Redis`)];
    return hasText(redis.passwordPath)
      ? [ok('replicas', `${replicas}, sharing ${redis.host}:${redis.port}`)]
      : [
          fail(
            'replicas',
            `${redis.passwordPath} holds no password`,
            `write the password of the Redis into ${redis.passwordPath}`,
          ),
        ];
  },
} satisfies Check;

function hasText(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').trim() !== '';
  } catch {
    return false;
  }
}
