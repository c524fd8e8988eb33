/** The keys that sign plan tokens and cursors: where there is a file, it must be one that the router takes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exposedKeyFile, keyCommand } from '../../config/private-path.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, ok } from '../doctor-check.ts';

const KEYS = /^[0-9a-f]{64}(\n[0-9a-f]{64})?\s*$/i;

export default {
  id: 'signing-keys',
  order: 250,
  inside: true,
  needs: 'config',
  look: ({ config }) => {
    if (config instanceof RouterError) return [];
    const path = config.signingKeysPath ?? join(config.stateDir, 'signing-keys');
    if (!existsSync(path))
      return config.signingKeysPath === undefined
        ? [ok('signing keys', 'made at the first start')]
        : [fail('signing keys', `${path} is not there`, keyCommand(path))];
    const exposure = exposedKeyFile(path);
    if (exposure) return [fail('signing keys', exposure.what, exposure.remedy)];
    return KEYS.test(readFileSync(path, 'utf8').trim())
      ? [ok('signing keys', path)]
      : [fail('signing keys', `${path} should hold one or two lines of 64 hex digits`, keyCommand(path))];
  },
} satisfies Check;
