/** The bearers by which agents call, for whoever must not take one for something else. */
import type { Config } from '../config/config.ts';
import { bytesOf, hashOf, holderOf } from './bearer-hash.ts';
import { readEntries } from './principals-file.ts';

/** Whether a text is the bearer of the settings or one of a principal, by the file as it is at each question. */
export function agentBearers({
  http: { bearerToken },
  principalsPath,
}: Pick<Config, 'http' | 'principalsPath'>): (text: string) => boolean {
  return (text) => {
    const hashes = [...(bearerToken === undefined ? [] : [hashOf(bearerToken)]), ...hashesIn(principalsPath)];
    return holderOf([{ hashes: hashes.map(bytesOf) }], text) !== undefined;
  };
}

/** A file that cannot be read keeps no operator from stopping writes. */
function hashesIn(path: string | undefined): string[] {
  if (path === undefined) return [];
  try {
    return readEntries(path).entries.flatMap(({ bearers = [] }) => bearers);
  } catch {
    return [];
  }
}
