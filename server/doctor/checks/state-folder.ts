/** Checks the state folder. Without it plan tokens become invalid when the process ends. */
import { existsSync } from 'node:fs';
import { exposedFolder } from '../../config/private-path.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok } from '../doctor-check.ts';
import { unusableFolder } from '../unusable-folder.ts';

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
  const problem = unusableFolder(folder, variable) ?? exposedFolder(folder);
  if (problem) return fail(subject, problem.what, problem.remedy);
  return ok(subject, existsSync(folder) ? folder : `${folder}, made at the first start`);
}
