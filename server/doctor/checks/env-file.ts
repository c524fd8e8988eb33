/** Checks `.env`: readable, without secrets, and without variables that the router does not know. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readDotEnv } from '../../config/dot-env.ts';
import { type RawEnvironment, readsDotEnv } from '../../config/environment.ts';
import { isSecretName, isSecretShaped } from '../../config/secret-files.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, ok, warn } from '../doctor-check.ts';

export default {
  id: 'env-file',
  order: 50,
  look: ({ directory, command, container, processEnvironment }) => {
    const path = join(directory, '.env');
    // Compose reads the file whatever this variable holds.
    if (container === undefined && isLeftAside(processEnvironment))
      return [ok('.env', 'is left aside, because SVC_MCP_DOTENV is off in the environment of the process')];
    if (!lstatSync(path, { throwIfNoEntry: false }))
      return [warn('.env', 'is not there, so every setting has its default', command('setup'))];
    try {
      const { values, problems } = readDotEnv(path);
      const secrets = Object.keys(values).filter((name) => isSecretShaped(name) && values[name] !== '');
      return [
        ok('.env', `sets ${Object.keys(values).length} names`),
        ...problems.map((problem) => warn('.env', problem, 'correct that line, or remove it')),
        ...secrets.map(secretIn),
        ...(container?.unpassed ?? []).map(unpassed),
      ];
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      return [
        fail('.env', 'is there and cannot be read', `make ${path} a UTF-8 text file that you may read, or remove it`),
      ];
    }
  },
} satisfies Check;

/** A value that is no flag leaves nothing aside here: the check of the settings reports it. */
function isLeftAside(environment: RawEnvironment): boolean {
  try {
    return !readsDotEnv(environment);
  } catch (error) {
    if (error instanceof RouterError) return false;
    throw error;
  }
}

const unpassed = (name: string): Finding =>
  warn(
    `.env ${name}`,
    'does not reach the router: neither compose.yaml nor the overlay passes it',
    `set ${name} under environment of mcp-router in a compose file of your own, or remove the line`,
  );

function secretIn(name: string): Finding {
  const remedy = isSecretName(name)
    ? `put the value into a file of mode 0600, name that file with ${name}_FILE, and remove the line`
    : 'move it to the program that needs it; this router does not';
  return warn(`.env ${name}`, 'looks like a secret, which has no place in this file', remedy);
}
