/** Secrets are accepted, hashed and dropped: what is stored can say that one is present and no more. */
import { type OpenApiDocument, plain, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import { byName, isObject, type JsonObject, own, sha256 } from './json-value.ts';

export interface Parted {
  value: JsonObject;
  /** JSON pointer of the secret to its hash. */
  secrets: Record<string, string>;
}

/** `isHeldBack` decides of a field by its name and its schema. */
export function partSecrets(
  document: OpenApiDocument,
  schema: Schema | null,
  value: JsonObject,
  isHeldBack: IsHeldBack = (_name, property) => isSecret(property),
): Parted {
  const secrets: Record<string, string> = {};
  const kept = schema === null ? value : (walk({ document, isHeldBack, secrets }, schema, value, '') as JsonObject);
  return { value: kept, secrets };
}

type IsHeldBack = (name: string, property: Schema) => boolean;

interface Parting {
  document: OpenApiDocument;
  isHeldBack: IsHeldBack;
  secrets: Record<string, string>;
}

export function isSecret(schema: Schema): boolean {
  return schema.writeOnly === true || schema.format === 'password';
}

function walk(parting: Parting, schema: Schema, value: unknown, pointer: string): unknown {
  const { document, isHeldBack, secrets } = parting;
  const at = plain(document, schema);
  if (Array.isArray(value)) {
    if (at.items === undefined) return value;
    const items = at.items;
    return value.map((entry, index) => walk(parting, items, entry, `${pointer}/${index}`));
  }
  if (!isObject(value)) return value;
  const properties = propertiesOf(document, at);
  const kept = new Map<string, unknown>();
  for (const [name, entry] of Object.entries(value)) {
    const property = properties[name];
    if (property === undefined) kept.set(name, entry);
    else if (!isHeldBack(name, plain(document, property)))
      kept.set(name, walk(parting, property, entry, `${pointer}/${name}`));
    else if (entry !== null && entry !== undefined) secrets[`${pointer}/${name}`] = sha256(JSON.stringify(entry));
  }
  return Object.fromEntries(kept);
}

/** Properties of an object, those of its branches included. */
function propertiesOf(document: OpenApiDocument, schema: Schema): Record<string, Schema> {
  const properties = byName(Object.entries(shapeOf(document, schema).properties));
  for (const branch of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    Object.assign(properties, shapeOf(document, branch).properties);
  return properties;
}

/** Sets the read-only flags that say which secrets are stored; the read schema names the field each one speaks of. */
export function withSecretFlags(
  document: OpenApiDocument,
  schema: Schema | null,
  value: JsonObject,
  secrets: Readonly<Record<string, string>>,
): JsonObject {
  return schema === null ? value : (flag(document, schema, value, '', secrets) as JsonObject);
}

function flag(
  document: OpenApiDocument,
  schema: Schema,
  value: unknown,
  pointer: string,
  secrets: Readonly<Record<string, string>>,
): unknown {
  const at = plain(document, schema);
  if (Array.isArray(value)) {
    const { items } = at;
    return items === undefined
      ? value
      : value.map((entry, index) => flag(document, items, entry, `${pointer}/${index}`, secrets));
  }
  if (!isObject(value)) return value;
  const flagged: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(shapeOf(document, at).properties)) {
    const derive = plain(document, property)['x-svc-derive'];
    if (isObject(derive) && derive['kind'] === 'secret-present') {
      flagged[name] = `${pointer}/${String(derive['field'])}` in secrets;
    } else {
      const entry = own(flagged, name);
      if (typeof entry === 'object' && entry !== null)
        flagged[name] = flag(document, property, entry, `${pointer}/${name}`, secrets);
    }
  }
  return flagged;
}

/** Names of the secrets that a create demands, by itself or among the names that a rule adds. */
export function requiredSecrets(
  document: OpenApiDocument,
  schema: Schema | null,
  demanded: readonly string[] = [],
): string[] {
  if (schema === null) return [];
  const shape = shapeOf(document, schema);
  return [...new Set([...shape.required, ...demanded])].filter((name) => {
    const property = shape.properties[name];
    return property !== undefined && isSecret(plain(document, property));
  });
}

/** State for the control port: each secret stands as `{"present": true}` where it was given. */
export function withPresence(value: JsonObject, secrets: Readonly<Record<string, string>>): JsonObject {
  const pointers = Object.keys(secrets);
  if (pointers.length === 0) return value;
  const copy = structuredClone(value);
  for (const pointer of pointers) {
    const steps = pointer.split('/').slice(1);
    const last = steps.pop() as string;
    let at: unknown = copy;
    for (const step of steps) at = own(at as Record<string, unknown> | undefined, step);
    if (isObject(at)) at[last] = { present: true };
  }
  return copy;
}
