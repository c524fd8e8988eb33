/** The OpenID provider at which operators sign in: its configuration and its keys, refused where they are not its own or not safe. */
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import { mustBeSafe } from './authorization-code.ts';
import { asked, type OpenIdConfiguration, openIdConfiguration } from './authorization-server.ts';

export const providerFailed = (what: string): RouterError =>
  new RouterError('UPSTREAM_FAILED', `the OpenID provider ${what}`);

/** Throws UPSTREAM_FAILED, EGRESS_REFUSED, or USAGE for an address that is not https. */
export async function providerConfiguration(egress: Egress, issuer: string): Promise<OpenIdConfiguration> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const configuration = await openIdConfiguration(egress, url);
  if (configuration.issuer !== issuer) throw providerFailed('names another issuer than SVC_MCP_CONSOLE_OIDC_ISSUER');
  if (!URL.canParse(configuration.keysUrl)) throw providerFailed('names no address of its keys (jwks_uri)');
  for (const used of [configuration.authorizationUrl, configuration.tokenUrl, configuration.keysUrl]) mustBeSafe(used);
  return configuration;
}

/** The key set as it answers, with at least one key. Throws UPSTREAM_FAILED or EGRESS_REFUSED. */
export async function providerKeys(egress: Egress, { keysUrl }: OpenIdConfiguration): Promise<{ keys: object[] }> {
  const answer = await asked(egress, keysUrl, { headers: { accept: 'application/json' } });
  const keys = answer.status === 200 ? answer.object()?.['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0) throw providerFailed('answered with no keys');
  return { keys };
}
