/** A port that somebody else holds is said before anything is started, with its number. */
import { createServer } from 'node:net';
import { HarnessError } from '../harness-errors.ts';

export async function assertPortFree(port: number, host = '127.0.0.1', remedy?: string): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new HarnessError('PORT_IN_USE', `${host}:${port} should be free, got ${cause.code ?? cause.message}`, {
          cause,
          ...(remedy === undefined ? {} : { remedy }),
        }),
      );
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
