/**
 * What two resources of one platform say alike of an object in quiet times, they say alike of it during an incident. Which attributes those are is
 * learned from the quiet network: both resources have the field, and every object that both show has one value in both.
 */
import { expect, test } from 'vitest';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { rowParts } from '../engine/state/collection.ts';
import { State } from '../engine/state/state.ts';
import { isHidden, readRow } from '../engine/state/stored-rows.ts';
import { shippedInstallation } from '../test/full-installation.ts';
import { incidentNames, readIncident } from './incident-file.ts';
import { startIncident } from './running-incident.ts';

type Values = Record<string, unknown>;
interface View {
  resource: string;
  values: Values;
}

const installation = await shippedInstallation();
const fresh = (): State => new State(installation.platforms, installation.fixture.rows, installation.fixture);

/** A key that is shorter is a number or a port, which is another thing on every device. */
const LEAST_KEY = 8;
/** Objects that two resources show in quiet times, before what they say alike counts as learned. */
const LEAST_OBJECTS = 3;
/** Views of one object: a site or a tenant as a key is no identity of what lies below it. */
const MOST_VIEWS = 40;
const STATE = /stat(e|us)$|connected$|reachable$|up$/i;

/** By key, the rows of one platform that have it, as its clients read them. */
function viewsOf(state: State, platform: string, only?: ReadonlySet<string>): Map<string, View[]> {
  const served = installation.platforms.get(platform);
  const world = installation.worlds.get(platform);
  const views = new Map<string, View[]>();
  if (served === undefined || world === undefined) return views;
  const call = { state, platform: served, world } as unknown as Parameters<typeof isHidden>[0];
  const isShown = (resource: Resource, row: Parameters<typeof isHidden>[2]) => !isHidden(call, resource, row);
  for (const resource of served.resources.values()) {
    for (const row of state.rows(platform, resource.name).all()) {
      const key = keyOf(row.id);
      if (key.length < LEAST_KEY || only?.has(key) === false || !isShown(resource, row)) continue;
      const view = { resource: resource.name, values: readRow(served, state, world, resource, row) as Values };
      views.set(key, [...(views.get(key) ?? []), view]);
    }
  }
  return views;
}

const keyOf = (id: string): string =>
  rowParts(id)
    .filter((part) => part !== '')
    .at(-1) ?? '';

/** Scalars that both of two views have, by the names of the resources and the field. */
function* shared(views: readonly View[]): Iterable<[attribute: string, one: unknown, other: unknown]> {
  if (views.length > MOST_VIEWS) return;
  for (const [at, one] of views.entries())
    for (const other of views.slice(at + 1)) {
      if (one.resource === other.resource) continue;
      for (const [field, value] of Object.entries(one.values))
        if (Object.hasOwn(other.values, field) && isScalar(value) && isScalar(other.values[field]))
          yield [`${one.resource} ${other.resource} ${field}`, value, other.values[field]];
    }
}

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

/** Attributes that two resources of the platform say alike of each object, and that could differ. */
function learned(platform: string): ReadonlySet<string> {
  const seen = new Map<string, { objects: number; alike: boolean; values: Set<unknown> }>();
  for (const views of viewsOf(fresh(), platform).values())
    for (const [attribute, one, other] of shared(views)) {
      const known = seen.get(attribute) ?? { objects: 0, alike: true, values: new Set() };
      known.values.add(one);
      seen.set(attribute, { ...known, objects: known.objects + 1, alike: known.alike && one === other });
    }
  return new Set(
    [...seen].flatMap(([attribute, { objects, alike, values }]) =>
      objects >= LEAST_OBJECTS && alike && (values.size > 1 || STATE.test(attribute)) ? [attribute] : [],
    ),
  );
}

const alike = new Map(installation.ids.map((platform) => [platform, learned(platform)]));

test('every platform shows some object in several places', () => {
  const counts = [...alike].map(([platform, attributes]) => [platform, attributes.size] as const);
  expect(counts.filter(([, count]) => count === 0)).toEqual([]);
});

test.each(await incidentNames())('%s: no two views of one object disagree', async (name) => {
  const state = fresh();
  const { changes } = startIncident(state, await readIncident(name));
  const differing: string[] = [];
  for (const platform of new Set(changes.map((change) => change.platform))) {
    const changed = new Set(changes.filter((change) => change.platform === platform).map(({ id }) => keyOf(id)));
    for (const [key, views] of viewsOf(state, platform, changed))
      for (const [attribute, one, other] of shared(views))
        if (alike.get(platform)?.has(attribute) === true && one !== other)
          differing.push(`${platform} ${key} ${attribute}: ${String(one)}, ${String(other)}`);
  }
  expect(differing).toEqual([]);
});
