/** The security schemes that operations of the documents name (OpenAPI 3, `securitySchemes` and `security`), and how each is sent. */
import { overridesRequest } from '../catalog/method-override.ts';
import { METHODS } from '../catalog/operation-source.ts';
import { isObject, type JsonObject, resolveRef } from '../catalog/platform-document.ts';
import {
  CREDENTIAL_FIELDS,
  type DeclaredScheme,
  derivedVariables,
  HEADER_NAME,
  OPTIONAL_FIELDS,
} from '../config/platform-file.ts';
import { joinDemandedKeys, stateCredentialHeaders } from './credential-headers.ts';
import type { Finding } from './import-finding.ts';
import type { ImportOptions } from './import-options.ts';
import { signInEndpoint, type TokenEndpoint, tokenUrlOf, usableEndpoint } from './stated-token-url.ts';
import type { TakenDocument } from './taken-document.ts';
import { joinTokenSchemes } from './token-schemes.ts';

export interface DeclaredSecurity {
  schemes: DeclaredScheme[];
  /** The first way of the only scheme, where every operation needs it and nothing else of it, no scope either. */
  uniform?: Way;
  /** Definitions of all schemes that the documents declare, those that an operation needs before the others. */
  definitions: JsonObject[];
}

interface Stated {
  name: string;
  documents: string[];
  definition: JsonObject;
}

/** A way without its section, which depends on how many schemes there are. */
export type Way = Omit<DeclaredScheme['ways'][number], 'section' | 'base_section' | 'variables'>;
type Sendable = { ways: Way[]; about: string; unsendable?: string };

/**
 * A document that declares schemes and nowhere says which operation needs them gets each of them as an alternative for
 * every operation: such documents exist in numbers, and their servers do want the credential.
 */
export function declaredSecurity(
  options: ImportOptions,
  documents: readonly TakenDocument[],
  statedBase: string | undefined,
): DeclaredSecurity {
  const stated: Stated[] = [];
  for (const document of documents) {
    stateCredentialHeaders(document);
    stateSecurity(document);
    joinDemandedKeys(document);
    joinTokenSchemes(resolvedSchemes(document), [document.content, ...operationsOf(document)]);
    for (const name of namedSchemes(document)) addStated(stated, name, document);
  }
  const several = stated.length > 1;
  const ids = new Set<string>();
  const described = stated.map(({ name, documents: within, definition }) => {
    const id = idFor(name, ids);
    const scopes = documents
      .filter((document) => within.includes(document.id))
      .flatMap((document) => scopesIn(document, name));
    return { id, name, documents: within, ...sendableOf(definition, { options, statedBase, scopes }) };
  });
  const schemes = described.map(({ ways, ...rest }): DeclaredScheme => {
    const section = several ? `${options.name}_${rest.id}` : options.name;
    return { ...rest, ways: ways.map((way) => withSection(way, section, options.name)) };
  });
  const way = several ? undefined : described[0]?.ways[0];
  const declared = documents.flatMap((document) => Object.values(resolvedSchemes(document)).filter(isObject));
  return {
    schemes,
    ...(way !== undefined && documents.every(isUniform) ? { uniform: way } : {}),
    definitions: [...stated.map(({ definition }) => definition), ...declared],
  };
}

function withSection(way: Way, section: string, platform: string): DeclaredScheme['ways'][number] {
  const { base_url, ...variables } = derivedVariables(section, [
    ...CREDENTIAL_FIELDS[way.strategy],
    ...(OPTIONAL_FIELDS[way.strategy] ?? []),
  ]);
  const own = derivedVariables(platform, [])['base_url'] ?? base_url;
  return { ...way, section, base_section: platform, variables: { ...(own ? { base_url: own } : {}), ...variables } };
}

function operationsOf({ id, content }: TakenDocument): JsonObject[] {
  const stated = isObject(content['paths']) ? Object.values(content['paths']).filter(isObject) : [];
  const items = stated.map((item) => resolveRef({ id, file: id, content }, item));
  return items.flatMap((item) => METHODS.map((method) => item[method]).filter(isObject));
}

function schemesIn({ content }: TakenDocument): JsonObject {
  const components = isObject(content['components']) ? content['components'] : {};
  return isObject(components['securitySchemes']) ? components['securitySchemes'] : {};
}

function resolvedSchemes(document: TakenDocument): JsonObject {
  const within = { id: document.id, file: document.id, content: document.content };
  return Object.fromEntries(
    Object.entries(schemesIn(document)).map(([name, scheme]) => [name, resolveRef(within, scheme)]),
  );
}

function stateSecurity(document: TakenDocument): void {
  const names = Object.keys(schemesIn(document));
  const states = [document.content, ...operationsOf(document)].some(({ security }) => Array.isArray(security));
  if (names.length > 0 && !states) document.content['security'] = names.map((name) => ({ [name]: [] }));
}

const requirementsOf = (document: TakenDocument, operation: JsonObject): JsonObject[] => {
  const stated = operation['security'] ?? document.content['security'];
  return Array.isArray(stated) ? stated.filter(isObject) : [];
};

/** Names in the order in which the operations first use them. */
function namedSchemes(document: TakenDocument): Set<string> {
  const declared = schemesIn(document);
  const named = operationsOf(document).flatMap((operation) => requirementsOf(document, operation).flatMap(Object.keys));
  return new Set(named.filter((name) => Object.hasOwn(declared, name)));
}

function isUniform(document: TakenDocument): boolean {
  const declared = schemesIn(document);
  return operationsOf(document).every((operation) => {
    const [only, ...others] = requirementsOf(document, operation);
    const [scheme, ...more] = Object.entries(only ?? {});
    if (scheme === undefined || more.length > 0 || others.length > 0) return false;
    const [name, scopes] = scheme;
    return Object.hasOwn(declared, name) && (!Array.isArray(scopes) || scopes.length === 0);
  });
}

/** One finding for each document of which operations name schemes that it does not declare, where it declares none of use. */
export function undeclaredSchemes(documents: readonly TakenDocument[]): Finding[] {
  return documents.flatMap((document) => {
    const declared = schemesIn(document);
    const named = operationsOf(document).flatMap((operation) =>
      requirementsOf(document, operation).flatMap(Object.keys),
    );
    const missing = [...new Set(named)].filter((name) => !Object.hasOwn(declared, name));
    if (missing.length === 0) return [];
    const names = missing.map((name) => JSON.stringify(name.slice(0, 60))).join(', ');
    return [
      {
        document: document.id,
        pointer: '/components/securitySchemes',
        message: `operations name the security schemes ${names}, which are not declared: they are called without a credential`,
        remedy: 'declare them in the document, or say with --auth which credential calls get',
      },
    ];
  });
}

/** What makes one credential of the schemes of several documents: all but their descriptions and the scopes that they list. */
function identityOf({ description: _, flows, ...rest }: JsonObject): string {
  const withoutScopes = Object.entries(isObject(flows) ? flows : {}).map(([name, flow]) => [
    name,
    isObject(flow) ? { ...flow, scopes: {} } : flow,
  ]);
  return JSON.stringify([rest, withoutScopes]);
}

/** One entry for a scheme that several documents declare alike. */
function addStated(stated: Stated[], name: string, document: TakenDocument): void {
  const { id, content } = document;
  const definition = resolveRef({ id, file: id, content }, schemesIn(document)[name]);
  const identity = identityOf(definition);
  const known = stated.find((one) => one.name === name && identityOf(one.definition) === identity);
  if (known) known.documents.push(id);
  else stated.push({ name, documents: [id], definition });
}

function idFor(name: string, taken: Set<string>): string {
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '')
      .replace(/^[0-9]+/, '')
      .slice(0, 20) || 'scheme';
  let id = plain;
  for (let n = 2; taken.has(id); n++) id = `${plain}${n}`;
  taken.add(id);
  return id;
}

/** Scopes that the operations of a document need of a scheme. */
function scopesIn(document: TakenDocument, name: string): string[] {
  const lists = operationsOf(document).flatMap((operation) =>
    requirementsOf(document, operation).map((requirement) => requirement[name]),
  );
  return lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter((scope) => typeof scope === 'string');
}

interface Surroundings {
  options: ImportOptions;
  statedBase: string | undefined;
  /** Scopes that the operations need of the scheme. */
  scopes: readonly string[];
}

function sendableOf(definition: JsonObject, around: Surroundings): Sendable {
  const type = textOf(definition['type']);
  if (type === 'apiKey') return apiKeyOf(definition);
  if (type === 'http') return httpOf(definition);
  if (type === 'oauth2' || type === 'openIdConnect') return oauth2Of(definition, around);
  if (type === 'mutualTLS')
    return refused('mutualTLS', 'it needs a client certificate, and this router has no setting for one');
  return refused(type || 'without a type', 'OpenAPI knows no scheme of this type');
}

const refused = (about: string, unsendable: string): Sendable => ({ about, ways: [], unsendable });

/** Headers that say how the request is to be read, and not by whom it is sent. */
const TRANSPORT_HEADER =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept|proxy-.*)$/i;
const COOKIE_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

/** How the key of a scheme is sent; none for a scheme of another type and for a key that is not sent. */
export const keyWays = (definition: JsonObject): Way[] =>
  textOf(definition['type']) === 'apiKey' ? apiKeyOf(definition).ways : [];

function apiKeyOf({ in: where, name: stated }: JsonObject): Sendable {
  const name = textOf(stated);
  const about = `apiKey in ${textOf(where) || 'nothing'}`;
  if (overridesRequest(name)) return refused(about, `${JSON.stringify(name)} would make the request another one`);
  if (where === 'query' && name !== '' && name.length <= 100)
    return { about, ways: [{ strategy: 'api-key-query', parameter: name }] };
  if (where === 'cookie' && COOKIE_NAME.test(name))
    return { about, ways: [{ strategy: 'api-key-cookie', parameter: name }] };
  if (where === 'header' && new RegExp(HEADER_NAME).test(name) && !TRANSPORT_HEADER.test(name))
    return { about, ways: [{ strategy: 'api-key', header: name }] };
  return refused(about, `${JSON.stringify(name.slice(0, 60))} is no name for a key there`);
}

/** Schemes of HTTP that compute what they send, or agree on it with the server (IANA registry of authentication schemes). */
const COMPUTED =
  /^(?:concealed|dpop|gnap|hawk|hoba|mutual|negotiate|ntlm|kerberos|oauth|scram-.*|vapid|(?:.*-)?hmac.*|aws4.*|signature)$/;
const SCHEME_NAME = /^[a-z][a-z0-9-]{0,29}$/i;

/** Any other scheme is a word before a fixed token (RFC 9110, 11.4), written as the document writes it: `Token`, `SSWS`. */
function httpOf({ scheme }: JsonObject): Sendable {
  const stated = textOf(scheme);
  const name = stated.toLowerCase();
  const about = `http ${name}`;
  if (name === 'bearer') return { about, ways: [{ strategy: 'bearer-token' }] };
  if (name === 'basic' || name === 'digest') return { about, ways: [{ strategy: name }] };
  if (SCHEME_NAME.test(name) && !COMPUTED.test(name))
    return { about, ways: [{ strategy: 'api-key', header: 'Authorization', prefix: `${stated} ` }] };
  return refused(about, 'this router sends basic, bearer, digest and fixed tokens');
}

/** A token for the program where a flow gives one, else one that a person obtained: by its refresh token, or as it is. */
function oauth2Of(definition: JsonObject, { options, statedBase, scopes }: Surroundings): Sendable {
  const flows = isObject(definition['flows']) ? definition['flows'] : {};
  const endpoint = (grant: 'oauth2-client-credentials' | 'oauth2-refresh-token'): TokenEndpoint =>
    usableEndpoint(options, tokenUrlOf([definition], grant), statedBase) ?? {};
  const forProgram = isObject(flows['clientCredentials']);
  const forPerson = ['authorizationCode', 'password'].some((flow) => isObject(flows[flow]));
  const connects = definition['type'] === 'openIdConnect';
  const about = connects ? 'openIdConnect' : `oauth2 ${Object.keys(flows).join(', ')}`.trim();
  return {
    about,
    ways: [
      ...(forProgram
        ? [{ strategy: 'oauth2-client-credentials' as const, ...endpoint('oauth2-client-credentials') }]
        : []),
      ...(forPerson || connects
        ? [
            {
              strategy: 'oauth2-refresh-token' as const,
              ...endpoint('oauth2-refresh-token'),
              ...signInEndpoint([definition], scopes),
            },
          ]
        : []),
      { strategy: 'bearer-token' },
    ],
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
