/**
 * Values that differ on every run although nothing else does: secrets, what a subject draws at random (plan tokens,
 * cursors), and the address of the platforms. A stored conversation names them by markers, and the address by the one that
 * all recordings have; a replay puts this run's values back in their place.
 */
import { markerOf, PLATFORMS_AT, redact } from '../recording/redact-recording.ts';

/** Shorter values would be found inside words. */
const SHORTEST = 16;

export interface Placeholders {
  /** Learns the values in the messages' tool results, then names them. */
  hide: <T extends { messages: unknown[] }>(request: T) => T;
  /** Names the values known so far. */
  mask: <T>(value: T) => T;
  /** This run's values where a stored text has markers. */
  restore: <T>(value: T) => T;
}

export function openPlaceholders(
  secrets: Record<string, string>,
  opaqueFields: readonly string[],
  platformsAt: string,
): Placeholders {
  const fields = new Set(opaqueFields);
  const known = new Map(Object.entries(secrets).map(([name, value]) => [value, name]));
  let drawn = 0;
  const learn = (value: string) => {
    if (!known.has(value)) known.set(value, `drawn-${++drawn}`);
  };
  const mask = <T>(value: T): T => {
    const masked = redact(value, Object.fromEntries([...known].map(([text, name]) => [name, text])));
    return replaceText(masked, platformsAt, PLATFORMS_AT);
  };
  const restore = <T>(value: T): T => {
    // The same walk, the other way round.
    let result = replaceText(value, PLATFORMS_AT, platformsAt);
    for (const [text, name] of known) result = replaceText(result, markerOf(name), text);
    return result;
  };
  return {
    hide: (request) => {
      for (const message of request.messages) {
        const { role, content } = message as { role?: string; content?: unknown };
        if (role === 'tool' && typeof content === 'string') {
          for (const value of opaqueValues(content, fields)) learn(value);
        }
      }
      return mask(request);
    },
    mask,
    restore,
  };
}

/** Values of the fields, wherever they stand in a JSON text; a result may be several texts, one a line. */
const opaqueValues = (text: string, fields: ReadonlySet<string>): string[] =>
  [text, ...text.split('\n')].flatMap((part) => valuesUnder(jsonOf(part), fields));

function valuesUnder(value: unknown, fields: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesUnder(item, fields));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    fields.has(name) && typeof inner === 'string' && inner.length >= SHORTEST ? [inner] : valuesUnder(inner, fields),
  );
}

/** Undefined for prose. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function replaceText<T>(value: T, from: string, to: string): T {
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.replaceAll(from, to);
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, child]) => [key, walk(child)]));
  };
  return walk(value) as T;
}
