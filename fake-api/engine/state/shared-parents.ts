/** Which parents two resources have in common: a zone of one blueprint can only name a policy of the same one. */
import { shapeOfPath } from '../openapi/route-template.ts';
import type { Resource } from '../openapi/stored-resource.ts';

const known = new WeakMap<Resource, Map<string, number>>();

/** How many keys at the start of both paths name the same things. */
export function sharedParents(own: Resource, target: Resource): number {
  const counts = known.get(own) ?? new Map<string, number>();
  known.set(own, counts);
  const counted = counts.get(target.name) ?? countShared(own, target);
  counts.set(target.name, counted);
  return counted;
}

function countShared(own: Resource, target: Resource): number {
  const left = segmentsOf(own);
  // What follows the last parent is the target's own place.
  const right = segmentsOf(target).slice(0, parentSegments(target));
  let shared = 0;
  for (const [at, segment] of right.entries()) {
    if (left[at] !== segment) break;
    if (segment === '{}') shared += 1;
  }
  return shared;
}

function segmentsOf(resource: Resource): string[] {
  return shapeOfPath(resource.placeTemplate).split('/');
}

function parentSegments(target: Resource): number {
  let left = target.parentNames.length;
  const segments = segmentsOf(target);
  const end = segments.findIndex((segment) => segment === '{}' && --left === 0);
  return left > 0 || target.parentNames.length === 0 ? 0 : end + 1;
}
