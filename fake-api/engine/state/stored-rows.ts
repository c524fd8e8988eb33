/** Rows as a reader sees them: stored values, derived values over them, cut to the answer's schema. */
import type { Call } from '../http/accepted-call.ts';
import { type OpenApiDocument, plain, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import type { Platform } from '../openapi/served-platform.ts';
import { type RefField, type Resource, valuesAt } from '../openapi/stored-resource.ts';
import { synthesize } from '../openapi/synthesis.ts';
import type { Synthesis } from '../openapi/synthesis-source.ts';
import { repaired } from '../semantics/sense.ts';
import { type Row, rowId, rowParts } from './collection.ts';
import { Dice } from './determinism.ts';
import { own } from './json-value.ts';
import { hasEnded, valueInTime } from './passing-time.ts';
import type { Look, PlatformBehaviour, Values } from './platform-behaviour.ts';
import { isAwayWithDevice, withRestart } from './restarts.ts';
import type { State } from './state.ts';

export function lookAt(platform: Platform, state: State, world: PlatformBehaviour): Look {
  return {
    state,
    all: (resource) => readAll(platform, state, world, resource),
    one: (resource, key) => {
      const own = platform.resources.get(resource);
      const row = state.rows(platform.id, resource).get(key);
      return own === undefined || row === undefined ? undefined : readRow(platform, state, world, own, row);
    },
    now: () => state.clock.ms,
  };
}

function readAll(platform: Platform, state: State, world: PlatformBehaviour, name: string): Values[] {
  const resource = platform.resources.get(name);
  if (resource === undefined) return [];
  return state.memo(`all ${platform.id} ${name}`, () => {
    const found: Values[] = [];
    for (const row of state.rows(platform.id, name).all())
      if (!isOutOfSight(platform, state, world, resource, row))
        found.push(readRow(platform, state, world, resource, row));
    return found;
  });
}

/** Stored values with everything that follows from other rows laid over them. */
export function readRow(
  platform: Platform,
  state: State,
  world: PlatformBehaviour,
  resource: Resource,
  row: Row,
): Values {
  const derive = own(world.derive, resource.name);
  const isOriginal = () => state.rows(platform.id, resource.name).isOriginal(row.id);
  const value = valueInTime(resource, row.value, state.clock, isOriginal);
  if (derive === undefined) return withRestart(state, resource, value);
  return state.memo(`row ${platform.id} ${resource.name} ${row.id}`, () => {
    // A row below a parent does not repeat the parent's key, but what follows from the parent needs it.
    const parts = rowParts(row.id);
    const parents = Object.fromEntries(resource.parentNames.map((name, at) => [name, parts[at]]));
    const derived = derive({ ...parents, ...value }, lookAt(platform, state, world));
    return withRestart(state, resource, { ...value, ...derived });
  });
}

export function isHidden({ platform, state, world }: Call, resource: Resource, row: Row): boolean {
  return isOutOfSight(platform, state, world, resource, row) || hasEnded(resource, row.value, state.clock);
}

/** Whether a row is in no list and no sum, as a consequence of other rows. */
function isOutOfSight(
  platform: Platform,
  state: State,
  world: PlatformBehaviour,
  resource: Resource,
  row: Row,
): boolean {
  const hides = own(world.hides, resource.name);
  return hides?.(row.value, lookAt(platform, state, world)) === true || isAwayWithDevice(state, resource, row.value);
}

interface Cut {
  names: string[];
  required: string[];
  open: boolean;
}

const cuts = new WeakMap<Schema, Cut>();

/** The row cut to a schema; what the schema demands and the row lacks is filled in, always with the same value. */
export function present(
  call: Pick<Call, 'state' | 'platform' | 'operation'>,
  schema: Schema,
  source: Values,
  key: string,
): Values {
  const { document } = call.operation;
  const cut = cuts.get(schema) ?? prepare(document, schema);
  if (cut.open) return source;
  const built: Values = {};
  for (const name of cut.names) {
    const value = own(source, name);
    if (value !== undefined) built[name] = value;
  }
  const filled = new Set<string>();
  for (const name of cut.required) {
    if (own(built, name) === undefined) {
      const property = shapeOf(document, schema).properties[name] as Schema;
      built[name] = synthesize(synthesisFor(call, ['fill', call.operation.id, key, name]), property);
      filled.add(name);
    }
  }
  if (filled.size === 0) return built;
  return repaired(document, schema, built, filled, call.state.clock.ms);
}

function prepare(document: OpenApiDocument, schema: Schema): Cut {
  const shape = shapeOf(document, schema);
  const names = Object.keys(shape.properties).filter((name) => {
    const at = plain(document, shape.properties[name] as Schema);
    return at.writeOnly !== true;
  });
  const cut = {
    names,
    required: [...shape.required].filter((name) => names.includes(name)),
    open: shape.open && names.length === 0,
  };
  cuts.set(schema, cut);
  return cut;
}

export function synthesisFor(
  call: Pick<Call, 'state' | 'platform' | 'operation'>,
  parts: readonly (string | number)[],
  document: OpenApiDocument = call.operation.document,
): Synthesis {
  const { state, platform } = call;
  return {
    document,
    origin: [state.seed, platform.id, ...parts],
    nowMs: state.clock.ms,
    pickTarget: (target, dice) => {
      const resource = platform.resources.get(target.resource);
      if (resource === undefined) return undefined;
      const rows = [...state.rows(platform.id, target.resource).all()];
      if (rows.length === 0) return undefined;
      return keyOf(resource, dice.pick(rows), target.field);
    },
  };
}

/** Value by which other objects name a row. */
export function keyOf(resource: Resource, row: Row, field?: string): unknown {
  if (field !== undefined && row.value[field] !== undefined) return row.value[field];
  return row.value[resource.keyNames[0] as string] ?? rowParts(row.id).at(-1);
}

/** Rows that point at a row, as `resource/key` texts for a message, and the fields they do it with. */
export interface Pointing {
  resource: Resource;
  field: RefField;
  row: Row;
}

export function referrersOf(call: Call, resource: Resource, row: Row): Pointing[] {
  const found: Pointing[] = [];
  for (const referrer of call.platform.referrers.get(resource.name) ?? []) {
    const wanted = keyOf(resource, row, referrer.field.target.field);
    for (const candidate of call.state.rows(call.platform.id, referrer.resource.name).all()) {
      if (referrer.resource.name === resource.name && candidate.id === row.id) continue;
      if (valuesAt(candidate.value, referrer.field.path).includes(wanted as never)) {
        found.push({ resource: referrer.resource, field: referrer.field, row: candidate });
      }
    }
  }
  return found;
}

/** Row id from the path of a call at (or below) an item. */
export function idFromPath(resource: Resource, values: readonly string[]): string {
  if (resource.singleton) return rowId([...values.slice(0, resource.parentNames.length), '']);
  return rowId(values.slice(0, resource.parentNames.length + Math.max(1, itemNameCount(resource))));
}

function itemNameCount(resource: Resource): number {
  if (resource.itemTemplate === null) return 1;
  return resource.itemTemplate.split('{').length - 1 - resource.parentNames.length;
}

export function newId(state: State, platform: string, resource: string): Dice {
  return new Dice(state.seed, 'new', platform, resource, state.next(`create ${platform} ${resource}`));
}
