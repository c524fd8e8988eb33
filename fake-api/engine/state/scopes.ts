/**
 * Scoped configuration. A SHARED object is a library profile and takes effect where a config assignment puts it; a
 * LOCAL object carries its scope and device function from the write itself.
 */
import type { AcceptedRequest } from '../http/accepted-request.ts';
import { type Answer, refuse } from '../http/platform-answer.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { type Row, rowParts } from './collection.ts';
import type { JsonObject } from './json-value.ts';
import type { State } from './state.ts';

export const SCOPE_PARAMETERS = new Set([
  'scope-id',
  'device-function',
  'view-type',
  'object-type',
  'effective',
  'detailed',
]);

/** Resource that holds the assignments of library objects. */
const ASSIGNMENTS = 'config-assignments';

/** Note under which a LOCAL row keeps where it was written. */
function placeNote(resource: Resource, id: string): string {
  return `place ${resource.platform} ${resource.name} ${id}`;
}

export interface Place {
  scopeId: string;
  deviceFunction: string;
}

export function setPlace(call: AcceptedRequest, resource: Resource, id: string): void {
  const place = placeOf(call, resource);
  if (place !== null) call.state.notes.set(placeNote(resource, id), place);
}

/** What the bookkeeping of an object says about its scope. */
export function scopeMarks(resource: Resource, place: Place | null): JsonObject {
  if (resource.scope === 'none') return {};
  if (resource.scope === 'shared') return { 'object-type': 'SHARED' };
  return place === null
    ? { 'object-type': 'LOCAL' }
    : { 'object-type': 'LOCAL', 'scope-id': place.scopeId, 'device-function': place.deviceFunction };
}

export function placeOf(call: AcceptedRequest, resource: Resource): Place | null {
  const scopeId = call.query['scope-id'];
  const deviceFunction = call.query['device-function'];
  if (resource.scope !== 'local' || typeof scopeId !== 'string' || typeof deviceFunction !== 'string') return null;
  return { scopeId, deviceFunction };
}

/** LOCAL writes name where the object lives; a write without that is refused as incomplete. */
export function missingPlace(call: AcceptedRequest, resource: Resource): Answer | null {
  if (resource.scope !== 'local') return null;
  for (const name of ['scope-id', 'device-function']) {
    if (call.query[name] !== undefined) continue;
    const message = `query parameter "${name}": expected a value, ${resource.name} are LOCAL objects, got nothing`;
    return refuse(400, 'MISSING_PARAMETER', message);
  }
  return null;
}

/** A LOCAL object is changed and removed where it lives; a write that names another place means another object. */
export function livesElsewhere(call: AcceptedRequest, resource: Resource, id: string): Answer | null {
  const asked = placeOf(call, resource);
  const home = call.state.notes.get(placeNote(resource, id)) as Place | undefined;
  if (asked === null || home === undefined || samePlace(asked, home)) return null;
  const name = rowParts(id).at(-1);
  return refuse(
    409,
    'OTHER_SCOPE',
    `${resource.name} entry "${name}": expected scope-id "${home.scopeId}" and device-function "${home.deviceFunction}", ` +
      `where it was written, got "${asked.scopeId}" and "${asked.deviceFunction}"`,
  );
}

function samePlace(left: Place, right: Place): boolean {
  return left.scopeId === right.scopeId && left.deviceFunction === right.deviceFunction;
}

/** Test that a row is visible under the scope parameters of the call, or null when they ask for no choice. */
export function inScope(call: AcceptedRequest, resource: Resource): ((row: Row) => boolean) | null {
  const { query, state, platform } = call;
  if (resource.scope === 'none') return null;
  const scopeId = query['scope-id'];
  const deviceFunction = query['device-function'];
  const wantedType = query['object-type'];
  if (typeof wantedType === 'string' && wantedType.toLowerCase() !== resource.scope) {
    if (wantedType.toLowerCase() === 'shared' || wantedType.toLowerCase() === 'local') return () => false;
  }
  if (typeof scopeId !== 'string' && typeof deviceFunction !== 'string') return null;
  if (isLibraryView(query)) return null;
  const scopes =
    typeof scopeId === 'string' ? scopesAbove(state, platform.id, scopeId, query['effective'] === true) : null;
  if (resource.scope === 'local') {
    return (row) => {
      const place = state.notes.get(placeNote(resource, row.id)) as Place | undefined;
      if (place === undefined) return false;
      if (scopes !== null && !scopes.has(place.scopeId)) return false;
      return typeof deviceFunction !== 'string' || [deviceFunction, 'ALL'].includes(place.deviceFunction);
    };
  }
  const assigned = assignedNames(call, resource, scopes, typeof deviceFunction === 'string' ? deviceFunction : null);
  return (row) => assigned.has(row.id);
}

function isLibraryView(query: Record<string, unknown>): boolean {
  return typeof query['view-type'] === 'string' && query['view-type'].toUpperCase() === 'LIBRARY';
}

function assignedNames(
  call: AcceptedRequest,
  resource: Resource,
  scopes: Set<string> | null,
  deviceFunction: string | null,
): Set<string> {
  const names = new Set<string>();
  for (const row of call.state.rows(call.platform.id, ASSIGNMENTS).all()) {
    const value = row.value;
    if (value['profile-type'] !== resource.name) continue;
    if (scopes !== null && !scopes.has(String(value['scope-id']))) continue;
    if (deviceFunction !== null && value['device-function'] !== deviceFunction && value['device-function'] !== 'ALL')
      continue;
    names.add(String(value['profile-instance']));
  }
  return names;
}

/** Assignments that still use a library object: they keep it from being deleted. */
export function assignmentsOf(call: AcceptedRequest, resource: Resource, key: string): string[] {
  if (resource.name === ASSIGNMENTS) return [];
  const found: string[] = [];
  for (const row of call.state.rows(call.platform.id, ASSIGNMENTS).all()) {
    if (row.value['profile-type'] === resource.name && row.value['profile-instance'] === key) {
      found.push(`${ASSIGNMENTS}/${row.value['scope-id']}/${row.value['device-function']}`);
    }
  }
  return found;
}

/** The scope itself, and with `effective` everything it inherits from: collections that hold the site, and global. */
export function scopesAbove(state: State, platform: string, scopeId: string, effective: boolean): Set<string> {
  const scopes = new Set([scopeId]);
  if (!effective) return scopes;
  const collection = state.rows(platform, 'sites').get(scopeId)?.value['collection-id'];
  if (typeof collection === 'string') scopes.add(collection);
  for (const row of state.rows(platform, 'global-scope').all()) scopes.add(String(row.value['scope-id'] ?? row.id));
  scopes.add('global');
  return scopes;
}
