/**
 * Makes a tool's schema acceptable to strict clients: an object with plain argument names, self-contained and limited
 * in length. A schema that is too long is cut where validation loses least. A tool whose schema still breaks a rule is
 * left out.
 */
import { createHash } from 'node:crypto';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { ajv } from '../lazy-import.ts';
import { isObject } from './platform-document.ts';
import { cutParts } from './schema-cuts.ts';
import { subSchemas } from './sub-schemas.ts';
import type { JsonSchema } from './tool.ts';

export const PROPERTY_NAME_LIMIT = 60;
export const SCHEMA_BYTES_LIMIT = 32 * 1024;
const PORTABLE_NAME = /^[A-Za-z0-9_.-]{1,60}$/;
/** Longer lists of values are no help to a reader, and the platform checks them anyway. */
const LONG_ENUM = 100;
const SHORT_DESCRIPTION = 80;
/** Parts that are cut, in what is said of it. */
const MOST_NAMED = 4;

/** An argument name every client accepts: `filter[name]` and `$filter` become `filter_name` and `filter`. */
export function portableName(name: string): string {
  if (PORTABLE_NAME.test(name)) return name;
  const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '') || 'value';
  if (plain.length <= PROPERTY_NAME_LIMIT) return plain;
  return `${plain.slice(0, PROPERTY_NAME_LIMIT - 9)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

let metaSchema: Ajv2020 | undefined;

/** The first rule a schema breaks, as a reason; undefined when a validator can be made of it and any client takes it. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  if (schema['type'] !== 'object') return 'its schema is not of type object';
  const combined = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', '$ref'].find((keyword) => keyword in schema);
  if (combined) return `its schema has ${combined} at the top, which strict clients refuse`;
  const odd = Object.keys((schema['properties'] as object | undefined) ?? {}).find((name) => !PORTABLE_NAME.test(name));
  if (odd !== undefined) return `its argument ${JSON.stringify(odd)} has a name that strict clients refuse`;
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > SCHEMA_BYTES_LIMIT) return `its schema has ${bytes} bytes, more than ${SCHEMA_BYTES_LIMIT}`;
  const broken = firstBroken(schema, (schema['$defs'] ?? {}) as JsonSchema);
  if (broken) return broken;
  metaSchema ??= new (ajv().Ajv2020)({ strict: false, logger: false, addUsedSchema: false, validateFormats: false });
  if (metaSchema.validateSchema(schema)) return undefined;
  const error = metaSchema.errors?.[0];
  return `its schema is not JSON Schema: ${error?.instancePath || '/'} ${error?.message ?? 'is wrong'}`;
}

/** References that lead nowhere, names that are too long, patterns that are none: what the meta-schema does not see. */
function firstBroken(schema: unknown, definitions: JsonSchema): string | undefined {
  for (const part of subSchemas(schema)) {
    const reference = part['$ref'];
    if (reference !== undefined && !(typeof reference === 'string' && isDefined(reference, definitions)))
      return `its schema refers to ${JSON.stringify(reference)}, which does not exist`;
    if (typeof part['pattern'] === 'string' && !isPattern(part['pattern']))
      return `its schema has the pattern ${JSON.stringify(part['pattern'].slice(0, 80))}, which is no regular expression here`;
    const names = isObject(part['properties']) ? Object.keys(part['properties']) : [];
    const long = names.find((name) => name.length > PROPERTY_NAME_LIMIT);
    if (long !== undefined)
      return `its field ${long.slice(0, 80)} has a name of more than ${PROPERTY_NAME_LIMIT} characters`;
  }
  return undefined;
}

function isDefined(reference: string, definitions: JsonSchema): boolean {
  return reference.startsWith('#/$defs/') && Object.hasOwn(definitions, reference.slice('#/$defs/'.length));
}

export function isPattern(pattern: string, flags = 'u'): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

/** Cuts a schema that is too long, in place, and says what it no longer checks; undefined when nothing was cut. */
export function fitSchema(schema: JsonSchema): string | undefined {
  const tooLong = () => Buffer.byteLength(JSON.stringify(schema)) > SCHEMA_BYTES_LIMIT;
  if (!tooLong()) return undefined;
  const cuts: string[] = [];
  cuts.push('descriptions shortened');
  shortenDescriptions(schema);
  if (!tooLong()) return cuts.join(', ');
  cuts.push(...dropLongEnums(schema));
  if (!tooLong()) return cuts.join(', ');
  for (const part of subSchemas(schema)) delete part['description'];
  const parts = cutParts(schema, SCHEMA_BYTES_LIMIT);
  const unnamed = parts.length - MOST_NAMED;
  cuts.push(...parts.slice(0, MOST_NAMED).map((name) => `${name} left to the platform`));
  if (unnamed > 0) cuts.push(`and ${unnamed} more parts`);
  return cuts.join(', ');
}

/** Takes optional fields with a name that strict clients refuse out of a schema, in place; answers their names. */
export function withoutLongNames(schema: JsonSchema): string[] {
  const out = new Set<string>();
  for (const part of subSchemas(schema)) {
    const { properties } = part;
    if (!isObject(properties)) continue;
    const required = new Set([part['required'] ?? []].flat().map(String));
    for (const name of Object.keys(properties)) {
      if (name.length <= PROPERTY_NAME_LIMIT || required.has(name)) continue;
      delete properties[name];
      out.add(name);
    }
  }
  return [...out];
}

function shortenDescriptions(schema: JsonSchema): void {
  for (const part of subSchemas(schema))
    if (typeof part['description'] === 'string' && part['description'].length > SHORT_DESCRIPTION)
      part['description'] = `${part['description'].slice(0, SHORT_DESCRIPTION - 1)}…`;
}

/** Answers what is no longer checked. */
function dropLongEnums(schema: JsonSchema): string[] {
  const cuts: string[] = [];
  for (const part of subSchemas(schema)) {
    if (!Array.isArray(part['enum']) || part['enum'].length <= LONG_ENUM) continue;
    cuts.push(`an enum of ${part['enum'].length} values left to the platform`);
    part['description'] =
      `One of ${part['enum'].length} values, for example ${part['enum'].slice(0, 5).join(', ')}; lookup_api finds them.`;
    delete part['enum'];
  }
  return cuts;
}
