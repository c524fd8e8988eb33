/** JSON values, their canonical text and digests over it. */
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Entries of a list as text; none of what is no list. */
export function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The value that an object has itself: a name from a document or a request may be `constructor`. */
export function own<T>(object: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined {
  return object !== null && object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A dictionary from names that come from outside: without a prototype, `__proto__` is a name like any other. */
export function byName<T>(entries: Iterable<readonly [string, T]> = []): Record<string, T> {
  const dictionary = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) dictionary[name] = value;
  return dictionary;
}

/** Text with sorted keys: two equal values have equal text, however they were written. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isObject(value)) {
    const parts: string[] = [];
    for (const name of Object.keys(value).sort()) {
      if (value[name] !== undefined) parts.push(`${JSON.stringify(name)}:${canonicalJson(value[name])}`);
    }
    return `{${parts.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

export function sha256(text: string | Buffer): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** What a message says came: the value in short with its JSON type, never long enough to carry a document. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return `${text.length > 60 ? `${text.slice(0, 57)}…"` : text} (${typeof value})`;
}
