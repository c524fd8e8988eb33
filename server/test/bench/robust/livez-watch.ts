/** Run as a worker: how long `/livez` takes, over one kept connection and over a new one each time, until told to stop. */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { Wire } from '../../support/mcp-wire.ts';

const EVERY_MS = 20;

/** Milliseconds of each answer. */
export interface LivezTimes {
  keptAlive: number[];
  fresh: number[];
}

/** Asks from a thread of its own, so that what the asking process is busy with is not counted. */
export function watchLivez(port: number): { stop: () => Promise<LivezTimes> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: { port } });
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
        worker.postMessage('stop');
      }),
  };
}

async function watch(port: number): Promise<LivezTimes> {
  const connection = new Wire(port);
  const times: LivezTimes = { keptAlive: [], fresh: [] };
  let going = true;
  parentPort?.once('message', () => {
    going = false;
  });
  const timed = async (wire: Wire, connection: string) => {
    const began = performance.now();
    await wire.ask(`GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: ${connection}\r\n\r\n`);
    return performance.now() - began;
  };
  while (going) {
    times.keptAlive.push(await timed(connection, 'keep-alive'));
    times.fresh.push(await timed(new Wire(port), 'close'));
    await pause(EVERY_MS);
  }
  connection.close();
  return times;
}

const { port } = (workerData ?? {}) as { port?: number };
if (port !== undefined) parentPort?.postMessage(await watch(port));
