/**
 * A platform from model text to answers: expanded by the expander, served by the engine, every answer held against the
 * document that declares it.
 */
import { expect } from 'vitest';
import type { OpenApiDocument, Schema } from '../engine/openapi.ts';
import { type CallRecord, type EngineResponse, handle } from '../engine/pipeline.ts';
import { type Platform, readPlatform } from '../engine/platform.ts';
import { NO_ROWS, State } from '../engine/state.ts';
import { strictCheck } from '../engine/validators.ts';
import { QUIET_WORLD } from '../engine/world.ts';
import { expandPlatform } from '../expand/document.ts';
import { platformOf } from '../expand/testing/small-platform.ts';

export interface ModelledAnswer extends EngineResponse {
  /** The body as JSON where it is JSON, else its text. */
  json: unknown;
}

export interface ModelledBed {
  platform: Platform;
  state: State;
  call: (method: string, target: string, body?: unknown, headers?: Record<string, string>) => ModelledAnswer;
}

export function modelledBed(platformText: string, ...documents: readonly string[]): ModelledBed {
  const expanded = expandPlatform(platformOf(platformText, ...documents));
  const sources = Object.fromEntries(
    expanded.map(({ name, document }) => [name, JSON.parse(JSON.stringify(document)) as OpenApiDocument]),
  );
  const platform = readPlatform({ id: 'demo', documents: sources });
  const state = new State(new Map([['demo', platform]]), NO_ROWS, { seed: 1, clock: '2026-03-02T09:00:00Z' });
  state.tokens.set('token', { issuedAtMs: state.clock.ms, lifetimeSeconds: 7200 });
  const records: CallRecord[] = [];
  const journal = {
    get next() {
      return records.length + 1;
    },
    append: (record: CallRecord) => {
      records.push(record);
    },
  };
  return {
    platform,
    state,
    call: (method, target, sent, headers = {}) => {
      const [path = '', query = ''] = target.split('?');
      const response = handle({ platform, world: QUIET_WORLD }, state, journal, {
        method,
        path,
        query,
        headers: {
          authorization: 'Bearer token',
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: sent === undefined ? null : Buffer.from(JSON.stringify(sent)),
      });
      const isJson = response.headers['content-type']?.endsWith('json') === true && response.body !== '';
      const json: unknown = isJson ? JSON.parse(response.body) : response.body;
      holdAgainst(platform, records.at(-1)?.operationId ?? null, response, json);
      return { ...response, json };
    },
  };
}

/** Status, media type, body and headers must be what the operation's document declares. */
function holdAgainst(platform: Platform, id: string | null, response: EngineResponse, json: unknown): void {
  const operation = id === null ? undefined : platform.byId.get(id);
  if (operation === undefined) return;
  const declared = operation.responses[String(response.status)];
  expect(declared, `${id} answers ${response.status}: ${response.body}`).toBeDefined();
  for (const name of Object.keys(declared?.headers ?? {}))
    expect(Object.keys(response.headers), `${id} answers without ${name}`).toContain(name.toLowerCase());
  if (declared?.content === undefined) {
    expect(response.body).toBe('');
    return;
  }
  const media = response.headers['content-type'] ?? '';
  expect(Object.keys(declared.content)).toContain(media);
  const schema = declared.content[media]?.schema as Schema;
  expect(strictCheck(operation.document, schema)(json), `${id}: ${response.body}`).toBeNull();
}
