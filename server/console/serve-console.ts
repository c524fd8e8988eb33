/** Binds the console to its address. */
import { RouterError } from '../errors.ts';
import { type ConsoleOptions, OperatorConsole } from './console.ts';

export interface ServedConsole {
  /** Origin under which operators open it. */
  url: string;
  close: () => Promise<void>;
  /** Lets the process end while the console listens. */
  unref: () => void;
}

/** Throws PORT_IN_USE or ADDRESS_UNAVAILABLE. */
export async function serveConsole(options: ConsoleOptions): Promise<ServedConsole> {
  const { app } = new OperatorConsole(options);
  const { host, port, url } = options.binding;
  try {
    await app.listen({ host, port });
  } catch (cause) {
    await app.close();
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE')
      throw new RouterError('PORT_IN_USE', `SVC_MCP_CONSOLE_PORT=${port} on ${host} is in use by another process`, {
        cause,
        remedy: 'stop the other process or set SVC_MCP_CONSOLE_PORT (0 picks a free one)',
      });
    throw new RouterError('ADDRESS_UNAVAILABLE', `the console cannot be bound to ${host}:${port} (${code})`, {
      cause,
      remedy: 'set SVC_MCP_CONSOLE_HOST to an address of this machine',
    });
  }
  const address = app.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: url ?? `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () => app.close(),
    unref: () => void app.server.unref(),
  };
}
