/** Loaded before a program (`node --import`): ends it as kill -9 does, right before its n-th change of the disk (`KILL_AT`). */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const CHANGES = ['mkdirSync', 'mkdtempSync', 'openSync', 'writeSync', 'writeFileSync', 'renameSync', 'rmSync'];
const last = Number(process.env['KILL_AT']);
let seen = 0;

const functions = fs as unknown as Record<string, (...words: unknown[]) => unknown>;
for (const name of CHANGES) {
  const original = functions[name] as (...words: unknown[]) => unknown;
  functions[name] = (...words) => {
    // Node opens every module as well, to read it.
    if (name !== 'openSync' || /[wa]/.test(String(words[1]))) seen += 1;
    if (seen === last) process.kill(process.pid, 'SIGKILL');
    return original(...words);
  };
}
syncBuiltinESMExports();
