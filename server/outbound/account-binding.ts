/**
 * The account that a request is sent with: shown to the approver, bound into a plan, and the key of a shared budget.
 */
import { createHash } from 'node:crypto';
import type { Account } from '../config/credentials.ts';
import type { Sender } from './auth/security-requirement.ts';

/** Who requests to a platform go out as. It holds no secret. */
export interface AccountBinding {
  /** Section of the credentials file. */
  section: string;
  /** Section and a fingerprint of base URL, client or user, and workspace; of the token where the account has no other name. */
  identity: string;
  /** Scheme, host and port that requests go to. */
  origin: string;
  /** Client id or user name, where the account has one. */
  client?: string;
  workspace?: string;
}

export function bindingOf({ account, credentials }: Sender): AccountBinding {
  const { section, baseUrl, workspaceId } = account;
  const clients = credentials.map((one) => one.account.clientId || one.account.username).filter((name) => name !== '');
  return {
    section,
    identity: [nameOf(account), declaredIdentity(credentials), tokenIdentity(credentials)]
      .filter((part) => part !== '')
      .join('+'),
    origin: new URL(baseUrl).origin,
    ...(clients.length > 0 ? { client: [...new Set(clients)].join(', ') } : {}),
    ...(workspaceId ? { workspace: workspaceId } : {}),
  };
}

/** Which schemes are presented, and as whom; empty where the platform has one credential of its own. */
function declaredIdentity(credentials: Sender['credentials']): string {
  const ways = credentials.filter(({ platform }) => platform.auth.base_section !== undefined);
  if (ways.length === 0) return '';
  return fingerprintOf(
    ways.flatMap(({ platform: { auth }, account, scopes }) => [
      auth.section,
      auth.strategy,
      account.clientId,
      account.username,
      ...scopes,
    ]),
  );
}

/** A fixed token says by itself whose the requests are: another one may be that of another tenant. Empty where all have a name. */
function tokenIdentity(credentials: Sender['credentials']): string {
  const tokens = credentials.flatMap(({ account: { clientId, username, apiToken, section } }) =>
    clientId === '' && username === '' && apiToken !== '' ? [section, apiToken] : [],
  );
  return tokens.length === 0 ? '' : fingerprintOf(tokens);
}

const fingerprintOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);

/** The account itself and not its section: routers of different installations may share one Redis. No secret is part of it. */
export function nameOf({ section, baseUrl, clientId, username, workspaceId = '', certificatePaths }: Account): string {
  // By its path and not by its content: a certificate that was renewed proves the same account.
  const certified = certificatePaths === undefined ? [] : [certificatePaths.certPath];
  return `${section}:${fingerprintOf([baseUrl, clientId, username, workspaceId, ...certified])}`;
}
