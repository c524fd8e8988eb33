/** Tags of things (RFC 9110 §8.8.3): told where the document declares the header, and asked for where it declares the condition. */
import { namesTag } from '../engine/http/location.ts';
import { type Answer, done, refuse } from '../engine/http/platform-answer.ts';
import type { Outcome } from '../engine/openapi/declared-outcome.ts';
import type { Entity } from './entity.ts';
import type { ForeignCall } from './shaped-value.ts';
import { isGone } from './written-thing.ts';

/** The answer where a condition of the call does not hold: 304 for a read of what the caller has, 412 for any other call. */
export function failedCondition(call: ForeignCall, entity: Entity): Answer | null {
  const [match, noneMatch] = [conditionIn(call, 'if-match'), conditionIn(call, 'if-none-match')];
  if (match === undefined && noneMatch === undefined) return null;
  const tag = isGone(call, entity) ? null : call.things.tag(entity, call.values);
  // Only a PUT can make what is not there.
  if (tag === null && call.operation.method !== 'PUT') return null;
  if (match !== undefined && (tag === null || !namesTag(match, tag))) return stale('If-Match', tag ?? 'nothing', match);
  if (noneMatch === undefined || tag === null || !namesTag(noneMatch, tag)) return null;
  if (call.operation.method === 'GET') return done(304, undefined, { etag: tag });
  // Each thing exists from the start: `*` asks whether somebody knows of this one.
  const isNew = noneMatch.trim() === '*' && !call.things.isKnown(entity, call.values);
  return isNew ? null : stale('If-None-Match', `another than ${tag}`, noneMatch);
}

const stale = (header: string, expected: string, got: string): Answer =>
  refuse(412, 'STALE_REVISION', `header "${header}": expected ${expected}, got ${got.slice(0, 200)}`);

function conditionIn({ headers }: ForeignCall, name: string): string | undefined {
  const sent = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof sent === 'string' ? sent : undefined;
}

/** The tag of a thing, where the answer declares it. */
export function tagHeader(
  call: ForeignCall,
  { response }: Outcome,
  entity: Entity,
  values: readonly string[],
): Record<string, string> {
  const isDeclared = Object.keys(response?.headers ?? {}).some((name) => name.toLowerCase() === 'etag');
  return isDeclared ? { etag: call.things.tag(entity, values) } : {};
}
