/**
 * Changes that wait for a commit. The edited rows are the rows; a stage keeps the image each of them had before its
 * first edit. A commit forgets the images, a discard brings them back, and a version keeps them for a rollback.
 */
import type { Behaviour, Call } from '../http/accepted-call.ts';
import type { Answer } from '../http/platform-answer.ts';
import { parameterDefault } from '../http/request-parameters.ts';
import type { Platform } from '../openapi/served-platform.ts';
import type { Row } from './collection.ts';
import { rowParts } from './collection.ts';
import { canonicalJson, own } from './json-value.ts';
import type { Change, Edit, Version } from './stage-contents.ts';
import type { State } from './state.ts';

/** Runs a behaviour so that its writes land in the stage of the call, or its reads show what is committed. */
export function inStage(call: Call, behave: Behaviour): Answer {
  const style = call.operation.stage;
  if (style === null) return behave(call);
  if (style.view === null) return writingTo(call.state, stageName(call), () => behave(call));
  const { [style.view.parameter]: view, ...query } = call.query;
  const seen = { ...call, query };
  if (view !== style.view.committed) return writingTo(call.state, stageName(call), () => behave(seen));
  return asCommitted(call.state, call.platform, () => behave(seen));
}

export function writingTo<T>(state: State, stage: string | null, work: () => T): T {
  const before = state.stage;
  state.stage = stage;
  try {
    return work();
  } finally {
    state.stage = before;
  }
}

/** Which stage a call is about: by path, query or body, else by the default of the parameter. */
export function stageName(call: Call): string {
  const { operation, platform, path, query, body } = call;
  const key = operation.stage?.key ?? null;
  if (key === null) return `${platform.id} `;
  const declared = operation.parameters.find((parameter) => parameter.name === key);
  const given =
    path[key] ??
    query[key] ??
    own(body as Record<string, unknown> | undefined, key) ??
    parameterDefault(operation.document, declared);
  return `${platform.id} ${String(given ?? '')}`;
}

/** Puts the images back for the time of a read. */
export function asCommitted<T>(state: State, platform: Platform, read: () => T): T {
  const edits = new Map<string, Edit>();
  for (const stage of state.stages.values()) {
    if (stage.platform !== platform.id) continue;
    for (const [name, edit] of stage.pending) if (!edits.has(name)) edits.set(name, edit);
  }
  const edited = [...edits.values()].map((edit) => ({ ...edit, before: rowNow(state, platform, edit) ?? null }));
  for (const edit of edits.values()) bringBack(state, platform, edit);
  try {
    return read();
  } finally {
    for (const edit of edited) bringBack(state, platform, edit);
  }
}

function rowNow(state: State, platform: Platform, edit: Edit): Row | undefined {
  return state.rows(platform.id, edit.resource).get(edit.id);
}

function bringBack(state: State, platform: Platform, edit: Edit): void {
  const resource = platform.resources.get(edit.resource);
  if (resource === undefined) return;
  if (edit.before === null) state.remove(resource, edit.id);
  else state.put(resource, edit.before);
}

/** What differs from the committed state; an edit that was undone by hand is none. */
export function pendingChanges(state: State, platform: Platform, name: string): Change[] {
  const changes: Change[] = [];
  for (const edit of state.stages.get(name)?.pending.values() ?? []) {
    const change = changeOf(edit, rowNow(state, platform, edit), platform);
    if (change !== null) changes.push(change);
  }
  return changes;
}

function changeOf(edit: Edit, after: Row | undefined, platform: Platform): Change | null {
  const { before } = edit;
  const resource = platform.resources.get(edit.resource);
  const key =
    rowParts(edit.id)
      .slice(resource?.parentNames.length ?? 0)
      .join('/') || rowParts(edit.id).join('/');
  const fields = differing(before, after).filter(
    (field) => resource === undefined || resource.writable.size === 0 || resource.writable.has(field),
  );
  const told = { resource: edit.resource, key, fields, at: edit.at };
  if (before === null && after === undefined) return null;
  if (before === null) return { kind: 'created', ...told };
  if (after === undefined) return { kind: 'deleted', ...told };
  return fields.length === 0 ? null : { kind: 'changed', ...told };
}

function differing(before: Row | null, after: Row | undefined): string[] {
  const names = new Set([...Object.keys(before?.value ?? {}), ...Object.keys(after?.value ?? {})]);
  const fields = [...names].filter(
    (name) => canonicalJson(before?.value[name] ?? null) !== canonicalJson(after?.value[name] ?? null),
  );
  for (const [one, other] of [
    [before, after],
    [after, before],
  ]) {
    for (const [pointer, hash] of Object.entries(one?.secrets ?? {}))
      if (other?.secrets[pointer] !== hash) fields.push(pointer.split('/')[1] as string);
  }
  return [...new Set(fields)].sort();
}

/** Everything pending takes effect. With nothing pending there is no new version. */
export function commit(state: State, platform: Platform, name: string, words: Version['words'] = {}): Change[] {
  const stage = state.stages.get(name);
  const changes = pendingChanges(state, platform, name);
  if (stage === undefined) return changes;
  if (changes.length > 0) {
    const edits = [...stage.pending.values()];
    stage.versions.push({ number: stage.versions.length + 1, at: state.clock.iso(), edits, changes, words });
  }
  stage.pending.clear();
  return changes;
}

/** Everything pending is undone. */
export function discard(state: State, platform: Platform, name: string): Change[] {
  const changes = pendingChanges(state, platform, name);
  const stage = state.stages.get(name);
  if (stage === undefined) return changes;
  const edits = [...stage.pending.values()];
  stage.pending.clear();
  writingTo(state, null, () => {
    for (const edit of edits.reverse()) bringBack(state, platform, edit);
  });
  return changes;
}

/** The state of an earlier commit comes back, as a commit of its own; null when there was no such version. */
export function rollback(state: State, platform: Platform, name: string, version: number): Change[] | null {
  const stage = state.stages.get(name);
  if (!Number.isInteger(version) || version < 0 || version > (stage?.versions.length ?? 0)) return null;
  if (stage === undefined) return [];
  discard(state, platform, name);
  return writingTo(state, name, () => {
    for (const later of stage.versions.slice(version).reverse()) {
      for (const edit of [...later.edits].reverse()) bringBack(state, platform, edit);
    }
    return commit(state, platform, name);
  });
}

export function versionsOf(state: State, name: string): readonly Version[] {
  return state.stages.get(name)?.versions ?? [];
}
