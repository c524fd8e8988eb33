/** A schema as far as it fits an answer: what is deeper than there is room for points at where the whole stands. */
import { isObject } from '../../catalog/platform-document.ts';
import type { JsonSchema } from '../../catalog/tool.ts';
import { tokensOfWords } from './token-bound.ts';

const SHORT_DESCRIPTION = 80;
const DEEPEST = 8;
/** References opened where they stand can grow without end; past this the level is not worth trying. */
const MAX_PARTS = 2_000;

/** `whole` says how to get the rest, for example a query for lookup_api. */
export function excerptOf(schema: JsonSchema, whole: string, limit: number): JsonSchema {
  const fits = (candidate: unknown) => tokensOfWords(JSON.stringify(candidate)) <= limit;
  if (fits(schema)) return schema;
  const rest = `Left out here; lookup_api ${JSON.stringify(whole)} has it.`;
  for (let depth = DEEPEST; depth >= 1; depth--) {
    const cut = cutBelow(schema, depth, rest);
    if (cut !== undefined && fits(cut)) return cut;
  }
  return { type: 'object', description: rest };
}

function cutBelow(schema: JsonSchema, depth: number, rest: string): JsonSchema | undefined {
  const definitions = isObject(schema['$defs']) ? schema['$defs'] : {};
  let parts = 0;
  const copy = (part: unknown, left: number): unknown => {
    if (!isObject(part)) return part;
    if (++parts > MAX_PARTS) return {};
    const reference = part['$ref'];
    if (typeof reference === 'string')
      return left > 0 ? copy(resolved(part, definitions[reference.slice('#/$defs/'.length)]), left) : stub({}, rest);
    if (left === 0 && isDeep(part)) return stub(part, rest);
    return Object.fromEntries(
      Object.entries(part)
        .filter(([keyword]) => keyword !== '$defs')
        .map(([keyword, value]) => [keyword, copyKeyword(keyword, value, (inner) => copy(inner, left - 1))]),
    );
  };
  const cut = copy(schema, depth) as JsonSchema;
  return parts > MAX_PARTS ? undefined : cut;
}

/** Keywords beside a reference take precedence over its target. */
const resolved = (part: JsonSchema, target: unknown): JsonSchema => ({
  ...(isObject(target) ? target : {}),
  ...without(part, '$ref'),
});

function copyKeyword(keyword: string, value: unknown, copy: (part: unknown) => unknown): unknown {
  if (keyword === 'description' && typeof value === 'string' && value.length > SHORT_DESCRIPTION)
    return `${value.slice(0, SHORT_DESCRIPTION - 1)}…`;
  if ((keyword === 'properties' || keyword === 'patternProperties') && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copy(part)]));
  if (Array.isArray(value) && /^(allOf|anyOf|oneOf|prefixItems)$/.test(keyword)) return value.map(copy);
  if (/^(items|additionalProperties|not|if|then|else|contains)$/.test(keyword)) return copy(value);
  return value;
}

const isDeep = (part: JsonSchema) =>
  ['properties', 'items', 'allOf', 'anyOf', 'oneOf', 'additionalProperties'].some(
    (keyword) => isObject(part[keyword]) || Array.isArray(part[keyword]),
  );

const stub = (part: JsonSchema, rest: string): JsonSchema => ({
  ...(part['type'] === undefined ? {} : { type: part['type'] }),
  description: rest,
});

function without(part: JsonSchema, keyword: string): JsonSchema {
  const { [keyword]: _, ...others } = part;
  return others;
}
