/** Splits a caller's arguments into those of the operation and those that control the call. It guesses nothing. */
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
      const control = controlOf(name, given);
      if ('expected' in control) return control;
      controls[name] = control.value;
    } else values[name] = coerce(given, resolved(properties[name], definitions));
  }
  return { values, controls: controls as Controls };
}

function controlOf(name: string, given: unknown): { value: unknown } | ControlProblem {
  const flag = name === 'dry_run' || name === 'confirm';
  const value = flag ? booleanOf(given) : given;
  return typeof value === (flag ? 'boolean' : 'string')
    ? { value }
    : { pointer: `/${name}`, expected: `should be ${flag ? 'true or false' : 'text'}`, got: typeof given };
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
  if (typeof value === 'string') return types.includes('string') ? value : fromText(value, types);
  const scalar = typeof value === 'number' || typeof value === 'boolean';
  return scalar && types.length === 1 && types[0] === 'string' ? String(value) : value;
}

function fromText(text: string, types: readonly unknown[]): unknown {
  const wants = (type: string) => types.includes(type);
  if (
    (wants('integer') && /^-?(0|[1-9]\d{0,14})$/.test(text)) ||
    (wants('number') && /^-?(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(text))
  )
    return Number(text);
  if (wants('boolean')) return booleanOf(text);
  if (wants('array') && !/^\s*\[/.test(text)) return [text];
  return /^\s*[[{]/.test(text) ? parsed(text) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
