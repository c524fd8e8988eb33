/**
 * Rows that a series of a whole resource is about, where the query names a site, a device or another object: those that say that they belong to it, by a
 * field of their own or by one of the object that they are about.
 */
import type { Call } from '../http/accepted-call.ts';
import { plain, plainName, shapeOf } from '../openapi/openapi-document.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import type { Values } from './platform-behaviour.ts';

export interface SeriesRows {
  /** Whether each row of the resource is among those that the query asks about. */
  chosen: readonly boolean[];
  /** Share of the whole that belongs to what the query names, where no row says to whom it belongs; else 1. */
  share: number;
  /** What the query names without a row that says so, as text; empty where the rows tell. */
  unsaid: string;
  /** A name in the query that nothing on the platform has. */
  isUnknown: boolean;
}

/** Names of parameters and the word by which fields name the same thing. */
const SAME_THING: Readonly<Record<string, RegExp>> = { device: /^(serial|device)$/ };

export function rowsOfSeries(
  call: Call,
  resource: Resource,
  rows: readonly Values[],
  named: readonly (readonly [name: string, value: unknown])[],
): SeriesRows {
  let chosen = rows.map(() => true);
  let share = 1;
  const unsaid: string[] = [];
  let isUnknown = false;
  for (const [name, given] of named) {
    const value = String(given);
    const { operation, platform, state } = call;
    // Every row of the platform is looked at: once until something changes.
    const owners = state.memo(`owners ${platform.id} ${operation.id} ${resource.name} ${name}`, () =>
      ownersOf(call, resource, name),
    );
    const own = owners.keys.get(value) ?? NOBODY;
    const belongs = rows.map((row) => isSaid(row, name, value) || mentionsAny(row, own));
    if (belongs.includes(true) || saysWhose(resource, rows, name, owners)) {
      chosen = chosen.map((each, at) => each && belongs[at] === true);
      if (!belongs.includes(true) && !owners.known.has(value)) isUnknown = true;
      continue;
    }
    if (!owners.known.has(value) && owners.known.size > 0) isUnknown = true;
    share *= owners.known.get(value) ?? 1;
    unsaid.push(`${name}=${value}`);
  }
  return { chosen, share, unsaid: unsaid.sort().join(' '), isUnknown };
}

const NOBODY: ReadonlySet<string> = new Set();

interface Owners {
  /** Keys of what belongs to each value of the parameter, such as the devices of each site. */
  keys: ReadonlyMap<string, ReadonlySet<string>>;
  /** Values that the platform knows, with the share of its objects that each one has. */
  known: ReadonlyMap<string, number>;
}

/** What the other resources of the platform say of the values of a parameter. */
function ownersOf(call: Call, resource: Resource, name: string): Owners {
  const keys = new Map<string, Set<string>>();
  let population: ReadonlyMap<string, number> = new Map();
  for (const other of call.platform.resources.values()) {
    const owned = ownedBy(call, other, name, other === resource);
    if (owned === null) continue;
    const counts = new Map<string, number>();
    for (const [owner, key] of owned) {
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
      if (key !== owner) keys.set(owner, (keys.get(owner) ?? new Set()).add(key));
    }
    if (sumOf(counts) > sumOf(population)) population = counts;
  }
  const all = sumOf(population);
  return { keys, known: new Map([...population].map(([value, count]) => [value, count / all])) };
}

/** Key of each row of a resource and to which value of the parameter it belongs; null for a resource that does not say. */
function ownedBy(call: Call, resource: Resource, name: string, isOwn: boolean): [owner: string, key: string][] | null {
  const [key = '', more] = resource.keyNames;
  if (resource.singleton || resource.parentNames.length > 0 || more !== undefined) return null;
  const field = isOwn ? undefined : fieldFor(resource, name);
  const isTarget = isNamedBy(call, resource, name) || (field === undefined && namesThing(key, name));
  const says = isTarget ? key : field;
  if (says === undefined) return null;
  return Array.from(call.state.rows(call.platform.id, resource.name).all(), ({ value }): [string, string] => [
    String(value[says] ?? ''),
    String(value[key] ?? ''),
  ]).filter(([owner]) => owner !== '');
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, each) => sum + each, 0);

/** Whether the parameter is declared as a reference to the resource. */
function isNamedBy({ operation }: Call, resource: Resource, name: string): boolean {
  const parameter = operation.parameters.find((entry) => entry.in === 'query' && entry.name === name);
  const schema = parameter?.schema === undefined ? undefined : plain(operation.document, parameter.schema);
  return schema?.['x-svc-ref']?.resource === resource.name;
}

function fieldFor(resource: Resource, name: string): string | undefined {
  if (resource.readSchema === null) return undefined;
  const wanted = plainName(name);
  return Object.keys(shapeOf(resource.document, resource.readSchema).properties).find((field) =>
    [wanted, `${wanted}id`].includes(plainName(field)),
  );
}

function namesThing(field: string, name: string): boolean {
  const test = SAME_THING[name];
  return test !== undefined && wordsOf(field).some((word) => test.test(word));
}

/** Whether rows of the resource say to whom they belong, though none belongs to the one that is asked about. */
function saysWhose(resource: Resource, rows: readonly Values[], name: string, { keys }: Owners): boolean {
  if (fieldFor(resource, name) !== undefined) return true;
  const { properties } =
    resource.readSchema === null ? { properties: {} } : shapeOf(resource.document, resource.readSchema);
  if (Object.keys(properties).some((field) => namesThing(field, name))) return true;
  const all = new Set([...keys.values()].flatMap((each) => [...each]));
  return rows.some((row) => mentionsAny(row, all));
}

/** Whether a text of the row, or of what it consists of, is the value; other kinds of fields have to be named like the parameter. */
function isSaid(row: Values, name: string, value: string): boolean {
  return Object.entries(row).some(
    ([field, own]) => textsIn(own).includes(value) || (plainName(field) === plainName(name) && String(own) === value),
  );
}

function mentionsAny(row: Values, keys: ReadonlySet<string>): boolean {
  return keys.size > 0 && Object.values(row).some((own) => textsIn(own).some((text) => keys.has(text)));
}

function textsIn(own: unknown): readonly string[] {
  if (typeof own === 'string') return [own];
  if (own === null || typeof own !== 'object') return [];
  return Object.values(own).filter((each) => typeof each === 'string');
}
