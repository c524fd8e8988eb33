/** Which method a path takes; any other is 405 with Allow, before its body is read. */
import type { FastifyInstance } from 'fastify';
import { METADATA_PATHS } from '../oauth/resource-metadata.ts';
import { HEALTH_ROUTES, pathOf } from './guard.ts';
import { rpcError } from './mcp.ts';

const MCP = 'GET, POST, DELETE';

export function addMethods(app: FastifyInstance, has: { metrics: boolean; oauth: boolean }): void {
  const read = [...HEALTH_ROUTES, ...(has.metrics ? ['/metrics'] : []), ...(has.oauth ? METADATA_PATHS : [])];
  const allowed = new Map(read.map((path) => [path, 'GET']));
  allowed.set('/mcp', MCP);
  app.addHook('onRequest', async (request, reply) => {
    const allow = allowed.get(pathOf(request.raw.url ?? ''));
    if (allow === undefined || allow.split(', ').includes(request.method)) return;
    const body =
      allow === MCP
        ? rpcError(-32000, 'Method not allowed')
        : { error: 'method_not_allowed', message: `${allow} only` };
    return reply.code(405).header('allow', allow).send(body);
  });
}
