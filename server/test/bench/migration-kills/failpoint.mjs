/**
 * Loaded into a router before anything else. While the file it is told of exists, it counts the places where power can fail: before
 * and after a file is forced to the disk, moved or linked, and before and after a request leaves. At the n-th place it ends the
 * router without warning, or lets every file fail from there on.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { existsSync, readFileSync, writeFileSync } = fs;
const armed = process.env.FAILPOINT_ARMED ?? '';
let points = 0;

function pass(isFile) {
  if (!existsSync(armed)) {
    points = 0;
    return;
  }
  const { at, error } = JSON.parse(readFileSync(armed, 'utf8'));
  points += 1;
  writeFileSync(`${armed}.count`, String(points));
  if (error === undefined && points === at) process.kill(process.pid, 'SIGKILL');
  if (error !== undefined && points >= at && isFile)
    throw Object.assign(new Error(`${error}: as a test wants it`), { code: error });
}

for (const name of ['openSync', 'fsyncSync', 'renameSync', 'linkSync']) {
  const plain = fs[name];
  fs[name] = (...words) => {
    pass(true);
    const result = plain(...words);
    if (name !== 'openSync') pass(true);
    return result;
  };
}
syncBuiltinESMExports();

const send = globalThis.fetch;
globalThis.fetch = async (...words) => {
  pass(false);
  const answer = await send(...words);
  pass(false);
  return answer;
};
