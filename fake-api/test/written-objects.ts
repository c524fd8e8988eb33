/** Writes of every kind as single stories: what was written, and which object it was about. */
import { filled } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { isObject } from '../engine/state/json-value.ts';
import { type CarriedOut, carriedOut, committed, ended } from './carried-out.ts';
import type { FixtureCall } from './fixture-call.ts';
import type { Installation } from './full-installation.ts';
import type { Answered, PlatformClient } from './platform-client.ts';
import { type Identity, identityOf, pathValues, type ReadBack, readBack, unshown, type View } from './read-back.ts';
import { withOneMore } from './sample-call.ts';
import { type Entry, wholeList } from './whole-list.ts';

/** Null when the story is as it should be, else what is wrong with it. */
export type Verdict = string | null;

/** An object came into being: it is there, as it was sent, and nowhere before a commit where the platform commits. */
export function created(installation: Installation, id: string, operation: Operation): Verdict {
  const done = carriedOut(installation, id, operation, {
    judge: (done) =>
      madeBy(operation, done) === null ? `nothing says which object it was: ${done.answer.body.slice(0, 200)}` : null,
  });
  if (typeof done === 'string') return done;
  const made = madeBy(operation, done) as Made;
  const see = (view: View): Verdict => {
    const read = readBack(done.client, made.identity, view, done.call.query);
    if (read.by === null) return 'no operation reads it';
    if (read.value === null) return `${read.by.id} does not show it: ${read.answer?.body.slice(0, 200)}`;
    return unshown(operation, read.by, made.sent, read.value);
  };
  const notYet = (): Verdict => {
    const { value, by } = readBack(done.client, made.identity, 'committed', done.call.query);
    return value === null ? null : `${by?.id} shows it as committed before the commit`;
  };
  return throughStage(done, operation, see, notYet);
}

/** An object went: another operation answers the declared not-found, or lists it no longer. */
export function deleted(installation: Installation, id: string, operation: Operation): Verdict {
  let identity: Identity | null = null;
  const done = carriedOut(installation, id, operation, {
    look: (client, call) => {
      identity = removedBy(client, operation, call);
      if (identity === null) return 'nothing says which object is meant';
      const { value, by } = readBack(client, identity);
      if (by === null) return null;
      return value === null ? `${by.id} does not show it before` : null;
    },
    judge: ({ answer }) =>
      operation.kind !== 'bulk-delete' || outcomes(answer)[0]?.status === 'done' ? null : answer.body.slice(0, 200),
    prepare: (client, call) => withExisting(client, operation, withWord(client, operation, call, 'delete')),
  });
  if (typeof done === 'string') return done;
  if (operation.async !== null) {
    const { state, answers } = ended(done, operation);
    if (state !== operation.async.terminal[0]) return `the deletion ended as ${answers.at(-1)?.body}`;
  }
  const gone = identity as unknown as Identity;
  const see = (view: View): Verdict => {
    const read = readBack(done.client, gone, view);
    if (read.by === null) return 'no operation reads it';
    return read.value === null ? notFoundProblem(read) : `${read.by.id} still shows it`;
  };
  const notYet = (): Verdict => {
    const { value, by } = readBack(done.client, gone, 'committed');
    return value === null ? `${by?.id} shows it as gone before the commit` : null;
  };
  return throughStage(done, operation, see, notYet);
}

/** An object changed: at least one field that was sent reads otherwise than before, and all of them as sent. */
export function changed(installation: Installation, id: string, operation: Operation): Verdict {
  let before: ReadBack | null = null;
  let identity: Identity | null = null;
  const differs = (read: ReadBack): boolean => JSON.stringify(read.value) !== JSON.stringify(before?.value);
  const done = carriedOut(installation, id, operation, {
    prepare: (client, call) => withMore(client, operation, withWord(client, operation, call, 'modify')),
    look: (client, call) => {
      identity = identityOf(client.platform, operation, call, null);
      if (identity === null && operation.by !== null) identity = byField(client, operation, call);
      if (identity === null) return 'nothing says which object is meant';
      before = readBack(client, identity);
      return before.by !== null && before.value === null ? `${before.by.id} does not show it before` : null;
    },
    judge: ({ client, call }) => {
      const after = readBack(client, identity as unknown as Identity);
      if (after.by === null || differs(after)) return null;
      return `nothing that ${after.by.id} shows has changed by ${JSON.stringify(call.body).slice(0, 200)}`;
    },
  });
  if (typeof done === 'string') return done;
  const sent = sentFields(operation, done.call.body);
  const see = (view: View): Verdict => {
    const read = readBack(done.client, identity as unknown as Identity, view);
    if (read.by === null) return 'no operation reads it';
    if (read.value === null) return `${read.by.id} does not show it: ${read.answer?.body.slice(0, 200)}`;
    return unshown(operation, read.by, sent, read.value);
  };
  const notYet = (): Verdict => {
    const read = readBack(done.client, identity as unknown as Identity, 'committed');
    return differs(read) ? `${read.by?.id} shows the change as committed before the commit` : null;
  };
  return throughStage(done, operation, see, notYet);
}

/** Where writes wait for a commit: the edited view shows it at once, the committed one only after the commit. */
function throughStage(
  done: CarriedOut,
  operation: Operation,
  see: (view: View) => Verdict,
  notYet: () => Verdict,
): Verdict {
  const shown = see('edited');
  if (shown !== null || !operation.staged) return shown;
  const early = notYet();
  if (early !== null) return early;
  const refused = committed(done, operation);
  if (refused !== null) return refused;
  const late = see('committed');
  return late === null ? null : `after the commit: ${late}`;
}

interface Made {
  identity: Identity;
  sent: unknown;
}

/** The first object of a creation, with what was sent of it. */
function madeBy(
  operation: Operation,
  { client, call, answer }: CarriedOut,
): { identity: Identity; sent: unknown } | null {
  const { platform } = client;
  if (operation.kind === 'bulk-create') {
    const at = outcomes(answer).findIndex(({ status }) => status === 'done');
    const resource = platform.resources.get(operation.resource ?? '');
    if (resource === undefined || at < 0) return null;
    const parents = pathValues(operation.template, call.path).slice(0, resource.parentNames.length);
    const key = outcomes(answer)[at]?.key ?? '';
    const keys = resource.keyNames.length === 1 ? [key] : key.split('/');
    return { identity: { resource, parents, keys }, sent: bulkEntries(call.body)[at] };
  }
  const identity = identityOf(platform, operation, call, answer);
  const sent = Array.isArray(call.body) ? call.body[0] : call.body;
  return identity === null ? null : { identity, sent: sentFields(operation, sent) };
}

function removedBy(client: PlatformClient, operation: Operation, call: FixtureCall): Identity | null {
  if (operation.by !== null) return byField(client, operation, call);
  if (operation.kind !== 'bulk-delete') return identityOf(client.platform, operation, call, null);
  const resource = client.platform.resources.get(operation.resource ?? '');
  if (resource === undefined) return null;
  const parents = pathValues(operation.template, call.path).slice(0, resource.parentNames.length);
  const [entry] = bulkEntries(call.body);
  const keys = isObject(entry) ? resource.keyNames.map((name) => String(entry[name])) : [String(entry)];
  return { resource, parents, keys };
}

/** Which object a further unique field names: the platform is asked for it. */
function byField(client: PlatformClient, operation: Operation, call: FixtureCall): Identity | null {
  const reader = client.platform.operations.find(
    (entry) => entry.kind === 'get' && entry.by === operation.by && entry.template === operation.template,
  );
  const resource = client.platform.resources.get(operation.resource ?? '');
  if (reader === undefined || resource === undefined) return null;
  const { json } = client.send({ method: 'GET', path: call.path });
  if (!isObject(json)) return null;
  const parents = pathValues(operation.template, call.path).slice(0, resource.parentNames.length);
  return { resource, parents, keys: resource.keyNames.map((name) => String(json[name])) };
}

interface Outcome {
  key: string;
  status: string;
}

function outcomes({ json }: Answered): Outcome[] {
  return isObject(json) && Array.isArray(json['items']) ? (json['items'] as Outcome[]) : [];
}

function bulkEntries(body: unknown): unknown[] {
  const sent = isObject(body) ? Object.values(body).find(Array.isArray) : body;
  return Array.isArray(sent) ? sent : [];
}

/** An object-style write says by a word what it does; the other fields are the object's own. */
function sentFields(operation: Operation, body: unknown): unknown {
  if (operation.set === null || !isObject(body)) return body;
  const { [operation.set.field]: _word, ...own } = body;
  return own;
}

/** The same write with another word, about an object that is listed already. */
function withWord(
  client: PlatformClient,
  operation: Operation,
  call: FixtureCall,
  word: 'modify' | 'delete',
): FixtureCall | null {
  const resource = client.platform.resources.get(operation.resource ?? '');
  if (operation.set === null || resource === undefined) return call;
  if (resource.singleton) return word === 'modify' ? { ...call, body: sentFields(operation, call.body) } : null;
  const listed = listedEntries(client, resource, call);
  const entry = listed[call.at % Math.max(1, listed.length)];
  if (entry === undefined) return null;
  const key = Object.fromEntries(resource.keyNames.map((name) => [name, entry[name]]));
  const { set } = operation;
  if (word === 'delete') return { ...call, body: { ...key, [set.field]: set.delete } };
  return { ...call, body: { ...(call.body as object), ...key, [set.field]: set.modify } };
}

/** From the second attempt on a field more than the call needs: what it sets may be what was there. */
function withMore({ platform, state }: PlatformClient, operation: Operation, call: FixtureCall | null) {
  if (call === null || call.at === 0 || !isObject(call.body)) return call;
  return { ...call, body: withOneMore(platform, state, operation, call.body, call.at) };
}

/** A deletion in bulk of an entry that is there. */
function withExisting(client: PlatformClient, operation: Operation, call: FixtureCall | null): FixtureCall | null {
  const resource = client.platform.resources.get(operation.resource ?? '');
  if (call === null || operation.kind !== 'bulk-delete' || resource === undefined) return call;
  const parents = pathValues(operation.template, call.path).slice(0, resource.parentNames.length);
  const listed = listedEntries(client, resource, { ...call, path: filled(resource.collectionTemplate ?? '', parents) });
  const entry = listed[call.at % Math.max(1, listed.length)];
  if (entry === undefined || !isObject(call.body)) return null;
  const [first = '', ...rest] = resource.keyNames.map((name) => entry[name]);
  const key = rest.length === 0 ? first : [first, ...rest].join('/');
  return { ...call, body: Object.fromEntries(Object.keys(call.body).map((name) => [name, [key]])) };
}

function listedEntries(client: PlatformClient, resource: Resource, call: FixtureCall): Entry[] {
  const list = client.platform.operations.find((entry) => entry.resource === resource.name && entry.kind === 'list');
  return list === undefined ? [] : wholeList(client, list, { path: call.path }).entries;
}

/** A reading operation says so by its declared not-found; a list by leaving it out. */
function notFoundProblem({ by, answer }: ReadBack): Verdict {
  if (by === null || by.kind === 'list') return null;
  const isTold = by.outcome !== null && (answer?.status ?? 0) < 300;
  if (isTold || (answer?.status === 404 && by.responses['404'] !== undefined)) return null;
  return `${by.id} answers ${answer?.status}, expected a declared 404`;
}
