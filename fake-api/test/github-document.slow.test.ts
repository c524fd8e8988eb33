/**
 * The largest public document within reach, which nobody here wrote: about 1,200 operations in 13 MB. Every operation is
 * called with arguments drawn from what the fake shows, then once more with one of them broken.
 */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { publicDocument } from '#bench/packages';
import { isJson } from '../engine/http/media-type.ts';
import type { EngineResponse } from '../engine/http/request-pipeline.ts';
import { outcomeOf } from '../engine/openapi/declared-outcome.ts';
import { propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { filled } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject } from '../engine/state/json-value.ts';
import { NO_ROWS, State } from '../engine/state/state.ts';
import type { Entity } from '../foreign/entity.ts';
import { type ForeignPlatform, readForeignPlatform } from '../foreign/foreign-platform.ts';
import { checkOf } from '../foreign/foreign-schema-checks.ts';
import { valueAtPath } from '../foreign/key-path.ts';
import { broken, type ForeignSample, foreignSample } from './foreign-sample-call.ts';
import { handleForeign } from './foreign-sample-document.ts';

const FILE = publicDocument();
/** Reading a document may cost so many times what parsing its JSON costs, in the same process. */
const MOST_TIMES_PARSING = 40;
const LEAST_SHARE = 0.98;

/** Operations that do not answer 2xx, each with its reason. */
const REDIRECT = 'the document declares no success but a redirect to a download, and so the fake redirects';
const EXCEPTIONS: Record<string, string> = {
  'actions/download-artifact': REDIRECT,
  'actions/download-job-logs-for-workflow-run': REDIRECT,
  'actions/download-workflow-run-attempt-logs': REDIRECT,
  'actions/download-workflow-run-logs': REDIRECT,
  'migrations/download-archive-for-org': REDIRECT,
  'migrations/get-archive-for-authenticated-user': REDIRECT,
  'repos/download-tarball-archive': REDIRECT,
  'repos/download-zipball-archive': REDIRECT,
};

let platform: ForeignPlatform;
let timesParsing: number;

beforeAll(async () => {
  const text = await readFile(FILE, 'utf8');
  const start = performance.now();
  JSON.parse(text);
  const parsed = performance.now();
  platform = await readForeignPlatform({ file: FILE, name: 'github' }, new Set());
  timesParsing = (performance.now() - parsed) / (parsed - start);
});

class Client {
  readonly state = new State(new Map([['github', platform]]), NO_ROWS, { seed: 7, clock: '2026-03-02T09:00:00Z' });

  send(sample: ForeignSample): EngineResponse {
    return handleForeign(platform, this.state, { calls: 0, append: () => {} }, sample);
  }

  get(path: string, query = ''): EngineResponse {
    return this.send({ method: 'GET', path, query, headers: {}, body: null });
  }

  sample(operation: Operation): ForeignSample {
    return foreignSample(platform, this.state, operation);
  }
}

const operations = (role: string): [Operation, Entity][] =>
  [...platform.placed].flatMap(([operation, placed]) =>
    placed.role === role && placed.entity !== null ? [[operation, placed.entity] as [Operation, Entity]] : [],
  );

/** Null when the body fits what the document declares for its status. */
function misfit(operation: Operation, response: EngineResponse): string | null {
  if (operation.responses[String(response.status)] === undefined) return `status ${response.status} is not declared`;
  const { schema, media } = outcomeOf(operation, String(response.status), response.status);
  if (schema === null || media === null) return response.body === '' ? null : 'a body where none is declared';
  if (!isJson(media)) return response.body === '' ? 'no body' : null;
  const found = checkOf(operation.document, schema, 'response')(JSON.parse(response.body));
  return found === null ? null : `body at ${found.pointer}: expected ${found.expected}, got ${found.got}`;
}

/** Whether a read shows what was sent; a change leaves what an object has beside it. */
function shows(value: unknown, sent: unknown, isChange: boolean): boolean {
  if (isChange && isObject(value) && isObject(sent))
    return Object.entries(sent).every(([name, entry]) => shows(value[name], entry, isChange));
  return JSON.stringify(value) === JSON.stringify(sent);
}

/** Fields of a body that the thing has too, in a form it can take. */
function shownFields(operation: Operation, entity: Entity, sample: ForeignSample): Record<string, unknown> {
  const body: unknown = sample.body === null ? null : JSON.parse(sample.body.toString('utf8'));
  if (!isObject(body) || entity.schema === null) return {};
  const properties = propertiesOf(operation.document, entity.schema);
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => {
      const property = properties[name];
      return property !== undefined && checkOf(operation.document, property, 'response')(value) === null;
    }),
  );
}

/** A read by a key of several things answers a list: here of the one that was made. */
function thingIn(body: Record<string, unknown>): Record<string, unknown> {
  const [list, ...others] = Object.values(body);
  const [only, ...more] = Array.isArray(list) && others.length === 0 ? list : [];
  return isObject(only) && more.length === 0 ? only : body;
}

describe('the document of a large code host, served', () => {
  it(`is loaded at no more than ${MOST_TIMES_PARSING} times the cost of parsing it, every operation of it`, () => {
    expect(platform.operations.length).toBeGreaterThan(1100);
    expect(timesParsing).toBeLessThan(MOST_TIMES_PARSING);
  });

  it(`answers ${LEAST_SHARE * 100} % of its operations 2xx with a body that fits, and the exceptions are known by name`, () => {
    const unanswered: string[] = [];
    const unfit: string[] = [];
    for (const operation of platform.operations as Operation[]) {
      const client = new Client();
      const response = client.send(client.sample(operation));
      const problem = misfit(operation, response);
      if (response.status >= 300) unanswered.push(operation.id);
      if (problem !== null) unfit.push(`${operation.id}: ${problem} ${response.body.slice(0, 160)}`);
    }
    expect(unfit).toEqual([]);
    expect(unanswered.sort()).toEqual(Object.keys(EXCEPTIONS).sort());
    expect(1 - unanswered.length / platform.operations.length).toBeGreaterThanOrEqual(LEAST_SHARE);
  });

  it('answers a declared 400 or 422 to the same call with one argument broken, 404 for a path value', () => {
    const wrong: string[] = [];
    const kinds = new Set<string>();
    for (const operation of platform.operations as Operation[]) {
      const client = new Client();
      const { sample, argument } = broken(operation, client.sample(operation));
      kinds.add(argument.split(' ')[0] as string);
      const response = client.send(sample);
      const declared = Object.keys(operation.responses).filter((status) => status.startsWith('4'));
      const isRefused = response.status >= 400 && response.status < 500;
      // Where the document declares no refusal of arguments, the fake's own 400 is the platform's default.
      const fitting = ['400', '422', ...(argument.startsWith('path') ? ['404'] : [])].filter((status) =>
        declared.includes(status),
      );
      const isExpected = fitting.length === 0 ? response.status === 400 : fitting.includes(String(response.status));
      const unfit = fitting.length === 0 ? null : misfit(operation, response);
      if (!isRefused || !isExpected || unfit !== null)
        wrong.push(`${operation.id} (${argument}): ${response.status}, declared ${declared}, ${unfit}`);
    }
    expect(wrong).toEqual([]);
    expect([...kinds].sort()).toEqual(['body', 'path', 'query']);
  });

  it('shows every created thing to the next read', () => {
    const wrong: string[] = [];
    let read = 0;
    let listed = 0;
    for (const [operation, entity] of operations('create')) {
      const client = new Client();
      const sample = client.sample(operation);
      const page = entity.list?.parameters.some((entry) => entry.name === 'per_page') ? 'per_page=100' : '';
      const before = entity.list === null ? null : rowsOf(entity, client.get(sample.path, page));
      const response = client.send(sample);
      const shown = shownFields(operation, entity, sample);
      const after = entity.list === null ? null : rowsOf(entity, client.get(sample.path, page));
      if (before !== null && after !== null) {
        listed += 1;
        if (after.length !== before.length + 1)
          wrong.push(`${operation.id}: list of ${before.length}, then ${after.length}`);
        const items = propertiesOf(operation.document, entity.envelope?.items ?? {});
        const wanted = Object.entries(shown).filter(([name]) => name in items);
        const isShown = after.some((row) =>
          wanted.every(([name, sent]) => JSON.stringify(row[name]) === JSON.stringify(sent)),
        );
        if (!isShown) wrong.push(`${operation.id}: no entry with ${JSON.stringify(wanted)}`);
      }
      const body: unknown = response.body === '' ? null : JSON.parse(response.body);
      const place =
        response.headers['location'] ??
        (isObject(body) && entity.key !== null && valueAtPath(body, entity.key) !== undefined
          ? `${sample.path}/${encodeURIComponent(String(valueAtPath(body, entity.key)))}`
          : undefined);
      if (entity.read === null || place === undefined) continue;
      read += 1;
      const thing = client.get(place);
      if (thing.status >= 300) wrong.push(`${operation.id}: GET ${place} ${thing.status}`);
      else if (thing.body !== '') {
        const value = thingIn(JSON.parse(thing.body));
        for (const [name, sent] of Object.entries(shown)) {
          if (JSON.stringify(value[name]) !== JSON.stringify(sent))
            wrong.push(
              `${operation.id}: ${name} sent as ${JSON.stringify(sent)}, read as ${JSON.stringify(value[name])}`,
            );
        }
      }
    }
    expect(wrong).toEqual([]);
    expect([read, listed].every((count) => count >= 40)).toBe(true);
  });

  it('shows every written field to the next read', () => {
    const wrong: string[] = [];
    let fields = 0;
    for (const [operation, entity] of operations('write')) {
      if (entity.read === null) continue;
      const client = new Client();
      const sample = client.sample(operation);
      client.send(sample);
      const thing = client.get(sample.path);
      if (thing.status >= 300) wrong.push(`${operation.id}: GET ${thing.status}`);
      if (thing.body === '') continue;
      const value: unknown = JSON.parse(thing.body);
      if (!isObject(value)) continue;
      for (const [name, sent] of Object.entries(shownFields(operation, entity, sample))) {
        // A path value names the thing: a body cannot rename it.
        if (name === entity.key?.[0]) continue;
        fields += 1;
        if (!shows(value[name], sent, operation.method === 'PATCH'))
          wrong.push(
            `${operation.id}: ${name} sent as ${JSON.stringify(sent)}, read as ${JSON.stringify(value[name])}`,
          );
      }
    }
    expect(wrong).toEqual([]);
    expect(fields).toBeGreaterThan(100);
  });

  it('answers 404 to the next read of everything removed, and to a second removal', () => {
    const wrong: string[] = [];
    let read = 0;
    for (const [operation, entity] of operations('remove')) {
      const client = new Client();
      const sample = client.sample(operation);
      const first = client.send(sample).status;
      const second = client.send(sample).status;
      const thing = entity.read === null ? null : client.get(sample.path).status;
      if (thing !== null) read += 1;
      if (first >= 300 || second !== 404 || (thing !== null && thing !== 404))
        wrong.push(`${operation.id}: ${first}, ${second}, ${thing}`);
      if (entity.list === null || entity.collection === null) continue;
      const names = filled(
        entity.collection,
        sample.path
          .split('/')
          .filter((_, at) => (entity.template as string).split('/')[at]?.startsWith('{'))
          .slice(0, -1)
          .map(decodeURIComponent),
      );
      const key = decodeURIComponent(sample.path.split('/').at(-1) as string);
      const rows = rowsOf(entity, client.get(names));
      if (entity.key !== null && rows.some((row) => String(valueAtPath(row, entity.key ?? [])) === key))
        wrong.push(`${operation.id}: still listed`);
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(50);
  });
});

function rowsOf(entity: Entity, response: EngineResponse): Record<string, unknown>[] {
  const body: unknown = JSON.parse(response.body);
  const rows = (entity.envelope?.path ?? []).reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), body);
  return Array.isArray(rows) ? rows.filter(isObject) : [];
}
