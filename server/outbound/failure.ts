/** Failures between the router and a platform, named by host and port and never by a secret. */
import { RouterError, systemCodeOf } from '../errors.ts';

/** Errors that prove nothing was sent: the connection never came to be. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable URL';
}

export function neverConnected(error: unknown): boolean {
  const code = systemCodeOf(error);
  return (
    code !== undefined &&
    (NOT_CONNECTED.has(code) ||
      code.startsWith('DEPTH_ZERO') ||
      code.startsWith('CERT_') ||
      code === 'SELF_SIGNED_CERT_IN_CHAIN')
  );
}

export function unreachable(platform: string, url: string, cause: unknown): RouterError {
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  const reason = timedOut ? 'no answer in time' : (systemCodeOf(cause) ?? 'connection failed');
  return new RouterError(
    'UPSTREAM_UNREACHABLE',
    `${platform}: the platform at ${hostOf(url)} could not be reached (${reason})`,
    {
      cause,
      details: { host: hostOf(url), reason },
    },
  );
}
