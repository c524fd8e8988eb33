/** How calls of an added platform are authorised: by the operator's flags, else as the documents declare. */
import type { JsonObject } from '../catalog/platform-document.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { type DeclaredSecurity, declaredSecurity, keyWays, type Way } from './declared-security.ts';
import type { ImportOptions, ImportStrategy } from './import-options.ts';
import { signInEndpoint, tokenEndpoint, tokenUrlOf } from './stated-token-url.ts';
import type { TakenDocument } from './taken-document.ts';

type PlatformAuth = PlatformDefinition['auth'];
export type StatedAuth = Omit<PlatformAuth, 'section' | 'variables'>;

export function authOf(
  options: ImportOptions,
  documents: readonly TakenDocument[],
  statedBase: string | undefined,
): StatedAuth {
  const declared = declaredSecurity(options, documents, statedBase);
  const strategy = options.auth ?? impliedBy(options, declared);
  return strategy === undefined ? declaredAuth(declared) : namedAuth(strategy, options, declared, statedBase);
}

/** The strategy that other flags imply; undefined where the documents decide. */
function impliedBy({ header, tokenUrl }: ImportOptions, { schemes }: DeclaredSecurity): ImportStrategy | undefined {
  if (header !== undefined) return 'api-key';
  const ways = schemes.flatMap((scheme) => scheme.ways.map((way) => way.strategy));
  return tokenUrl !== undefined && !ways.some((strategy) => strategy.startsWith('oauth2-'))
    ? 'oauth2-client-credentials'
    : undefined;
}

/** One simple credential where every call needs the same, exactly as its scheme says; else each call gets what it needs. */
function declaredAuth({ schemes, uniform }: DeclaredSecurity): StatedAuth {
  if (schemes.length === 0) return { strategy: 'none' };
  return uniform !== undefined && isPlain(uniform) ? uniform : { strategy: 'declared', schemes };
}

/** Without a token endpoint the scheme is kept as declared: setup asks for the rest. */
const isPlain = ({ strategy, token_path, stated_token_url }: Way): boolean =>
  strategy === 'bearer-token' ||
  strategy === 'api-key' ||
  (strategy === 'oauth2-client-credentials' && (token_path ?? stated_token_url) !== undefined);

/** What the operator's flags leave open is that of the first scheme that fits, of those that are used where one of them does. */
function namedAuth(
  strategy: ImportStrategy,
  options: ImportOptions,
  { schemes, definitions }: DeclaredSecurity,
  statedBase: string | undefined,
): StatedAuth {
  switch (strategy) {
    case 'declared':
      return { strategy, schemes };
    case 'api-key':
      return { strategy, header: keyHeader(options, definitions) };
    case 'api-key-query':
    case 'api-key-cookie':
      return { strategy, parameter: keyParameter(strategy, options, definitions) };
    case 'oauth2-client-credentials':
      return { strategy, ...tokenEndpoint(options, tokenUrlOf(definitions, strategy), statedBase) };
    case 'oauth2-refresh-token':
      return {
        strategy,
        ...tokenEndpoint(options, tokenUrlOf(definitions, strategy), statedBase),
        ...signInEndpoint(definitions, []),
      };
    default:
      return { strategy };
  }
}

function keyHeader({ header }: ImportOptions, definitions: readonly JsonObject[]): string {
  const found = firstKey(header === undefined ? definitions : [keyScheme('header', header)], 'api-key')?.header;
  if (found !== undefined) return found;
  if (header === undefined) return 'X-API-Key';
  throw new RouterError(
    'USAGE',
    `--header should be the name of a header that can carry a key, got ${JSON.stringify(header.slice(0, 60))}`,
  );
}

const keyScheme = (where: string, name: string): JsonObject => ({ type: 'apiKey', in: where, name });

function keyParameter(
  strategy: 'api-key-query' | 'api-key-cookie',
  { parameter }: ImportOptions,
  definitions: readonly JsonObject[],
): string {
  const where = strategy === 'api-key-query' ? 'query' : 'cookie';
  const found = firstKey(parameter === undefined ? definitions : [keyScheme(where, parameter)], strategy)?.parameter;
  if (found !== undefined) return found;
  throw new RouterError(
    'USAGE',
    `--parameter should name the ${where === 'query' ? 'query parameter' : 'cookie'} of the API key; ${parameter === undefined ? 'the document states none' : `${JSON.stringify(parameter.slice(0, 60))} cannot be one`}`,
  );
}

const firstKey = (definitions: readonly JsonObject[], strategy: ImportStrategy): Way | undefined =>
  definitions.flatMap(keyWays).find((way) => way.strategy === strategy);
