/**
 * Secrets known to a run are replaced by markers before anything is stored, in both directions, so that a report can
 * show the whole conversation and the check for leaks can still see where a secret came out.
 */

export const markerOf = (name: string): string => `«secret:${name}»`;
export const MARKER = /«secret:[^»]*»/;

/** The same value with each secret replaced by its marker, in text and in keys. */
export function redact<T>(value: T, secrets: Record<string, string>): T {
  const known = Object.entries(secrets).filter(([, secret]) => secret.length >= 6);
  if (known.length === 0) return value;
  const clean = (text: string) =>
    known.reduce((inner, [name, secret]) => inner.replaceAll(secret, markerOf(name)), text);
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return clean(inner);
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner === 'object' && inner !== null) {
      return Object.fromEntries(Object.entries(inner).map(([key, child]) => [clean(key), walk(child)]));
    }
    return inner;
  };
  return walk(value) as T;
}
