/** What a foreign operation does, by the part it was inferred to play. */
import type { Call } from '../engine/http/accepted-call.ts';
import { pageOf } from '../engine/http/list-page.ts';
import { isJson } from '../engine/http/media-type.ts';
import { type Answer, done, type Refusal, refuse } from '../engine/http/platform-answer.ts';
import { type Outcome, outcomeOf, successOf } from '../engine/openapi/declared-outcome.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import type { OpenApiDocument, Schema } from '../engine/openapi/openapi-document.ts';
import { byName, isObject, type JsonObject, own } from '../engine/state/json-value.ts';
import { partSecrets } from '../engine/state/secrets.ts';
import { examplesOf } from './declared-outcomes.ts';
import { drawFitting } from './drawn-values.ts';
import type { Entity, Role } from './entity.ts';
import { pagingStyleOf } from './foreign-paging.ts';
import type { ForeignPlatform } from './foreign-platform.ts';
import { Things } from './foreign-resources.ts';
import { checkOf } from './foreign-schema-checks.ts';
import { applySteps, type FailedPatch } from './json-patch.ts';
import { mergePatched, withReadOnly } from './kept-fields.ts';
import { valueAtPath, withoutAt, withValueAt } from './key-path.ts';
import { filterOf } from './list-filters.ts';
import { type PageView, pageView, withPageFields } from './page-fields.ts';
import { fieldNamed, fieldsOf, placeInside } from './sent-wrapping.ts';
import { namedBeside, type SentThing, thingsIn, wrapped } from './wrapped-thing.ts';

/** A call with the objects that its platform keeps. */
interface ForeignCall extends Call {
  things: Things;
}

export function answer(platform: ForeignPlatform, accepted: Call): Answer {
  const call: ForeignCall = { ...accepted, things: new Things(accepted.state, platform.id) };
  const placed = platform.placed.get(call.operation) ?? { role: 'act' as Role, entity: null };
  const above = goneAbove(call);
  if (above !== null)
    return refuse(404, 'NOT_FOUND', `${call.concretePath}: expected an existing ${above}, got one that was removed`);
  const { entity } = placed;
  if (entity === null) return act(call);
  switch (placed.role) {
    case 'list':
      return list(call, entity);
    case 'create':
      return create(call, entity);
    case 'clear':
      for (const values of call.things.under(entity, call.values)) call.things.remove(entity, values);
      return told(call, successOf(call.operation), undefined);
    case 'read':
      if (isGone(call, entity)) return missing(call);
      return keeps(entity)
        ? told(call, successOf(call.operation), { entity, rows: [call.things.read(entity, call.values)] })
        : act(call);
    case 'write':
      return write(call, entity);
    case 'remove':
      return remove(call, entity);
    default:
      return act(call);
  }
}

/** Path of the nearest thing above that was removed. */
function goneAbove(call: ForeignCall): string | null {
  const segments = call.concretePath.split('/');
  for (let length = segments.length - 1; length > 1; length -= 1) {
    const head = segments.slice(0, length).join('/');
    if (call.things.isGone(head)) return head;
  }
  return null;
}

function isGone(call: ForeignCall, entity: Entity): boolean {
  return call.things.isGone(call.things.path(entity, call.values));
}

function missing(call: ForeignCall): Answer {
  return refuse(404, 'NOT_FOUND', `${call.concretePath}: expected an existing thing, got one that was removed`);
}

/** Only objects are remembered; of anything else the platform knows no more than that it is there. */
function keeps(entity: Entity): boolean {
  if (entity.schema === null) return false;
  const at = flat(entity.resource.document, entity.schema);
  return at.items === undefined && (at.type === undefined || [at.type].flat().includes('object'));
}

function list(call: ForeignCall, entity: Entity): Answer {
  const { operation, things } = call;
  const outcome = successOf(operation);
  const envelope = entity.envelope;
  if (envelope === null || outcome.schema === null) return act(call);
  const every = things.under(entity, call.values);
  const style = pagingStyleOf(operation, every.length);
  const selects = filterOf(call, envelope.schema, style);
  const all = every.filter((values) => selects(things.read(entity, values)));
  const page = pageOf(all, (values) => values.at(-1) as string, style, call.query, '');
  if (page.kind !== 'page') return page;
  const rows = page.rows.map((values) =>
    shaped(call, envelope.items, withValueAt({}, envelope.row, things.read(entity, values)), [entity.name, ...values]),
  );
  const keys = page.rows.map((values) => values.at(-1) as string);
  const view = pageView({ ...page, rows: keys }, style, (query) => hrefOf(call, query));
  const headers = pageHeaders(outcome, view);
  const entries = envelope.isKeyed ? Object.fromEntries(rows.map((row, at) => [keys[at], row])) : rows;
  if (envelope.path.length === 0) return done(outcome.status, entries, headers);
  return done(outcome.status, inEnvelope(call, outcome.schema, envelope.path, entries, view), headers);
}

/** The entries in what the answer has around them. */
function inEnvelope(call: ForeignCall, schema: Schema, path: string[], entries: unknown, view: PageView): unknown {
  const { operation } = call;
  const { document } = operation;
  const example = examplesOf(document, successOf(operation)).find(isObject) ?? {};
  const { fields, left } = withPageFields(document, schema, example, path, view);
  const drawn = drawnAnswer(call, schema, withValueAt(fields, path, entries), [operation.id, ...call.values]);
  const bare = left.reduce(withoutAt, drawn);
  return checkOf(document, schema, 'response')(bare) === null ? bare : drawn;
}

function hrefOf(call: ForeignCall, query: Record<string, string>): string {
  const kept = Object.entries(call.query).filter(
    ([name, value]) => !Object.hasOwn(query, name) && typeof value !== 'object',
  );
  const pairs = [...kept.map(([name, value]) => [name, String(value)]), ...Object.entries(query)] as [string, string][];
  return pairs.length === 0 ? call.concretePath : `${call.concretePath}?${new URLSearchParams(pairs)}`;
}

function pageHeaders({ response }: Outcome, { total, next, href }: PageView): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(response?.headers ?? {})) {
    if (/^link$/i.test(name) && next !== null) headers['link'] = `<${href(next)}>; rel="next"`;
    if (/^x-(total|total-count)$/i.test(name)) headers[name.toLowerCase()] = String(total);
  }
  return headers;
}

function create(call: ForeignCall, entity: Entity): Answer {
  const made: JsonObject[] = [];
  let place = '';
  let lastKey = '';
  for (const sent of thingsIn(call.operation, entity, call.body, call.bodySchema)) {
    const answer = createOne(call, entity, sent);
    if ('kind' in answer) return answer;
    lastKey = answer.values.at(-1) as string;
    place = call.things.path(entity, answer.values);
    made.push({ ...namedBeside(call.operation, entity, lastKey, place), ...answer.row });
  }
  const [first = {}] = made;
  const key = [entity.name, ...call.values, String(entity.key === null ? place : valueAtPath(first, entity.key))];
  const about = { entity, rows: made, key: lastKey };
  return told(call, successOf(call.operation), about, key, { location: place });
}

function createOne(
  call: ForeignCall,
  entity: Entity,
  sent: SentThing,
): { row: JsonObject; values: string[] } | Refusal {
  const { things } = call;
  const { value, secrets } = accepted(call, entity, sent);
  const named = entity.key === null ? undefined : valueAtPath(value, entity.key);
  const isText = (typeof named === 'string' && named !== '') || typeof named === 'number';
  const isNamed = isText && things.isKeyText(entity, named);
  // Platforms that make things with PUT also change them so.
  if (isNamed && call.operation.method === 'POST' && things.stored(entity, [...call.values, String(named)]) !== null)
    return refuse(
      409,
      'CONFLICT',
      `${call.concretePath}: expected a ${entity.key?.join('.')} of its own, got "${String(named).slice(0, 60)}", which exists`,
    );
  const key = isNamed ? named : things.freshKey(entity, call.values);
  if (key === undefined)
    return refuse(
      409,
      'CONFLICT',
      `${call.concretePath}: expected room for another thing, got a path whose keys are all taken`,
    );
  const values = [...call.values, String(key)];
  const row = begun(call, entity, values, value);
  things.put(entity, values, row, secrets);
  return { row, values };
}

/** A thing just made: what was sent, its place, and whatever else its schema demands. */
function begun(call: ForeignCall, entity: Entity, values: readonly string[], sent: JsonObject): JsonObject {
  const given = { ...call.things.atPlace(entity, values, sent), ...statedBeside(entity, sent) };
  if (entity.schema === null || !keeps(entity)) return given;
  const drawn = shaped(call, entity.schema, given, [entity.name, ...values], true);
  return isObject(drawn) ? ({ ...onlyListed(call, entity, given), ...drawn } as JsonObject) : given;
}

/** Fields that rows of the list have and a read of the thing does not. */
function onlyListed({ operation }: ForeignCall, entity: Entity, row: JsonObject): JsonObject {
  const read = entity.schema === null ? {} : propertiesOf(operation.document, entity.schema);
  const listed = fieldsOf(operation.document, entity);
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !Object.hasOwn(read, name) && Object.hasOwn(listed, name)),
  );
}

/** What was sent counts more than what the path says, except for the key. */
function statedBeside({ key }: Entity, sent: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== key?.[0]));
}

function write(call: ForeignCall, entity: Entity): Answer {
  const { operation, things, values } = call;
  const gone = isGone(call, entity);
  if (gone && operation.method === 'PATCH') return missing(call);
  const before = things.stored(entity, values);
  const [sent] = thingsIn(operation, entity, call.body, call.bodySchema) as [SentThing];
  const isChange = operation.method === 'PATCH' || (operation.method === 'POST' && before !== null);
  const written = isChange ? changed(call, entity, sent) : replaced(call, entity, sent);
  if ('kind' in written) return written;
  const { row, secrets } = written;
  things.put(entity, values, row, secrets);
  const isNew = before === null && operation.method !== 'PATCH';
  const outcome =
    isNew && operation.responses['201'] !== undefined ? outcomeOf(operation, '201', 201) : successOf(operation);
  return told(call, outcome, keeps(entity) ? { entity, rows: [row] } : undefined);
}

interface Written {
  row: JsonObject;
  secrets: Record<string, string>;
}

/** The thing as it was sent. Its `readOnly` fields stay: no client could have sent them. */
function replaced(call: ForeignCall, entity: Entity, sent: SentThing): Written {
  const { value, secrets } = accepted(call, entity, sent);
  const row = begun(call, entity, call.values, value);
  return { row: isGone(call, entity) ? row : keptIn(call, entity, sent.schema, row), secrets };
}

/** The thing with what was sent, as the media type of the body means it. Its key and its `readOnly` fields stay. */
function changed(call: ForeignCall, entity: Entity, sent: SentThing): Written | Refusal {
  const current = call.things.read(entity, call.values);
  if (call.bodyMedia === 'application/json-patch+json' && Array.isArray(call.body)) {
    const patched = applySteps(current, call.body);
    if (patched.kind === 'failed') return refusedStep(call, patched);
    return fitting(call, entity, { row: keptIn(call, entity, null, patched.value), secrets: {} });
  }
  const isMerge = /merge-patch\+json$/.test(call.bodyMedia);
  const { value, secrets } = accepted(call, entity, sent, isMerge ? current : undefined);
  const merged = isMerge ? withMerged(call, entity, current, value) : { ...current, ...value };
  const written = { row: keptIn(call, entity, sent.schema, merged), secrets };
  return isMerge ? fitting(call, entity, written) : written;
}

/** What was written, with the key and the `readOnly` fields as they were. */
function keptIn(call: ForeignCall, entity: Entity, sent: Schema | null, after: Record<string, unknown>): JsonObject {
  const current = call.things.read(entity, call.values);
  const path = entity.key ?? [];
  const key = entity.key === null ? undefined : valueAtPath(current, path);
  const isRenamed = key !== undefined && valueAtPath(after, path) !== key;
  const keyed = isRenamed ? (withValueAt(after, path, key) as JsonObject) : after;
  const schemas = { shown: entity.schema, sent };
  return withReadOnly(call.operation.document, schemas, current, keyed) as JsonObject;
}

/** The thing with what a merge patch says; null takes a field away, unless the thing must have it. */
function withMerged({ operation }: ForeignCall, entity: Entity, current: JsonObject, value: JsonObject): JsonObject {
  const required = entity.schema === null ? [] : (flat(operation.document, entity.schema).required ?? []);
  const cleared = Object.keys(value).filter((name) => value[name] === null && !required.includes(name));
  const merged: unknown = { ...current, ...value };
  return cleared.reduce((whole, name) => withoutAt(whole, [name]), merged) as JsonObject;
}

/** A patch that would leave what its schema refuses changes nothing. */
function fitting(call: ForeignCall, entity: Entity, written: Written): Written | Refusal {
  if (entity.schema === null) return written;
  const check = checkOf(call.operation.document, entity.schema, 'response');
  const problem = check(call.things.read(entity, call.values)) === null ? check(written.row) : null;
  if (problem === null) return written;
  const { pointer, expected, got } = problem;
  return refuse(
    422,
    'INVALID_BODY',
    `${call.concretePath} after the patch, at ${pointer || '/'}: expected ${expected}, got ${got}`,
  );
}

function refusedStep(call: ForeignCall, { isTest, step, expected }: FailedPatch): Refusal {
  const message = `request body at /${step}: expected ${expected} in ${call.concretePath}, so no step is done`;
  return isTest ? refuse(409, 'CONFLICT', message) : refuse(422, 'INVALID_BODY', message);
}

function remove(call: ForeignCall, entity: Entity): Answer {
  if (isGone(call, entity)) return missing(call);
  const rows = keeps(entity) ? [call.things.read(entity, call.values)] : [];
  call.things.remove(entity, call.values);
  return told(call, successOf(call.operation), rows.length === 0 ? undefined : { entity, rows });
}

/** Fields of what was sent that a read or a list of the thing shows, secrets taken out; merged with those of a thing (`merging`). */
function accepted(
  call: ForeignCall,
  entity: Entity,
  sent: SentThing,
  merging?: JsonObject,
): { value: JsonObject; secrets: Record<string, string> } {
  const { document } = call.operation;
  const meant = ([name, entry]: [string, unknown]): [string, JsonObject[string]] => {
    const whole = merging === undefined ? entry : mergePatched(own(merging, name), entry);
    return [name, whole as JsonObject[string]];
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
    const isCleared = merging !== undefined && entry === null;
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

/** A sent value as a reader sees it; an object may have fields there that only the platform writes. Undefined where none fits. */
function shownEntry(call: ForeignCall, property: Schema, key: string[], entry: unknown): unknown {
  const check = checkOf(call.operation.document, property, 'response');
  if (check(entry) === null) return entry;
  if (!isObject(entry)) return undefined;
  const completed = shaped(call, property, entry, key, true);
  return check(completed) === null ? completed : undefined;
}

/** An operation without a thing of its own: its example, else a value drawn from the call. */
function act(call: ForeignCall): Answer {
  return told(call, successOf(call.operation), undefined);
}

function told(
  call: ForeignCall,
  outcome: Outcome,
  about: { entity: Entity; rows: readonly JsonObject[]; key?: string } | undefined,
  key: string[] = [call.operation.id, ...call.values],
  place: Record<string, string> = {},
): Answer {
  const headers: Record<string, string> = {};
  if (place['location'] !== undefined) headers['location'] = place['location'];
  if (outcome.status >= 300 && outcome.status < 400)
    headers['location'] = `https://downloads.example${call.concretePath}`;
  if (outcome.schema === null || outcome.status === 204) return done(outcome.status, undefined, headers);
  const value =
    about === undefined
      ? freeValue(call, outcome, key)
      : shaped(call, outcome.schema, wrapped(call.operation, about.entity, outcome, about.rows, about.key), key);
  return done(outcome.status, value, headers);
}

function freeValue(call: ForeignCall, outcome: Outcome, key: string[]): unknown {
  const { document } = call.operation;
  const schema = outcome.schema as Schema;
  const examples = examplesOf(document, outcome);
  if (outcome.media !== null && !isJson(outcome.media))
    return examples.find((entry) => typeof entry === 'string') ?? shaped(call, schema, undefined, key);
  const check = checkOf(document, schema, 'response');
  const fitting = examples.find((entry) => check(entry) === null);
  if (fitting !== undefined) return fitting;
  const { query } = call;
  const asked = Object.keys(query)
    .sort()
    .map((name) => `${name}=${JSON.stringify(query[name])}`);
  return shaped(call, schema, examples.find(isObject), [...key, ...asked]);
}

function shaped(call: ForeignCall, schema: Schema, given: unknown, key: string[], sparse = false): unknown {
  const check = checkOf(call.operation.document, schema, 'response');
  if (given !== undefined && !sparse && check(given) === null && isExact(call, schema, given)) return given;
  return drawnAnswer(call, schema, given, key, sparse);
}

/** What is given, and all else that the schema has; `sparse` is what a write makes, whose times count from the write. */
function drawnAnswer(call: ForeignCall, schema: Schema, given: unknown, key: string[], sparse = false): unknown {
  const { clock } = call.state;
  const of = {
    document: call.operation.document,
    origin: call.things.origin(...key),
    nowMs: sparse ? clock.ms : clock.startMs,
    direction: 'response' as const,
    sparse,
  };
  return drawFitting(of, schema, given).value;
}

/** Whether a value says no more than its schema declares. */
function isExact(call: ForeignCall, schema: Schema, given: unknown): boolean {
  const at = flat(call.operation.document, schema);
  if (at.properties === undefined || !isObject(given)) return at.oneOf === undefined && at.anyOf === undefined;
  return Object.keys(given).every((name) => Object.hasOwn(at.properties as object, name));
}
