/**
 * Moves the secrets out of a container's accounts file, each into a file of its own. It refuses, by name, a secret
 * that it cannot move without loss.
 */
import type { Document } from 'yaml';
import { isPlaceholder } from '../config/placeholder.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { secretFileOf } from '../config/setup-layout.ts';
import { straySecrets } from '../config/stray-secrets.ts';
import { RouterError } from '../errors.ts';
import { yaml } from '../lazy-import.ts';
import { accountsOf, fieldsOf } from './answers.ts';
import { readPrivate } from './private-file.ts';

export interface MovedSecret {
  path: string;
  value: string;
}

export interface Moving {
  directory: string;
  /** The accounts file, as messages call it. */
  path: string;
  platforms: readonly PlatformDefinition[];
  /** Whether another value was given to take its place. */
  replaced: (section: string, field: string) => boolean;
}

/** Changes the document; what it answers is not written yet. */
export function moveSecrets(document: Document, { directory, path, platforms, replaced }: Moving): MovedSecret[] {
  const moved: MovedSecret[] = [];
  for (const { section, field, value } of straySecrets(document.toJS({ maxAliasCount: 10 }))) {
    const refuse = (problem: string, remedy: string) =>
      new RouterError('CREDENTIALS_INVALID', `${path}: \`${section}.${field}\` is a secret, and ${problem}`, {
        remedy,
      });
    const file = secretFileOf(section, field);
    const node = document.getIn([section, field], true);
    if (typeof value !== 'string' || /[\r\n\0]/.test(value) || !yaml().isScalar(node) || node.anchor !== undefined)
      throw refuse('it is not one line of plain text', `put it into ${file} by hand, and remove it there`);
    const known = platforms.flatMap(accountsOf);
    if (!known.some((platform) => platform.auth.section === section && fieldsOf(platform).includes(field)))
      throw refuse('no platform reads it from a file', 'remove it there, and keep it where it is needed');
    const secret = value.trim();
    const there = readPrivate(directory, file)?.trim();
    const isNone = secret === '' || isPlaceholder(secret) || replaced(section, field);
    if (!isNone && there !== undefined && there !== secret)
      throw refuse(`${file} holds another`, 'remove the one that is no longer right');
    if (!isNone && there === undefined) moved.push({ path: file, value: secret });
    document.deleteIn([section, field]);
  }
  return moved;
}
