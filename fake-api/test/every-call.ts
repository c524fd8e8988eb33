/** One valid call of every operation that a running fake serves, for tests that send them by another way than the fake's own. */
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { NO_ROWS, State } from '../engine/state/state.ts';
import type { ForeignPlatform } from '../foreign/foreign-platform.ts';
import { fixtureCall } from './fixture-call.ts';
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
        const call = fixtureCall(platform, state, operation, 0);
        return call === null ? [] : [{ ...call, template: operation.template }];
      });
      return [id, { documents: [...(installation.documents.get(id)?.values() ?? [])], calls }];
    }),
  );
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
