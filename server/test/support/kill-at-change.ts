/**
 * Loaded before a program (`node --import`): ends it as kill -9 does, right before its n-th change of the disk (`KILL_AT`), or
 * before the first one after a file of that name was put in place (`KILL_AFTER`).
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

const CHANGES = ['mkdirSync', 'mkdtempSync', 'openSync', 'writeSync', 'writeFileSync', 'renameSync', 'rmSync'];
const { KILL_AT, KILL_AFTER } = process.env;
let seen = 0;
let placed = false;

const functions = fs as unknown as Record<string, (...words: unknown[]) => unknown>;
for (const name of CHANGES) {
  const original = functions[name] as (...words: unknown[]) => unknown;
  functions[name] = (...words) => {
    // Node opens every module as well, to read it.
    if (name !== 'openSync' || /[wa]/.test(String(words[1]))) seen += 1;
    if (placed || seen === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
    const result = original(...words);
    if (name === 'renameSync' && KILL_AFTER !== undefined) placed = basename(String(words[1])) === KILL_AFTER;
    return result;
  };
}
syncBuiltinESMExports();
