/** Where every call leaves a line: an audit log that cannot be written refuses the start, and every write. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
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
    const problem = problemOf(config.auditLog);
    return problem === undefined
      ? [ok('audit log', config.auditLog)]
      : [fail('audit log', problem, 'set SVC_MCP_AUDIT_LOG to a file in a folder of yours, or to 0')];
  },
} satisfies Check;

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
