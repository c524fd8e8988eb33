/** Heap and external memory of a router after a forced collection; what the system calls resident says little. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RouterProcess } from '../../support/child-process.ts';

export const memoryMb = async (router: RouterProcess): Promise<number> => (await probe(router)).mb;

export interface Probed {
  mb: number;
  timers: number;
  /** Most processor time of the main thread in one go since the probe before. */
  busiestMs: number;
}

export async function probe(router: RouterProcess): Promise<Probed> {
  const seen = probes(router).length;
  router.process.kill('SIGUSR2');
  for (let waited = 0; waited < 600; waited++) {
    const found = probes(router);
    const [, bytes, timers, busiest] = found[seen] ?? [];
    if (bytes !== undefined) return { mb: Number(bytes) / 2 ** 20, timers: Number(timers), busiestMs: Number(busiest) };
    const { exitCode, signalCode } = router.process;
    if (exitCode !== null || signalCode !== null)
      throw new Error(`the router ended (${exitCode ?? signalCode}): ${router.log.join('').slice(-2_000)}`);
    await pause(50);
  }
  throw new Error('the memory probe did not answer within 30 seconds');
}

const probes = ({ log }: RouterProcess) => [
  ...log.join('').matchAll(/\{"probe":(\d+),"timers":(\d+),"busiestMs":(\d+)\}/g),
];
