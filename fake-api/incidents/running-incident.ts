/**
 * Starts and ends incidents in a namespace. What an incident changed is noted in the state, so that snapshots, the state hash and
 * the end of the incident know of it.
 */
import type { Row } from '../engine/state/collection.ts';
import { canonicalJson, type JsonObject } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import type { Incident } from './incident-file.ts';
import { type IncidentChange, Unfolding } from './unfolding.ts';

export interface RunningIncident {
  startedAt: string;
  changes: IncidentChange[];
}

const noteOf = (name: string): string => `incident ${name}`;

export function runningIncident(state: State, name: string): RunningIncident | undefined {
  return state.notes.get(noteOf(name)) as RunningIncident | undefined;
}

/** All of it or nothing: throws `INCIDENT_INVALID` and leaves the state as it was. */
export function startIncident(state: State, incident: Incident): RunningIncident {
  const saved = state.save();
  try {
    const running = { startedAt: state.clock.iso(), changes: new Unfolding(state, incident).changes() };
    state.notes.set(noteOf(incident.name), running);
    state.touch();
    return running;
  } catch (error) {
    state.restore(saved);
    throw error;
  }
}

/** Puts back what the incident changed, fields that a write changed meanwhile excepted. Returns how many rows went back. */
export function endIncident(state: State, name: string): number {
  const running = runningIncident(state, name);
  let restored = 0;
  for (const change of running?.changes.toReversed() ?? []) if (putBack(state, change)) restored += 1;
  state.notes.delete(noteOf(name));
  state.touch();
  return restored;
}

function putBack(state: State, { platform, resource: name, id, before, after }: IncidentChange): boolean {
  const resource = state.platforms.get(platform)?.resources.get(name);
  const current = state.rows(platform, name).get(id);
  if (resource === undefined || (current === undefined) !== (after === null)) return false;
  if (current === undefined) {
    if (before !== null) state.putBack(resource, before);
    return before !== null;
  }
  const isUntouched = canonicalJson(current.value) === canonicalJson(after?.value);
  if (before === null) {
    if (isUntouched) state.remove(resource, id);
    return isUntouched;
  }
  if (isUntouched) state.putBack(resource, before);
  else state.put(resource, { ...current, value: withOldFields(current, before, after as Row) });
  return true;
}

function withOldFields(current: Row, before: Row, after: Row): JsonObject {
  const value = { ...current.value };
  for (const name of new Set([...Object.keys(before.value), ...Object.keys(after.value)])) {
    const isOurs = canonicalJson(after.value[name] ?? null) !== canonicalJson(before.value[name] ?? null);
    if (!isOurs || canonicalJson(value[name] ?? null) !== canonicalJson(after.value[name] ?? null)) continue;
    const old = before.value[name];
    if (old === undefined) delete value[name];
    else value[name] = old;
  }
  return value;
}
