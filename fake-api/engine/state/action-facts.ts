/**
 * What the answer of an action says about what it did. A model names the fields as its platform would; the engine knows
 * them by what they hold: a version by its name, a time by its format, a number of changes by its type.
 */
import { USERNAME } from '../http/account.ts';
import { type OpenApiDocument, plain, plainName, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import type { Values } from './platform-behaviour.ts';
import type { Change } from './stage-contents.ts';

export interface StageFacts {
  changes: readonly Change[];
  /** Number of the last commit, 0 before the first. */
  version: number;
  /** Virtual time of it, or of the action. */
  at: string;
  /** What its author wrote about it, by field name. */
  words: Readonly<Record<string, string>>;
}

const VERSION = /version|revision|commit|id$/;
const CREATED = /creat|add|new/;
const CHANGED = /chang|modif|updat|edit/;
const DELETED = /delet|remov/;
const PERSON = /^(user|username|author|by|owner|account)$|edby$/;
const SUCCESS = /succe|done|complete/;
const FAILURE = /fail|error|warning|problem|reject|timeout|timedout|cancel|abort/i;

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
  switch (typesOf(schema).find((each) => each !== 'null')) {
    case 'array':
      return FAILURE.test(name) ? [] : facts.changes.map((change) => listed(document, schema.items ?? {}, change));
    case 'boolean':
      return SUCCESS.test(name) || (facts.changes.length > 0 && !FAILURE.test(name));
    case 'integer':
      return numberOf(name, facts);
    case 'string':
      return PERSON.test(name) ? USERNAME : wordsFor(name, facts.words);
    default:
      return undefined;
  }
}

function numberOf(name: string, { changes, version }: StageFacts): number {
  const of = (kind: Change['kind']): number => changes.filter((change) => change.kind === kind).length;
  if (FAILURE.test(name)) return 0;
  if (VERSION.test(name) && !CHANGED.test(name)) return version;
  if (CREATED.test(name)) return of('created');
  if (DELETED.test(name)) return of('deleted');
  return ['changed', 'modified', 'updated'].includes(name) ? of('changed') : changes.length;
}

function wordsFor(name: string, words: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(words).find(([given]) => plainName(given) === name)?.[1];
}

/** A change as an entry of a list, or its name where the list is one of texts. */
function listed(document: OpenApiDocument, schema: Schema, change: Change): unknown {
  const isText = typesOf(plain(document, schema)).includes('string');
  return isText ? `${change.resource}/${change.key}` : changeEntry(document, schema, change);
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
  if (schema.format === 'date-time') return change.at;
  const type = typesOf(schema).find((each) => each !== 'null');
  if (type === 'array') return change.fields;
  if (type === 'integer') return change.fields.length;
  if (PERSON.test(name)) return USERNAME;
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
