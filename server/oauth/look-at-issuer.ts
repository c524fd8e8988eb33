/** What an operator should know of the authorization server before the start: metadata, keys, clock and proof keys, each looked at once. */
import type { Config } from '../config/config.ts';
import type { OAuthSettings } from '../config/oauth-settings.ts';
import { Egress } from '../egress/egress.ts';
import { fetchJson } from './fetch-json.ts';
import { issuerMetadata } from './issuer-metadata.ts';
import { usableKeys } from './key-set.ts';
import { mustBeScopes } from './oauth-scopes.ts';

export interface IssuerLook {
  keys: number;
  /** Seconds that the clock of the issuer is ahead of this machine's; undefined where it does not tell. */
  aheadSeconds: number | undefined;
  /** Clients of MCP need it (RFC 7636); undefined where no metadata was read. */
  hasProofKeys: boolean | undefined;
}

type Place = Pick<Config, 'egress' | 'network' | 'platforms' | 'localToolsets'>;

/** Throws CONFIG_INVALID, EGRESS_REFUSED, UPSTREAM_FAILED, or a TypeError where the key set is none. */
export async function lookAtIssuer(settings: OAuthSettings, place: Place, now = Date.now): Promise<IssuerLook> {
  mustBeScopes(settings.scopes, place);
  const egress = new Egress({ listed: place.egress, network: place.network });
  const found = settings.jwksUrl === undefined ? await issuerMetadata(egress, settings.issuer) : undefined;
  const { value, serverTime } = await fetchJson(egress, settings.jwksUrl ?? (found?.jwksUrl as string));
  return {
    keys: usableKeys(value).keys.length,
    aheadSeconds: serverTime === undefined ? undefined : Math.round((serverTime - now()) / 1000),
    hasProofKeys: found?.challengeMethods.includes('S256'),
  };
}
