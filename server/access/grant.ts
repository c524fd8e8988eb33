/**
 * Permission for exactly one request that is not a plain read. Dispatch obtains it after every check; the outbound
 * client takes it back when it sends. A grant cannot be forged (only objects made here are known), reused, or carried
 * to another method or URL.
 */
import type { Capability } from './access-policy.ts';

export interface Grant {
  readonly platform: string;
  readonly capability: Capability;
  readonly method: string;
  /** Document path with the values filled in, without the query. */
  readonly path: string;
  /** Identity of the account that the request goes out as. */
  readonly account: string;
}

const open = new WeakSet<Grant>();

export function issueGrant(grant: Grant): Grant {
  const issued = Object.freeze({ ...grant });
  open.add(issued);
  return issued;
}

/** Takes the grant back. False when it is unknown, was used, or is for another request. */
export function spendGrant(
  grant: Grant | undefined,
  request: Pick<Grant, 'platform' | 'method' | 'path' | 'account'>,
): grant is Grant {
  if (grant === undefined || !open.delete(grant)) return false;
  return (['platform', 'method', 'path', 'account'] as const).every((part) => grant[part] === request[part]);
}
