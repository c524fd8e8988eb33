/** Config assignments: the scope must exist, the object must exist, and its kind of device must support it. */
import type { AcceptedRequest } from '../../http/accepted-request.ts';
import { type Answer, refuse } from '../../http/platform-answer.ts';
import { deviceFunctionProblem } from '../integrity.ts';
import type { Values } from '../platform-behaviour.ts';

/** Resources whose rows are scopes. */
const SCOPES = ['sites', 'site-collections', 'device-groups', 'device-collections', 'global'];

export function scopeProblem(call: AcceptedRequest, assignment: Values): Answer | null {
  const unknown = unknownScope(call, `field "scope-id"`, String(assignment['scope-id']));
  if (unknown !== null) return unknown;
  const type = String(assignment['profile-type']);
  const name = String(assignment['profile-instance']);
  const resource = call.platform.resources.get(type);
  if (resource === undefined) {
    return refuse(
      400,
      'UNKNOWN_PROFILE_TYPE',
      `field "profile-type": expected a kind of configuration object such as wlan-ssids, got "${type}"`,
    );
  }
  if (resource.scope === 'local') {
    return refuse(
      400,
      'NOT_ASSIGNABLE',
      `field "profile-type": expected a kind of SHARED object, got "${type}", whose objects are LOCAL`,
    );
  }
  const row = call.state.rows(call.platform.id, type).get(name);
  if (row === undefined) {
    return refuse(
      400,
      'REFERENCE_NOT_FOUND',
      `field "profile-instance": expected an existing ${type} entry, got "${name}"`,
    );
  }
  return deviceFunctionProblem(resource, String(assignment['device-function']), row.value);
}

export function unknownScope(call: AcceptedRequest, where: string, scopeId: string): Answer | null {
  if (isScope(call, scopeId)) return null;
  return refuse(400, 'REFERENCE_NOT_FOUND', `${where}: expected the id of an existing scope, got "${scopeId}"`);
}

function isScope(call: AcceptedRequest, scopeId: string): boolean {
  if (scopeId === 'global') return true;
  return SCOPES.some((name) => {
    if (!call.platform.resources.has(name)) return false;
    const rows = call.state.rows(call.platform.id, name);
    if (rows.get(scopeId) !== undefined) return true;
    for (const row of rows.all()) if (row.value['scope-id'] === scopeId) return true;
    return false;
  });
}
