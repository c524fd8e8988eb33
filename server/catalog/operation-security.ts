/** The credentials that an operation asks for by `security`, as the schemes of its platform file. */
import type { PlatformDefinition } from '../config/platform-file.ts';
import { type ApiDocument, isObject, type JsonObject } from './platform-document.ts';
import type { ToolSecurity } from './tool.ts';

/**
 * Undefined where the platform presents one credential of its own. An alternative that names a scheme which the document
 * does not declare is left out; throws where nothing else is left.
 */
export function readSecurity(
  { auth }: PlatformDefinition,
  document: ApiDocument,
  operation: JsonObject,
  notes: string[],
): ToolSecurity | undefined {
  if (auth.strategy !== 'declared') return undefined;
  const stated = operation['security'] ?? document.content['security'];
  if (stated === undefined || (Array.isArray(stated) && stated.length === 0)) return [];
  if (!Array.isArray(stated) || !stated.every(isObject)) throw new Error('its `security` should be a list of objects');
  const schemes = (auth.schemes ?? []).filter(({ documents }) => documents.includes(document.id));
  const idOf = (name: string) => schemes.find((scheme) => scheme.name === name)?.id;
  const unknown = stated.flatMap(Object.keys).filter((name) => idOf(name) === undefined);
  const known = stated.filter((entry) => Object.keys(entry).every((name) => idOf(name) !== undefined));
  const names = [...new Set(unknown)].map((name) => JSON.stringify(name.slice(0, 60))).join(', ');
  if (known.length === 0)
    throw new Error(`its \`security\` names ${names}, which \`components.securitySchemes\` does not declare`);
  if (unknown.length > 0)
    notes.push(`its security names ${names}, which is not declared: that alternative is left out`);
  return known.map((entry) =>
    Object.entries(entry).map(([name, scopes]) => ({
      scheme: idOf(name) ?? '',
      scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [],
    })),
  );
}

/** Schemes by which no alternative of an operation can be sent; undefined where one can. */
export function unsendableBy(
  { auth }: Pick<PlatformDefinition, 'auth'>,
  security: ToolSecurity | undefined,
): string[] | undefined {
  if (security === undefined || security.length === 0) return undefined;
  const refused = new Map((auth.schemes ?? []).flatMap(({ id, name, unsendable }) => (unsendable ? [[id, name]] : [])));
  const blocked = security.map((entry) => entry.flatMap(({ scheme }) => refused.get(scheme) ?? []));
  return blocked.every((names) => names.length > 0) ? [...new Set(blocked.flat())] : undefined;
}

/** Whether a parameter of this place and name is a credential that the router sends itself. */
export function isCredential({ auth }: PlatformDefinition, where: string, name: string): boolean {
  if (where === 'query' && name === auth.session_parameter) return true;
  return [auth, ...(auth.schemes ?? []).flatMap(({ ways }) => ways)].some(({ strategy, header, parameter }) => {
    if (where === 'header') return header?.toLowerCase() === name.toLowerCase();
    const place = strategy === 'api-key-query' ? 'query' : strategy === 'api-key-cookie' ? 'cookie' : '';
    return place === where && parameter === name;
  });
}
