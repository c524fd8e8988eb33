/** Who calls over HTTP, where several share one router: how each proves itself, and what it may use. */
import type { PrincipalAccess } from '../access/access-policy.ts';

/** A claim of an access token that has to be exactly this text, such as `sub` or `client_id`. */
export interface ProvenClaim {
  name: string;
  value: string;
}

export interface Principal {
  /** Stands in plan tokens, cursors, sessions, approvals and the audit log, so a rotated bearer voids none of them. */
  name: string;
  /** SHA-256 of each bearer that is valid now, 32 bytes each. */
  hashes: readonly Buffer[];
  /** The claim of an access token that proves it; absent where it has bearers alone. */
  claim?: ProvenClaim;
  access: PrincipalAccess;
  /** False: the person at this principal's client approves nothing, only an operator does. */
  mayApprove: boolean;
  /** May it read `/metrics`? */
  metrics: boolean;
}

/** Of a principal whose entry says nothing, and of one that scopes alone let in: a quarter of what the router serves at a time. */
export const DEFAULT_LIMITS = { maxInFlight: 128, maxSessions: 128 };
