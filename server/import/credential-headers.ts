/**
 * Documents that ask for their credential as a header parameter, `Authorization` or `X-Auth-Token`, and declare no scheme for it.
 * OpenAPI 3.1 has such parameters ignored, and no caller sets these headers here, so each becomes what it stands for: a key in a header.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { type ApiDocument, isObject, type JsonObject, resolveRef } from '../catalog/platform-document.ts';
import type { TakenDocument } from './taken-document.ts';

const CREDENTIAL_HEADER = /^(?:authorization|x-auth-token)$/i;

/** Changes the document: operations that need such a header, and no scheme, get one. */
export function stateCredentialHeaders({ id, content }: TakenDocument): void {
  for (const { operation, parameters } of operationsIn({ id, file: id, content })) {
    if (isSecured(operation['security'] ?? content['security'])) continue;
    const header = parameters.find(isCredentialHeader);
    if (header !== undefined) operation['security'] = [{ [schemeFor(content, String(header['name']))]: [] }];
  }
}

/**
 * Changes the document: where an operation demands the keys of schemes as parameters, every alternative of its security gets them all.
 * They are sent as credentials, and no caller is asked for them.
 */
export function joinDemandedKeys({ id, content }: TakenDocument): void {
  for (const { operation, parameters } of operationsIn({ id, file: id, content })) {
    const security = operation['security'] ?? content['security'];
    const stated = isSecured(security) ? security.filter(isObject) : [{}];
    const demanded = demandedSchemes(content, parameters);
    const lacks = (entry: JsonObject) => demanded.some((name) => !Object.hasOwn(entry, name));
    if (stated.some(lacks)) operation['security'] = withSchemes(stated, demanded);
  }
}

function operationsIn(within: ApiDocument): { operation: JsonObject; parameters: JsonObject[] }[] {
  const { paths } = within.content;
  const items = isObject(paths) ? Object.values(paths).filter(isObject) : [];
  return items
    .map((entry) => resolveRef(within, entry))
    .flatMap((item) =>
      METHODS.map((method) => item[method])
        .filter(isObject)
        .map((operation) => ({
          operation,
          parameters: [item['parameters'], operation['parameters']]
            .flatMap((list) => (Array.isArray(list) ? list : []))
            .map((parameter) => resolveRef(within, parameter)),
        })),
    );
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
function withSchemes(security: readonly JsonObject[], names: readonly string[]): JsonObject[] {
  const more = Object.fromEntries(names.map((name) => [name, []]));
  const joined = security.map((entry) => ({ ...more, ...entry }));
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
