/**
 * State that replicas of one router must share: the signing keys, always in a file, and the memory of consumed tokens.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { mustBePrivateFolder } from '../config/private-path.ts';
import { RouterError } from '../errors.ts';
import type { RedisConsumed } from '../storage/redis-consumed.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import { fixedKeys, KeyFile, type Keys } from './keyring.ts';
import { FileSingleUse, MemorySingleUse, type SingleUse } from './single-use.ts';

export interface SharedState {
  keys: Keys;
  used: SingleUse;
}

export function openSharedState(
  config: Pick<Config, 'stateDir' | 'signingKeysPath' | 'replicas'>,
  logger: Logger,
  redis?: RedisConsumed,
): SharedState {
  if (redis === undefined) return openFiles(config, logger);
  return { keys: openFiles(config, logger).keys, used: redis };
}

function openFiles(
  { stateDir, signingKeysPath, replicas }: Pick<Config, 'stateDir' | 'signingKeysPath' | 'replicas'>,
  logger: Logger,
): SharedState {
  // A user who can write here can make a consumed plan token valid again, or replace the router's keys.
  mustBePrivateFolder(stateDir);
  try {
    return {
      used: new FileSingleUse(join(stateDir, 'used')),
      keys:
        signingKeysPath === undefined
          ? KeyFile.openOrCreate(join(stateDir, 'signing-keys'))
          : new KeyFile(signingKeysPath),
    };
  } catch (cause) {
    if (cause instanceof RouterError) throw cause;
    if (signingKeysPath !== undefined || replicas > 1)
      throw new RouterError(
        'STATE_UNAVAILABLE',
        `${signingKeysPath === undefined ? stateDir : `${stateDir} and ${signingKeysPath}`} should be usable by this router`,
        { cause },
      );
    // Safe alone: the key ends with the process, so nothing it signed can be used once more afterwards.
    logger.warn('state.unavailable', { ...errorFields(cause), consequence: 'a restart voids plan tokens and cursors' });
    return { keys: fixedKeys(randomBytes(32)), used: new MemorySingleUse() };
  }
}
