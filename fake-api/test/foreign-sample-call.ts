/** A valid call of an operation of a foreign document, with arguments drawn from what its platform keeps. */
import { schemaOf } from '../engine/http/parameter-style.ts';
import { plain, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import { filled } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { Dice } from '../engine/state/determinism.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import { drawFitting } from '../foreign/drawn-values.ts';
import type { Entity } from '../foreign/entity.ts';
import type { ForeignPlatform } from '../foreign/foreign-platform.ts';
import { Things } from '../foreign/foreign-resources.ts';
import { checkOf } from '../foreign/foreign-schema-checks.ts';

export interface ForeignSample {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export function foreignSample(platform: ForeignPlatform, state: State, operation: Operation, at = 0): ForeignSample {
  const values = pathValues(platform, state, operation, at);
  const query = operation.parameters
    .filter((entry) => entry.in === 'query' && entry.required === true)
    .map(
      (entry) =>
        `${encodeURIComponent(entry.name)}=${encodeURIComponent(textOf(valueFor(operation, entry.name, schemaOf(entry), at)))}`,
    );
  const headers = Object.fromEntries(
    operation.parameters
      .filter((entry) => entry.in === 'header' && entry.required === true)
      .map((entry) => [entry.name.toLowerCase(), textOf(valueFor(operation, entry.name, schemaOf(entry), at))]),
  );
  const sent = bodyOf(operation, at);
  return {
    method: operation.method,
    path: filled(operation.template, values),
    query: query.join('&'),
    headers: { ...headers, ...(sent === null ? {} : { 'content-type': sent.media }) },
    body: sent?.bytes ?? null,
  };
}

/** Values of the path: keys of things the platform shows where it knows some, else values that fit. */
export function pathValues(platform: ForeignPlatform, state: State, operation: Operation, at: number): string[] {
  const things = new Things(state, platform.id);
  const values: string[] = [];
  for (const [position, name] of operation.pathNames.entries()) {
    const head = operation.template.slice(0, operation.template.indexOf(`{${name}}`) + name.length + 2);
    const entity: Entity | undefined = platform.entities.find(
      (entry) => entry.template === head && entry.collection !== null && entry.list !== null,
    );
    const existing = entity === undefined ? [] : things.under(entity, values.slice(0, position));
    const parameter = operation.parameters.find((entry) => entry.in === 'path' && entry.name === name);
    const schema = parameter === undefined ? {} : schemaOf(parameter);
    const chosen = existing[at % Math.max(1, existing.length)]?.at(-1);
    // A document may say of one path value different things in different places.
    const check = checkOf(operation.document, schema, 'request');
    const isKnown = chosen !== undefined && [chosen, Number(chosen)].some((value) => check(value) === null);
    values.push(isKnown ? chosen : textOf(valueFor(operation, name, schema, at)));
  }
  return values;
}

function valueFor(operation: Operation, name: string, schema: Schema, at: number): unknown {
  return drawFitting(
    {
      document: operation.document,
      origin: ['sample', operation.id, name, at],
      nowMs: 0,
      direction: 'request',
      sparse: true,
    },
    schema,
  ).value;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  return isObject(value) ? JSON.stringify(value) : String(value);
}

function bodyOf(operation: Operation, at: number): { media: string; bytes: Buffer } | null {
  const content = operation.body?.content ?? {};
  const media = Object.keys(content).find((entry) => /json/i.test(entry)) ?? Object.keys(content)[0];
  if (media === undefined || operation.body === null) return null;
  const schema = content[media]?.schema ?? {};
  const of = {
    document: operation.document,
    origin: ['sample', operation.id, 'body', at],
    nowMs: 0,
    direction: 'request' as const,
  };
  // What an optional field does is part of the operation: a full body says more than a bare one.
  const full = drawFitting(of, schema);
  const value = full.fits ? full.value : drawFitting({ ...of, sparse: true }, schema).value;
  if (/json/i.test(media)) return { media, bytes: Buffer.from(JSON.stringify(value)) };
  if (media === 'application/x-www-form-urlencoded')
    return { media, bytes: Buffer.from(new URLSearchParams(formPairs(value)).toString()) };
  if (media === 'multipart/form-data') return { media: `${media}; boundary=sample`, bytes: multipart(value) };
  return { media, bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) };
}

/** `a[b]=1` for fields of objects, a repeated name for lists. */
function formPairs(value: unknown, prefix = ''): [string, string][] {
  if (!isObject(value) || (prefix !== '' && Object.keys(value).length === 0)) return [[prefix, textOf(value)]];
  return Object.entries(value).flatMap(([name, entry]): [string, string][] => {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    if (Array.isArray(entry)) return entry.flatMap((each) => formPairs(each, path));
    return isObject(entry) ? formPairs(entry, path) : [[path, String(entry)]];
  });
}

function multipart(value: unknown): Buffer {
  const parts = Object.entries(isObject(value) ? value : {}).flatMap(([name, entry]) =>
    [entry].flat().map((each) => {
      const text = typeof each === 'object' ? JSON.stringify(each) : String(each);
      return `--sample\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    }),
  );
  return Buffer.from(`${parts.join('')}--sample--\r\n`);
}

export interface BrokenSample {
  sample: ForeignSample;
  argument: string;
}

/** The same call with one argument broken, the most telling first: a value of the wrong kind, a missing body, a name nobody knows. */
export function broken(operation: Operation, sample: ForeignSample): BrokenSample {
  const dice = new Dice('broken', operation.id).hex(6);
  const query = sample.query === '' ? '' : `${sample.query}&`;
  return (
    brokenPath(operation, sample, dice) ??
    brokenBody(operation, sample) ?? {
      sample: { ...sample, query: `${query}unheard-of=${dice}` },
      argument: 'query unheard-of',
    }
  );
}

function brokenPath(operation: Operation, sample: ForeignSample, dice: string): BrokenSample | null {
  for (const name of operation.pathNames) {
    const parameter = operation.parameters.find((entry) => entry.in === 'path' && entry.name === name);
    const position = operation.template.split('/').indexOf(`{${name}}`);
    if (parameter === undefined || position < 0 || !refusesTexts(operation, schemaOf(parameter), dice)) continue;
    const parts = sample.path.split('/');
    parts[position] = `no-${dice}`;
    return { sample: { ...sample, path: parts.join('/') }, argument: `path ${name}` };
  }
  return null;
}

function refusesTexts({ document }: Operation, schema: Schema, dice: string): boolean {
  const check = checkOf(document, schema, 'request');
  if (check(dice) === null) return false;
  return !typesOf(plain(document, schema)).includes('string') || check(`no-${dice}`) !== null;
}

function brokenBody(operation: Operation, sample: ForeignSample): BrokenSample | null {
  const schema = Object.entries(operation.body?.content ?? {}).find(([media]) => /json/i.test(media))?.[1]?.schema;
  if (schema === undefined || sample.body === null) return null;
  const wrong = [17, 'text', [], {}].find((each) => checkOf(operation.document, schema, 'request')(each) !== null);
  if (wrong === undefined) return null;
  return { sample: { ...sample, body: Buffer.from(JSON.stringify(wrong)) }, argument: 'body' };
}
