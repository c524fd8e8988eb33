/**
 * What the answer of an action says about what it did. A model names the fields as its platform would; the engine knows
 * them by what they hold: a version by its name, a time by its format, a number of changes by its type.
 */
import { type OpenApiDocument, plain, plainName, type Schema, shapeOf, typesOf } from './openapi.ts';
import type { Change } from './stage.ts';
import type { Values } from './world.ts';

export interface StageFacts {
  changes: readonly Change[];
  /** Number of the last commit, 0 before the first. */
  version: number;
  /** Virtual time of it, or of the action. */
  at: string;
}

const VERSION = /version|revision|commit/;
const CREATED = /creat|add|new/;
const CHANGED = /chang|modif|updat|edit/;
const DELETED = /delet|remov/;
const FAILURE = /fail|error|reject|timeout|timedout|cancel|abort/i;

export function stageAnswer(document: OpenApiDocument, schema: Schema, facts: StageFacts): Values {
  const told: Values = {};
  for (const [name, property] of Object.entries(shapeOf(document, schema).properties)) {
    const at = plain(document, property);
    const value = stageFact(document, plainName(name), at, facts);
    if (value !== undefined) told[name] = value;
  }
  return told;
}

function stageFact(document: OpenApiDocument, name: string, schema: Schema, facts: StageFacts): unknown {
  if (schema.enum !== undefined) return schema.enum.find((value) => !FAILURE.test(String(value)));
  if (schema.format === 'date-time') return facts.at;
  const type = typesOf(schema).find((each) => each !== 'null');
  if (type === 'array') return facts.changes.map((change) => changeEntry(document, schema.items ?? {}, change));
  if (type === 'boolean') return facts.changes.length > 0;
  if (type === 'integer') {
    const of = (kind: Change['kind']): number => facts.changes.filter((change) => change.kind === kind).length;
    if (VERSION.test(name) && !CHANGED.test(name)) return facts.version;
    if (CREATED.test(name)) return of('created');
    if (DELETED.test(name)) return of('deleted');
    if (name === 'changed' || name === 'modified' || name === 'updated') return of('changed');
    return facts.changes.length;
  }
  return undefined;
}

/** One pending change in the shape that the model gives its list. */
export function changeEntry(document: OpenApiDocument, schema: Schema, change: Change): Values {
  const entry: Values = {};
  for (const [name, property] of Object.entries(shapeOf(document, schema).properties)) {
    const at = plain(document, property);
    const value = changeFact(plainName(name), at, change);
    if (value !== undefined) entry[name] = value;
  }
  return entry;
}

function changeFact(name: string, schema: Schema, change: Change): unknown {
  if (schema.enum !== undefined) {
    const family = { created: CREATED, changed: CHANGED, deleted: DELETED }[change.kind];
    return schema.enum.find((value) => family.test(String(value).toLowerCase()));
  }
  if (schema.format === 'date-time') return change.since;
  const type = typesOf(schema).find((each) => each !== 'null');
  if (type === 'array') return change.fields;
  if (type === 'integer') return change.fields.length;
  if (name === 'kind' || name === 'change' || name === 'changetype') return change.kind;
  if (/resource|type|collection/.test(name)) return change.resource;
  return /key|name|id$|object/.test(name) ? change.key : undefined;
}

/** The first word that does not speak of a failure. */
export function successWord(words: readonly string[]): string | undefined {
  return words.find((word) => !FAILURE.test(word));
}

export function failureWord(words: readonly string[]): string | undefined {
  return words.find((word) => FAILURE.test(word)) ?? words.at(-1);
}
