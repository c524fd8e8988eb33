/** What OAuth adds to the HTTP surface behind the guard: the metadata of the resource, and the challenge for more scopes. */
import type { FastifyInstance } from 'fastify';
import type { PrincipalAccess } from '../access/access-policy.ts';
import type { OAuthCallers } from '../oauth/oauth-callers.ts';
import { challenge, METADATA_PATHS, resourceMetadata } from '../oauth/resource-metadata.ts';
import type { ScopeDemand } from '../oauth/scope-demand.ts';
import type { GuardedRaw } from './guard.ts';

export function addResourceMetadata(app: FastifyInstance, oauth: OAuthCallers): void {
  const metadata = resourceMetadata(oauth);
  for (const path of METADATA_PATHS)
    app.get(path, async (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(metadata));
}

/**
 * A `tools/call` whose tool the scopes do not admit is 403 with the scopes that would (RFC 6750, section 3.1). It is decided where the
 * body is known and before a session or the protocol library sees it, so it is the same in both revisions.
 */
export function addStepUp(app: FastifyInstance, oauth: OAuthCallers, demand: ScopeDemand): void {
  app.addHook('preHandler', async (request, reply) => {
    const access = (request.raw as GuardedRaw).auth?.extra?.['access'] as PrincipalAccess | undefined;
    if (access?.scopes === undefined || request.method !== 'POST') return;
    const missing = demand.missing(request.body, access);
    if (missing.length === 0) return;
    // With those that the token has, because a client asks for exactly what it is told.
    const scopes = [...new Set([...access.scopes.granted, ...missing])];
    return reply
      .code(403)
      .header('www-authenticate', challenge(oauth, { error: 'insufficient_scope', scopes }))
      .send({ error: 'insufficient_scope', message: `the access token lacks ${missing.join(', ')}`, missing });
  });
}
