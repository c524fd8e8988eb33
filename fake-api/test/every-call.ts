/** One valid call of every operation that a running fake serves, for tests that send them by another way than the fake's own. */
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { itemAbove, type Platform } from '../engine/openapi/served-platform.ts';
import { rowId } from '../engine/state/collection.ts';
import { type KindPart, kindPartOf, NO_PLATFORM_BEHAVIOUR } from '../engine/state/platform-behaviour.ts';
import { NO_ROWS, State } from '../engine/state/state.ts';
import type { ForeignPlatform } from '../foreign/foreign-platform.ts';
import { type FixtureCall, fixtureCall, ROWS_TRIED } from './fixture-call.ts';
import { foreignSample } from './foreign-sample-call.ts';
import { freshState, shippedInstallation } from './full-installation.ts';
import { servedOperations } from './platform-client.ts';

export interface EveryCall {
  operationId: string;
  method: string;
  template: string;
  path: string;
  query: string;
  /** JSON value or text; undefined = none. */
  body: unknown;
}

export interface PlatformCalls {
  documents: OpenApiDocument[];
  calls: EveryCall[];
}

/** Every shipped platform or those named, by id. An operation that nothing in the fixture fits is left out. */
export async function shippedCalls(only?: readonly string[]): Promise<Map<string, PlatformCalls>> {
  const installation = await shippedInstallation(only);
  return new Map(
    [...installation.platforms].map(([id, platform]) => {
      const state = freshState(installation, id);
      const calls = servedOperations(platform).flatMap((operation) => {
        const part = kindPartOf(installation.worlds.get(id) ?? NO_PLATFORM_BEHAVIOUR, operation.template);
        const call = fittingCall(platform, state, operation, part);
        return call === null ? [] : [{ ...call, template: operation.template }];
      });
      return [id, { documents: [...(installation.documents.get(id)?.values() ?? [])], calls }];
    }),
  );
}

/** For the first row, or for the first of the kind that has the part which the path names. */
function fittingCall(
  platform: Platform,
  state: State,
  operation: Operation,
  part: KindPart | undefined,
): FixtureCall | null {
  const { template } = operation;
  for (let at = 0; part !== undefined && at < ROWS_TRIED; at += 1) {
    const call = fixtureCall(platform, state, operation, at);
    const values = call?.path.split('/').filter((_, place) => template.split('/')[place]?.startsWith('{')) ?? [];
    const above = itemAbove(platform, template, values.map(decodeURIComponent), false);
    const row = above === null ? undefined : state.rows(platform.id, above.resource.name).get(rowId(above.values));
    if (row?.value[part.field] === part.value) return call;
  }
  return fixtureCall(platform, state, operation, 0);
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
  return (platform.operations as Operation[]).map((operation) => {
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
