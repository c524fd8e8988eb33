/** Reads a scalar as the controller writes it: plain, or inside dictionaries with a single key, up to four levels. */

const LEVELS = 4;

/** The value inside its single-key wrappers; undefined where something else than a scalar is left. */
export function scalarOf(value: unknown): string | number | boolean | null | undefined {
  let inner = value;
  for (let level = 0; level < LEVELS && typeof inner === 'object' && inner !== null; level++) {
    const keys = Array.isArray(inner) ? [] : Object.keys(inner);
    if (keys.length !== 1) return undefined;
    inner = (inner as Record<string, unknown>)[keys[0] as string];
  }
  return typeof inner === 'object' && inner !== null ? undefined : (inner as string | number | boolean | null);
}

/** Text or a number as text; undefined for nothing, and for what is neither. */
export function textOf(value: unknown): string | undefined {
  const inner = scalarOf(value);
  if (typeof inner === 'number' && Number.isFinite(inner)) return String(inner);
  return typeof inner === 'string' && inner !== '' ? inner : undefined;
}

export function numberOf(value: unknown): number | undefined {
  const text = textOf(value)?.trim();
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The number that a text writes, as `10` for `010`; another text as it is. */
export const plainNumber = (text: string): string => String(numberOf(text) ?? text);

const TRUE = new Set(['true', 'yes', 'on', 'enable', 'enabled', '1']);
const FALSE = new Set(['false', 'no', 'off', 'disable', 'disabled', '0']);

/**
 * The transition-flag parser (specification 3.3, rule 9): booleans, 0 and 1, texts that say so, and either inside up to four
 * single-key wrappers. Every other shape is undetermined, which is not false.
 */
export function flagOf(value: unknown): boolean | undefined {
  const inner = scalarOf(value);
  if (typeof inner === 'boolean') return inner;
  if (inner === 0 || inner === 1) return inner === 1;
  if (typeof inner !== 'string') return undefined;
  const text = inner.trim().toLowerCase();
  return TRUE.has(text) ? true : FALSE.has(text) ? false : undefined;
}
