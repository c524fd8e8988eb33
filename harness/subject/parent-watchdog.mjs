// Loaded into every process the harness starts (`--import`): when the harness goes away, however it ends, the pipe on
// descriptor 3 closes and the process ends too. Plain JavaScript, because subjects are not ours to strip types in.
import { Socket } from 'node:net';

const leash = new Socket({ fd: 3, readable: true, writable: false });
leash.on('error', () => process.exit(0));
leash.on('close', () => process.exit(0));
leash.resume();
leash.unref();
