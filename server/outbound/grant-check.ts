import { decide } from '../access/access-policy.ts';
import { spendGrant } from '../access/grant.ts';
import type { AccessSettings } from '../config/access-settings.ts';
import { RouterError } from '../errors.ts';
import type { PlatformRequest } from './wire-request.ts';

/**
 * The gate again, and the grant: the outbound client does not trust that dispatch was asked. Throws PLAN_STALE or GRANT_MISSING;
 * a plain read needs neither gate nor grant. `identity` is that of the account that sends it.
 */
export function mustBeGranted(request: PlatformRequest, identity: string, access: AccessSettings): void {
  const plain = request.capability === 'read' && (request.method === 'GET' || request.method === 'HEAD');
  if (plain) return;
  if (request.account !== undefined && request.account !== identity)
    throw new RouterError(
      'PLAN_STALE',
      `${request.platform.id}: the account changed since the request was approved. Nothing was sent.`,
      { details: { changed: 'account' } },
    );
  const { allowed } = decide(access, request.platform, request.capability);
  const granted = spendGrant(request.grant, {
    platform: request.platform.id,
    method: request.method,
    path: request.path,
    account: identity,
  });
  if (allowed && granted && request.grant?.capability === request.capability) return;
  throw new RouterError(
    'GRANT_MISSING',
    `${request.method} ${request.path} was refused by the outbound client: ${allowed ? 'no valid grant' : 'its write gate is closed'}`,
  );
}
