/** A caller's arguments, taken apart: what the operation gets and what steers the call. Nothing is guessed. */
import { CONTROL_ARGUMENTS } from '../catalog/request-parts.ts';
import type { JsonSchema } from '../catalog/tool.ts';

export interface Controls {
  dry_run?: boolean;
  confirm?: boolean;
  plan_token?: string;
  confirm_object?: string;
}

export interface Taken {
  values: Record<string, unknown>;
  controls: Controls;
}

export interface ControlProblem {
  pointer: string;
  expected: string;
  got: string;
}

export function takeApart(raw: Readonly<Record<string, unknown>>, schema: JsonSchema): Taken | ControlProblem {
  const values: Record<string, unknown> = {};
  const controls: Record<string, unknown> = {};
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema | boolean>;
  const definitions = (schema['$defs'] ?? {}) as Record<string, JsonSchema | boolean>;
  for (const [name, given] of Object.entries(raw)) {
    // Clients send null for "not given"; only inside a body does null mean something.
    if (given === null || given === undefined) continue;
    if ((CONTROL_ARGUMENTS as readonly string[]).includes(name)) {
      const flag = name === 'dry_run' || name === 'confirm';
      const value = flag ? booleanOf(given) : given;
      if (typeof value !== (flag ? 'boolean' : 'string')) {
        return { pointer: `/${name}`, expected: `should be ${flag ? 'true or false' : 'text'}`, got: typeof given };
      }
      controls[name] = value;
    } else values[name] = coerce(given, resolved(properties[name], definitions));
  }
  return { values, controls: controls as Controls };
}

function booleanOf(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}

/** The definition that a parameter's schema refers to. */
function resolved(
  schema: JsonSchema | boolean | undefined,
  definitions: Readonly<Record<string, JsonSchema | boolean>>,
): JsonSchema | boolean | undefined {
  let found = schema;
  for (let hops = 0; hops < 8 && typeof found === 'object' && typeof found['$ref'] === 'string'; hops++)
    found = definitions[found['$ref'].slice('#/$defs/'.length)];
  return found;
}

/** Changes a type only where nothing can be lost: `"5"` for an integer, a whole JSON text for an object. */
function coerce(value: unknown, schema: JsonSchema | boolean | undefined): unknown {
  if (typeof schema !== 'object') return value;
  const types = [schema['type']].flat();
  const wants = (type: string) => types.includes(type);
  if (typeof value === 'string' && !wants('string')) {
    if (
      (wants('integer') && /^-?(0|[1-9]\d{0,14})$/.test(value)) ||
      (wants('number') && /^-?(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(value))
    )
      return Number(value);
    if (wants('boolean')) return booleanOf(value);
    if (wants('array') && !/^\s*\[/.test(value)) return [value];
    if (/^\s*[[{]/.test(value)) return parsed(value);
  }
  if ((typeof value === 'number' || typeof value === 'boolean') && types.length === 1 && wants('string'))
    return String(value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
