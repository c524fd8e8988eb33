/** Liveness and readiness: always there, local state only, computed on each request. */
import type { FastifyInstance } from 'fastify';
import type { CredentialsState } from '../config/credentials.ts';

export interface Health {
  credentials: () => CredentialsState;
  /** Absent where there are none. */
  principals?: { readonly problem: string | undefined } | undefined;
  /** True once the router takes no more calls. */
  stopping: () => boolean;
}

export function addHealth(app: FastifyInstance, { credentials, stopping, principals }: Health): void {
  for (const path of ['/livez', '/healthz']) app.get(path, async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const { path, exists, loadable, error } = credentials();
    const problem = principals?.problem;
    const ready = exists && loadable && !stopping();
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ok' : 'not_ready',
      detail: {
        creds_path: path,
        creds_path_exists: exists,
        credentials_loadable: loadable,
        ...(error === undefined ? {} : { credentials_error: error }),
        // The last good file stays in use, so this router still serves.
        ...(problem === undefined ? {} : { principals_error: problem }),
        ...(stopping() ? { stopping: true } : {}),
      },
    });
  });
}
