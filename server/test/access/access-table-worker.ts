/** One share of the table in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { fillTable, type TableOptions } from './access-table.ts';

parentPort?.postMessage(await fillTable(workerData as TableOptions));
