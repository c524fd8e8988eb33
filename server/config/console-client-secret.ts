/** The secret of the console as a client of its OpenID provider, from a private file. */
import { readFileSync } from 'node:fs';
import { RouterError } from '../errors.ts';
import { mustBePrivateKeyFile } from './private-path.ts';

/** Throws CONFIG_INVALID. */
export function consoleClientSecret(path: string): string {
  mustBePrivateKeyFile(path);
  const failed = (what: string, cause?: unknown) =>
    new RouterError('CONFIG_INVALID', `${path} should hold the client secret of the console${what}`, { cause });
  let secret = '';
  try {
    secret = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw failed(' and could not be read', cause);
  }
  if (secret !== '') return secret;
  throw failed(', got nothing');
}
