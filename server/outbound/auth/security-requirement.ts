/**
 * Which credentials a request presents: the one of its platform, or, where the platform has declared schemes, those that
 * the `security` of its operation asks for (OpenAPI: schemes of one entry together, entries as alternatives).
 */
import type { Account, CredentialsStore } from '../../config/credentials.ts';
import type { DeclaredScheme, PlatformDefinition } from '../../config/platform-file.ts';
import { RouterError } from '../../errors.ts';

/** A scheme by its id in the platform file. */
export interface NeededScheme {
  scheme: string;
  scopes: readonly string[];
}

/** Alternatives in the order of the document. An entry without schemes permits a call without credentials. */
export type SecurityRequirement = readonly (readonly NeededScheme[])[];

/** One scheme of a request: its platform reduced to this scheme, and its account. */
export interface Credential {
  platform: PlatformDefinition;
  account: Account;
  scopes: readonly string[];
}

/** Who sends a request. */
export interface Sender {
  /** Address and rate budget of the platform. */
  account: Account;
  credentials: readonly Credential[];
}

/** `security` is needed for a platform with declared schemes, and is ignored by any other. */
export function senderOf(
  store: CredentialsStore,
  platform: PlatformDefinition,
  security: SecurityRequirement | undefined,
): Sender {
  if (platform.auth.strategy !== 'declared') {
    const account = store.account(platform);
    return { account, credentials: [{ platform, account, scopes: [] }] };
  }
  if (security === undefined) throw new RouterError('INTERNAL', `${platform.id}: a request should state its security`);
  const credentials = chosen(store, platform, security);
  return { account: store.account(credentials.length === 0 ? withoutCredentials(platform) : platform), credentials };
}

/** The first alternative for which the account has everything; one without schemes only if there is no other. */
function chosen(store: CredentialsStore, platform: PlatformDefinition, security: SecurityRequirement): Credential[] {
  const lacking: RouterError[] = [];
  for (const needed of security.filter((entry) => entry.length > 0)) {
    const found = allOf(store, platform, needed);
    if (!(found instanceof RouterError)) return found;
    lacking.push(found);
  }
  const [first, ...others] = lacking;
  if (first === undefined || security.some((entry) => entry.length === 0)) return [];
  if (others.length === 0) throw first;
  const alternatives = lacking.map(({ message }, at) => `(${at + 1}) ${message}`).join('; ');
  throw new RouterError('CREDENTIALS_MISSING', `${platform.id}: one of these is needed: ${alternatives}`);
}

/** The credentials of one alternative, or what it lacks. */
function allOf(
  store: CredentialsStore,
  platform: PlatformDefinition,
  needed: readonly NeededScheme[],
): Credential[] | RouterError {
  const credentials: Credential[] = [];
  for (const { scheme, scopes } of needed) {
    const declared = platform.auth.schemes?.find(({ id }) => id === scheme);
    const found = declared === undefined ? undefined : credentialOf(store, platform, declared, scopes);
    if (found === undefined)
      return new RouterError(
        'CREDENTIALS_MISSING',
        `${platform.id}: the scheme ${scheme} is not declared: add it again`,
      );
    if (found instanceof RouterError) return found;
    credentials.push(found);
  }
  const clash = clashOf(credentials);
  return clash === undefined
    ? credentials
    : new RouterError(
        'CREDENTIALS_MISSING',
        `${platform.id}: two schemes need the same ${clash}, so both cannot be sent`,
      );
}

/** What two of these credentials would both fill, so that only one of them would arrive. */
function clashOf(credentials: readonly Credential[]): string | undefined {
  const places = credentials.map(({ platform: { auth } }) => placeOf(auth));
  return places.find((place, at) => places.indexOf(place) !== at);
}

function placeOf({ strategy, header, parameter }: PlatformDefinition['auth']): string {
  if (strategy === 'api-key-query') return `query parameter ${parameter}`;
  if (strategy === 'api-key-cookie') return `cookie ${parameter}`;
  return `header ${strategy === 'api-key' ? header?.toLowerCase() : 'authorization'}`;
}

/** The first way to present a scheme for which there are credentials, or what is missing for the first way. */
function credentialOf(
  store: CredentialsStore,
  platform: PlatformDefinition,
  { ways, name, about, unsendable }: DeclaredScheme,
  scopes: readonly string[],
): Credential | RouterError {
  if (unsendable !== undefined)
    return new RouterError(
      'CREDENTIALS_MISSING',
      `${platform.id}: the scheme ${JSON.stringify(name)} (${about}) is not sent by this router: ${unsendable}`,
    );
  let missing: RouterError | undefined;
  for (const way of ways) {
    const single = { ...platform, auth: way };
    try {
      return { platform: single, account: store.account(single), scopes };
    } catch (error) {
      if (!(error instanceof RouterError && error.code === 'CREDENTIALS_MISSING')) throw error;
      missing ??= error;
    }
  }
  return missing ?? new RouterError('CREDENTIALS_MISSING', `${platform.id}: the scheme ${name} has no way to be sent`);
}

const bare = new WeakMap<PlatformDefinition['auth'], PlatformDefinition['auth']>();

/** Its address may be the one that only the document states: no credential goes there. */
function withoutCredentials(platform: PlatformDefinition): PlatformDefinition {
  const { auth } = platform;
  const { schemes: _, ...rest } = auth;
  const known = bare.get(auth) ?? { ...rest, strategy: 'none' };
  bare.set(auth, known);
  return { ...platform, auth: known };
}
