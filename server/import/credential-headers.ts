/**
 * Documents that ask for their credential as a header parameter, `Authorization` or `X-Auth-Token`, and declare no scheme for it.
 * OpenAPI 3.1 has such parameters ignored, and no caller sets these headers here, so each becomes what it stands for: a key in a header.
 */
import { METHODS } from '../catalog/operation-source.ts';
import { isObject, type JsonObject, resolveRef } from '../catalog/platform-document.ts';
import type { TakenDocument } from './taken-document.ts';

const CREDENTIAL_HEADER = /^(?:authorization|x-auth-token)$/i;

/** Changes the document: operations that need such a header, and no scheme, get one. */
export function stateCredentialHeaders({ id, content }: TakenDocument): void {
  const within = { id, file: id, content };
  const items = isObject(content['paths']) ? Object.values(content['paths']).filter(isObject) : [];
  for (const item of items.map((entry) => resolveRef(within, entry)))
    for (const operation of METHODS.map((method) => item[method]).filter(isObject)) {
      if (isSecured(operation['security'] ?? content['security'])) continue;
      const header = [item['parameters'], operation['parameters']]
        .flatMap((list) => (Array.isArray(list) ? list : []))
        .map((parameter) => resolveRef(within, parameter))
        .find(isCredentialHeader);
      if (header !== undefined) operation['security'] = [{ [schemeFor(content, String(header['name']))]: [] }];
    }
}

const isSecured = (security: unknown): boolean =>
  Array.isArray(security) && security.some((entry) => isObject(entry) && Object.keys(entry).length > 0);

const isCredentialHeader = ({ in: where, name, required }: JsonObject): boolean =>
  where === 'header' && required === true && typeof name === 'string' && CREDENTIAL_HEADER.test(name);

/** Name of the scheme of a header, which is added where there is none. */
function schemeFor(content: JsonObject, header: string): string {
  const components = isObject(content['components']) ? content['components'] : {};
  const schemes = isObject(components['securitySchemes']) ? components['securitySchemes'] : {};
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
    ...components,
    securitySchemes: { ...schemes, [name]: { type: 'apiKey', in: 'header', name: header } },
  };
  return name;
}
