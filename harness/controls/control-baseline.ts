/** What a control showed last, kept as a file, with the commit and the time that it took. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { headCommit } from '../execution/commit.ts';

export const CONTROLS_FOLDER = 'var/controls';

export interface Made {
  /** Day of the run, UTC. */
  at: string;
  commit: string | null;
  minutes: number;
}

/** `startedMs` as `performance.now()` said when the control began. */
export async function madeSince(root: string, startedMs: number): Promise<Made> {
  const minutes = Math.round((performance.now() - startedMs) / 6_000) / 10;
  return { at: new Date().toISOString().slice(0, 10), commit: await headCommit(root), minutes };
}

/** When the last of several was made, and the minutes of all of them. */
export const latest = (all: readonly Made[]): Made | undefined =>
  all.length === 0
    ? undefined
    : {
        ...all.reduce((a, b) => (a.at >= b.at ? a : b)),
        minutes: Math.round(all.reduce((sum, one) => sum + one.minutes, 0)),
      };

export async function keepControl(root: string, name: string, value: object): Promise<void> {
  await mkdir(join(root, CONTROLS_FOLDER), { recursive: true });
  await writeFile(join(root, CONTROLS_FOLDER, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
}

/** undefined where it was not played here. */
export async function readControl<T>(root: string, name: string): Promise<T | undefined> {
  const text = await readFile(join(root, CONTROLS_FOLDER, `${name}.json`), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}
