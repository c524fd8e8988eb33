/** The rows that the symptoms of an incident select and make. */
import { plain, shapeOf, typesOf } from '../engine/openapi/openapi-document.ts';
import { textMatching } from '../engine/openapi/pattern.ts';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { synthesize } from '../engine/openapi/synthesis.ts';
import type { Synthesis } from '../engine/openapi/synthesis-source.ts';
import { type Row, rowId, rowParts } from '../engine/state/collection.ts';
import { Dice } from '../engine/state/determinism.ts';
import type { JsonObject } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import { keyOf } from '../engine/state/stored-rows.ts';
import { isSelected, type Values } from './incident-values.ts';

/** A row with the keys of its path, which are not always fields of it. */
export function valuesOf(resource: Resource, row: Row): Values {
  const parts = rowParts(row.id);
  return { ...Object.fromEntries(resource.parentNames.map((name, at) => [name, parts[at]])), ...row.value };
}

/** Rows in the order of their keys. */
export function selectedRows(state: State, resource: Resource, where: Values, most?: number): Row[] {
  const rows = [...state.rows(resource.platform, resource.name).all()];
  return rows.filter((row) => isSelected(valuesOf(resource, row), where)).slice(0, most);
}

/** A row with the fields given; key and missing fields are made as for a row of the fixture, optional ones that may be null are null. */
export function newRow(state: State, resource: Resource, given: JsonObject, origin: readonly (string | number)[]): Row {
  const { document, parentNames, keyNames, readSchema } = resource;
  if (readSchema === null) return { id: '', value: given, secrets: {}, revision: 1 };
  const { properties } = shapeOf(document, readSchema);
  const dice = new Dice(state.seed, resource.platform, resource.name, ...origin);
  const parents = parentNames.map((name) => String(given[name] ?? ''));
  const keys = keyNames.map((name) => given[name] ?? newKey(state, resource, name, parents, dice));
  const fields = Object.entries(given).filter(
    ([name]) => properties[name] !== undefined || !parentNames.includes(name),
  );
  const stated = { ...Object.fromEntries(fields), ...keyFields(resource, keys, Object.keys(properties)) } as JsonObject;
  const unstated = Object.keys(properties).filter((name) => stated[name] === undefined && takesNothing(resource, name));
  const how = { ...synthesisOf(state, resource, dice.parts), unstated: new Set(unstated) };
  const value = synthesize(how, readSchema, stated) as JsonObject;
  return { id: rowId([...parents, ...keys.map(String)]), value, secrets: {}, revision: 1 };
}

function keyFields(resource: Resource, keys: readonly unknown[], known: readonly string[]): JsonObject {
  const entries = resource.keyNames.map((name, at) => [name, keys[at]] as const);
  return Object.fromEntries(entries.filter(([name]) => known.includes(name))) as JsonObject;
}

/** Whether a field is null or at its default on a row that says nothing of it. */
function takesNothing({ document, readSchema }: Resource, name: string): boolean {
  const property = plain(document, shapeOf(document, readSchema ?? {}).properties[name] ?? {});
  return property.default !== undefined || typesOf(property).includes('null');
}

/** The next key after those there are, where they are numbered; else one that no row has. */
function newKey(
  state: State,
  resource: Resource,
  name: string,
  parents: readonly string[],
  dice: Dice,
): string | number {
  const { document, readSchema } = resource;
  const schema = plain(document, shapeOf(document, readSchema ?? {}).properties[name] ?? { type: 'string' });
  const rows = state.rows(resource.platform, resource.name);
  const used = [...rows.all()].map((row) => String(row.value[name] ?? rowParts(row.id).at(-1)));
  const next = nextNumbered(used);
  if (typesOf(schema).includes('integer')) return next?.number ?? schema.minimum ?? 1;
  if (next !== null) return `${next.prefix}${next.number}`;
  for (let draw = 0; ; draw += 1) {
    const own = new Dice(...dice.parts, 'key', name, draw);
    const drawn = schema.pattern === undefined ? null : textMatching(schema.pattern, own);
    const text = drawn ?? String(synthesize(synthesisOf(state, resource, own.parts), schema));
    if (!used.includes(text) && rows.get(rowId([...parents, text])) === undefined) return text;
  }
}

/** `alr-1024` after `alr-1022` and `alr-1023`; null where keys are no numbers in turn. */
function nextNumbered(keys: readonly string[]): { prefix: string; number: number } | null {
  const found = keys.map((key) => /^([A-Za-z_-]*)(\d{1,15})$/.exec(key));
  const prefix = found[0]?.[1];
  if (prefix === undefined || !found.every((each) => each?.[1] === prefix)) return null;
  return { prefix, number: Math.max(...found.map((each) => Number(each?.[2]))) + 1 };
}

function synthesisOf(state: State, resource: Resource, origin: Synthesis['origin']): Synthesis {
  const platform = state.platforms.get(resource.platform);
  return {
    document: resource.document,
    origin,
    nowMs: state.clock.ms,
    pickTarget: (target, dice, shift = 0) => {
      const wanted = platform?.resources.get(target.resource);
      const rows = wanted === undefined ? [] : [...state.rows(resource.platform, wanted.name).all()];
      if (wanted === undefined || rows.length === 0) return undefined;
      return keyOf(wanted, rows[(dice.int(0, rows.length - 1) + shift) % rows.length] as Row, target.field);
    },
  };
}
