/** What a value breaks of the sense rules, in itself and in every object inside it. */
import { type OpenApiDocument, plain, type Schema, shapeOf } from '../engine/openapi/openapi-document.ts';
import { claimsOf } from '../engine/semantics/sense.ts';

export interface Nonsense {
  rule: string;
  /** JSON pointer of the object. */
  pointer: string;
  /** Values of the fields that contradict each other. */
  fields: Record<string, unknown>;
}

const MAX_DEPTH = 12;

/** Every broken rule of a value; `judged` counts the claims that were looked at, by rule. */
export function nonsenseOf(
  document: OpenApiDocument,
  schema: Schema,
  value: unknown,
  nowMs: number,
  judged: Map<string, number> = new Map(),
  pointer = '',
): Nonsense[] {
  const at = plain(document, schema);
  if (value === null || typeof value !== 'object' || pointer.split('/').length > MAX_DEPTH) return [];
  if (Array.isArray(value))
    return value.flatMap((entry, index) =>
      at.items === undefined ? [] : nonsenseOf(document, at.items, entry, nowMs, judged, `${pointer}/${index}`),
    );
  const own = claimsOf(document, at).flatMap((claim) => {
    const values = value as Record<string, unknown>;
    if (claim.names.every((name) => values[name] !== undefined && values[name] !== null))
      judged.set(claim.rule.id, (judged.get(claim.rule.id) ?? 0) + 1);
    if (!claim.broken(values, nowMs)) return [];
    return [
      { rule: claim.rule.id, pointer, fields: Object.fromEntries(claim.names.map((name) => [name, values[name]])) },
    ];
  });
  const { properties, additional } = shapeOf(document, at);
  const inner = Object.entries(value).flatMap(([name, entry]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : additional;
    return property == null ? [] : nonsenseOf(document, property, entry, nowMs, judged, `${pointer}/${name}`);
  });
  return [...own, ...inner];
}
