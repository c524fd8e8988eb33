/** Whether the port is free, or already ours. It is only connected to, on this machine. */
import { RouterError, systemCodeOf } from '../../errors.ts';
import { type Check, fail, ok } from '../doctor-check.ts';

const PATIENCE_MS = 2_000;

export default {
  id: 'http-port',
  order: 120,
  needs: 'config',
  look: async ({ config }) => {
    if (config instanceof RouterError) return [];
    if (config.transport === 'stdio') return [ok('port', 'stdio, so none is needed')];
    const { host, port } = config.http;
    if (port === 0) return [ok('port', '0: any free one')];
    const here = host === '0.0.0.0' ? '127.0.0.1' : host === '::' || host === '::1' ? '[::1]' : host;
    const taken = fail(
      'port',
      `${port} is in use by another program`,
      'stop that program, or set MCP_PORT to another port',
    );
    try {
      const response = await fetch(`http://${here}:${port}/livez`, { signal: AbortSignal.timeout(PATIENCE_MS) });
      const { status } = (await response.json()) as { status?: unknown };
      return [status === 'ok' ? ok('port', `a router answers on ${port}`) : taken];
    } catch (error) {
      return [systemCodeOf(error) === 'ECONNREFUSED' ? ok('port', `${port} is free`) : taken];
    }
  },
} satisfies Check;
