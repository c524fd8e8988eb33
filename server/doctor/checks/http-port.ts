/** Whether the router can listen at its address and port, or does so already. Both are only tried, on this machine. */
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { RouterError, systemCodeOf } from '../../errors.ts';
import { type Check, type Finding, fail, ok } from '../doctor-check.ts';

const PATIENCE_MS = 2_000;

export default {
  id: 'http-port',
  order: 120,
  needs: 'config',
  look: async ({ config, container }) => {
    if (config instanceof RouterError) return [];
    if (config.transport === 'stdio') return [ok('port', 'stdio, so none is needed')];
    const { host, port } = config.http;
    if (port === 0) return [ok('port', '0: any free one')];
    const answer = await answerAt(host, port);
    if (answer !== undefined) return [answer === 'ok' ? ok('port', `a router answers on ${port}`) : taken(port)];
    // The address of a container is one of its own.
    return [container ? ok('port', `${port} is free`) : await listened(host, port)];
  },
} satisfies Check;

const taken = (port: number): Finding =>
  fail('port', `${port} is in use by another program`, 'stop that program, or set MCP_PORT to another port');

/** What whoever is there says of itself; undefined where nobody answers over HTTP. */
async function answerAt(host: string, port: number): Promise<unknown> {
  const here = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const url = `http://${isIPv6(here) ? `[${here}]` : here}:${port}/livez`;
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  if (response === undefined) return undefined;
  const { status = '' } = (await response.json().catch(() => ({}))) as { status?: unknown };
  return status;
}

/** As the router would listen there, for a moment. */
async function listened(host: string, port: number): Promise<Finding> {
  const server = createServer().listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
    return ok('port', `${port} is free`);
  } catch (error) {
    const code = systemCodeOf(error) ?? 'unknown';
    if (code === 'EADDRINUSE') return taken(port);
    if (code === 'EACCES')
      return fail('port', `this user may not listen on ${port} (${code})`, 'set MCP_PORT to 1024 or higher');
    return fail(
      'port',
      `the router cannot listen at ${host} (${code})`,
      'set MCP_HOST to an address of this machine, such as 127.0.0.1',
    );
  } finally {
    server.close();
  }
}
