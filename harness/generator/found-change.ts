/** A change of an object that the document permits and the fake takes. */
import type { Change } from '../recording/recording.ts';
import { type ApiOperation, isObject, type Json } from './api-document.ts';
import type { Probe } from './api-probe.ts';
import type { ApiObject, ApiResource } from './api-resources.ts';
import { isScalar, simplestOf } from './drawn-parameters.ts';
import { askableFields, type Field } from './field-names.ts';

export type Item = NonNullable<ApiResource['item']>;

/** A new value of a field that takes any text. */
export const FREE_TEXT = 'quartz-harrier';

export interface FoundChange {
  operation: ApiOperation;
  /** As a read shows it. */
  field: Field;
  /** Its name in the body. */
  name: string;
  value: unknown;
  body: Json;
  after: Change[];
}

const MOST_FIELDS = 4;

/** A field that PATCH or PUT really changes, with a value that the API took. */
export async function findChange(
  { writes }: ApiResource,
  item: Item,
  object: ApiObject,
  probe: Probe,
): Promise<FoundChange | undefined> {
  for (const operation of [writes.get('PATCH'), writes.get('PUT')]) {
    if (operation === undefined) continue;
    for (const change of candidates(operation, object)) {
      const after = await tried(operation, { path: object.path, body: change.body }, probe);
      if (after === undefined) continue;
      const { json } = await probe.call(item.operation, { path: object.path });
      if (valueAt(json, change.field.path) === change.value) return { operation, ...change, after };
    }
  }
  return undefined;
}

const valueAt = (json: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), json);

/** The object in what wraps every answer of an API (`{ data: { … } }`), by a value that it holds. */
export function ownObject(json: Json, value: unknown): { before: string; own: Json } {
  const holds = (one: unknown): one is Json =>
    isObject(one) && Object.values(one).some((each) => isScalar(each) && String(each) === String(value));
  const [inner, ...others] = Object.entries(json).filter(([, each]) => holds(each));
  const isInside = !holds(json) && inner !== undefined && others.length === 0;
  return isInside ? { before: `${inner[0]}.`, own: inner[1] as Json } : { before: '', own: json };
}

/** Bodies that change one field each. */
function candidates(operation: ApiOperation, object: ApiObject): Omit<FoundChange, 'operation' | 'after'>[] {
  const { body, method, parameters } = operation;
  if (body === undefined || parameters.some((one) => one.required && one.in !== 'path')) return [];
  const { properties, required } = body;
  const { before, own } = ownObject(object.json, object.key);
  const rest = method === 'PATCH' ? requiredOf(required, properties, own) : whole(properties, required, own);
  if (rest === undefined) return [];
  return askableFields(own)
    .filter(({ path, value }) => properties[path] !== undefined && String(value) !== String(object.key))
    .slice(0, MOST_FIELDS)
    .flatMap((field) => {
      const value = otherValue(field, properties[field.path] ?? {});
      const shown = { ...field, path: before + field.path };
      return value === undefined
        ? []
        : [{ field: shown, name: field.path, value, body: { ...rest, [field.path]: value } }];
    });
}

/** State after the call; undefined where it was refused. */
export async function tried(
  operation: ApiOperation,
  given: { path?: Json; body?: unknown },
  probe: Probe,
): Promise<Change[] | undefined> {
  await probe.reset();
  const { status } = await probe.call(operation, given);
  return status >= 200 && status < 300 ? probe.changes() : undefined;
}

function otherValue({ value }: Field, schema: Json): unknown {
  const { enum: listed, readOnly, maxLength, pattern, format, maximum } = schema;
  if (readOnly === true || pattern !== undefined || format !== undefined) return undefined;
  if (Array.isArray(listed)) return listed.find((one) => one !== value && one !== null);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1 > Number(maximum ?? Number.POSITIVE_INFINITY) ? undefined : value + 1;
  return FREE_TEXT.length > Number(maxLength ?? 99) ? undefined : FREE_TEXT;
}

export function requiredOf(required: readonly string[], properties: Record<string, Json>, own: Json): Json | undefined {
  const body: Json = {};
  for (const name of required) {
    const value = own[name] ?? simplestOf(properties[name] ?? {}, 0);
    if (value === undefined) return undefined;
    body[name] = value;
  }
  return body;
}

/** Arguments with which a write leaves the object as it is; undefined where its body needs what the object does not show. */
export function unchanging({ body, method }: ApiOperation, object: ApiObject): Json | undefined {
  if (method === 'DELETE' || body === undefined) return object.path;
  const { own } = ownObject(object.json, object.key);
  const sent = whole(body.properties, body.required, own);
  return sent === undefined ? undefined : { ...object.path, body: sent };
}

/** For PUT, which replaces: every field as it is. */
function whole(properties: Record<string, Json>, required: readonly string[], own: Json): Json | undefined {
  const sent = Object.entries(own).filter(
    ([name]) => properties[name] !== undefined && properties[name]?.['readOnly'] !== true,
  );
  const needed = requiredOf(required, properties, own);
  return needed === undefined ? undefined : { ...Object.fromEntries(sent), ...needed };
}
