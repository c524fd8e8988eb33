/** Small documents nobody here wrote, for tests: built as values, written as files in a folder of their own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineRequest, type EngineResponse, handle, type Journal } from '../engine/http/request-pipeline.ts';
import { NO_PLATFORM_BEHAVIOUR } from '../engine/state/platform-behaviour.ts';
import { NO_ROWS, State } from '../engine/state/state.ts';
import { foreignConventions } from '../foreign/foreign-conventions.ts';
import { type ForeignPlatform, readForeignPlatform } from '../foreign/foreign-platform.ts';

export type Part = Record<string, unknown>;

/** A document with these paths; anything else by name. */
export function foreignDocument(paths: Part, more: Part = {}): Part {
  return { openapi: '3.1.0', info: { title: 'Somebody', version: '1' }, paths, ...more };
}

/** An operation that answers 200 with a value of this schema. */
export function answering(schema: Part, more: Part = {}): Part {
  return { responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } }, ...more };
}

export function jsonBody(schema: Part): Part {
  return { required: true, content: { 'application/json': { schema } } };
}

/** Pets with a list, an item and everything that can be done to them. */
export function pets(more: Part = {}): Part {
  const pet = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string', minLength: 1 }, tag: { type: 'string' } },
  };
  const id = { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } };
  return foreignDocument({
    '/pets': {
      get: answering(
        {
          type: 'object',
          properties: {
            items: { type: 'array', items: pet },
            total: { type: 'integer' },
            next: { type: ['string', 'null'] },
          },
        },
        {
          operationId: 'listPets',
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
            { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0 } },
          ],
        },
      ),
      post: {
        operationId: 'createPet',
        requestBody: jsonBody({
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', minLength: 1 },
            tag: { type: 'string' },
            password: { type: 'string', writeOnly: true },
          },
        }),
        responses: {
          201: { description: 'Made', content: { 'application/json': { schema: pet } } },
          422: { description: 'Wrong' },
        },
      },
    },
    '/pets/{petId}': {
      parameters: [id],
      get: answering(pet, { operationId: 'getPet' }),
      patch: {
        operationId: 'patchPet',
        requestBody: jsonBody({ type: 'object', properties: pet.properties }),
        ...answering(pet),
      },
      delete: { operationId: 'deletePet', responses: { 204: { description: 'Gone' } } },
    },
    '/pets/{petId}/toys': {
      parameters: [id],
      get: answering({ type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } }),
    },
    ...more,
  });
}

/** One request to a foreign platform, without a socket. */
export function handleForeign(
  platform: ForeignPlatform,
  state: State,
  journal: Journal,
  request: EngineRequest,
): EngineResponse {
  const served = { platform, world: NO_PLATFORM_BEHAVIOUR, conventions: foreignConventions(platform) };
  return handle(served, state, journal, request);
}

export interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the document promises
  body: any;
}

export interface ForeignTestbed extends AsyncDisposable {
  folder: string;
  platform: ForeignPlatform;
  call: (method: string, target: string, body?: unknown, headers?: Record<string, string>) => Answered;
}

/** The file may stand with others beside it; the content is a value, a text or bytes. */
export async function foreignTestbed(
  content: Part | string | Buffer,
  beside: Record<string, string> = {},
  name = 'somebody.json',
): Promise<ForeignTestbed> {
  const folder = await mkdtemp(join(tmpdir(), 'foreign-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true });
  try {
    for (const [file, text] of Object.entries(beside)) await writeFile(join(folder, file), text);
    const file = join(folder, name);
    await writeFile(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
    const platform = await readForeignPlatform({ file, name: 'somebody' }, new Set());
    const state = new State(new Map([['somebody', platform]]), NO_ROWS, { seed: 1, clock: '2026-03-02T09:00:00Z' });
    const call: ForeignTestbed['call'] = (method, target, body, headers = {}) => {
      const [path = '', query = ''] = target.split('?');
      const bytes = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const type: Record<string, string> = bytes === null ? {} : { 'content-type': 'application/json' };
      const response = handleForeign(
        platform,
        state,
        { calls: 0, append: () => {} },
        { method, path, query, headers: { ...type, ...headers }, body: bytes },
      );
      const isJson = /json/.test(response.headers['content-type'] ?? '');
      return {
        status: response.status,
        headers: response.headers,
        text: response.body,
        body: isJson ? JSON.parse(response.body) : undefined,
      };
    };
    return { folder, platform, call, [Symbol.asyncDispose]: remove };
  } catch (cause) {
    await remove();
    throw cause;
  }
}
