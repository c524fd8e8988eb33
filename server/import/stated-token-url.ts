/** Where the tokens of an added platform are given. A document may state it; only the operator decides where secrets go. */
import { isObject, type JsonObject } from '../catalog/platform-document.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import type { ImportOptions } from './import-options.ts';

export type TokenEndpoint = Pick<PlatformDefinition['auth'], 'token_path' | 'stated_token_url'>;

/** The flows of OpenAPI whose token endpoint also takes this grant, in the order in which they are looked at. */
const FLOWS = {
  'oauth2-client-credentials': ['clientCredentials'],
  'oauth2-refresh-token': ['authorizationCode', 'password', 'clientCredentials'],
} as const;

/** The token URL that the first fitting scheme states; empty where none does. */
export function tokenUrlOf(schemes: readonly JsonObject[], grant: keyof typeof FLOWS): string {
  for (const scheme of schemes) {
    const flows = isObject(scheme['flows']) ? scheme['flows'] : {};
    for (const name of FLOWS[grant]) {
      const flow = flows[name];
      if (!isObject(flow)) continue;
      return textOf(grant === 'oauth2-refresh-token' ? flow['refreshUrl'] : '') || textOf(flow['tokenUrl']);
    }
  }
  return '';
}

/**
 * The operator decides where the client secret goes: by --token-url, or by --base-url if the document's token URL has
 * the same origin. Otherwise the platform file keeps the document's URL, and each login compares it with the account's
 * base URL, so that a URL elsewhere gets no credential.
 */
export function tokenEndpoint(options: ImportOptions, stated: string, statedBase: string | undefined): TokenEndpoint {
  const found = usableEndpoint(options, stated, statedBase);
  if (found !== undefined) return found;
  throw new RouterError(
    'USAGE',
    `--token-url should say where tokens are given; ${stated === '' ? 'the document does not' : `the document's ${JSON.stringify(stated)} is no path and no http or https URL`}`,
    {
      remedy:
        'add --token-url /path or --token-url https://…; with a token that you already have, add --auth bearer-token',
    },
  );
}

/** The same; undefined where nobody states a usable one. */
export function usableEndpoint(
  options: ImportOptions,
  stated: string,
  statedBase: string | undefined,
): TokenEndpoint | undefined {
  if (options.tokenUrl !== undefined) return { token_path: options.tokenUrl };
  // Below the base URL, wherever that is.
  if (stated.startsWith('/') && !stated.startsWith('//')) return { token_path: stated };
  if (!isWebUrl(stated)) return undefined;
  const named = options.baseUrl !== undefined && foreignTokenUrl(stated, options.baseUrl ?? statedBase) === undefined;
  return named ? { token_path: stated } : { stated_token_url: stated };
}

export type SignInEndpoint = Pick<
  PlatformDefinition['auth'],
  'stated_authorization_url' | 'stated_openid_url' | 'sign_in_scopes'
>;

/** RFC 6749, 3.3: what a scope is written with. */
const SCOPE = /^[!#-[\]-~]{1,200}$/;

/** Where a person obtains a refresh token, as the first fitting scheme states it, and the scopes to ask for. */
export function signInEndpoint(schemes: readonly JsonObject[], scopes: readonly string[]): SignInEndpoint {
  const found = schemes.map((scheme) => {
    const flows = isObject(scheme['flows']) ? scheme['flows'] : {};
    const flow = isObject(flows['authorizationCode']) ? flows['authorizationCode'] : {};
    return { url: webUrl(flow['authorizationUrl']), openId: webUrl(scheme['openIdConnectUrl']) };
  });
  const { url, openId } = found.find((one) => one.url ?? one.openId) ?? {};
  const asked = [...new Set([...(openId === undefined ? [] : ['openid', 'offline_access']), ...scopes])];
  const written = asked.filter((scope) => SCOPE.test(scope));
  return {
    ...(url === undefined ? {} : { stated_authorization_url: url }),
    ...(openId === undefined ? {} : { stated_openid_url: openId }),
    ...(written.length === 0 ? {} : { sign_in_scopes: written }),
  };
}

const isWebUrl = (url: string): boolean => /^https?:\/\//.test(url) && URL.canParse(url);

const webUrl = (value: unknown): string | undefined => {
  const url = textOf(value);
  return isWebUrl(url) ? url : undefined;
};

/** The token URL of a document where it is on another origin than the base URL; undefined where it is not. */
export function foreignTokenUrl(stated: string | undefined, base: string | undefined): string | undefined {
  if (stated === undefined) return undefined;
  return base !== undefined && URL.canParse(base) && new URL(stated).origin === new URL(base).origin
    ? undefined
    : stated;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
