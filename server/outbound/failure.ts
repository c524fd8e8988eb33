/** Failures between the router and a platform, named by host and port and never by a secret. */
import { RouterError, systemCodeOf } from '../errors.ts';
import type { TooLong } from './rate-limit.ts';

/** Errors that prove nothing was sent: the connection never came to be. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  // The runtime refuses to write such a request.
  'UND_ERR_INVALID_ARG',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);

/** The certificate of the server was not accepted, so the handshake ended (Node: `tls.TLSSocket`, X.509 error codes). */
const REFUSED_CERTIFICATE =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$)/;

const CERTIFICATE_REMEDY =
  'the operator names the authority of that certificate with SVC_MCP_CA_PATH, or corrects base_url in the credentials file';
const CERTIFICATE_REMEDIES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the operator of the platform renews its certificate; check the clock of this machine as well',
  CERT_NOT_YET_VALID: 'check the clock of this machine and that of the platform',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the operator corrects base_url in the credentials file to a host name that the certificate has',
};

/**
 * Alerts by which a server ends a handshake, mostly over the certificate of the client (RFC 8446 §6.2): it read no request. With TLS 1.3
 * they arrive after the client has begun to send, and the runtime's HTTP client then reports a connection that broke.
 */
const HANDSHAKE_ALERT =
  /^ERR_SSL_.*_ALERT_(CERTIFICATE_(REQUIRED|EXPIRED|REVOKED|UNKNOWN)|(BAD|NO|UNSUPPORTED)_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE)$/;

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable URL';
}

export function neverConnected(error: unknown): boolean {
  const code = systemCodeOf(error);
  // Ports that the Fetch standard forbids are refused before a socket is opened, and carry no code.
  if (error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port') return true;
  return (
    code !== undefined && (NOT_CONNECTED.has(code) || HANDSHAKE_ALERT.test(code) || REFUSED_CERTIFICATE.test(code))
  );
}

/** No connection, or one that ended before the whole answer was there. */
export function brokenOff(platform: string, url: string, cause: unknown): RouterError {
  const host = hostOf(url);
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  const reason = timedOut ? 'no answer in time' : (systemCodeOf(cause) ?? 'connection failed');
  const extra = { cause, details: { host, reason } };
  if (HANDSHAKE_ALERT.test(reason))
    return new RouterError(
      'UPSTREAM_UNREACHABLE',
      `${platform}: the platform at ${host} ended the TLS handshake (${reason}): if it wants a client certificate, \`client_cert_path\` and \`client_key_path\` of the account should name one that it accepts`,
      extra,
    );
  if (REFUSED_CERTIFICATE.test(reason) || reason === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new RouterError(
      'UPSTREAM_UNREACHABLE',
      `${platform}: the certificate of ${host} was not accepted (${reason}), so nothing was sent`,
      { ...extra, remedy: CERTIFICATE_REMEDIES[reason] ?? CERTIFICATE_REMEDY },
    );
  if (timedOut || neverConnected(cause))
    return new RouterError(
      'UPSTREAM_UNREACHABLE',
      `${platform}: the platform at ${host} could not be reached (${reason})`,
      extra,
    );
  return new RouterError(
    'UPSTREAM_BROKEN',
    `${platform}: the connection to ${host} broke before the whole answer was there (${reason})`,
    extra,
  );
}

export function malformed(platform: string, url: string, status: number, got: string): RouterError {
  return new RouterError(
    'UPSTREAM_MALFORMED',
    `${platform}: ${hostOf(url)} answered ${status} and should answer JSON, got ${got}`,
    { details: { upstream_status: status } },
  );
}

export function tooLarge(platform: string, status: number, reason: string): RouterError {
  return new RouterError('UPSTREAM_TOO_LARGE', `${platform}: ${reason}`, { details: { upstream_status: status } });
}

export function redirected(platform: string, url: string, status: number): RouterError {
  return new RouterError(
    'UPSTREAM_REDIRECTED',
    `${platform}: ${hostOf(url)} answered ${status} with a redirect, which is not followed`,
    { details: { upstream_status: status } },
  );
}

/** A handshake that fails tells a client nothing but that. */
export function streamRefused(platform: string, url: string, cause: Error): RouterError {
  const message = `${platform}: the event stream at ${hostOf(url)} could not be opened (${cause.message})`;
  return new RouterError('UPSTREAM_UNREACHABLE', message, {
    cause,
    details: { host: hostOf(url), reason: cause.message },
  });
}

/** The budget of the account has no place before the call must end. */
export function overBudget(platform: string, section: string, { waitMs }: TooLong): RouterError {
  const seconds = Math.ceil(waitMs / 1000);
  return new RouterError(
    'RATE_LIMITED',
    `${platform}: the budget of the account ${section} is used up for ${seconds} s. Nothing was sent.`,
    { details: { retry_after_seconds: seconds } },
  );
}

interface SentRequest {
  platform: { id: string };
  method: string;
  path: string;
}

/** It was sent and may have been carried out; nobody can say from here. */
export function unknownOutcome({ platform, method, path }: SentRequest, reason: string, cause: unknown): RouterError {
  return new RouterError(
    'OUTCOME_UNKNOWN',
    `${platform.id}: ${method} ${path} was sent once and ${reason}; whether it took effect is unknown`,
    { cause, details: { sent: true, reason } },
  );
}

/** Once a request that may have written is on its way, whatever goes wrong leaves its outcome open. */
export function afterSending(request: SentRequest & { capability: string }, error: RouterError): RouterError {
  return request.capability === 'read'
    ? error
    : unknownOutcome(request, `what came back is of no use (${error.message})`, error);
}
