import { describeError } from '../harness-errors.ts';

/**
 * What cannot be written does not end a process: a reader may leave, as `head` does, and the log may be on a full disk. Output on a full
 * disk would be half of an answer, and ends it.
 */
export function surviveClosedOutput(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const { text, exit } = describeError(Object.assign(error, { path: 'standard output' }));
    process.stderr.write(`${text}\n`);
    process.exit(exit);
  });
}
