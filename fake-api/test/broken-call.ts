/** The same call with one argument broken: a key that nothing has, a value out of its range or of a wrong type, a field missing. */
import { plain, type Schema, shapeOf, typesOf } from '../engine/openapi/openapi-document.ts';
import { namesIn } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { itemAbove, type Platform } from '../engine/openapi/served-platform.ts';
import { synthesize } from '../engine/openapi/synthesis.ts';
import { strictCheck, valueCheck } from '../engine/openapi/validators.ts';
import { type Row, rowParts } from '../engine/state/collection.ts';
import { Dice } from '../engine/state/determinism.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { State } from '../engine/state/state.ts';
import type { FixtureCall } from './fixture-call.ts';

export interface BrokenCall extends FixtureCall {
  place: 'path' | 'query' | 'body';
  /** What was done, for the one who reads a failure. */
  broken: string;
  /** A refusal must contain one of these to name the argument. */
  names: string[];
  /** Statuses that the refusal may have. */
  statuses: number[];
}

/** At most one per place; none for an operation that takes no argument. */
export function brokenCalls(platform: Platform, state: State, operation: Operation, call: FixtureCall): BrokenCall[] {
  const found = [
    brokenPath(platform, state, operation, call),
    brokenQuery(operation, call),
    brokenBody(operation, call),
  ];
  return found.filter((entry) => entry !== null);
}

/** A key that fits and that nothing has, where the path names something kept; else a value that does not fit. */
function brokenPath(platform: Platform, state: State, operation: Operation, call: FixtureCall): BrokenCall | null {
  if (operation.pathNames.length === 0) return null;
  return absentKey(platform, state, operation, call) ?? wrongPathValue(operation, call);
}

function absentKey(platform: Platform, state: State, operation: Operation, call: FixtureCall): BrokenCall | null {
  const makes = operation.kind === 'create' || operation.upsert;
  const above = itemAbove(platform, operation.template, namesIn(operation.template), !makes);
  const at = operation.isPoll ? operation.pathNames.length - 1 : (above?.values.length ?? 0) - 1;
  if (at < 0 || (operation.by ?? operation.pathNames[at]) === undefined) return null;
  const position = operation.by === null ? at : operation.pathNames.length - 1;
  const name = operation.pathNames[position] as string;
  const rows = above === null ? [] : [...state.rows(platform.id, above.resource.name).all()];
  const absent = absentValue(operation, schemaOf(operation, 'path', name), rows);
  if (absent === null) return null;
  return {
    ...withPathValue(operation, call, position, absent),
    broken: `${name} = ${absent}, which nothing has`,
    names: [absent],
    statuses: [404],
  };
}

function wrongPathValue(operation: Operation, call: FixtureCall): BrokenCall | null {
  for (const [position, name] of operation.pathNames.entries()) {
    const wrong = wrongText(operation, schemaOf(operation, 'path', name));
    if (wrong === null) continue;
    return {
      ...withPathValue(operation, call, position, wrong),
      broken: `${name} = ${wrong}`,
      names: [`"${name}"`, name],
      statuses: [400],
    };
  }
  return null;
}

function withPathValue(operation: Operation, call: FixtureCall, position: number, value: string) {
  let number = 0;
  const segments = operation.template.split('/');
  const path = call.path
    .split('/')
    .map((segment, at) => {
      if (!segments[at]?.startsWith('{')) return segment;
      number += 1;
      return number - 1 === position ? encodeURIComponent(value) : segment;
    })
    .join('/');
  return { ...call, path, place: 'path' as const };
}

/** Null when everything that fits is taken, as a number of one digit can be. */
function absentValue(operation: Operation, schema: Schema, rows: readonly Row[]): string | null {
  const { document } = operation;
  const taken = new Set(rows.flatMap((row) => [...rowParts(row.id), ...Object.values(row.value).map(String)]));
  for (let at = 0; at < 60; at += 1) {
    const origin = ['absent', operation.id, at];
    const made = synthesize(
      { document, origin, nowMs: 0, pickTarget: () => undefined },
      { ...plain(document, schema) },
    );
    if (made !== null && !taken.has(String(made)) && valueCheck(document, schema)(made) === null) return String(made);
  }
  return null;
}

function brokenQuery(operation: Operation, call: FixtureCall): BrokenCall | null {
  const { id, parameters } = operation;
  const takes = parameters.filter((parameter) => parameter.in === 'query');
  const start = takes.length === 0 ? 0 : new Dice('broken query', id).int(0, takes.length - 1);
  for (const { name } of [...takes.slice(start), ...takes.slice(0, start)]) {
    const wrong = wrongText(operation, schemaOf(operation, 'query', name));
    if (wrong === null) continue;
    const kept = call.query
      .split('&')
      .filter((pair) => pair !== '' && !pair.startsWith(`${encodeURIComponent(name)}=`));
    const query = [...kept, `${encodeURIComponent(name)}=${encodeURIComponent(wrong)}`].join('&');
    return { ...call, query, place: 'query', broken: `${name} = ${wrong}`, names: [name], statuses: [400] };
  }
  return null;
}

/** Null where any text will do. */
function wrongText(operation: Operation, schema: Schema): string | null {
  const { document } = operation;
  const check = valueCheck(document, schema);
  const at = plain(document, schema);
  const dice = new Dice('wrong', operation.id);
  const isNumber = typesOf(at).some((type) => type === 'integer' || type === 'number');
  const outside = [
    ...(at.maximum === undefined ? [] : [at.maximum + 1]),
    ...(at.minimum === undefined ? [] : [at.minimum - 1]),
  ];
  const texts = ['no-such~value', 'x'.repeat((at.maxLength ?? 0) + 1)];
  const candidates = isNumber ? (dice.chance(0.5) ? [...outside, 'many'] : ['many', ...outside]) : texts;
  const typed = (value: string | number) => (typesOf(at).includes('array') ? [value] : value);
  const wrong = candidates.find((candidate) => String(candidate).length <= 2000 && check(typed(candidate)) !== null);
  return wrong === undefined ? null : String(wrong);
}

function schemaOf(operation: Operation, place: 'path' | 'query', name: string): Schema {
  return operation.parameters.find((entry) => entry.in === place && entry.name === name)?.schema ?? {};
}

/** A required field left out or a field of a wrong type, as the dice fall and the schema allows. */
function brokenBody(operation: Operation, call: FixtureCall): BrokenCall | null {
  const schema = operation.body?.content[call.media ?? '']?.schema;
  if (schema === undefined) return null;
  const { document } = operation;
  const check = strictCheck(document, schema);
  const at = plain(document, schema);
  const isList = Array.isArray(call.body);
  const entry = isList ? (call.body as unknown[])[0] : call.body;
  if (!isObject(entry)) return null;
  const shape = shapeOf(document, isList ? (at.items ?? {}) : at);
  const lacking = [...shape.required].map((name) => {
    const { [name]: _left, ...rest } = entry;
    return { name, body: rest, broken: `without ${name}` };
  });
  const wrong = Object.keys(shape.properties).flatMap((name) =>
    [[{ 'no-such': 'value' }], 17.25, 'no-such~value'].map((value) => ({
      name,
      body: { ...entry, [name]: value },
      broken: `${name} = ${JSON.stringify(value)}`,
    })),
  );
  const candidates = new Dice('broken body', operation.id).chance(0.5)
    ? [...lacking, ...wrong]
    : [...wrong, ...lacking];
  for (const { name, body, broken } of candidates) {
    const sent = isList ? [body, ...(call.body as unknown[]).slice(1)] : body;
    if (check(sent) === null) continue;
    return { ...call, body: sent, place: 'body', broken, names: [name], statuses: [400] };
  }
  return null;
}
