/** The platforms that were added to this folder's router, and how a sign-in for one of them goes without questions. */
import { join } from 'node:path';
import { readEgress, reservedNames } from '../config/config.ts';
import { Environment } from '../config/environment.ts';
import { readNetwork } from '../config/network-settings.ts';
import { type PlatformDefinition, readUserPlatforms } from '../config/platform-file.ts';
import { secretFileOf } from '../config/setup-layout.ts';
import { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import { type SignInMeans, signIn } from './account-sign-in.ts';
import { type AccountValues, accountsOf } from './answers.ts';
import { words } from './ask-added.ts';
import { signInEndpoints } from './sign-in-endpoints.ts';

type RawEnvironment = Record<string, string | undefined>;

/** Read from where the router of this folder reads them. */
export function addedPlatforms(
  env: RawEnvironment,
  directory: string,
  shipped: readonly PlatformDefinition[],
): { platforms: PlatformDefinition[]; problems: string[] } {
  const environment = new Environment(env, directory, { secretFiles: false });
  return readUserPlatforms(join(environment.path('SVC_MCP_CONFIG_DIR'), 'platforms'), reservedNames(shipped));
}

/** Connections by the settings of the folder: SVC_MCP_EGRESS, proxy and certificate authority. */
export function setupEgress(env: RawEnvironment, directory: string): Egress {
  const environment = new Environment(env, directory, { secretFiles: false });
  return new Egress({ listed: readEgress(environment), network: readNetwork(environment) });
}

export interface FlaggedSignIn {
  platforms: readonly PlatformDefinition[];
  accounts: AccountValues;
  /** A secret that was given, or that lies on the disk; undefined for none. */
  secretOf: (section: string, field: string) => string | undefined;
  /** Whether the file of a secret stays, so that a new one would be lost. */
  keeps: (section: string, field: string) => boolean;
}

/** For `--sign-in SECTION[=SCOPES]`: the section and its new refresh token. Throws USAGE where something has to be named first. */
export async function flaggedSignIn(
  entry: string,
  { platforms, accounts, secretOf, keeps }: FlaggedSignIn,
  means: SignInMeans,
): Promise<{ section: string; token: string }> {
  const [section = '', scopes] = entry.split(/=(.*)/s);
  const candidates = platforms
    .filter(({ kind }) => kind === 'user')
    .flatMap(accountsOf)
    .filter(({ auth }) => auth.strategy === 'oauth2-refresh-token');
  const platform = candidates.find(({ auth }) => auth.section === section);
  const known = candidates.map(({ auth }) => auth.section).join(', ') || 'there is none';
  const refuse = (what: string) => new RouterError('USAGE', `--sign-in ${section}: ${what}`);
  if (platform === undefined)
    throw new RouterError('USAGE', `--sign-in should name an account that takes a refresh token (${known})`);
  if (keeps(section, 'refresh_token'))
    throw refuse(`${secretFileOf(section, 'refresh_token')} is there already; --force replaces it`);
  const { authorizationUrl, tokenUrl } = signInEndpoints(platform, accounts);
  const clientId = accounts[section]?.['client_id'];
  const missing = Object.entries({ client_id: clientId, token_url: tokenUrl, authorization_url: authorizationUrl });
  const named = missing.filter(([, value]) => value === undefined).map(([field]) => `--account ${section}.${field}=…`);
  if (clientId === undefined || authorizationUrl === undefined || tokenUrl === undefined)
    throw refuse(`only you decide where credentials go: add ${named.join(' ')}`);
  const token = await signIn(
    {
      title: platform.title,
      authorizationUrl,
      tokenUrl,
      clientId,
      clientSecret: secretOf(section, 'client_secret') ?? '',
      scopes: scopes === undefined ? (platform.auth.sign_in_scopes ?? []) : words(scopes),
    },
    means,
  );
  return { section, token };
}
