/** What a change of a thing leaves as it was, and what a merge patch takes away. */
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, plainName, type Schema } from '../engine/openapi/openapi-document.ts';
import { isObject, own } from '../engine/state/json-value.ts';
import { withoutAt, withValueAt } from './key-path.ts';

type Fields = Record<string, unknown>;

/** What a change of some fields leaves: objects are merged, anything else replaces. Null takes a field away in a merge patch (RFC 7396). */
export function merged(target: unknown, change: unknown, isPatch: boolean): unknown {
  if (!isObject(change) || !(isPatch || isObject(target))) return change;
  const whole = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, entry] of Object.entries(change)) {
    if (isPatch && entry === null) whole.delete(name);
    else whole.set(name, merged(whole.get(name), entry, isPatch));
  }
  return Object.fromEntries(whole);
}

/**
 * The thing after a change, with the `readOnly` fields that it had before. The schema of the body counts more than that of the
 * thing: some documents have a schema for reads in which every field is `readOnly`.
 */
export function withReadOnly(
  document: OpenApiDocument,
  { shown, sent }: { shown: Schema | null; sent: Schema | null },
  before: Fields,
  after: Fields,
): Fields {
  const properties = shown === null ? {} : propertiesOf(document, shown);
  const stated = new Map(
    Object.entries(sent === null ? {} : propertiesOf(document, sent)).map(([name, schema]) => [
      plainName(name),
      schema,
    ]),
  );
  let kept = after;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const read = own(properties, name) ?? null;
    const written = stated.get(plainName(name)) ?? null;
    const [old, value] = [own(before, name), own(after, name)];
    if (flat(document, written ?? read ?? {}).readOnly === true) kept = withField(kept, name, old);
    else if (isObject(old) && isObject(value))
      kept = withField(kept, name, withReadOnly(document, { shown: read, sent: written }, old, value));
  }
  return kept;
}

/** Undefined takes the field away. */
function withField(fields: Fields, name: string, value: unknown): Fields {
  if (own(fields, name) === value) return fields;
  return (value === undefined ? withoutAt(fields, [name]) : withValueAt(fields, [name], value)) as Fields;
}
