/** Metadata of the authorization server: RFC 8414 first, then OpenID Connect Discovery 1.0. */
import { isSecureUrl } from '../config/oauth-settings.ts';
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import { fetchJson } from './fetch-json.ts';

export interface IssuerMetadata {
  jwksUrl: string;
  /** By the clock of the server, in milliseconds; undefined where it does not say. */
  serverTime: number | undefined;
  /** Methods of proof keys that it names (RFC 7636); MCP clients need S256. */
  challengeMethods: readonly string[];
}

/** RFC 8414, section 3.1 puts the well-known part before the issuer's path; OpenID Connect appends it. */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

/** Throws UPSTREAM_FAILED where no address has metadata of exactly this issuer, and EGRESS_REFUSED. */
export async function issuerMetadata(egress: Egress, issuer: string): Promise<IssuerMetadata> {
  let problem: unknown;
  for (const url of metadataUrls(issuer)) {
    try {
      const { value, serverTime } = await fetchJson(egress, url);
      return { ...usable(value, issuer), serverTime };
    } catch (error) {
      if (!(error instanceof RouterError) || error.code !== 'UPSTREAM_FAILED') throw error;
      problem ??= error;
    }
  }
  throw problem;
}

function usable(
  { issuer: named, jwks_uri, code_challenge_methods_supported }: Readonly<Record<string, unknown>>,
  issuer: string,
): Pick<IssuerMetadata, 'jwksUrl' | 'challengeMethods'> {
  const { host } = new URL(issuer);
  // RFC 8414, section 3.3: metadata of another issuer must not be used.
  if (named !== issuer)
    throw new RouterError(
      'UPSTREAM_FAILED',
      `the metadata at ${host} should name the issuer ${issuer}, got another one`,
    );
  if (typeof jwks_uri !== 'string' || !isSecureUrl(jwks_uri))
    throw new RouterError('UPSTREAM_FAILED', `the metadata at ${host} should name its keys by an https jwks_uri`);
  const methods = Array.isArray(code_challenge_methods_supported) ? code_challenge_methods_supported : [];
  return { jwksUrl: jwks_uri, challengeMethods: methods.filter((method) => typeof method === 'string') };
}
