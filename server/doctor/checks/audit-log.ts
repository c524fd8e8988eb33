/** Where every call leaves a line: an audit log that cannot be written, or that others can read, refuses the start. */
import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Exposure, exposedKeyFile } from '../../config/private-path.ts';
import { shellWord } from '../../config/shell-word.ts';
import { RouterError } from '../../errors.ts';
import { type Check, fail, ok } from '../doctor-check.ts';

export default {
  id: 'audit-log',
  order: 260,
  inside: true,
  needs: 'config',
  look: ({ config }) => {
    if (config instanceof RouterError) return [];
    if (config.auditLog === undefined) return [ok('audit log', 'off')];
    const exposure = exposed(config.auditLog) ?? exposedKeyFile(join(config.stateDir, 'audit-key'));
    if (exposure) return [fail('audit log', exposure.what, exposure.remedy)];
    const problem = problemOf(config.auditLog);
    return problem === undefined
      ? [ok('audit log', config.auditLog)]
      : [fail('audit log', problem, 'set SVC_MCP_AUDIT_LOG to a file in a folder of yours, or to 0')];
  },
} satisfies Check;

/** As the router looks at it: not through a link, and whoever owns it. */
function exposed(path: string): Exposure | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink())
    return {
      what: `${path} is a link, which the router does not follow`,
      remedy: 'set SVC_MCP_AUDIT_LOG to the file itself',
    };
  if (!found?.isFile() || (found.mode & 0o077) === 0) return undefined;
  return { what: `${path} can be read or written by others`, remedy: `chmod 600 ${shellWord(path)}` };
}

function problemOf(path: string): string | undefined {
  if (existsSync(path)) return statSync(path).isFile() ? writable(path) : `${path} is not a file`;
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return statSync(folder).isDirectory() ? writable(folder) : `${folder} is not a folder`;
}

function writable(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch {
    return `${path} cannot be written`;
  }
}
