/**
 * V8 doubles its young generation under load, to 128 MB, and hardly gives any of it back. What it has reached when a router is ready, 32 MB, serves
 * its calls with the same processor time (`npm run bench:catalog`: memory that 1,000 tools add).
 */

/** Its size can be set before a process starts; later only that it does not grow. The module is loaded here, not by a start. */
export function keepYoungGeneration(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
}
