/** A server of the harness's own on the loopback interface, at a port the system picks. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback extends AsyncDisposable {
  url: string;
  /** Also ends connections that are still open. */
  close: () => Promise<void>;
}

export async function openLoopback(server: Server): Promise<Loopback> {
  // Of two ends that close an idle connection, one may close it under the other's request: here only the client does.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}
