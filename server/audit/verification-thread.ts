/** Verifies an audit log in a thread of its own: 32 MiB take seconds of processor time, and the router serves on meanwhile. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type Broken, type Verified, type VerifyOptions, verifyAudit } from './chain.ts';

/** Tells a thread of ours from any other that loads this file. */
const TASK = 'verification of an audit log';

interface Task {
  task: typeof TASK;
  path: string;
  options: VerifyOptions;
}

/** As `verifyAudit`. */
export async function verifyInThread(path: string, options: VerifyOptions): Promise<Verified | Broken> {
  const data: Task = { task: TASK, path, options };
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: data });
  // A router that ends does not wait for it.
  worker.unref();
  const [found] = (await once(worker, 'message')) as [Verified | Broken];
  return found;
}

const given = workerData as Task | null;
if (given?.task === TASK) parentPort?.postMessage(verifyAudit(given.path, given.options));
