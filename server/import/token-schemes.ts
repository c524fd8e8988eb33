/**
 * Requirements that name several schemes of which each is a token in the header `Authorization` (OAuth2, OpenID Connect, bearer). A
 * request has that header once (RFC 9110, 5.3), so one token is meant: documents split one authorisation server into a scheme for
 * each flow and name them together.
 */
import { isObject, type JsonObject } from '../catalog/platform-document.ts';

/** Flows by what the router can do with them: a token for the program, one that is renewed, one that somebody brings. */
const FLOWS = ['clientCredentials', 'authorizationCode', 'password', 'implicit'];

/**
 * Leaves one token scheme in each requirement, with the scopes of all of them.
 *
 * @param holders what may have `security`: the document and its operations
 */
export function joinTokenSchemes(schemes: JsonObject, holders: readonly JsonObject[]): void {
  for (const holder of holders) {
    const { security } = holder;
    if (!Array.isArray(security)) continue;
    holder['security'] = security.flatMap((entry: unknown) =>
      isObject(entry) ? apart(joined(entry, schemes), schemes) : [entry],
    );
  }
}

function joined(requirement: JsonObject, schemes: JsonObject): JsonObject {
  const tokens = Object.keys(requirement).filter((name) => isToken(schemeOf(schemes, name)));
  if (tokens.length < 2) return requirement;
  const kept = tokens.toSorted((left, right) => rankOf(schemeOf(schemes, left)) - rankOf(schemeOf(schemes, right)))[0];
  const scopes = tokens.flatMap((name) => (Array.isArray(requirement[name]) ? (requirement[name] as unknown[]) : []));
  const entries = Object.entries(requirement).filter(([name]) => !tokens.includes(name) || name === kept);
  return Object.fromEntries(entries.map(([name, own]) => [name, name === kept ? [...new Set(scopes)] : own]));
}

/** A token and a key for the header `Authorization` cannot both be sent: each is an alternative, the token first. */
function apart(requirement: JsonObject, schemes: JsonObject): JsonObject[] {
  const names = Object.keys(requirement);
  const token = names.find((name) => isToken(schemeOf(schemes, name)));
  const keys = names.filter((name) => isKeyOfAuthorization(schemeOf(schemes, name)));
  if (token === undefined || keys.length === 0) return [requirement];
  const without = (left: readonly string[]) =>
    Object.fromEntries(Object.entries(requirement).filter(([name]) => !left.includes(name)));
  return [without(keys), without([token])];
}

const isKeyOfAuthorization = ({ type, in: where, name }: JsonObject): boolean =>
  type === 'apiKey' && where === 'header' && String(name).toLowerCase() === 'authorization';

const schemeOf = (schemes: JsonObject, name: string): JsonObject => {
  const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  return isObject(scheme) ? scheme : {};
};

const isToken = ({ type, scheme }: JsonObject): boolean =>
  type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && String(scheme).toLowerCase() === 'bearer');

function rankOf({ flows }: JsonObject): number {
  const rank = isObject(flows) ? FLOWS.findIndex((flow) => isObject(flows[flow])) : -1;
  return rank < 0 ? FLOWS.length : rank;
}
