/** Who calls over HTTP, where several share one router: how each proves itself, and what it may use. */
import type { PrincipalAccess } from '../access/access-policy.ts';

export interface Principal {
  /** Stands in plan tokens, cursors, sessions, approvals and the audit log, so a rotated bearer voids none of them. */
  name: string;
  /** SHA-256 of each bearer that is valid now, 32 bytes each. */
  hashes: readonly Buffer[];
  access: PrincipalAccess;
  /** False: the person at this principal's client approves nothing, only an operator does. */
  mayApprove: boolean;
  /** May it read `/metrics`? */
  metrics: boolean;
}
