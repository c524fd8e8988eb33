/**
 * Loaded into a router under test: on SIGUSR2 it collects garbage and says on stderr what is left, how many timers run, and
 * the most processor time that its main thread took in one go since it was last asked: others on the machine do not count.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const LOOK_MS = 10;
let busiest = 0;
let before = process.threadCpuUsage();
function look() {
  const now = process.threadCpuUsage();
  busiest = Math.max(busiest, now.user + now.system - before.user - before.system);
  before = now;
}
if (isMainThread) {
  setInterval(look, LOOK_MS).unref();
  process.on('SIGUSR2', () => {
    look();
    const busiestMs = Math.round(busiest / 1000);
    collect();
    setTimeout(() => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
      process.stderr.write(`${JSON.stringify({ probe: heapUsed + external, timers, busiestMs })}\n`);
      before = process.threadCpuUsage();
      busiest = 0;
    }, 50);
  });
}
