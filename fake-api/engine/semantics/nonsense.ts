/** What a value contradicts itself in, at any depth. */
import { type OpenApiDocument, plain, type Schema, shapeOf } from '../openapi/openapi-document.ts';
import { claimsOf } from './sense.ts';
import type { SenseRule } from './sense-rule.ts';

export interface Nonsense {
  rule: SenseRule;
  /** Steps from the value to the object. */
  path: readonly string[];
  /** Values of the fields that contradict each other, by name. */
  fields: Readonly<Record<string, unknown>>;
}

export interface Judging {
  nowMs: number;
  /** Called for every object; false leaves out the claims about none of these fields. All are judged when it is left out. */
  isJudged?: (path: readonly string[], name: string) => boolean;
  /** Called with every claim whose fields all have a value. */
  judged?: (rule: SenseRule) => void;
}

const MAX_DEPTH = 12;

/** Every broken rule of a value that fits the schema, the outermost object first. */
export function nonsenseOf(
  document: OpenApiDocument,
  schema: Schema,
  value: unknown,
  judging: Judging,
  path: readonly string[] = [],
): Nonsense[] {
  const at = plain(document, schema);
  if (value === null || typeof value !== 'object' || path.length > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    const { items } = at;
    if (items === undefined) return [];
    return value.flatMap((entry, index) => nonsenseOf(document, items, entry, judging, [...path, String(index)]));
  }
  return [
    ...ownNonsense(document, at, value as Record<string, unknown>, judging, path),
    ...innerNonsense(document, at, value as Record<string, unknown>, judging, path),
  ];
}

function ownNonsense(
  document: OpenApiDocument,
  schema: Schema,
  values: Record<string, unknown>,
  { nowMs, isJudged, judged }: Judging,
  path: readonly string[],
): Nonsense[] {
  return claimsOf(document, schema).flatMap((claim) => {
    const { names, rule } = claim;
    if (isJudged !== undefined && !names.some((name) => isJudged(path, name))) return [];
    if (names.every((name) => values[name] !== undefined && values[name] !== null)) judged?.(rule);
    if (!claim.broken(values, nowMs)) return [];
    return [{ rule, path, fields: Object.fromEntries(names.map((name) => [name, values[name]])) }];
  });
}

function innerNonsense(
  document: OpenApiDocument,
  schema: Schema,
  values: Record<string, unknown>,
  judging: Judging,
  path: readonly string[],
): Nonsense[] {
  const { properties, additional } = shapeOf(document, schema);
  return Object.entries(values).flatMap(([name, entry]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : additional;
    return property == null ? [] : nonsenseOf(document, property, entry, judging, [...path, name]);
  });
}

/** `a start is not after its end, got start "2026-03-02" with end "2026-03-01"`. */
export function contradictionText({ rule, fields }: Nonsense): string {
  const got = Object.entries(fields).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return `${rule.states}, got ${got.join(' with ')}`;
}
