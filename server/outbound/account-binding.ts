/**
 * The account that a request is sent with: shown to the approver, bound into a plan, and the key of a shared budget.
 */
import { createHash } from 'node:crypto';
import type { Account } from '../config/credentials.ts';

/** Who requests to a platform go out as. It holds no secret. */
export interface AccountBinding {
  /** Section of the credentials file. */
  section: string;
  /** Section and a fingerprint of base URL, client or user, and workspace. */
  identity: string;
  /** Scheme, host and port that requests go to. */
  origin: string;
  /** Client id or user name, where the account has one. */
  client?: string;
  workspace?: string;
}

export function bindingOf(account: Account): AccountBinding {
  const { section, baseUrl, clientId, username, workspaceId } = account;
  const client = clientId || username;
  return {
    section,
    identity: nameOf(account),
    origin: new URL(baseUrl).origin,
    ...(client ? { client } : {}),
    ...(workspaceId ? { workspace: workspaceId } : {}),
  };
}

/** The account itself and not its section: routers of different installations may share one Redis. No secret is part of it. */
export function nameOf({ section, baseUrl, clientId, username, workspaceId = '' }: Account): string {
  const fingerprint = createHash('sha256').update([baseUrl, clientId, username, workspaceId].join('\0')).digest('hex');
  return `${section}:${fingerprint.slice(0, 16)}`;
}
