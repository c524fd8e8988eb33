/**
 * Secrets known to a run are replaced by markers before anything is stored, in both directions, so that a report can
 * show the whole conversation and the check for leaks can still see where a secret came out. An encoded secret is one too.
 */

export const markerOf = (name: string): string => `«secret:${name}»`;
export const MARKER = /«secret:[^»]*»/;
/** Ports are given out by the system; in a recording the platforms always stand at this one. */
export const PLATFORMS_AT = '127.0.0.1:40000';
/** Shorter values, and shorter spellings of them, stand in ordinary text by chance. */
const SHORTEST = 6;

/** The same value with each secret replaced by its marker, in text and in keys, however the secret is written. */
export function redact<T>(value: T, secrets: Record<string, string>): T {
  const known = Object.entries(secrets)
    .filter(([, secret]) => secret.length >= SHORTEST)
    .flatMap(([name, secret]) => spellingsOf(secret).map((spelling) => [markerOf(name), spelling] as const));
  if (known.length === 0) return value;
  const clean = (text: string) => known.reduce((inner, [marker, spelling]) => inner.replaceAll(spelling, marker), text);
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

/** As it is, as JSON and an address escape it, base64 and base64url, hexadecimal digits, each byte as `%41` or as `\u0041`. */
function spellingsOf(secret: string): string[] {
  const hex = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0'));
  const units = Array.from({ length: secret.length }, (_, at) => secret.charCodeAt(at).toString(16).padStart(4, '0'));
  const digits = (upper: boolean) => (text: string) => (upper ? text.toUpperCase() : text);
  const spelled = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...base64Of(secret).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
    ...[digits(false), digits(true)].flatMap((turned) => [
      turned(hex.join('')),
      hex.map((pair) => `%${turned(pair)}`).join(''),
      units.map((unit) => `\\u${turned(unit)}`).join(''),
    ]),
  ];
  // The longest first, or a part would be replaced and the rest left standing.
  return [...new Set(spelled)].filter((text) => text.length >= SHORTEST).sort((a, b) => b.length - a.length);
}

/** A value looks different by how many bytes stand before it; letters that depend on its neighbours are left out. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
  });
}
