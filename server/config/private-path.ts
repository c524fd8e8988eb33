/** What others on this machine could read or replace although the router relies on it: key files and the state folder. */
import { statSync } from 'node:fs';
import { RouterError } from '../errors.ts';
import { shellWord } from './shell-word.ts';

export interface Exposure {
  /** "keys has mode 0644, …" */
  what: string;
  /** A command that an operator can run. */
  remedy: string;
}

const modeOf = (mode: number): string => `0${(mode & 0o777).toString(8).padStart(3, '0')}`;

/**
 * Why a file with keys cannot be relied on: others may read or write it, or another user than this process's or root owns it.
 * Undefined where it is fine, is not there, or the system has no such modes.
 */
export function exposedKeyFile(path: string): Exposure | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  const own = process.getuid?.();
  if (found === undefined || own === undefined) return undefined;
  if (found.uid !== own && found.uid !== 0)
    return {
      what: `${path} should belong to user ${own} or root, and belongs to ${found.uid}`,
      remedy: `chown ${own} ${shellWord(path)}`,
    };
  if ((found.mode & 0o077) === 0) return undefined;
  return {
    what: `${path} should be readable by its owner alone (0600), and has mode ${modeOf(found.mode)}`,
    remedy: `chmod 600 ${shellWord(path)}`,
  };
}

/** The same of a folder: others must not be able to put files into it, or to take some out. Reading names is no harm. */
export function exposedFolder(path: string): Exposure | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || process.getuid === undefined || (found.mode & 0o022) === 0) return undefined;
  return {
    what: `${path} should be writable by its owner alone (0700), and has mode ${modeOf(found.mode)}`,
    remedy: `chmod 700 ${shellWord(path)}`,
  };
}

/** Refuses with CONFIG_INVALID. */
export function mustBePrivateKeyFile(path: string): void {
  const exposure = exposedKeyFile(path);
  if (exposure) throw new RouterError('CONFIG_INVALID', exposure.what, { remedy: exposure.remedy });
}

/** Refuses with STATE_UNAVAILABLE. */
export function mustBePrivateFolder(path: string): void {
  const exposure = exposedFolder(path);
  if (exposure) throw new RouterError('STATE_UNAVAILABLE', exposure.what, { remedy: exposure.remedy });
}

/** The command that makes such a file, with a new key. */
export const keyCommand = (path: string): string =>
  `openssl rand -hex 32 > ${shellWord(path)}; chmod 600 ${shellWord(path)}`;
