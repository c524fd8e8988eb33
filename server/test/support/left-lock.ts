/** A lock as a process of this machine leaves it that was killed, or with `changes` as somebody else does. */
import { readFileSync, writeFileSync } from 'node:fs';
import { takeLock } from '../../files/file-lock.ts';

export function leaveLock(file: string, changes: object): void {
  const lock = takeLock(file, { staleMs: 30_000 });
  const holder = JSON.parse(readFileSync(file, 'utf8')) as object;
  lock?.release();
  writeFileSync(file, JSON.stringify({ ...holder, token: 'x', ...changes }));
}
