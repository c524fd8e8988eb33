/** What the body of an action names must exist: a single reference in it is checked as one of an object that is stored. */
import type { AcceptedRequest } from '../http/accepted-request.ts';
import { type Answer, refuseAt } from '../http/platform-answer.ts';
import { plain, shapeOf } from '../openapi/openapi-document.ts';
import { exists } from './integrity.ts';
import { describe, isObject } from './json-value.ts';

/** 400 for the first one that does not exist; of a list, the action itself says which entries it refused. */
export function unknownReference(call: AcceptedRequest): Answer | null {
  const { operation, body, platform } = call;
  const schema = operation.body?.content['application/json']?.schema;
  if (operation.kind !== 'action' || schema === undefined || !isObject(body)) return null;
  for (const [name, property] of Object.entries(shapeOf(operation.document, schema).properties)) {
    const target = plain(operation.document, property)['x-svc-ref'];
    const resource = target === undefined ? undefined : platform.resources.get(target.resource);
    const named = body[name];
    if (target === undefined || resource === undefined || named === undefined || named === null) continue;
    if (exists(call, resource, named, target.field)) continue;
    const message = `field "${name}": expected the ${target.field ?? 'name'} of an existing ${target.resource} entry, got ${describe(named)}`;
    return refuseAt(name, 400, 'REFERENCE_NOT_FOUND', message);
  }
  return null;
}
