/** Checks the state folder. Without it plan tokens become invalid when the process ends. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { exposedFolder } from '../../config/private-path.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok } from '../doctor-check.ts';

export default {
  id: 'state-folder',
  order: 240,
  inside: true,
  needs: 'config',
  look: ({ config }) => {
    if (config instanceof RouterError) return [];
    return [
      usable('state', config.stateDir, 'SVC_MCP_STATE_DIR'),
      usable('token cache', config.tokenCacheDir, 'TOKEN_CACHE_DIR'),
    ];
  },
} satisfies Check;

function usable(subject: string, folder: string, variable: string): Finding {
  const nearest = nearestExisting(folder);
  const wrong = (what: string) =>
    fail(subject, what, `remove the file at this path, or set ${variable} to a folder of yours`);
  if (!statSync(nearest).isDirectory()) return wrong(`${folder} cannot be a folder: ${nearest} is a file`);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch {
    return wrong(`${nearest} cannot be written`);
  }
  const { blocks, bavail } = statfsSync(nearest);
  if (blocks > 0 && bavail === 0)
    return fail(
      subject,
      `the disk of ${nearest} is full`,
      `free space there, or set ${variable} to a folder elsewhere`,
    );
  const exposure = exposedFolder(folder);
  if (exposure) return fail(subject, exposure.what, exposure.remedy);
  return ok(subject, existsSync(folder) ? folder : `${folder}, made at the first start`);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}
