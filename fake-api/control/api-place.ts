/** Paths of the API port: which namespace and which platform a call is for, and what is left for the platform. */
import { DEFAULT_NAMESPACE } from './default-namespace.ts';
import type { Namespaces } from './namespaces.ts';

/** Where a call of the API port goes. */
export interface ApiPlace {
  namespace: string;
  platform: string;
  path: string;
}

/** `/{platform}/…` is the default namespace, `/ns/{namespace}/{platform}/…` another. */
export function apiPlaceOf(path: string): ApiPlace | null {
  const match = /^(?:\/ns\/([^/]+))?\/([^/]+)(\/.*)?$/.exec(path);
  if (match === null) return null;
  return { namespace: match[1] ?? DEFAULT_NAMESPACE, platform: match[2] as string, path: match[3] ?? '/' };
}

/** Why a path leads to no platform, for the body of the 404. */
export function missingPlace(
  path: string,
  place: ApiPlace | null,
  namespaces: Namespaces,
  served: ReadonlyMap<string, unknown>,
): string {
  if (place === null) return `path: expected /{platform}/… or /ns/{namespace}/{platform}/…, got "${path}"`;
  if (namespaces.get(place.namespace) === undefined) {
    return `namespace: expected one that was reset over the control port, got "${place.namespace}"`;
  }
  return `platform: expected one of ${[...served.keys()].join(', ')}, got "${place.platform}"`;
}
