/** How calls of an added platform are authorised: by the operator's flags, else as the documents declare. */
import { isObject } from '../catalog/platform-document.ts';
import type { PlatformDefinition, SingleStrategy } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { type DeclaredSecurity, declaredSecurity } from './declared-security.ts';
import type { ImportOptions, ImportStrategy } from './import-options.ts';
import { signInEndpoint, tokenEndpoint, tokenUrlOf, usableEndpoint } from './stated-token-url.ts';
import type { TakenDocument } from './taken-document.ts';

type PlatformAuth = PlatformDefinition['auth'];
export type StatedAuth = Omit<PlatformAuth, 'section' | 'variables'>;

export function authOf(
  options: ImportOptions,
  documents: readonly TakenDocument[],
  statedBase: string | undefined,
): StatedAuth {
  const declared = declaredSecurity(options, documents, statedBase);
  const strategy = options.auth ?? likelyStrategy(options, declared, hasTokenEndpoint(options, documents, statedBase));
  switch (strategy) {
    case 'declared':
      return { strategy, schemes: declared.schemes };
    case 'api-key':
      return { strategy, header: options.header ?? firstKey(documents, 'header') ?? 'X-API-Key' };
    case 'api-key-query':
    case 'api-key-cookie':
      return { strategy, parameter: keyParameter(strategy, options, documents) };
    case 'oauth2-client-credentials':
      return { strategy, ...tokenEndpoint(options, tokenUrlOf(schemesOf(documents), strategy), statedBase) };
    case 'oauth2-refresh-token':
      return {
        strategy,
        ...tokenEndpoint(options, tokenUrlOf(schemesOf(documents), strategy), statedBase),
        ...signInEndpoint(schemesOf(documents), []),
      };
    default:
      return { strategy };
  }
}

/** Without `--auth`: what the flags imply, one simple credential where every call needs the same, else as declared. */
function likelyStrategy(
  { header, tokenUrl }: ImportOptions,
  { schemes, uniform }: DeclaredSecurity,
  hasEndpoint: boolean,
): ImportStrategy {
  if (header !== undefined) return 'api-key';
  const ways = schemes.flatMap((scheme) => scheme.ways.map((way) => way.strategy));
  if (tokenUrl !== undefined && !ways.some((strategy) => strategy.startsWith('oauth2-')))
    return 'oauth2-client-credentials';
  if (schemes.length === 0) return 'none';
  // Without a token endpoint the scheme is kept as declared: setup asks for the rest.
  if (uniform === 'oauth2-client-credentials' && !hasEndpoint) return 'declared';
  return uniform && isPlain(uniform) ? uniform : 'declared';
}

const hasTokenEndpoint = (
  options: ImportOptions,
  documents: readonly TakenDocument[],
  statedBase: string | undefined,
): boolean =>
  usableEndpoint(options, tokenUrlOf(schemesOf(documents), 'oauth2-client-credentials'), statedBase) !== undefined;

const isPlain = (strategy: SingleStrategy): strategy is 'bearer-token' | 'api-key' | 'oauth2-client-credentials' =>
  strategy === 'bearer-token' || strategy === 'api-key' || strategy === 'oauth2-client-credentials';

function keyParameter(
  strategy: 'api-key-query' | 'api-key-cookie',
  { parameter }: ImportOptions,
  documents: readonly TakenDocument[],
): string {
  const where = strategy === 'api-key-query' ? 'query' : 'cookie';
  const name = parameter ?? firstKey(documents, where);
  if (name !== undefined) return name;
  throw new RouterError(
    'USAGE',
    `--parameter should name the ${where === 'query' ? 'query parameter' : 'cookie'} of the API key; the document states none`,
  );
}

const schemesOf = (documents: readonly TakenDocument[]) =>
  documents.flatMap(({ content }) => {
    const components = isObject(content['components']) ? content['components'] : {};
    const schemes = isObject(components['securitySchemes']) ? components['securitySchemes'] : {};
    return Object.values(schemes).filter(isObject);
  });

function firstKey(documents: readonly TakenDocument[], where: string): string | undefined {
  const found = schemesOf(documents).find((scheme) => scheme['type'] === 'apiKey' && scheme['in'] === where);
  return typeof found?.['name'] === 'string' ? found['name'] : undefined;
}
