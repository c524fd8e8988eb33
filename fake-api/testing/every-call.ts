/** One valid call of every operation that a running fake serves, for tests that send them by another way than the fake's own. */

import type { OpenApiDocument } from '../engine/openapi.ts';
import { type Platform, readPlatform } from '../engine/platform.ts';
import { NO_ROWS, State } from '../engine/state.ts';
import { platformDocuments } from '../expand/platform-documents.ts';
import { readBundle } from '../fixtures/bundle.ts';
import { prepare } from '../fixtures/prepare.ts';
import type { ForeignOperation } from '../foreign/operations.ts';
import type { ForeignPlatform } from '../foreign/platform.ts';
import { foreignSample } from './foreign-call.ts';
import { mgmtCall } from './mgmt-call.ts';

export interface EveryCall {
  operationId: string;
  method: string;
  template: string;
  path: string;
  query: string;
  /** JSON value or text; undefined = none. */
  body: unknown;
}

/** The shipped platform on its campus, and a fresh state of it as often as one is needed. */
export async function mgmtCampus(): Promise<{
  documents: Map<string, OpenApiDocument>;
  platform: Platform;
  fresh: () => State;
}> {
  const documents = (await platformDocuments(['mgmt'])).get('mgmt') as unknown as Map<string, OpenApiDocument>;
  const platform = readPlatform({ id: 'mgmt', documents: Object.fromEntries(documents) });
  const platforms = new Map([['mgmt', platform]]);
  const bundle = await readBundle('small-campus');
  const fixture = prepare(bundle, bundle.facts.seed, platforms);
  const fresh = () =>
    new State(platforms, fixture.rows, { seed: fixture.seed, clock: fixture.clock, facts: fixture.facts });
  return { documents, platform, fresh };
}

export async function mgmtCalls(): Promise<{ documents: OpenApiDocument[]; calls: EveryCall[] }> {
  const { documents, platform, fresh } = await mgmtCampus();
  const state = fresh();
  const calls = platform.operations.flatMap((operation) => {
    const call = operation.kind === 'token' ? null : mgmtCall(platform, state, operation, 0);
    return call === null ? [] : [{ ...call, template: operation.template }];
  });
  return { documents: [...documents.values()], calls };
}

/** Brings a running fake back to where it is now, by its control port. */
export async function rewinder(control: string): Promise<() => Promise<void>> {
  const place = `${control}/namespaces/default`;
  const saved = await (await fetch(`${place}/snapshot`, { method: 'POST' })).text();
  return async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${place}/restore`, { method: 'POST', body: saved, headers });
    if (!answer.ok) throw new Error(`restore answered ${answer.status}: ${await answer.text()}`);
    await answer.body?.cancel();
  };
}

export function foreignCalls(platform: ForeignPlatform): EveryCall[] {
  const state = new State(new Map([[platform.id, platform]]), NO_ROWS, {
    seed: 20260302,
    clock: '2026-03-02T09:00:00Z',
  });
  return (platform.operations as ForeignOperation[]).map((operation) => {
    const { path, query, body, headers } = foreignSample(platform, state, operation);
    const text = body?.toString('utf8');
    const json = /json/i.test(headers['content-type'] ?? '');
    return {
      operationId: operation.id,
      method: operation.method,
      template: operation.template,
      path,
      query,
      body: text === undefined ? undefined : json ? JSON.parse(text) : text,
    };
  });
}
