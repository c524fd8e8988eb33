/** Which method a path takes; any other is 405 with Allow, before its body is read. */
import type { FastifyInstance } from 'fastify';
import { HEALTH_ROUTES } from './guard.ts';
import { rpcError } from './mcp.ts';

const MCP = 'GET, POST, DELETE';

export function addMethods(app: FastifyInstance, metrics: boolean): void {
  const allowed = new Map([...HEALTH_ROUTES, ...(metrics ? ['/metrics'] : [])].map((path) => [path, 'GET']));
  allowed.set('/mcp', MCP);
  app.addHook('onRequest', async (request, reply) => {
    const allow = allowed.get((request.raw.url ?? '').split('?', 1)[0] as string);
    if (allow === undefined || allow.split(', ').includes(request.method)) return;
    const body =
      allow === MCP
        ? rpcError(-32000, 'Method not allowed')
        : { error: 'method_not_allowed', message: `${allow} only` };
    return reply.code(405).header('allow', allow).send(body);
  });
}
