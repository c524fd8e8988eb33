/** What a written row must say to make sense: the caller's part of a contradiction is refused, the platform's part follows what was written. */
import { type Answer, refuseAt } from '../http/platform-answer.ts';
import { plain, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { contradictionsIn, contradictionText } from '../semantics/contradictions.ts';
import { claimsOf, repaired } from '../semantics/sense.ts';
import type { VirtualClock } from './clock.ts';
import type { Row } from './collection.ts';
import { canonicalJson, type JsonObject } from './json-value.ts';

const ownFields = new WeakMap<Resource, ReadonlySet<string>>();

/** Fields that the platform alone sets: read-only ones that are neither part of a key, nor a reference, nor unique. */
function ownFieldsOf(resource: Resource): ReadonlySet<string> {
  const known = ownFields.get(resource);
  if (known !== undefined) return known;
  const { document, readSchema, writable } = resource;
  const fixed = new Set([...writable, ...resource.keyNames, ...resource.parentNames, ...resource.unique]);
  const properties = readSchema === null ? {} : shapeOf(document, readSchema).properties;
  const isOwn = ([name, property]: [string, Schema]) => {
    const schema = plain(document, property);
    return !fixed.has(name) && schema['x-svc-ref'] === undefined && schema.readOnly === true;
  };
  const own = new Set(
    Object.entries(properties)
      .filter(isOwn)
      .map(([name]) => name),
  );
  ownFields.set(resource, own);
  return own;
}

/** The value with the platform's own fields brought into line with the others; `stated` are own fields that stay as they are. */
export function sensibleValue(
  resource: Resource,
  value: JsonObject,
  nowMs: number,
  stated: readonly string[] = [],
): JsonObject {
  if (resource.readSchema === null) return value;
  const own = ownFieldsOf(resource);
  const free = stated.length === 0 ? own : new Set([...own].filter((name) => !stated.includes(name)));
  return repaired(resource.document, resource.readSchema, value, free, nowMs) as JsonObject;
}

const datedFields = new WeakMap<Resource, ReadonlySet<string>>();

/** Fields that time alone can make wrong and that no caller writes. */
export function datedFieldsOf(resource: Resource, readSchema: Schema): ReadonlySet<string> {
  const known = datedFields.get(resource);
  if (known !== undefined) return known;
  const dated = claimsOf(resource.document, readSchema).filter(({ rule }) => rule.byClock === true);
  const names = dated.flatMap((claim) => claim.names).filter((name) => !resource.writable.has(name));
  const fields = new Set(names);
  datedFields.set(resource, fields);
  return fields;
}

/** The row as it stands now: what time alone contradicts, such as the next run of an hour ago, follows the clock. */
export function valueAtClock(resource: Resource, value: JsonObject, { ms, startMs }: VirtualClock): JsonObject {
  const { document, readSchema } = resource;
  if (ms === startMs || readSchema === null) return value;
  const dated = datedFieldsOf(resource, readSchema);
  return dated.size === 0 ? value : (repaired(document, readSchema, value, dated, ms) as JsonObject);
}

/** The refusal of a write whose own fields contradict each other, or null. What was there before is not held against it. */
export function contradiction(resource: Resource, value: JsonObject, before: Row | null, nowMs: number): Answer | null {
  const { document, readSchema } = resource;
  if (readSchema === null) return null;
  const old = before?.value ?? {};
  const isChanged = (name: string) =>
    !Object.hasOwn(old, name) || canonicalJson(old[name] ?? null) !== canonicalJson(value[name] ?? null);
  const changed = new Set(Object.keys(value).filter(isChanged));
  const sensible = sensibleValue(resource, value, nowMs);
  const [found] = contradictionsIn(document, readSchema, sensible, {
    nowMs,
    isJudged: ([top], name) => changed.has(top ?? name),
  });
  if (found === undefined) return null;
  const names = Object.keys(found.fields);
  const place = found.path.length === 0 ? '' : ` of ${found.path.join('/')}`;
  const fields = names.map((name) => `"${name}"`).join(' and ');
  const message = `${names.length > 1 ? 'fields' : 'field'} ${fields}${place}: expected that ${contradictionText(found)}`;
  return refuseAt([...found.path, names.at(-1) as string].join('/'), 422, 'CONTRADICTION', message);
}
