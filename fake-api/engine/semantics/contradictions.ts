/** What a value contradicts itself in, at any depth. */
import { type OpenApiDocument, plain, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import { claimsOf } from './sense.ts';
import type { SenseRule } from './sense-rule.ts';

export interface Contradiction {
  rule: SenseRule;
  /** Steps from the value to the object. */
  path: readonly string[];
  /** Values of the fields that contradict each other, by name. */
  fields: Readonly<Record<string, unknown>>;
}

export interface Judging {
  nowMs: number;
  /** Claims about none of the fields for which it is true are left out; without it all claims are judged. */
  isJudged?: (path: readonly string[], name: string) => boolean;
}

const MAX_DEPTH = 12;

/** Every broken rule of a value that fits the schema, the outermost object first. */
export function contradictionsIn(
  document: OpenApiDocument,
  schema: Schema,
  value: unknown,
  judging: Judging,
  path: readonly string[] = [],
): Contradiction[] {
  const at = plain(document, schema);
  if (value === null || typeof value !== 'object' || path.length > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    const { items } = at;
    if (items === undefined) return [];
    return value.flatMap((entry, index) => contradictionsIn(document, items, entry, judging, [...path, String(index)]));
  }
  return [
    ...ownContradictions(document, at, value as Record<string, unknown>, judging, path),
    ...innerContradictions(document, at, value as Record<string, unknown>, judging, path),
  ];
}

function ownContradictions(
  document: OpenApiDocument,
  schema: Schema,
  values: Record<string, unknown>,
  { nowMs, isJudged }: Judging,
  path: readonly string[],
): Contradiction[] {
  return claimsOf(document, schema).flatMap((claim) => {
    const { names, rule } = claim;
    if (rule.habit === true) return [];
    if (isJudged !== undefined && !names.some((name) => isJudged(path, name))) return [];
    if (!claim.broken(values, nowMs)) return [];
    return [{ rule, path, fields: Object.fromEntries(names.map((name) => [name, values[name]])) }];
  });
}

function innerContradictions(
  document: OpenApiDocument,
  schema: Schema,
  values: Record<string, unknown>,
  judging: Judging,
  path: readonly string[],
): Contradiction[] {
  const { properties, additional } = shapeOf(document, schema);
  return Object.entries(values).flatMap(([name, entry]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : additional;
    return property == null ? [] : contradictionsIn(document, property, entry, judging, [...path, name]);
  });
}

/** `a start is not after its end, got start "2026-03-02" with end "2026-03-01"`. */
export function contradictionText({ rule, fields }: Contradiction): string {
  const got = Object.entries(fields).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return `${rule.states}, got ${got.join(' with ')}`;
}
