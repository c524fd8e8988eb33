/** Arguments drawn by a seed from the JSON schema of a tool, by rules that share no code with the router or the fake. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import type { JsonSchema } from '../../catalog/tool.ts';
import { Random } from '../bench/robust/random.ts';

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: true });
formats.default(ajv);

const TEXTS: Record<string, string> = {
  date: '2026-03-02',
  'date-time': '2026-03-02T09:30:00Z',
  time: '09:30:00Z',
  duration: 'P1D',
  email: 'ada@harbour.example',
  uri: 'https://harbour.example/a',
  url: 'https://harbour.example/a',
  'uri-reference': '/a',
  uuid: '0b7c7c1e-6f0f-4a53-9c0e-3f0a6d6f6b11',
  ipv4: '10.0.0.1',
  ipv6: '2001:db8::1',
  hostname: 'harbour.example',
  byte: 'c2FtcGxl',
  'json-pointer': '/a',
  regex: 'a',
};
/** A file that the upload folder of the router has. */
export const UPLOADED = 'sample.csv';
const ATTEMPTS = 16;
const MOST_DEPTH = 8;
const OPTIONAL_DEPTH = 2;

interface Drawing {
  definitions: Record<string, JsonSchema>;
  random: Random;
  /** Which branch of a union is taken, and from some number on only what is required. */
  attempt: number;
  known: Readonly<Record<string, unknown>>;
}

/** What a call of a tool may carry: the arguments that are required and, with `full`, fields of the body beside them. */
export interface DrawnArguments {
  values: Record<string, unknown>;
  /** By the schema of the tool. */
  takes: ValidateFunction;
}

/**
 * @param schema of the tool's arguments
 * @param names arguments that the call needs
 * @param known values by argument that are taken where they fit
 * @returns undefined where none of 16 attempts fits the schema
 */
export function drawnArguments(
  schema: JsonSchema,
  names: readonly string[],
  known: Readonly<Record<string, unknown>>,
  seed: number,
): DrawnArguments | undefined {
  const takes = ajv.compile(schema);
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  for (const kept of Object.keys(known).length > 0 ? [known, {}] : [known]) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const definitions = (schema['$defs'] ?? {}) as Record<string, JsonSchema>;
      const drawing: Drawing = { definitions, random: new Random(seed + attempt), attempt, known: kept };
      const values = Object.fromEntries(names.map((name) => [name, argument(drawing, properties[name], name)]));
      if (takes(values)) return { values, takes };
    }
  }
  return undefined;
}

function argument(drawing: Drawing, schema: JsonSchema | undefined, name: string): unknown {
  const known = drawing.known[name];
  const at = resolved(drawing, schema ?? {});
  const types = typesOf(at);
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && /page|offset|skip|start/i.test(name)) return Number(at['minimum'] ?? 0);
  if (known === undefined || (isNumber && Number.isNaN(Number(known)))) return drawn(drawing, schema ?? {}, 0);
  if (isNumber) return Number(known);
  return types.includes('string') ? String(known) : known;
}

const typesOf = ({ type }: JsonSchema): string[] => (type === undefined ? [] : ([type].flat() as string[]));

/** References followed, `allOf` joined, one branch of each union chosen. */
function resolved(drawing: Drawing, schema: JsonSchema, depth = 0): JsonSchema {
  if (typeof schema !== 'object' || schema === null || depth > MOST_DEPTH) return {};
  const { $ref, allOf, oneOf, anyOf, ...own } = schema as Record<string, unknown>;
  const branches = (oneOf ?? anyOf) as JsonSchema[] | undefined;
  const parts: JsonSchema[] = [
    ...(typeof $ref === 'string' ? [drawing.definitions[$ref.replace('#/$defs/', '')] ?? {}] : []),
    ...((allOf ?? []) as JsonSchema[]),
    ...(branches === undefined ? [] : [branches[drawing.attempt % branches.length] ?? {}]),
  ];
  return parts.map((part) => resolved(drawing, part, depth + 1)).reduce(joined, own as JsonSchema);
}

function joined(left: JsonSchema, right: JsonSchema): JsonSchema {
  const propertiesOf = (part: JsonSchema) => (part['properties'] ?? {}) as Record<string, JsonSchema>;
  const [ours, theirs] = [propertiesOf(left), propertiesOf(right)];
  const properties: Record<string, JsonSchema> = { ...theirs, ...ours };
  for (const [name, part] of Object.entries(theirs))
    if (ours[name] !== undefined && ours[name] !== part) properties[name] = { allOf: [ours[name], part] };
  const required = [...((left['required'] ?? []) as string[]), ...((right['required'] ?? []) as string[])];
  return {
    ...right,
    ...left,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function drawn(drawing: Drawing, schema: JsonSchema, depth: number): unknown {
  const at = resolved(drawing, schema);
  const { const: only, enum: list, example, examples, default: usual } = at;
  if (only !== undefined) return only;
  if (Array.isArray(list) && list.length > 0) return list[drawing.attempt % list.length];
  const stated = [example, ...(Array.isArray(examples) ? examples : []), usual].filter(
    (value) => value !== undefined && value !== null,
  );
  if (stated.length > 0 && drawing.attempt % 2 === 0 && typesOf(at)[0] !== 'object') return stated[0];
  const types = typesOf(at).filter((type) => type !== 'null');
  switch (types[drawing.attempt % Math.max(1, types.length)] ?? shapeOf(at)) {
    case 'object':
      return drawnObject(drawing, at, depth);
    case 'array':
      return drawnList(drawing, at, depth);
    case 'integer':
    case 'number':
      return drawnNumber(at, drawing.random);
    case 'boolean':
      return drawing.random.chance(50);
    default:
      return drawnText(at, drawing);
  }
}

const shapeOf = (at: JsonSchema): string =>
  at['properties'] !== undefined || at['additionalProperties'] !== undefined
    ? 'object'
    : at['items'] !== undefined
      ? 'array'
      : 'string';

function drawnObject(drawing: Drawing, at: JsonSchema, depth: number): Record<string, unknown> {
  const properties = (at['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((at['required'] ?? []) as string[]);
  const isFull = drawing.attempt < ATTEMPTS / 2 && depth < OPTIONAL_DEPTH;
  const names =
    depth > MOST_DEPTH
      ? []
      : [...new Set([...Object.keys(properties).filter((name) => isFull || required.has(name)), ...required])];
  const entries = names.map((name): [string, unknown] => [name, drawn(drawing, properties[name] ?? {}, depth + 1)]);
  const { minProperties = 0, additionalProperties } = at as {
    minProperties?: number;
    additionalProperties?: JsonSchema;
  };
  for (let i = entries.length; i < minProperties; i += 1)
    entries.push([`key${i}`, drawn(drawing, additionalProperties ?? {}, depth + 1)]);
  return Object.fromEntries(entries);
}

function drawnList(drawing: Drawing, at: JsonSchema, depth: number): unknown[] {
  const { minItems = 0, items = {} } = at as { minItems?: number; items?: JsonSchema };
  const length = depth > MOST_DEPTH ? minItems : Math.max(1, minItems);
  return Array.from({ length }, (_, i) => drawn({ ...drawing, attempt: drawing.attempt + i }, items, depth + 1));
}

function drawnNumber(at: JsonSchema, random: Random): number {
  const {
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf = 1,
  } = at as Record<string, number | undefined>;
  const low = minimum ?? (exclusiveMinimum === undefined ? Math.min(1, maximum ?? 1) : exclusiveMinimum + multipleOf);
  const high = maximum ?? (exclusiveMaximum === undefined ? low + 100 : exclusiveMaximum - multipleOf);
  const first = Math.ceil(low / multipleOf) * multipleOf;
  const steps = Math.max(0, Math.min(1000, Math.floor((high - first) / multipleOf)));
  return first + multipleOf * random.below(steps + 1);
}

function drawnText(at: JsonSchema, { random }: Drawing): string {
  const {
    pattern,
    format = '',
    minLength = 0,
    maxLength = pattern === undefined ? 40 : Number.POSITIVE_INFINITY,
  } = at as { pattern?: string; format?: string; minLength?: number; maxLength?: number };
  if (String(at['description']).startsWith('Path of a file in the upload folder')) return UPLOADED;
  if (pattern !== undefined) return ofPattern(pattern, random, minLength, maxLength);
  const text = TEXTS[format] ?? `w${random.below(1_000_000)}`;
  return text.padEnd(minLength, 'x').slice(0, Math.max(minLength, maxLength));
}

/** A text that the pattern takes; of the wanted length where one of a few ways leads to it. */
function ofPattern(pattern: string, random: Random, minLength: number, maxLength: number): string {
  for (const flags of ['u', '']) {
    try {
      const [loose = '', whole = ''] = [pattern, `^(?:${pattern})$`].map(
        (source) =>
          fc.sample(fc.stringMatching(new RegExp(source, flags)), { seed: random.below(1_000_000), numRuns: 1 })[0],
      );
      const long = whole.repeat(Math.ceil(minLength / Math.max(1, whole.length))).slice(0, maxLength);
      const takes = (text: string) =>
        text.length >= minLength && text.length <= maxLength && new RegExp(pattern, flags).test(text);
      return [loose, whole, long].find(takes) ?? loose;
    } catch {
      // Not every pattern is one for both kinds of expression, and the package knows no look-behind.
    }
  }
  return 'a';
}
