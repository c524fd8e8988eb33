/**
 * A valid call of an operation with arguments drawn from a state: existing keys in the path, a body that fits the
 * schema and its rules. The tests call every operation with it, the bench makes its read mix of it.
 */
import { plain, type RefTarget, type Schema, shapeOf } from '../engine/openapi/openapi-document.ts';
import { namesIn } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { itemAbove, type Platform } from '../engine/openapi/served-platform.ts';
import { bodySchema } from '../engine/openapi/stored-resource.ts';
import { synthesize } from '../engine/openapi/synthesis.ts';
import type { Synthesis } from '../engine/openapi/synthesis-source.ts';
import { contradictionsIn } from '../engine/semantics/contradictions.ts';
import { type Row, rowId, rowParts } from '../engine/state/collection.ts';
import { Dice } from '../engine/state/determinism.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import { keyOf } from '../engine/state/stored-rows.ts';

export interface SampleCall {
  operationId: string;
  method: string;
  path: string;
  query: string;
  body: unknown;
}

/** Null when the state holds nothing the path could name. `at` picks another of the existing rows. */
export function sampleCall(platform: Platform, state: State, operation: Operation, at = 0): SampleCall | null {
  const dice = new Dice('sample', operation.id, at);
  const values = pathValues(platform, state, operation, at);
  if (values === null) return null;
  let position = 0;
  const path = operation.template.replace(/\{[^}]+\}/g, () => encodeURIComponent(values[position++] ?? ''));
  const synthesis = synthesisOf(platform, state, operation, dice, at);
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(
      (parameter) =>
        `${encodeURIComponent(parameter.name)}=${encodeURIComponent(String(synthesize(synthesis, parameter.schema ?? {})))}`,
    );
  return {
    operationId: operation.id,
    method: operation.method,
    path,
    query: query.join('&'),
    body:
      operation.kind === 'bulk-patch'
        ? bulkChanges(platform, state, operation, synthesis, at)
        : bodyOf(operation, synthesis, rowAt(platform, state, operation, values), (body, row) =>
            keepImmutable(platform, operation, body, row),
          ),
  };
}

function pathValues(platform: Platform, state: State, operation: Operation, at: number): string[] | null {
  if (operation.by !== null) return valuesByField(platform, state, operation, operation.by, at);
  const creates = operation.kind === 'create' && operation.template.endsWith('}');
  const above = itemAbove(platform, operation.template, namesIn(operation.template), !creates);
  const values: string[] = [];
  if (above !== null) {
    const row = pick(state.rows(platform.id, above.resource.name).all(), at);
    if (row !== undefined) values.push(...rowParts(row.id));
    // PUT can bring an object into being, everything else needs one.
    else if (operation.kind !== 'replace') return null;
  }
  for (const name of operation.pathNames.slice(values.length)) {
    const parameter = operation.parameters.find((entry) => entry.in === 'path' && entry.name === name);
    const schema = plain(operation.document, parameter?.schema ?? {});
    const target = schema['x-svc-ref'];
    const existing = target === undefined || creates ? undefined : targetOf(platform, state, target, at);
    const drawn = (draw: number) =>
      synthesize(synthesisOf(platform, state, operation, new Dice('sample', operation.id, name, at, draw), at), schema);
    // A segment of dots alone means another place to everything that handles URLs.
    const draw = [0, 1, 2, 3].find((number) => !/^\.{1,2}$/.test(String(drawn(number)))) ?? 0;
    values.push(String(existing ?? drawn(draw)));
  }
  return values;
}

/** An item reached by a further unique field: what stands in the path is that field of a row. */
function valuesByField(
  platform: Platform,
  state: State,
  operation: Operation,
  field: string,
  at: number,
): string[] | null {
  const resource = platform.resources.get(operation.resource ?? '');
  const rows = resource === undefined ? [] : [...state.rows(platform.id, resource.name).all()];
  const row = pick(
    rows.filter(({ value }) => typeof value[field] === 'string' || typeof value[field] === 'number'),
    at,
  );
  if (resource === undefined || row === undefined) return null;
  return [...rowParts(row.id).slice(0, resource.parentNames.length), String(row.value[field])];
}

function rowAt(platform: Platform, state: State, operation: Operation, values: string[]): Row | undefined {
  return state.rows(platform.id, operation.resource ?? '').get(rowId(values));
}

function pick(rows: Iterable<Row>, at: number): Row | undefined {
  const all = [...rows];
  return all[at % Math.max(1, all.length)];
}

function targetOf(platform: Platform, state: State, target: RefTarget, at: number): unknown {
  const resource = platform.resources.get(target.resource);
  const row = resource === undefined ? undefined : pick(state.rows(platform.id, resource.name).all(), at);
  return resource === undefined || row === undefined ? undefined : keyOf(resource, row, target.field);
}

function synthesisOf(platform: Platform, state: State, operation: Operation, dice: Dice, at: number): Synthesis {
  return {
    document: operation.document,
    origin: dice.parts,
    nowMs: state.clock.ms,
    withSecrets: true,
    onlyRequired: true,
    pickTarget: (target, _dice, shift = 0) => targetOf(platform, state, target, at + shift),
  };
}

function bodyOf(
  operation: Operation,
  synthesis: Synthesis,
  row: Row | undefined,
  keep: (body: unknown, row: Row | undefined) => unknown,
): unknown {
  const media = operation.body?.content ?? {};
  const schema = (media['application/json'] ?? media['application/merge-patch+json'])?.schema;
  if (schema === undefined) return undefined;
  const body = keep(synthesize(synthesis, schema), row);
  if (!isObject(body)) return body;
  const shape = shapeOf(operation.document, plain(operation.document, schema));
  // What a replacement cannot change decides over what it needs as well.
  const before = operation.kind === 'replace' ? (row?.value ?? {}) : {};
  const complete = {
    ...withNeeded(operation, synthesis, schema, body, before),
    ...addingWord(operation, shape.properties),
  };
  for (const [name, entries] of Object.entries(operation.kind === 'bulk-create' ? complete : {})) {
    const items = plain(operation.document, shape.properties[name] ?? {}).items;
    if (items === undefined || !Array.isArray(entries)) continue;
    complete[name] = entries.map((entry) => (isObject(entry) ? withNeeded(operation, synthesis, items, entry) : entry));
  }
  return operation.method === 'PATCH' ? meaningful(operation, synthesis, schema, row, complete) : complete;
}

/** What a rule demands under a condition that holds is added. */
function withNeeded(
  operation: Operation,
  synthesis: Synthesis,
  schema: Schema,
  body: Record<string, unknown>,
  before: Record<string, unknown> = {},
): Record<string, unknown> {
  const shape = shapeOf(operation.document, plain(operation.document, schema));
  const complete: Record<string, unknown> = { ...body };
  const meant = {
    ...immutableOf(shape.properties, before),
    ...defaultsOf(operation, shape.properties),
    ...complete,
    ...addingWord(operation, shape.properties),
  };
  for (const name of neededByRules(shape.rules, meant)) {
    const [first = name, inner] = name in shape.properties ? [name] : name.split('.');
    const property = shape.properties[first];
    if (property === undefined) continue;
    complete[first] ??= notNull(synthesis, property, first);
    if (inner !== undefined) addInner(complete[first], property, inner, synthesis);
  }
  return complete;
}

/** An object-style write adds, so that its body has to be complete. */
function addingWord({ document, set }: Operation, properties: Record<string, Schema>): Record<string, string> {
  const word = set === null ? undefined : properties[set.field];
  const words = word === undefined ? [] : (plain(document, word).enum ?? []);
  return set !== null && words.includes(set.add) ? { [set.field]: set.add } : {};
}

/** A rule looks at the value that will be stored, which may be a default. */
function defaultsOf(operation: Operation, properties: Record<string, Schema>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, plain(operation.document, schema).default]),
  );
}

/** One existing row with one field that gets another value. */
function bulkChanges(
  platform: Platform,
  state: State,
  operation: Operation,
  synthesis: Synthesis,
  at: number,
): unknown {
  const resource = platform.resources.get(operation.resource ?? '');
  const row = resource === undefined ? undefined : pick(state.rows(platform.id, resource.name).all(), at);
  const schema = operation.body?.content['application/json']?.schema ?? {};
  const items = plain(operation.document, shapeOf(operation.document, schema).properties['items'] ?? {}).items ?? {};
  const changes = shapeOf(operation.document, items).properties['changes'] ?? {};
  const [name = '', property = {}] = Object.entries(shapeOf(operation.document, changes).properties)[0] ?? [];
  const key = Object.fromEntries((resource?.keyNames ?? []).map((each) => [each, row?.value[each]]));
  return { items: [{ ...key, changes: { [name]: notNull(synthesis, property, name) } }] };
}

/** PUT on an existing object repeats what was set once. */
function keepImmutable(platform: Platform, operation: Operation, body: unknown, row: Row | undefined): unknown {
  const resource = platform.resources.get(operation.resource ?? '');
  if (operation.method !== 'PUT' || row === undefined || resource === undefined || !isObject(body)) return body;
  const schema = bodySchema(operation);
  const declared = schema === null ? {} : shapeOf(operation.document, schema).properties;
  const kept = Object.fromEntries(
    resource.immutable.filter((name) => name in row.value && name in declared).map((name) => [name, row.value[name]]),
  );
  return { ...body, ...kept };
}

/** Fields of the row that the body cannot hold. */
const immutableOf = (properties: Record<string, Schema>, before: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(before).filter(([name]) => !(name in properties)));

function neededByRules(rules: unknown[], body: Record<string, unknown>): string[] {
  return rules.flatMap((rule) => {
    if (!isObject(rule) || !isObject(rule['when'])) return [];
    const holds = Object.entries(rule['when']).every(([name, wanted]) => [wanted].flat().includes(body[name]));
    return holds && Array.isArray(rule['require']) ? rule['require'].map(String) : [];
  });
}

function notNull(synthesis: Synthesis, property: Schema, name: string): unknown {
  // A default of null is what the rule forbids.
  const { default: _default, ...at } = plain(synthesis.document, property);
  const types = [at.type ?? 'string'].flat().filter((type) => type !== 'null');
  return synthesize({ ...synthesis, origin: [...synthesis.origin, name] }, { ...at, type: types[0] ?? 'object' });
}

function addInner(value: unknown, schema: Schema, name: string, synthesis: Synthesis): void {
  const property = shapeOf(synthesis.document, plain(synthesis.document, schema)).properties[name];
  if (isObject(value) && property !== undefined) value[name] ??= notNull(synthesis, property, name);
}

/** A patch must say something that fits the row: else it is the first field that does, no reference and no secret. */
function meaningful(
  operation: Operation,
  synthesis: Synthesis,
  schema: Schema,
  row: Row | undefined,
  drawn: Record<string, unknown>,
): Record<string, unknown> {
  const { document } = operation;
  const fits = (body: Record<string, unknown>) => {
    const judging = { nowMs: synthesis.nowMs, isJudged: (_: readonly string[], name: string) => name in body };
    return contradictionsIn(document, schema, { ...row?.value, ...body }, judging).length === 0;
  };
  if (Object.keys(drawn).length > 0 && fits(drawn)) return drawn;
  const { properties } = shapeOf(document, plain(document, schema));
  const single = settable(operation, properties).map((name) => ({
    [name]: notNull(synthesis, properties[name] as Schema, name),
  }));
  return single.find(fits) ?? single[0] ?? drawn;
}

function settable({ document, set }: Operation, properties: Record<string, Schema>): string[] {
  return Object.keys(properties).filter((each) => {
    if (each === set?.field) return false;
    const at = plain(document, properties[each] as Schema);
    const isOwn = at['x-svc-immutable'] !== true && at.writeOnly !== true && at.readOnly !== true;
    return isOwn && at['x-svc-ref'] === undefined && at.type !== undefined;
  });
}

/** The body with a field more, another one for each `at`: nested shapes come with all their parts. */
export function withOneMore(
  platform: Platform,
  state: State,
  operation: Operation,
  body: Record<string, unknown>,
  at: number,
): Record<string, unknown> {
  const schema = Object.values(operation.body?.content ?? {})[0]?.schema;
  if (schema === undefined) return body;
  const { properties } = shapeOf(operation.document, plain(operation.document, schema));
  // Another key would make it another object.
  const keys = platform.resources.get(operation.resource ?? '')?.keyNames ?? [];
  const isOpen = (name: string) => name !== operation.set?.field && !keys.includes(name);
  const own = settable(operation, properties).filter(isOpen);
  const names = own.length > 0 ? own : Object.keys(properties).filter(isOpen);
  const name = names[at % Math.max(1, names.length)];
  if (name === undefined) return body;
  const synthesis = synthesisOf(platform, state, operation, new Dice('more', operation.id, at), at);
  const made = notNull({ ...synthesis, onlyRequired: false }, properties[name] as Schema, name);
  const isFree = isObject(made) && Object.keys(made).length === 0;
  return { ...body, [name]: isFree ? { setting: at } : made };
}
