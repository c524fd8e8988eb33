/**
 * What a server's tool list costs a client, and which clients it may not work with: counts, and findings with the tool, what
 * is wrong and what to do. The rules are those that function-calling interfaces and strict schema modes publish.
 */
import { tokensOf } from '../recording/token-count.ts';
import type { ListedTool } from './server-connection.ts';

export interface ToolSurface {
  tools: number;
  bytes: number;
  tokens: number;
  /** Tokens of the largest definition, and whose it is. */
  largest: { tool: string; tokens: number } | null;
  findings: SurfaceFinding[];
}

export interface SurfaceFinding {
  rule: SurfaceRule;
  /** Tools that it is about; the first few. */
  tools: string[];
  count: number;
}

/** Rule → what is wrong, who minds, and the remedy. */
export const SURFACE_RULES = {
  name: {
    says: 'the name has other characters than letters, digits, _ and -, or more than 64',
    minds: 'most function-calling interfaces refuse the whole list',
    remedy: 'rename the tool',
  },
  duplicate: {
    says: 'two tools have one name',
    minds: 'a client can call only one of them',
    remedy: 'rename one',
  },
  undescribed: {
    says: 'the description is missing or shorter than 12 characters',
    minds: 'a model has to guess from the name',
    remedy: 'say in one sentence what it does and when to use it',
  },
  root: {
    says: 'the input schema is no object schema at its root',
    minds: 'strict clients refuse the tool; oneOf, anyOf, allOf and $ref at the root count too',
    remedy: 'make the root {type: object, properties} and merge the alternatives',
  },
  reference: {
    says: 'the input schema holds $ref',
    minds: 'clients that do not resolve references drop the argument',
    remedy: 'write the schema out in place',
  },
  union: {
    says: 'the input schema holds oneOf, allOf, not, or if',
    minds: 'strict modes refuse them; others ignore them',
    remedy: 'use anyOf or plain optional properties',
  },
  property: {
    says: 'an argument has other characters in its name than letters, digits, _ . and -, or more than 64',
    minds: 'some interfaces refuse the tool',
    remedy: 'rename the argument',
  },
  array: {
    says: 'an array says nothing about its items',
    minds: 'some interfaces refuse the tool',
    remedy: 'give items a type',
  },
  depth: {
    says: 'the input schema is nested more than five objects deep',
    minds: 'strict modes refuse it, and models fill it badly',
    remedy: 'flatten the arguments',
  },
  unannotated: {
    says: 'no annotation says whether the tool only reads',
    minds: 'a client asks the person before every call, or before none',
    remedy: 'set annotations.readOnlyHint and destructiveHint',
  },
} as const;
export type SurfaceRule = keyof typeof SURFACE_RULES;

const SHOWN = 5;
const DEEPEST = 5;
const SHORTEST = 12;

export function toolSurface(tools: readonly ListedTool[]): ToolSurface {
  const costs = tools.map((tool) => ({ tool: tool.name, tokens: tokensOf(tool) }));
  const names = new Map(Object.entries(Object.groupBy(tools, ({ name }) => name)));
  const broken = tools.map((tool) => ({
    name: tool.name,
    rules: [...rulesBrokenBy(tool), ...((names.get(tool.name)?.length ?? 0) > 1 ? (['duplicate'] as const) : [])],
  }));
  return {
    tools: tools.length,
    bytes: Buffer.byteLength(JSON.stringify(tools)),
    tokens: tokensOf(tools),
    largest: costs.reduce<ToolSurface['largest']>(
      (top, one) => (top === null || one.tokens > top.tokens ? one : top),
      null,
    ),
    findings: (Object.keys(SURFACE_RULES) as SurfaceRule[]).flatMap((rule) => {
      const own = broken.filter(({ rules }) => (rules as readonly string[]).includes(rule)).map(({ name }) => name);
      return own.length === 0 ? [] : [{ rule, tools: own.slice(0, SHOWN), count: own.length }];
    }),
  };
}

function rulesBrokenBy({ name, description = '', inputSchema, annotations }: ListedTool): SurfaceRule[] {
  const found = new Set<SurfaceRule>();
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) found.add('name');
  if (description.trim().length < SHORTEST) found.add('undescribed');
  if (annotations?.['readOnlyHint'] === undefined) found.add('unannotated');
  const root = (inputSchema ?? {}) as Schema;
  const alternatives = ['oneOf', 'anyOf', 'allOf', '$ref'].some((keyword) => keyword in root);
  if (root['type'] !== 'object' || alternatives) found.add('root');
  for (const rule of schemaRules(root, 0)) found.add(rule);
  return [...found];
}

type Schema = Record<string, unknown>;

function schemaRules(schema: Schema, depth: number): SurfaceRule[] {
  // A recursive value is no JSON, so this ends.
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const inner = [
    ...Object.values(properties),
    ...['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : [])),
    ...[schema['items'], schema['additionalProperties']].filter(isSchema),
  ].filter(isSchema);
  return [
    ...(depth > DEEPEST ? (['depth'] as const) : []),
    ...('$ref' in schema ? (['reference'] as const) : []),
    ...(['oneOf', 'allOf', 'not', 'if'].some((keyword) => keyword in schema) ? (['union'] as const) : []),
    ...(schema['type'] === 'array' && !isSchema(schema['items']) ? (['array'] as const) : []),
    ...(Object.keys(properties).some((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name)) ? (['property'] as const) : []),
    ...(depth > DEEPEST
      ? []
      : inner.flatMap((one) => schemaRules(one, depth + (one['properties'] === undefined ? 0 : 1)))),
  ];
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
