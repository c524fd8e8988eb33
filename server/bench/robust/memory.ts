/** Heap and external memory of a router after a forced collection; what the system calls resident says little. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RouterProcess } from '../child.ts';

export async function memoryMb(router: RouterProcess): Promise<number> {
  const seen = probes(router).length;
  router.process.kill('SIGUSR2');
  for (let waited = 0; waited < 600; waited++) {
    const found = probes(router);
    if (found.length > seen) return Number(found.at(-1)) / 2 ** 20;
    const { exitCode, signalCode } = router.process;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`the router ended (${exitCode ?? signalCode}): ${router.log.join('').slice(-2_000)}`);
    await pause(50);
  }
  throw new Error('the memory probe did not answer within 30 seconds');
}

const probes = ({ log }: RouterProcess) => [...log.join('').matchAll(/\{"probe":(\d+)\}/g)].map((match) => match[1]);
