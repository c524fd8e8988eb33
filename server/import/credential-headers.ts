/**
 * Documents that ask for their credential as a header parameter, `Authorization` or `X-Auth-Token`, and declare no scheme for it.
 * OpenAPI 3.1 has such parameters ignored, and no caller sets these headers here, so each becomes what it stands for: a key in a header.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { isObject, type JsonObject, resolveRef } from '../catalog/platform-document.ts';
import type { TakenDocument } from './taken-document.ts';

const CREDENTIAL_HEADER = /^(?:authorization|x-auth-token)$/i;

/**
 * Changes the document: operations that need such a header, and no scheme, get one. Where an operation demands the keys of
 * schemes as parameters, every alternative of its security gets them all: they are sent as credentials and not asked of the caller.
 */
export function stateCredentialHeaders({ id, content }: TakenDocument): void {
  const within = { id, file: id, content };
  const items = isObject(content['paths']) ? Object.values(content['paths']).filter(isObject) : [];
  for (const item of items.map((entry) => resolveRef(within, entry)))
    for (const operation of METHODS.map((method) => item[method]).filter(isObject)) {
      const parameters = [item['parameters'], operation['parameters']]
        .flatMap((list) => (Array.isArray(list) ? list : []))
        .map((parameter) => resolveRef(within, parameter));
      stateCredentials(content, operation, parameters);
    }
}

function stateCredentials(content: JsonObject, operation: JsonObject, parameters: readonly JsonObject[]): void {
  const security = operation['security'] ?? content['security'];
  const demanded = demandedSchemes(content, parameters);
  if (demanded.length > 0) operation['security'] = withSchemes(isSecured(security) ? security : [{}], demanded);
  if (demanded.length > 0 || isSecured(security)) return;
  const header = parameters.find(isCredentialHeader);
  if (header !== undefined) operation['security'] = [{ [schemeFor(content, String(header['name']))]: [] }];
}

const isSecured = (security: unknown): security is unknown[] =>
  Array.isArray(security) && security.some((entry) => isObject(entry) && Object.keys(entry).length > 0);

const isCredentialHeader = ({ in: where, name, required }: JsonObject): boolean =>
  where === 'header' && required === true && typeof name === 'string' && CREDENTIAL_HEADER.test(name);

/** Names of the key schemes of which the key is a required parameter. */
function demandedSchemes(content: JsonObject, parameters: readonly JsonObject[]): string[] {
  const required = parameters.filter((parameter) => parameter['required'] === true);
  return Object.entries(schemesOf(content)).flatMap(([name, scheme]) => {
    if (!isObject(scheme) || scheme['type'] !== 'apiKey') return [];
    const isSame = (parameter: JsonObject) => parameter['in'] === scheme['in'] && parameter['name'] === scheme['name'];
    return required.some(isSame) ? [name] : [];
  });
}

/** The alternatives with further schemes; those that are then the same once. */
function withSchemes(security: readonly unknown[], names: readonly string[]): JsonObject[] {
  const more = Object.fromEntries(names.map((name) => [name, []]));
  const joined = security.filter(isObject).map((entry) => ({ ...more, ...entry }));
  return [...new Map(joined.map((entry) => [Object.keys(entry).sort().join('\n'), entry])).values()];
}

const schemesOf = (content: JsonObject): JsonObject => {
  const components = isObject(content['components']) ? content['components'] : {};
  return isObject(components['securitySchemes']) ? components['securitySchemes'] : {};
};

/** Name of the scheme of a header, which is added where there is none. */
function schemeFor(content: JsonObject, header: string): string {
  const schemes = schemesOf(content);
  const isOfHeader = (scheme: unknown) =>
    isObject(scheme) &&
    scheme['type'] === 'apiKey' &&
    scheme['in'] === 'header' &&
    String(scheme['name']).toLowerCase() === header.toLowerCase();
  const known = Object.entries(schemes).find(([, scheme]) => isOfHeader(scheme));
  if (known !== undefined) return known[0];
  let name = header.toLowerCase();
  while (Object.hasOwn(schemes, name)) name += '_header';
  content['components'] = {
    ...(isObject(content['components']) ? content['components'] : {}),
    securitySchemes: { ...schemes, [name]: { type: 'apiKey', in: 'header', name: header } },
  };
  return name;
}
