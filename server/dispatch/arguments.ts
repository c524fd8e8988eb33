/** Splits a caller's arguments into those of the operation and those that control the call. It guesses nothing. */
import { pointerPart } from '../catalog/platform-document.ts';
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
  /** Integers that a number cannot hold, digit by digit; `values` has the nearest number, for the check against the schema. */
  digits?: Record<string, string>;
}

export interface ControlProblem {
  pointer: string;
  expected: string;
  got: string;
}

/** The value of one argument. `digits` are those of an integer that a number would round; `value` is the nearest number. */
interface TakenValue {
  value: unknown;
  digits?: string;
}

export function takeApart(raw: Readonly<Record<string, unknown>>, schema: JsonSchema): Taken | ControlProblem {
  const values: [name: string, taken: TakenValue][] = [];
  const controls: Record<string, unknown> = {};
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema | boolean>;
  const definitions = (schema['$defs'] ?? {}) as Record<string, JsonSchema | boolean>;
  for (const [name, given] of Object.entries(raw)) {
    // Clients send null for "not given"; only inside a body does null mean something.
    if (given === null || given === undefined) continue;
    const isControl = (CONTROL_ARGUMENTS as readonly string[]).includes(name);
    const taken = isControl ? controlOf(name, given) : takeValue(name, given, resolved(properties[name], definitions));
    if ('expected' in taken) return taken;
    if (isControl) controls[name] = taken.value;
    else values.push([name, taken]);
  }
  const digits = values.flatMap(([name, taken]) => (taken.digits === undefined ? [] : [[name, taken.digits] as const]));
  return {
    // Entries and not assignments: `__proto__` is a name like any other then.
    values: Object.fromEntries(values.map(([name, { value }]) => [name, value])),
    controls: controls as Controls,
    ...(digits.length > 0 ? { digits: Object.fromEntries(digits) } : {}),
  };
}

/** Arguments of one of the router's own tools, by the same rules. Some clients send an empty text for "not given". */
export function takeOwn(raw: Readonly<Record<string, unknown>>, schema: JsonSchema): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = (schema['required'] ?? []) as string[];
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== null && value !== undefined && (value !== '' || required.includes(name));
  return Object.fromEntries(
    Object.entries(raw)
      .filter(isGiven)
      .map(([name, value]) => [name, coerce(value, properties[name])]),
  );
}

function takeValue(
  name: string,
  given: unknown,
  schema: JsonSchema | boolean | undefined,
): TakenValue | ControlProblem {
  if (name !== 'body' && isLongInteger(given, schema)) return { value: Number(given), digits: given };
  const pointer = `/${pointerPart(name)}`;
  const value = coerce(given, schema);
  // As text a rounded number looks as if it had been meant.
  const mayBeText = name !== 'body';
  return roundedIn(given, pointer, mayBeText) ?? roundedIn(value, pointer, mayBeText) ?? { value };
}

/** Digits of an integer that a number would round, for a parameter that takes integers and no text. */
function isLongInteger(value: unknown, schema: JsonSchema | boolean | undefined): value is string {
  if (typeof value !== 'string' || typeof schema !== 'object' || !/^-?[1-9]\d{15,38}$/.test(value)) return false;
  const types = [schema['type']].flat();
  return types.includes('integer') && !types.includes('string') && !Number.isSafeInteger(Number(value));
}

/**
 * The first integer that may have lost digits on the way, or number that was too large to arrive (`1e400`), so that another value
 * would be sent than was meant: JSON has no infinity, and null would stand in its place. Not recursive, because a caller may send
 * a value of any depth. Text is taken for a parameter alone, not for what stands inside of one.
 */
function roundedIn(value: unknown, pointer: string, mayBeText: boolean): ControlProblem | undefined {
  const open: [value: unknown, pointer: string][] = [[value, pointer]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, at] = next;
    const problem = typeof node === 'number' ? numberProblem(node, mayBeText && at === pointer) : undefined;
    if (problem) return { pointer: at, ...problem };
    if (typeof node === 'object' && node !== null)
      for (const [name, inner] of Object.entries(node)) open.push([inner, `${at}/${pointerPart(name)}`]);
  }
  return undefined;
}

function numberProblem(number: number, mayBeText: boolean): Omit<ControlProblem, 'pointer'> | undefined {
  if (!Number.isFinite(number)) {
    const expected = `should be a number of at most ${Number.MAX_VALUE}: a larger one does not arrive`;
    return { expected, got: 'a larger one' };
  }
  if (!isRounded(number)) return undefined;
  const text = mayBeText ? ', or its digits as text' : '';
  const expected = `should be an integer of at most ${Number.MAX_SAFE_INTEGER}${text}: a larger number loses digits before it arrives`;
  return { expected, got: String(number) };
}

/** From here on a number is written with an exponent, as no integer is meant to be. */
const EXPONENT_FROM = 1e21;
const isRounded = (number: number): boolean =>
  Number.isInteger(number) && !Number.isSafeInteger(number) && Math.abs(number) < EXPONENT_FROM;

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
    (wants('integer') && /^-?(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))) ||
    (wants('number') && /^-?(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(text))
  )
    return Number(text);
  if (wants('boolean')) return booleanOf(text);
  if (wants('array') && !/^\s*\[/.test(text)) return [text];
  return /^\s*[[{]/.test(text) ? parsed(text) : text;
}

/** Text that is no JSON stays as it is, and so does one with half of a surrogate pair, which no argument may have. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (key, value) => {
      if (key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
      throw new SyntaxError('half of a surrogate pair');
    });
  } catch {
    return text;
  }
}
