/** Where the requests of an account may go: its own addresses, and of those that a document states the ones that count. */
import { specialAddress } from '../egress/special-addresses.ts';
import { RouterError } from '../errors.ts';
import type { Fields } from './account-sections.ts';
import type { PlatformDefinition } from './platform-file.ts';

/** The fields of a platform that its account needs. */
export type AccountPlatform = Pick<PlatformDefinition, 'auth' | 'base_url' | 'stated_base_url' | 'named_origins'> &
  Partial<Pick<PlatformDefinition, 'kind'>>;

/** The base URL of the platform file. What only a document states serves a platform whose calls carry no credential. */
export function filedAddress({ auth, base_url, stated_base_url }: AccountPlatform): Fields {
  const address = base_url ?? (auth.strategy === 'none' ? stated_base_url : undefined);
  return address === undefined ? {} : { base_url: address };
}

/** A document's token URL counts only on the origin that the operator named, else it would decide who gets the secret. */
export function statedTokenUrl(
  { section, stated_token_url: stated }: PlatformDefinition['auth'],
  baseUrl: string,
  path: string,
): string | undefined {
  if (stated === undefined) return undefined;
  if (URL.canParse(stated) && new URL(stated).origin === new URL(baseUrl).origin) return stated;
  throw new RouterError(
    'CREDENTIALS_MISSING',
    `\`${section}.token_url\` should be set in ${path}, got only ${JSON.stringify(stated)} of the document, which is not on the server of \`base_url\``,
  );
}

export const originOf = (url: string): string => new URL(url).origin;

/**
 * Login URLs on other servers. A user's platform file may take its URL from a document, so a flag must have named the
 * server.
 */
export function namedBy({ auth, kind, named_origins }: AccountPlatform): string[] {
  const shipped = kind === 'toolset' || kind === 'product';
  return [...(shipped ? [auth.token_path ?? '', auth.login_path ?? ''] : []), ...(named_origins ?? [])];
}

/** Without a slash at its end. Throws CREDENTIALS_INVALID, naming the field and not the value. */
export function checkUrl(text: string, field: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fine =
    url &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    // An empty query or fragment swallows the path that is appended, and has neither `search` nor `hash`.
    !/[?#\\]/.test(text);
  if (!fine) {
    throw new RouterError(
      'CREDENTIALS_INVALID',
      `\`${field}\` should be an http or https URL without user, query or fragment`,
    );
  }
  const special = specialAddress(url.hostname);
  if (special !== undefined)
    throw new RouterError('CREDENTIALS_INVALID', `\`${field}\` should be a platform's address, got a ${special} one`);
  return text.replace(/\/+$/, '');
}
