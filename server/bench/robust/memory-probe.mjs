/** Loaded into a router under test: on SIGUSR2 it collects garbage and says on stderr what is left, and how many timers run. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  setTimeout(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    process.stderr.write(`${JSON.stringify({ probe: heapUsed + external, timers })}\n`);
  }, 50);
});
