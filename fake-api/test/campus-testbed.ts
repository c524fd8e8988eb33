/** The shipped management cloud over a bundle, driven without a socket: what behaviour tests and the bench run against. */
import type { LedgerEntry } from '../control/ledger.ts';
import { LedgerBook } from '../control/ledger-book.ts';
import type { PreparedFixture } from '../control/namespaces.ts';
import { type EngineResponse, handle, type Served } from '../engine/http/request-pipeline.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';
import { platformBehaviourOf } from '../engine/state/platform-behaviours.ts';
import { State } from '../engine/state/state.ts';
import { shippedPlatforms } from '../shipped-platforms.ts';
import { type SampleCall, sampleCall } from './sample-call.ts';

export interface Called extends EngineResponse {
  json: Record<string, unknown>;
  items: Record<string, unknown>[];
}

export interface Campus {
  platform: Platform;
  /** A namespace that nobody has touched. */
  open: () => CampusTestbed;
  /** A valid call of an operation with arguments drawn from the start; null when the operation or a row is missing. */
  sample: (operationId: string, at: number) => SampleCall | null;
}

export interface CampusTestbed {
  state: State;
  call: (method: string, target: string, body?: unknown) => Called;
  /** The bare answer, without parsing it. */
  send: (method: string, target: string, body?: unknown) => EngineResponse;
  ledger: () => LedgerEntry[];
  /** Polls a started task to its end and returns its output. */
  finish: (started: Called) => Record<string, unknown>;
}

export async function campus(bundleName = 'small-campus'): Promise<Campus> {
  const { platforms, prepare } = await shippedPlatforms(['mgmt']);
  const platform = platforms.get('mgmt') as Platform;
  const fixture = await prepare(bundleName, null);
  const start = new State(platforms, fixture.rows, fixture);
  const served = { platform, world: await platformBehaviourOf('mgmt') };
  return {
    platform,
    open: () => testbedOf(served, platforms, fixture),
    sample: (operationId, at) => {
      const operation = platform.byId.get(operationId);
      return operation === undefined ? null : sampleCall(platform, start, operation, at);
    },
  };
}

function testbedOf(served: Served, platforms: ReadonlyMap<string, Platform>, fixture: PreparedFixture): CampusTestbed {
  const state = new State(platforms, fixture.rows, fixture);
  state.tokens.set('token', { platform: 'mgmt', issuedAtMs: state.clock.ms, lifetimeSeconds: 7200 });
  const book = new LedgerBook();
  const send = (method: string, target: string, sent?: unknown): EngineResponse => {
    const cut = target.indexOf('?');
    return handle(served, state, book, {
      method,
      path: cut < 0 ? target : target.slice(0, cut),
      query: cut < 0 ? '' : target.slice(cut + 1),
      headers: { authorization: 'Bearer token', ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      body: sent === undefined ? null : Buffer.from(JSON.stringify(sent)),
    });
  };
  const call = (method: string, target: string, sent?: unknown): Called => {
    const answer = send(method, target, sent);
    const json = answer.body === '' || !answer.headers['content-type']?.includes('json') ? {} : JSON.parse(answer.body);
    const list = Object.values(json).find(Array.isArray);
    return { ...answer, json, items: (Array.isArray(json) ? json : (list ?? [])) as Record<string, unknown>[] };
  };
  return {
    state,
    call,
    send,
    ledger: () => book.after(0),
    finish: (started) => {
      const location = String(started.json['location']);
      call('GET', location);
      return (call('GET', location).json['output'] ?? {}) as Record<string, unknown>;
    },
  };
}
