/** What a key or filter has to look like, in a few words: uuid, serial number, MAC address, the syntax of a filter. */
import type { JsonSchema } from '../../catalog/tool.ts';
import { isSecretName } from '../../telemetry/redact.ts';
import type { CallField } from './call-fields.ts';

const LONGEST_PATTERN = 24;
const VALUES_SHOWN = 6;
const LONGEST_VALUES = 90;
/** A name of letters, digits and a few signs needs no explanation. */
const PLAIN_NAME = /^\^\[A-Z?a?[^\]]*\]\{\d+,\d+\}\$$/i;
/** A parameter that takes an expression over the fields of a list. */
export const isFilter = (name: string): boolean => FILTER.test(name.slice(name.lastIndexOf('.') + 1));

const FILTER = /^(?:\$?filter|q|query|where)$/i;

/** Undefined where the name of the argument says enough. `long` is the most characters of a filter's syntax. */
export function formatOf({ name, schema }: CallField, long: number): string | undefined {
  if (name.split('.').some(isSecretName)) return undefined;
  const own = name.slice(name.lastIndexOf('.') + 1);
  if (isFilter(name)) return syntaxOf(String(schema['description'] ?? ''), long);
  if (Array.isArray(schema['enum'])) return valuesOf(schema['enum']);
  if (schema['type'] === 'array' && isEnum(schema['items'])) return valuesOf(schema['items']['enum']);
  return keyFormat(own, schema);
}

const isEnum = (items: unknown): items is { enum: unknown[] } =>
  Array.isArray((items as JsonSchema | undefined)?.['enum']);

function keyFormat(name: string, { format, pattern }: JsonSchema): string | undefined {
  if (typeof format === 'string') return format.slice(0, LONGEST_PATTERN);
  if (typeof pattern !== 'string') return undefined;
  if (isMac(pattern)) return 'MAC aa:bb:cc:dd:ee:ff';
  if (/serial/i.test(name)) return 'serial number';
  if (DIGITS.test(pattern)) return 'digits';
  return PLAIN_NAME.test(pattern) || pattern.length > LONGEST_PATTERN ? undefined : pattern;
}

const DIGITS = /^\^(?:\[0-9\]|\\d)(?:[+*]|\{[\d,]+\})?\$$/;
const isMac = (pattern: string) => /\{2\}[:\-\]]*\)?\)?\{5\}/.test(pattern);

function valuesOf(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_SHOWN).join('|').slice(0, LONGEST_VALUES);
  return values.length > VALUES_SHOWN ? `${shown}|… (${values.length})` : shown;
}

/** The example and the fields, as far as they fit. */
function syntaxOf(description: string, long: number): string | undefined {
  if (description === '' || long === 0) return undefined;
  return description.length <= long ? description : `${description.slice(0, long - 1).replace(/\s+\S*$/, '')}…`;
}
