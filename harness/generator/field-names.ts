/** Words for paths and fields: what a person calls a resource, and the neutral name of a fact. */
import { isObject, type Json } from './api-document.ts';
import { isScalar } from './drawn-parameters.ts';

/** `photoUrls`, `due_date`, `x-rate` as words. */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** The last segment of a path that is no parameter, as one and as several. */
export function nounsOf(path: string): { noun: string; nouns: string } {
  const segment = path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? 'object';
  const words = wordsOf(segment.replace(/\.\w+$/, ''));
  const last = words.at(-1) ?? 'object';
  const before = words.slice(0, -1);
  const noun = [...before, singular(last)].join(' ');
  return { noun, nouns: [...before, plural(singular(last))].join(' ') };
}

const singular = (word: string): string => {
  if (/ies$/.test(word) && word.length > 4) return word.replace(/ies$/, 'y');
  if (/(ss|us|is)$/.test(word)) return word;
  return word.replace(/(x|ch|sh)es$/, '$1').replace(/s$/, '');
};
const plural = (word: string): string => {
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, 'ies');
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
};

/** Field of the rows that holds what a path parameter asks for: distinct, and named like it or like a key. */
export function keyField(rows: readonly Json[], parameter: string): string | undefined {
  const names = Object.keys(rows[0] ?? {});
  const compact = (text: string) => wordsOf(text).join('');
  const wanted = [parameter, parameter.replace(/^.*[_-](?=id$|uuid$|name$)/i, ''), wordsOf(parameter).at(-1) ?? ''];
  const candidates = [...wanted, 'id', 'uuid', 'symbol', 'slug', 'key', 'number', 'name'];
  return candidates
    .flatMap((candidate) => names.filter((name) => compact(name) === compact(candidate)))
    .find((name) => isDistinct(rows, name));
}

/** Every row has a value of its own there. */
export function isDistinct(rows: readonly Json[], field: string): boolean {
  const values = rows.map((row) => row[field]);
  return (
    values.every((value) => typeof value === 'string' || typeof value === 'number') &&
    new Set(values.map(String)).size === values.length
  );
}

export interface Field {
  /** Dotted. */
  path: string;
  value: string | number | boolean;
}

/** The service's own answers must not look like a leak. */
const SECRET = /pass|secret|token|psk|private|credential|api.?key|hex.?key|community|signature|auth/i;
const DEEPEST = 3;
const LONGEST = 80;

/** Plain values of an object that a person could ask for. */
export function askableFields(value: Json, depth = 1, before = ''): Field[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (SECRET.test(name) || /[.{}]/.test(name)) return [];
    const path = `${before}${name}`;
    if (isScalar(inner)) return isAskable(inner) ? [{ path, value: inner }] : [];
    return isObject(inner) && depth < DEEPEST ? askableFields(inner, depth + 1, `${path}.`) : [];
  });
}

function isAskable(value: string | number | boolean): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || Math.abs(value) < 1e6;
  if (typeof value === 'boolean') return true;
  return value.length > 0 && value.length <= LONGEST && !/[\n{}]/.test(value);
}

/** True where an object holds something that must not come out of a server in plain text. */
export function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, inner]) =>
    typeof inner === 'string' ? inner !== '' && SECRET_FIELD.test(name) : holdsSecret(inner),
  );
}
const SECRET_FIELD =
  /^(.*[-_.])?(pass(word|phrase|wd)|psk|pre-?shared-?key|shared-?secret|client-?secret|secret|wep-?key|hex-?key|private-?key|community|access-?token|api-?token)$/i;

/** `category.name` in words. */
export const spoken = (path: string): string => path.split('.').flatMap(wordsOf).join(' ');

/** A neutral name for the fact, which must not be the field's own spelling. */
export function factName(path: string, before = ''): string {
  const words = path.split('.').flatMap(wordsOf);
  const plain = [...wordsOf(before), ...words].join('_').replace(/^(?=[^a-z])/, 'field_');
  const own = path.split('.').at(-1);
  return plain === 'refused' || (plain.includes('_') && plain === own) ? `stated_${plain}` : plain;
}

export const factType = (value: unknown): 'string' | 'integer' | 'number' | 'boolean' => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
};
