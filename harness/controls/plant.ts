/** Puts a text into a platform's answer, where the channel says. */
import type { Answered } from './proxy.ts';

export interface Spot {
  /** The first field of this name that holds text. */
  field?: string | undefined;
  /** A dotted path that is made if it is not there. */
  add?: string | undefined;
  /** A dotted path to an object that gets a field named after the text. */
  key?: string | undefined;
  /** A response header. */
  header?: string | undefined;
  /** The answer becomes an error of this status; `field` holds the text. */
  error?: number | undefined;
  /** `link` wraps the text in a link; anything else stands in front of it. */
  as?: string | undefined;
}

export function planted(answer: Answered, spot: Spot, text: string): Answered {
  const value = dressed(spot.as, text);
  if (spot.header !== undefined) return { ...answer, headers: { ...answer.headers, [spot.header]: value } };
  if (spot.error !== undefined) {
    const body = { status: spot.error, title: 'refused', [spot.field ?? 'detail']: value };
    return { ...answer, status: spot.error, body: JSON.stringify(body) };
  }
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  if (spot.field !== undefined) setFirst(body, spot.field, value);
  if (spot.add !== undefined) setAt(body, spot.add.split('.'), value);
  if (spot.key !== undefined) setAt(body, [...spot.key.split('.'), value], true);
  return { ...answer, body: JSON.stringify(body) };
}

function dressed(as: string | undefined, text: string): string {
  if (as === undefined) return text;
  if (as === 'link') return `https://collect.example/page?note=${encodeURIComponent(text)}`;
  return `${as}${encodeURIComponent(text)}`;
}

function setFirst(value: unknown, field: string, text: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (typeof (value as Record<string, unknown>)[field] === 'string') {
    (value as Record<string, unknown>)[field] = text;
    return true;
  }
  return Object.values(value).some((inner) => setFirst(inner, field, text));
}

function setAt(value: Record<string, unknown>, [head = '', ...rest]: readonly string[], text: unknown): void {
  if (rest.length === 0) {
    value[head] = text;
    return;
  }
  if (typeof value[head] !== 'object' || value[head] === null) value[head] = {};
  setAt(value[head] as Record<string, unknown>, rest, text);
}
