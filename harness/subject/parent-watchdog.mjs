// Loaded into every process the harness starts (`--import`): when the harness goes away, however it ends, the pipe on
// descriptor 3 closes and the process ends too. Plain JavaScript, because subjects are not ours to strip types in.
import { Socket } from 'node:net';

const watchdog = new Socket({ fd: 3, readable: true, writable: false });
watchdog.on('error', () => process.exit(0));
watchdog.on('close', () => process.exit(0));
watchdog.resume();
watchdog.unref();
