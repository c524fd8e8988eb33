/** Whether the requests of two operations of one address can be the same: documents tell such operations apart by a parameter. */
import type { BuiltTool, JsonSchema, ToolParameter } from './tool.ts';

/**
 * No request can be both where a parameter that each of them requires has one value in the one and another in the other, and where one
 * of them requires a value in its query that no query of the other can hold.
 */
export const haveDistinctRequests = (left: BuiltTool, right: BuiltTool): boolean =>
  differs(left, right) || differs(right, left);

function differs(left: BuiltTool, right: BuiltTool): boolean {
  const others = onlyValues(right);
  return [...onlyValues(left)].some(([parameter, value]) =>
    others.has(parameter) ? others.get(parameter) !== value : !mayHold(right, parameter),
  );
}

const known = new WeakMap<BuiltTool, ReadonlyMap<string, string>>();

/** Required parameters outside of the path that may have one value only, by place and name (`query action`). */
export function onlyValues(built: BuiltTool): ReadonlyMap<string, string> {
  const found = known.get(built) ?? readOnlyValues(built);
  known.set(built, found);
  return found;
}

const schemaOf = ({ schema }: BuiltTool, { argument }: ToolParameter): JsonSchema =>
  (schema['properties'] as Record<string, JsonSchema>)[argument] ?? {};

function readOnlyValues(built: BuiltTool): ReadonlyMap<string, string> {
  return new Map(
    built.tool.parameters.flatMap((parameter) => {
      const { in: place, name, required } = parameter;
      const { enum: values, const: value } = schemaOf(built, parameter);
      const only = value ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined);
      return required && place !== 'path' && typeof only === 'string' ? [[`${place} ${name}`, only] as const] : [];
    }),
  );
}

/** Of headers and cookies nothing is known here: not only the caller sets them. */
function mayHold(built: BuiltTool, parameter: string): boolean {
  const name = parameter.startsWith('query ') ? parameter.slice('query '.length).toLowerCase() : undefined;
  return (
    name === undefined ||
    built.tool.parameters.some(
      (one) => one.in === 'query' && (one.name.toLowerCase() === name || mayNameOthers(one, schemaOf(built, one))),
    )
  );
}

/** An object that is exploded gives its query names of the caller's choice. */
function mayNameOthers({ style, explode }: ToolParameter, { type }: JsonSchema): boolean {
  if (!explode || style === 'json' || style === 'deepObject') return false;
  const types = [type ?? 'object'].flat();
  return types.includes('object');
}
