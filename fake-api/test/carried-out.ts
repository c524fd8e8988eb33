/** One operation carried out with arguments drawn from the fixture, and what it started seen through to its end. */
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { filled } from '../engine/openapi/route-template.ts';
import type { AsyncStyle, Operation } from '../engine/openapi/served-operation.ts';
import { strictCheck } from '../engine/openapi/validators.ts';
import { isObject } from '../engine/state/json-value.ts';
import { type FixtureCall, fixtureCall, ROWS_TRIED } from './fixture-call.ts';
import type { Installation } from './full-installation.ts';
import { type Answered, PlatformClient } from './platform-client.ts';
import { identityOf, pathValues } from './read-back.ts';

export interface CarriedOut {
  client: PlatformClient;
  call: FixtureCall;
  answer: Answered;
}

export interface Trial {
  /** Makes another call of the one that was drawn; null when it cannot be made of this row. */
  prepare?: (client: PlatformClient, call: FixtureCall) => FixtureCall | null;
  /** Looks at an untouched namespace before the call is made; what it says is a reason to try another row. */
  look?: (client: PlatformClient, call: FixtureCall) => string | null;
  /** Judges the answer; what it says is a reason to try another row. */
  judge?: (done: CarriedOut) => string | null;
}

/** The first row it succeeds with, each tried in an untouched namespace; a text says what happened with the last. */
export function carriedOut(
  installation: Installation,
  id: string,
  operation: Operation,
  trial: Trial = {},
): CarriedOut | string {
  let last = 'no row of the fixture to name in the path';
  let client: PlatformClient | null = null;
  for (let at = 0; at <= ROWS_TRIED; at += 1) {
    // A refusal changes nothing, so the next row can be tried in the same namespace.
    client ??= new PlatformClient(installation, id);
    const call = drawnCall(client, operation, at, trial);
    if (call === null) continue;
    const objection = trial.look?.(client, call) ?? null;
    if (objection !== null) {
      last = objection;
      continue;
    }
    const answer = client.send(call);
    if (answer.status >= 300 || refusedInside(operation, answer)) {
      last = `${answer.status} ${answer.body.slice(0, 240)}`;
      continue;
    }
    const done = { client, call, answer };
    const judged = trial.judge?.(done) ?? null;
    if (judged === null) return done;
    last = judged;
    client = null;
  }
  return last;
}

/** A call about the at-th row; after the last one, about a row that is made for it. */
function drawnCall(client: PlatformClient, operation: Operation, at: number, { prepare }: Trial): FixtureCall | null {
  const drawn =
    at < ROWS_TRIED ? fixtureCall(client.platform, client.state, operation, at) : ofNewcomer(client, operation);
  return drawn === null || prepare === undefined ? drawn : prepare(client, drawn);
}

/** What everything else leans on can only be deleted while it is new: the call is about an object created for it. */
function ofNewcomer(client: PlatformClient, operation: Operation): FixtureCall | null {
  const { platform, state } = client;
  const create = platform.operations.find((each) => each.kind === 'create' && each.resource === operation.resource);
  if (operation.kind !== 'delete' || operation.by !== null || create === undefined) return null;
  const making = fixtureCall(platform, state, create, 0);
  if (making === null) return null;
  const made = identityOf(platform, create, making, client.send(making));
  if (create.staged && committed({ client, call: making }, create) !== null) return null;
  const drawn = fixtureCall(platform, state, operation, 0);
  if (made === null || drawn === null) return null;
  return { ...drawn, path: filled(operation.template, [...made.parents, ...made.keys]) };
}

/** Some platforms tell of a refusal inside a success. */
export function refusedInside({ outcome }: Operation, { json }: Answered): boolean {
  if (outcome === null) return false;
  const told = outcome.status.split('.').reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), json);
  return told !== outcome.ok;
}

/** Null when the body is what the operation declares for its success. */
export function misfit(operation: Operation, answer: Answered): string | null {
  const { status, schema, media } = successOf(operation);
  if (answer.status !== status) return `status: expected ${status}, got ${answer.status}`;
  if (schema === null || media === null) return answer.body === '' ? null : 'a body, though none is declared';
  const sent = (answer.headers['content-type'] ?? '').split(';')[0];
  if (sent !== media) return `content-type: expected ${media}, got ${sent}`;
  if (!/json/.test(media)) return answer.body === '' ? 'no body' : null;
  const found = strictCheck(operation.document, schema)(answer.json);
  return found === null ? null : `body at ${found.pointer}: expected ${found.expected}, got ${found.got}`;
}

export interface Ended {
  poll: Operation;
  /** Every answer of the poll, the last of them terminal. */
  answers: Answered[];
  state: string;
}

const MOST_POLLS = 5;

/** Polls a started task until it says that it is over. */
export function ended({ client, call, answer }: CarriedOut, operation: Operation): Ended {
  const style = operation.async as AsyncStyle;
  const poll = client.platform.byId.get(style.poll) as Operation;
  const path = pollPath(operation, poll, call, answer);
  const answers: Answered[] = [];
  let state = '';
  while (answers.length < MOST_POLLS && !style.terminal.includes(state)) {
    const polled = client.send({ method: 'GET', path });
    answers.push(polled);
    state = String((polled.json as Record<string, unknown> | undefined)?.[style.state]);
    if (polled.status >= 300) break;
  }
  return { poll, answers, state };
}

/** Where the platform said, by header or body; else the poll's path with the id that the start gave. */
export function pollPath(
  operation: Operation,
  poll: Operation,
  call: { path: string },
  answer: { headers: Record<string, string>; json: unknown },
): string {
  const body = isObject(answer.json) ? answer.json : {};
  const values = operation.async?.values ?? {};
  const told = (meaning: string, usual: string): unknown =>
    body[Object.keys(values).find((name) => values[name] === meaning && name in body) ?? usual];
  const location = answer.headers['location'] ?? told('location', 'location');
  if (typeof location === 'string') return location;
  const own = call.path.split('/').filter((_, at) => operation.template.split('/')[at]?.startsWith('{'));
  const before = poll.pathNames.length === 1 ? [] : own.map(decodeURIComponent);
  return filled(poll.template, [...before, String(told('id', 'id'))]);
}

/** Calls the operation that commits the stage of a write. */
export function committed(done: Pick<CarriedOut, 'client' | 'call'>, operation: Operation): string | null {
  const { client, call } = done;
  const commit = client.platform.operations.find(({ derive }) => derive['stage'] === 'commit');
  if (commit === undefined) return 'no operation commits';
  const values = pathValues(operation.template, call.path);
  const named = new Map(operation.pathNames.map((name, at) => [name, values[at] as string]));
  const path = filled(
    commit.template,
    commit.pathNames.map((name) => named.get(name) ?? ''),
  );
  const known = new Set(commit.parameters.map(({ name }) => name));
  const query = call.query.split('&').filter((pair) => known.has(pair.split('=')[0] ?? ''));
  const required = commit.body === null ? undefined : { description: 'written and read back' };
  const answer = client.send({ method: commit.method, path, query: query.join('&'), body: required });
  if (answer.status >= 300) return `${commit.id}: ${answer.status} ${answer.body}`;
  if (commit.async === null) return null;
  const { state, answers } = ended({ client, call: { ...call, path }, answer }, commit);
  return state === commit.async.terminal[0] ? null : `${commit.id} ended as ${answers.at(-1)?.body}`;
}
