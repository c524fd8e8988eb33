/** What a row that an incident changed must hold to: its schema, the sense rules, references and unique values. */
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { sharedByNone, valuesAt } from '../engine/openapi/stored-resource.ts';
import { strictCheck } from '../engine/openapi/validators.ts';
import { contradictionsIn } from '../engine/semantics/contradictions.ts';
import type { Row } from '../engine/state/collection.ts';
import { exists } from '../engine/state/integrity.ts';
import { describe } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import { keyOf } from '../engine/state/stored-rows.ts';

/** What is wrong with a row: the field at fault, what holds, and what the row says instead. */
export interface Fault {
  field: string;
  expected: string;
  got: string;
}

export function faultOf(state: State, resource: Resource, row: Row): Fault | null {
  return (
    misfit(resource, row) ??
    contradicted(state, resource, row) ??
    dangling(state, resource, row) ??
    taken(state, resource, row)
  );
}

function misfit({ document, readSchema }: Resource, { value }: Row): Fault | null {
  const found = readSchema === null ? null : strictCheck(document, readSchema)(value);
  if (found === null) return null;
  return { field: found.pointer.slice(1).replaceAll('/', '.') || '(all)', expected: found.expected, got: found.got };
}

function contradicted(state: State, { document, readSchema }: Resource, { value }: Row): Fault | null {
  if (readSchema === null) return null;
  const [found] = contradictionsIn(document, readSchema, value, { nowMs: state.clock.ms });
  if (found === undefined) return null;
  const entries = Object.entries(found.fields);
  return {
    field: [...found.path, entries.map(([name]) => name).join('+')].join('.'),
    expected: `that ${found.rule.states} (rule ${found.rule.id})`,
    got: entries.map(([name, each]) => `${name} ${JSON.stringify(each)}`).join(' with '),
  };
}

function dangling(state: State, resource: Resource, { value }: Row): Fault | null {
  const platform = state.platforms.get(resource.platform);
  if (platform === undefined) return null;
  for (const { path, target } of resource.refs) {
    const wanted = platform.resources.get(target.resource);
    if (wanted === undefined) continue;
    const named = valuesAt(value, path).find(
      (each) => each !== null && each !== undefined && !exists({ state, platform }, wanted, each, target.field),
    );
    if (named === undefined) continue;
    return {
      field: path.join('.'),
      expected: `an existing ${target.field ?? 'key'} of ${target.resource}`,
      got: describe(named),
    };
  }
  return null;
}

function taken(state: State, resource: Resource, { id, value }: Row): Fault | null {
  for (const names of resource.uniqueTogether) {
    const own = sharedByNone(names, value);
    if (own === null) continue;
    for (const row of state.rows(resource.platform, resource.name).all())
      if (row.id !== id && sharedByNone(names, row.value) === own)
        return { field: names.join('+'), expected: 'a value of its own', got: `${own}, which another row has` };
  }
  return null;
}

/** A row that still names one that was taken away. */
export function orphanOf(state: State, resource: Resource, removed: Row): Fault | null {
  const platform = state.platforms.get(resource.platform);
  for (const { resource: referrer, field } of platform?.referrers.get(resource.name) ?? []) {
    const wanted = keyOf(resource, removed, field.target.field);
    for (const row of state.rows(resource.platform, referrer.name).all())
      if (valuesAt(row.value, field.path).includes(wanted as never))
        return {
          field: 'remove',
          expected: `no row that names it`,
          got: `${referrer.name} with ${field.path.join('.')} ${describe(wanted)}`,
        };
  }
  return null;
}
