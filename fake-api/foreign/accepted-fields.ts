/** What of a body a reader of the thing sees, and what is kept as a secret. */
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import type { OpenApiDocument, Schema } from '../engine/openapi/openapi-document.ts';
import { byName, isObject, type JsonObject, own } from '../engine/state/json-value.ts';
import { partSecrets } from '../engine/state/secrets.ts';
import type { Entity } from './entity.ts';
import { checkOf } from './foreign-schema-checks.ts';
import { merged } from './kept-fields.ts';
import { withValueAt } from './key-path.ts';
import { fieldNamed, fieldsOf, placeInside } from './sent-wrapping.ts';
import { type ForeignCall, shaped } from './shaped-value.ts';
import type { SentThing } from './wrapped-thing.ts';

/** The thing that is changed, and whether null takes a field of it away (RFC 7396). */
export interface Change {
  current: JsonObject;
  isPatch: boolean;
}

/** Fields of what was sent that a read or a list of the thing shows, secrets taken out; merged with those of a thing (`change`). */
export function accepted(
  call: ForeignCall,
  entity: Entity,
  sent: SentThing,
  change?: Change,
): { value: JsonObject; secrets: Record<string, string> } {
  const { document } = call.operation;
  const meant = ([name, entry]: [string, unknown]): [string, JsonObject[string]] => {
    if (change === undefined) return [name, entry as JsonObject[string]];
    const whole = merged(own(change.current, name), entry, change.isPatch);
    if (change.isPatch) return [name, whole as JsonObject[string]];
    const property = own(properties, name);
    // A value of one form does not become one of another form by what it had before.
    const isOfForm = property === undefined || fits(call, property, whole) || !fits(call, property, entry);
    return [name, (isOfForm ? whole : entry) as JsonObject[string]];
  };
  const isOpen = entity.schema === null || Object.keys(propertiesOf(document, entity.schema)).length === 0;
  const properties = isOpen ? {} : fieldsOf(document, entity);
  const { value, secrets } = partSecrets(document, sent.schema, sent.value, (name, schema) =>
    isHeldBack(name, schema, Object.hasOwn(properties, name) ? flat(document, properties[name] as Schema) : undefined),
  );
  if (isOpen) return { value: byName(Object.entries(value).map(meant)), secrets };
  const kept = byName<JsonObject[string]>();
  for (const [name, entry] of byShownName(document, properties, entity.noun, value).map(meant)) {
    // What is only called like the key makes a thing of that name, and renames none.
    const isRenaming = name === entity.key?.[0] && !Object.hasOwn(value, name) && call.operation.method !== 'POST';
    if (isRenaming || Object.hasOwn(kept, name)) continue;
    const isCleared = change?.isPatch === true && entry === null;
    const shown = isCleared ? null : shownEntry(call, properties[name] as Schema, [entity.name, name], entry);
    if (shown !== undefined) kept[name] = shown as JsonObject[string];
  }
  return { value: kept, secrets };
}

/** What was sent under the names that a reader has for it: first what has the very name, then what is called like it, then what stands further inside. */
function byShownName(
  document: OpenApiDocument,
  properties: Readonly<Record<string, Schema>>,
  noun: string,
  value: Readonly<Record<string, unknown>>,
): [string, unknown][] {
  const exact: [string, unknown][] = [];
  const alike: [string, unknown][] = [];
  const inside: [string[], unknown][] = [];
  for (const [name, entry] of Object.entries(value)) {
    const shown = fieldNamed(properties, name, noun);
    if (shown !== undefined) (shown === name ? exact : alike).push([shown, entry]);
    else inside.push(...placedInside(document, properties, noun, [name, entry]));
  }
  return [...exact, ...alike, ...Object.entries(joinedAt(inside))];
}

/** A field at its place inside of the thing; of an object that has none, the fields that have one. */
function placedInside(
  document: OpenApiDocument,
  properties: Readonly<Record<string, Schema>>,
  noun: string,
  [name, entry]: [string, unknown],
): [string[], unknown][] {
  const place = placeInside(document, properties, name, noun);
  if (place !== undefined) return [[place, entry]];
  return Object.entries(isObject(entry) ? entry : {}).flatMap(([inner, value]): [string[], unknown][] => {
    const below = placeInside(document, properties, inner, noun);
    return below === undefined ? [] : [[below, value]];
  });
}

const SECRET_NAME =
  /passw|passphrase|passcode|secret|token|credential|signature|private|key|(^|[^a-z])(pwd|pin|otp|psk|cv[vc])($|[^a-z])/i;

/**
 * `format: password` asks only for hidden input; documents state it of names and addresses as well, which reads show. What a
 * request calls `writeOnly` is hidden unless a reader (`read`) has a field of that name that is not.
 */
function isHeldBack(name: string, { writeOnly, format }: Schema, read: Schema | undefined): boolean {
  if (SECRET_NAME.test(name)) return writeOnly === true || format === 'password';
  return writeOnly === true && (read === undefined || read.writeOnly === true);
}

/** One object of values by the names that lead to them. */
const joinedAt = (entries: readonly [string[], unknown][]): Record<string, unknown> =>
  entries.reduce<unknown>((whole, [place, entry]) => withValueAt(whole, place, entry), {}) as Record<string, unknown>;

function fits({ operation }: ForeignCall, property: Schema, value: unknown): boolean {
  return checkOf(operation.document, property, 'shown')(value) === null;
}

/** A sent value as a reader sees it; an object may have fields there that only the platform writes. Undefined where none fits. */
function shownEntry(call: ForeignCall, property: Schema, key: string[], entry: unknown): unknown {
  if (fits(call, property, entry)) return entry;
  if (!isObject(entry)) return undefined;
  const completed = shaped(call, property, entry, key, true);
  return fits(call, property, completed) ? completed : undefined;
}
