import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { RouterError } from '../errors.ts';

/** Throws CONFIG_INVALID for a user without one: a container may run as a number that no list of users knows. */
export function homeFolder(ofUser: () => string = homedir): string {
  try {
    return ofUser();
  } catch (cause) {
    throw new RouterError(
      'CONFIG_INVALID',
      `user ${process.getuid?.()} has no home folder for the files that a router keeps`,
      {
        cause,
        remedy: 'set HOME to a folder that this user may write to',
      },
    );
  }
}

/** A path of a setting: `~/` is the home folder, and a relative one starts at the working folder. */
export const settingPath = (cwd: string, text: string): string =>
  text === '~' || text.startsWith('~/') ? join(homeFolder(), text.slice(1)) : resolve(cwd, text);
