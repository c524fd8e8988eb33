/** What a foreign operation does, by the part it was inferred to play. */
import type { Call } from '../engine/http/accepted-call.ts';
import { pageOf } from '../engine/http/list-page.ts';
import { isJson } from '../engine/http/media-type.ts';
import { type Answer, done, type Refusal, refuse } from '../engine/http/platform-answer.ts';
import { type Outcome, outcomeOf, successOf } from '../engine/openapi/declared-outcome.ts';
import { resolve, type Schema } from '../engine/openapi/openapi-document.ts';
import type { ListStyle, Operation } from '../engine/openapi/served-operation.ts';
import { isObject, type JsonObject, own } from '../engine/state/json-value.ts';
import { accepted } from './accepted-fields.ts';
import { type ActedOn, actedOn } from './acted-on.ts';
import { addressOf } from './address.ts';
import { examplesOf } from './declared-outcomes.ts';
import type { Entity, Role } from './entity.ts';
import { failedCondition, tagHeader } from './entity-tag.ts';
import { pagingStyleOf } from './foreign-paging.ts';
import type { ForeignPlatform } from './foreign-platform.ts';
import { Things } from './foreign-resources.ts';
import { checkOf } from './foreign-schema-checks.ts';
import { withKeys } from './found-thing.ts';
import { nounOf } from './item-path.ts';
import { valueAtPath, withoutAt, withValueAt } from './key-path.ts';
import type { Envelope } from './list-envelope.ts';
import { filterOf } from './list-filters.ts';
import { ordered } from './list-order.ts';
import { changeEach, removeEach } from './many-things.ts';
import { headerValue, type PageView, pageView, withPageFields } from './page-fields.ts';
import { isUnstructured, keepContent, keptContent } from './sent-content.ts';
import { drawnAnswer, type ForeignCall, shaped } from './shaped-value.ts';
import { namedBeside, type SentThing, thingsIn, wrapped } from './wrapped-thing.ts';
import { begun, changed, isGone, keeps, replaced, settable, stamped } from './written-thing.ts';

export function answer(platform: ForeignPlatform, accepted: Call): Answer {
  const answered = byPart(platform, accepted);
  keepContent(accepted, answered);
  return withAddress(accepted, answered);
}

/** The place of what was made as a whole address: relative to the call it would lead past the platform (RFC 9110 §10.2.2). */
function withAddress(call: Call, answered: Answer): Answer {
  const { headers } = answered;
  const place = headers?.['location'];
  if (place?.startsWith('/') !== true) return answered;
  return { ...answered, headers: { ...headers, location: addressOf(call, place) } };
}

function byPart(platform: ForeignPlatform, accepted: Call): Answer {
  const things = new Things(accepted.state, platform.id);
  const call: ForeignCall = withKeys(platform.entities, { ...accepted, things });
  const placed = platform.placed.get(call.operation) ?? { role: 'act' as Role, entity: null };
  const above = goneAbove(call);
  if (above !== null)
    return refuse(404, 'NOT_FOUND', `${call.concretePath}: expected an existing ${above}, got one that was removed`);
  const { entity } = placed;
  if (entity === null) return action(call, actedOn(platform.entities, call));
  const failed = OF_ONE.has(placed.role) ? failedCondition(call, entity) : null;
  if (failed !== null) return failed;
  switch (placed.role) {
    case 'list':
      return list(call, entity);
    case 'create':
      return create(call, entity);
    case 'clear':
      return clear(call, entity, platform.entities);
    case 'change-each':
      return each(call, entity, changeEach(call, entity));
    case 'remove-each':
      return each(call, entity, removeEach(call, entity, platform.entities));
    case 'read':
      if (isGone(call, entity)) return missing(call);
      return keeps(entity)
        ? told(call, successOf(call.operation), {
            entity,
            rows: [call.things.read(entity, call.values)],
            values: call.values,
          })
        : act(call);
    case 'write':
      return write(call, entity);
    case 'remove':
      return remove(call, entity, platform.entities);
    default:
      return act(call);
  }
}

const OF_ONE: ReadonlySet<Role> = new Set(['read', 'write', 'remove']);

/** Path of the nearest thing above that was removed. */
function goneAbove(call: ForeignCall): string | null {
  const segments = call.concretePath.split('/');
  for (let length = segments.length - 1; length > 1; length -= 1) {
    const head = segments.slice(0, length).join('/');
    if (call.things.isGone(head)) return head;
  }
  return null;
}

function missing(call: ForeignCall): Answer {
  return refuse(404, 'NOT_FOUND', `${call.concretePath}: expected an existing thing, got one that was removed`);
}

function list(call: ForeignCall, entity: Entity): Answer {
  const { operation, things } = call;
  const outcome = successOf(operation);
  const envelope = entity.envelope;
  if (envelope === null || outcome.schema === null) return act(call);
  const every = things.under(entity, call.values);
  const style = pagingStyleOf(operation, every.length);
  const selects = filterOf(call, envelope.schema, style);
  const thingOf = (values: string[]) => things.read(entity, values);
  const chosen = every.filter((values) => selects(thingOf(values)));
  const all = ordered(call, envelope.schema, chosen, thingOf);
  const page = pageOf(all, (values) => values.at(-1) as string, style, call.query, '');
  if (page.kind !== 'page') return page;
  const rows = page.rows.map((values) =>
    shaped(call, envelope.items, withValueAt({}, envelope.row, things.read(entity, values)), [entity.name, ...values]),
  );
  const keys = page.rows.map((values) => values.at(-1) as string);
  const view = pageView({ ...page, rows: keys }, style, (query) => hrefOf(call, style, query));
  const headers = pageHeaders(operation, outcome, view);
  const entries = envelope.isKeyed ? Object.fromEntries(rows.map((row, at) => [keys[at], row])) : rows;
  if (envelope.path.length === 0) return done(outcome.status, entries, headers);
  return done(outcome.status, inEnvelope(call, envelope, entries, view), headers);
}

/** Removes the things of a collection that the query selects. */
function clear(call: ForeignCall, entity: Entity, entities: readonly Entity[]): Answer {
  const { operation, things } = call;
  const every = things.under(entity, call.values);
  const rows = entity.envelope?.schema ?? entity.schema;
  const selects = rows === null ? () => true : filterOf(call, rows, pagingStyleOf(operation, every.length));
  for (const values of every.filter((each) => selects(things.read(entity, each))))
    things.remove(entities, entity, values);
  return told(call, successOf(operation), undefined);
}

function each(call: ForeignCall, entity: Entity, rows: readonly JsonObject[] | null): Answer {
  return rows === null ? act(call) : told(call, successOf(call.operation), { entity, rows });
}

/** The entries in what the answer has around them. */
function inEnvelope(call: ForeignCall, { answer: schema, path }: Envelope, entries: unknown, view: PageView): unknown {
  const { operation } = call;
  const { document } = operation;
  const example = examplesOf(document, successOf(operation)).find(isObject) ?? {};
  const { fields, left } = withPageFields(
    document,
    schema,
    example,
    { list: path, noun: nounOf(operation.template) },
    view,
  );
  const drawn = drawnAnswer(call, schema, withValueAt(fields, path, entries), [operation.id, ...call.values]);
  const bare = left.reduce(withoutAt, drawn);
  return checkOf(document, schema, 'response')(bare) === null ? bare : drawn;
}

function hrefOf(call: ForeignCall, { parameters }: ListStyle, query: Record<string, string>): string {
  // A row that this page was asked for by would lead back to it.
  const places = [parameters?.cursor, parameters?.before];
  const kept = Object.entries(call.query).flatMap(([name, value]) =>
    Object.hasOwn(query, name) || places.includes(name) || isObject(value)
      ? []
      : [value].flat().map((each) => [name, String(each)]),
  );
  const pairs = [...kept, ...Object.entries(query)] as [string, string][];
  const address = addressOf(call, call.concretePath);
  return pairs.length === 0 ? address : `${address}?${new URLSearchParams(pairs)}`;
}

/** Headers that say of the page what fields beside a list do, such as `X-Total-Pages`. */
function pageHeaders({ document }: Operation, { response }: Outcome, view: PageView): Record<string, string> {
  const told = Object.entries(response?.headers ?? {}).flatMap(([name, stated]): [string, string][] => {
    const { schema = {} } = isObject(stated) ? (resolve(document, stated) as { schema?: Schema }) : {};
    const value = /^link$/i.test(name) ? linksOf(view) : headerValue(document, name, schema, view);
    return value === undefined ? [] : [[name.toLowerCase(), value]];
  });
  return Object.fromEntries(told);
}

/** RFC 8288: a page that is the first has none before it, the last one none after it. */
function linksOf({ next, previous, at, lastRow, href }: PageView): string | undefined {
  const links = [
    ['next', next],
    ['prev', previous],
    ['first', previous && at(0)],
    ['last', next && at(lastRow)],
  ] as const;
  const told = links.flatMap(([rel, query]) => (query === null ? [] : [`<${href(query)}>; rel="${rel}"`]));
  return told.length === 0 ? undefined : told.join(', ');
}

function create(call: ForeignCall, entity: Entity): Answer {
  const made: JsonObject[] = [];
  let place = '';
  let last: string[] = [];
  for (const sent of thingsIn(call.operation, entity, call.body, call.bodySchema)) {
    const answer = createOne(call, entity, sent);
    if ('kind' in answer) return answer;
    last = answer.values;
    const lastKey = last.at(-1) as string;
    place = call.things.path(entity, last);
    made.push({ ...namedBeside(call.operation, entity, lastKey, addressOf(call, place)), ...answer.row });
  }
  const [first = {}] = made;
  const key = [entity.name, ...call.values, String(entity.key === null ? place : valueAtPath(first, entity.key))];
  const about = { entity, rows: made, key: last.at(-1) as string, values: last };
  return told(call, successOf(call.operation), about, key, { location: place });
}

function createOne(
  call: ForeignCall,
  entity: Entity,
  sent: SentThing,
): { row: JsonObject; values: string[] } | Refusal {
  const { things } = call;
  const { value: said, secrets } = accepted(call, entity, sent);
  const value = settable(call, entity, sent.schema, said);
  const named = entity.key === null ? undefined : valueAtPath(value, entity.key);
  const isText = (typeof named === 'string' && named !== '') || typeof named === 'number';
  const isNamed = isText && things.isKeyText(entity, named);
  // Platforms that make things with PUT also change them so.
  if (isNamed && call.operation.method === 'POST' && things.isTaken(entity, [...call.values, String(named)]))
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
  const row = stamped(call, entity, sent.schema, begun(call, entity, values, value), true);
  things.put(entity, values, row, secrets);
  return { row, values };
}

function write(call: ForeignCall, entity: Entity): Answer {
  const { operation, things, values } = call;
  const gone = isGone(call, entity);
  if (gone && operation.method === 'PATCH') return missing(call);
  const before = things.stored(entity, values);
  const [sent] = thingsIn(operation, entity, call.body, call.bodySchema) as [SentThing];
  const isKnown = before !== null || (entity.isChangedByPost && !gone);
  // What takes no body replaces nothing.
  const isBare = operation.body === null;
  const isChange = operation.method === 'PATCH' || (operation.method === 'POST' && isKnown) || (isBare && !gone);
  const written = isChange ? changed(call, entity, sent) : replaced(call, entity, sent);
  if ('kind' in written) return written;
  const { row, secrets } = written;
  things.put(entity, values, row, secrets);
  const isNew = before === null && operation.method !== 'PATCH';
  const outcome =
    isNew && operation.responses['201'] !== undefined ? outcomeOf(operation, '201', 201) : successOf(operation);
  return told(call, outcome, keeps(entity) ? { entity, rows: [row], values } : undefined);
}

function remove(call: ForeignCall, entity: Entity, entities: readonly Entity[]): Answer {
  if (isGone(call, entity)) return missing(call);
  const rows = keeps(entity) ? [call.things.read(entity, call.values)] : [];
  call.things.remove(entities, entity, call.values);
  return told(call, successOf(call.operation), rows.length === 0 ? undefined : { entity, rows });
}

/** An action on the thing above it, which it may set a field of or answer with. */
function action(call: ForeignCall, about: ActedOn | null): Answer {
  if (about === null) return act(call);
  const { entity, fields, isAnswered } = about;
  const before = call.things.read(entity, call.values);
  const row = fields.reduce<unknown>((thing, [path, value]) => withValueAt(thing, path, value), before) as JsonObject;
  if (fields.length > 0) call.things.put(entity, call.values, row, {});
  return isAnswered ? told(call, successOf(call.operation), { entity, rows: [row] }) : withFlags(act(call), fields);
}

/** A report of the action says what it set: `{ "verified": true, "problems": [] }`. */
function withFlags(answer: Answer, fields: ActedOn['fields']): Answer {
  if (answer.kind !== 'done' || !isObject(answer.body)) return answer;
  const { body } = answer;
  const said = fields.flatMap(([path, value]) => {
    const name = path.at(-1) as string;
    return typeof own(body, name) === 'boolean' ? [[name, value]] : [];
  });
  return { ...answer, body: { ...body, ...Object.fromEntries(said) } };
}

/** An operation without a thing of its own: its example, else a value drawn from the call. */
function act(call: ForeignCall): Answer {
  return told(call, successOf(call.operation), undefined);
}

function told(
  call: ForeignCall,
  outcome: Outcome,
  about: { entity: Entity; rows: readonly JsonObject[]; key?: string; values?: readonly string[] } | undefined,
  key: string[] = [call.operation.id, ...call.values],
  place: Record<string, string> = {},
): Answer {
  const headers = about?.values === undefined ? {} : tagHeader(call, outcome, about.entity, about.values);
  if (place['location'] !== undefined) headers['location'] = place['location'];
  if (outcome.status >= 300 && outcome.status < 400)
    headers['location'] = `https://downloads.example${call.concretePath}`;
  if (outcome.schema === null || outcome.status === 204) return done(outcome.status, undefined, headers);
  const kept = keptContent(call, outcome);
  if (kept !== undefined) return kept;
  const value =
    about === undefined || isUnstructured(call, outcome)
      ? freeValue(call, outcome, key)
      : shaped(call, outcome.schema, wrapped(call.operation, about.entity, outcome, about.rows, about.key), key);
  return done(outcome.status, value, headers);
}

/** What stands for bytes, whose schema has no type since OpenAPI 3.1. */
const TEXT: Schema = { type: 'string' };
const isBare = (schema: Schema): boolean => Object.keys(schema).every((name) => /^(?:content|format$)/.test(name));

function freeValue(call: ForeignCall, outcome: Outcome, key: string[]): unknown {
  const { document } = call.operation;
  const schema = outcome.schema as Schema;
  const examples = examplesOf(document, outcome);
  if (outcome.media !== null && !isJson(outcome.media))
    return (
      examples.find((entry) => typeof entry === 'string') ??
      shaped(call, isUnstructured(call, outcome) && isBare(schema) ? TEXT : schema, undefined, key)
    );
  const check = checkOf(document, schema, 'response');
  const fitting = examples.find((entry) => check(entry) === null);
  if (fitting !== undefined) return fitting;
  const { query } = call;
  const asked = Object.keys(query)
    .sort()
    .map((name) => `${name}=${JSON.stringify(query[name])}`);
  return shaped(call, schema, examples.find(isObject), [...key, ...asked]);
}
