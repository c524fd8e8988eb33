/** Every operation that is shipped answers 2xx to arguments drawn from the fixture, with a body that fits its document. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { PreparedFixture } from './control/namespaces.ts';
import type { OpenApiDocument } from './engine/openapi.ts';
import { type Operation, successOf } from './engine/operation.ts';
import { type EngineResponse, handle } from './engine/pipeline.ts';
import { type Platform, readPlatform } from './engine/platform.ts';
import { State } from './engine/state.ts';
import { strictCheck } from './engine/validators.ts';
import type { World } from './engine/world.ts';
import { worldOf } from './engine/worlds.ts';
import { platformDocuments } from './expand/platform-documents.ts';
import { readBundle } from './fixtures/bundle.ts';
import { prepare } from './fixtures/prepare.ts';
import { mgmtCall, ROWS_TRIED } from './testing/mgmt-call.ts';
import type { SampleCall } from './testing/sample-call.ts';

let platform: Platform;
let platforms: Map<string, Platform>;
let fixture: PreparedFixture;
let world: World;

beforeAll(async () => {
  const documents = (await platformDocuments(['mgmt'])).get('mgmt') as unknown as Map<string, OpenApiDocument>;
  platform = readPlatform({ id: 'mgmt', documents: Object.fromEntries(documents) });
  platforms = new Map([['mgmt', platform]]);
  fixture = prepare(await readBundle('small-campus'), 20260302, platforms);
  world = await worldOf('mgmt');
});

function freshState(): State {
  const state = new State(platforms, fixture.rows, { seed: fixture.seed, clock: fixture.clock, facts: fixture.facts });
  state.tokens.set('token', { platform: 'mgmt', issuedAtMs: state.clock.ms, lifetimeSeconds: 7200 });
  return state;
}

function send(state: State, call: Omit<SampleCall, 'operationId'>): EngineResponse {
  return handle(
    { platform, world },
    state,
    { next: 1, append: () => {} },
    {
      method: call.method,
      path: call.path,
      query: call.query,
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: call.body === undefined ? null : Buffer.from(JSON.stringify(call.body)),
    },
  );
}

/** Null when the operation answers as it should; else what happened last. */
function problemOf(operation: Operation): string | null {
  let last = 'no row of the fixture to name in the path';
  for (let at = 0; at < ROWS_TRIED; at += 1) {
    const state = freshState();
    const answer = operation.kind === 'async-result' ? pollTwice(state, operation, at) : answerTo(state, operation, at);
    if (answer === null) continue;
    if (answer.status >= 300) {
      last = `${answer.status} ${answer.body.slice(0, 300)}`;
      continue;
    }
    const { schema, media } = successOf(operation);
    if (schema === null || media !== 'application/json') return null;
    const found = strictCheck(operation.document, schema)(JSON.parse(answer.body));
    return found === null
      ? null
      : `${answer.status}, body at ${found.pointer}: expected ${found.expected}, got ${found.got}`;
  }
  return last;
}

function answerTo(state: State, operation: Operation, at: number): EngineResponse | null {
  const call = mgmtCall(platform, state, operation, at);
  return call === null ? null : send(state, call);
}

function pollTwice(state: State, operation: Operation, at: number): EngineResponse | null {
  const start = platform.operations.find((entry) => entry.async?.poll === operation.id);
  const started = start === undefined ? null : answerTo(state, start, at);
  if (started === null || started.status !== 202) return started;
  const poll = { method: 'GET', path: JSON.parse(started.body).location, query: '', body: undefined };
  const first = send(state, poll);
  if (JSON.parse(first.body).status !== 'RUNNING') return first;
  return send(state, poll);
}

describe('the shipped mgmt documents', () => {
  it('hold at least 200 operations', () => {
    expect(platform.operations.length).toBeGreaterThanOrEqual(200);
  });

  it('are answered in full: every operation 2xx with a body that fits its declared schema', () => {
    const problems = platform.operations
      .filter((operation) => operation.kind !== 'token')
      .flatMap((operation) => {
        const problem = problemOf(operation);
        return problem === null ? [] : [`${operation.id}: ${problem}`];
      });
    expect(problems).toEqual([]);
  });
});
