/** The part of a tool's schema that is about some of its arguments, so that setting one value needs no whole schema. */
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

/** The slice for the words of a query: what is required and what the words are about. */
export function sliceFor({ schema, whole }: Sliced, query: string, limit: number): JsonSchema {
  const all = callFields(schema);
  const scores = matchScores(query, all);
  const about = all.filter(({ required }, i) => required || (scores[i] as number) >= MATCHES);
  return excerptOf(about.length === 0 ? schema : partial(schema, about), whole, limit);
}

function partial(schema: JsonSchema, fields: readonly CallField[]): JsonSchema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema: own }) => [name, own])),
    ...(required.length > 0 ? { required } : {}),
    ...(schema['$defs'] === undefined ? {} : { $defs: schema['$defs'] }),
  };
}

function isNamed(name: string, asked: string): boolean {
  const wanted = plain(asked);
  return plain(name) === wanted || plain(name).replace(/^body\./, '') === wanted || plain(name).endsWith(`.${wanted}`);
}

const plain = (name: string) => name.trim().toLowerCase().replaceAll('_', '-');

function closest(asked: string, all: readonly CallField[]): string[] {
  const scores = matchScores(asked, all);
  return all
    .map(({ name }, i) => ({ name, score: scores[i] as number }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, CLOSEST)
    .map(({ name }) => name);
}
