/** The part of a tool's schema that is about some of its arguments, so that setting one value needs no whole schema. */
import { isObject } from '../../catalog/platform-document.ts';
import type { JsonSchema } from '../../catalog/tool.ts';
import { type CallField, callFields } from './call-fields.ts';
import { MATCHES, matchScores } from './matching-fields.ts';
import { excerptOf } from './schema-excerpt.ts';

export interface SchemaSlice {
  schema: JsonSchema;
  /** Names that are no argument of the tool, each with the arguments that are closest to it. */
  unknown: Record<string, string[]>;
}

/** What is sliced, and where the whole stands: a query for lookup_api. */
export interface Sliced {
  schema: JsonSchema;
  whole: string;
}

const CLOSEST = 3;

/**
 * One schema per asked field, under its dotted name, with the definitions that it refers to opened as far as `limit` tokens
 * allow. `fields` are dotted names, with or without `body.`, or the last part of one.
 */
export function sliceOf({ schema, whole }: Sliced, fields: readonly string[], limit: number): SchemaSlice {
  const all = callFields(schema);
  const unknown: Record<string, string[]> = {};
  const found = new Map<string, CallField>();
  for (const asked of fields) {
    const matching = all.filter(({ name }) => isNamed(name, asked));
    for (const field of matching.slice(0, CLOSEST)) found.set(field.name, field);
    if (matching.length === 0) unknown[asked] = closest(asked, all);
  }
  return { schema: excerptOf(partial(schema, [...found.values()]), whole, limit), unknown };
}

/** The slice for the words of a query: what is required and what the words are about. The whole, where they are about nothing of it. */
export function sliceFor({ schema, whole }: Sliced, query: string, limit: number): JsonSchema {
  const all = callFields(schema);
  const scores = matchScores(query, all);
  const asked = new Set(all.filter((_, i) => (scores[i] as number) >= MATCHES));
  if (asked.size === 0) return excerptOf(schema, whole, limit);
  const about = all.filter((field) => field.required || asked.has(field));
  return excerptOf(partial(schema, about.map(withoutMembers(all, asked))), whole, limit);
}

/** Of a body that is only required as a whole, its kind: the members that were asked for stand beside it. */
const withoutMembers =
  (all: readonly CallField[], asked: ReadonlySet<CallField>) =>
  (field: CallField): CallField => {
    if (asked.has(field) || !all.some(({ name }) => name.startsWith(`${field.name}.`))) return field;
    const { type, minProperties } = field.schema;
    return {
      ...field,
      schema: { ...(type === undefined ? {} : { type }), ...(minProperties === undefined ? {} : { minProperties }) },
    };
  };

function partial(schema: JsonSchema, fields: readonly CallField[]): JsonSchema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = Object.fromEntries(fields.map(({ name, schema: own }) => [name, own]));
  const definitions = neededOf(properties, isObject(schema['$defs']) ? schema['$defs'] : {});
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

const REFERENCE = /"\$ref":"#\/\$defs\/([^"]+)"/g;

/** The definitions that a schema refers to, directly or over others. */
function neededOf(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  const needed: JsonSchema = {};
  const open = [JSON.stringify(schema)];
  for (let text = open.pop(); text !== undefined; text = open.pop())
    for (const [, name = ''] of text.matchAll(REFERENCE)) {
      if (Object.hasOwn(needed, name) || !Object.hasOwn(definitions, name)) continue;
      needed[name] = definitions[name];
      open.push(JSON.stringify(definitions[name]));
    }
  return needed;
}

function isNamed(name: string, asked: string): boolean {
  const [own, wanted] = [plain(name), plain(asked)];
  return own === wanted || own === `body.${wanted}` || own.endsWith(`.${wanted}`);
}

/** `maxClients`, `max_clients` and `max-clients` are one name. */
const plain = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');

function closest(asked: string, all: readonly CallField[]): string[] {
  const scores = matchScores(asked, all);
  return all
    .map(({ name }, i) => ({ name, score: scores[i] as number }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, CLOSEST)
    .map(({ name }) => name);
}
