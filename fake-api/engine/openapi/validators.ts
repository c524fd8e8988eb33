/**
 * Compiled schema checks. A document's components are given to the validator once, with every object closed where it
 * stands on its own (so that an unknown field is refused) and left open where it is a part of an `allOf`.
 */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Finding } from '../http/expectation.ts';
import { own } from '../state/json-value.ts';
import { type OpenApiDocument, plain, type Schema, shapeOf, typesOf } from './openapi-document.ts';
import { type Check, documentValidator, HOST, SchemaChecks } from './schema-checks.ts';

const OWN_FORMATS: Record<string, (text: string) => boolean> = {
  ip: (text) => isIP(text) !== 0,
  ipv4: (text) => isIPv4(text),
  ipv6: (text) => isIPv6(text),
  cidr: (text) => {
    const [address, length, ...rest] = text.split('/');
    if (address === undefined || length === undefined || rest.length > 0 || !/^\d{1,3}$/.test(length)) return false;
    return (isIPv4(address) && Number(length) <= 32) || (isIPv6(address) && Number(length) <= 128);
  },
  mac: (text) => /^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$/.test(text),
  host: (text) => isIP(text) !== 0 || HOST.test(text),
  fqdn: (text) => HOST.test(text),
  hostname: (text) => HOST.test(text),
  password: () => true,
};

interface DocumentChecks {
  closed: SchemaChecks;
  open: SchemaChecks;
}

const byDocument = new WeakMap<OpenApiDocument, DocumentChecks>();
let documentsSeen = 0;

/** A check that also refuses names the schema does not declare. */
export function strictCheck(document: OpenApiDocument, schema: Schema): Check {
  return checksOf(document).closed.of(schema);
}

/** A check for one value by itself, such as a parameter. */
export function valueCheck(document: OpenApiDocument, schema: Schema): Check {
  return checksOf(document).open.of(schema);
}

/** The names that could have been meant, where an unknown one stands. */
function knownInstead(document: OpenApiDocument, schema: Schema, pointer: string): string {
  let at = plain(document, schema);
  for (const step of pointer.split('/').slice(1, -1)) {
    const next = /^\d+$/.test(step) ? at.items : shapeOf(document, at).properties[step];
    if (next === undefined) return 'no such field';
    at = plain(document, next);
  }
  const names = Object.keys(shapeOf(document, at).properties);
  if (names.length === 0) return 'no such field';
  return `no such field (known: ${names.slice(0, 30).join(', ')}${names.length > 30 ? ', …' : ''})`;
}

function checksOf(document: OpenApiDocument): DocumentChecks {
  const known = byDocument.get(document);
  if (known !== undefined) return known;
  documentsSeen += 1;
  const $id = `https://documents.example/${documentsSeen}`;
  const schemas = each(document.components?.schemas ?? {}, (schema) => closePart(schema, false, document));
  // The shipped documents are known to be sound, the expander's tests see to that.
  const validateSchema = document.info['x-svc-platform'] === undefined;
  const root = { $id, components: { schemas } };
  const ajv = documentValidator(root, { validateSchema, validateFormats: true }, OWN_FORMATS);
  const explain = (found: Finding, schema: Schema): Finding =>
    found.expected === 'no such field' ? { ...found, expected: knownInstead(document, schema, found.pointer) } : found;
  const checksThat = (closes: boolean): SchemaChecks =>
    new SchemaChecks(ajv, (schema) => rebase(closePart(schema, closes, document), $id), explain);
  const checks = { closed: checksThat(true), open: checksThat(false) };
  byDocument.set(document, checks);
  return checks;
}

/** Copies a schema with every position inside it closed; the position itself only when `close` says so. */
function closePart(schema: Schema, close: boolean, document: OpenApiDocument): Schema {
  const copy: Schema = { ...schema };
  if (schema.properties !== undefined)
    copy.properties = each(schema.properties, (part) => closePart(part, true, document));
  if (schema.items !== undefined) copy.items = closePart(schema.items, true, document);
  if (typeof schema.additionalProperties === 'object') {
    copy.additionalProperties = closePart(schema.additionalProperties, true, document);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = schema[keyword];
    if (parts !== undefined) copy[keyword] = parts.map((part) => closePart(part, false, document));
  }
  if (schema.additionalProperties === false) {
    // Closing a part of an allOf would refuse its siblings' fields; the position is closed as a whole instead. The
    // keyword must go: `true` would count every name as declared, and the position could refuse none of them.
    delete copy.additionalProperties;
  }
  if (close && isClosable(schema, document, 0)) copy.unevaluatedProperties = false;
  return copy;
}

function isClosable(schema: Schema, document: OpenApiDocument, hops: number): boolean {
  if (hops > 12 || schema.additionalProperties === true || typeof schema.additionalProperties === 'object')
    return false;
  if (schema.additionalProperties === false) return true;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const target = own(document.components?.schemas, name);
    return target !== undefined && isClosable(target, document, hops + 1);
  }
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  if (schema.properties !== undefined) return parts.every((part) => !isOpen(part, document, 0));
  if (parts.length === 0) return false;
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes('object')) return false;
  return (
    parts.some((part) => isClosable(part, document, hops + 1)) && parts.every((part) => !isOpen(part, document, 0))
  );
}

function isOpen(schema: Schema, document: OpenApiDocument, hops: number): boolean {
  if (hops > 12) return true;
  if (schema.additionalProperties === true || typeof schema.additionalProperties === 'object') return true;
  if (schema.$ref === undefined) return false;
  const target = own(document.components?.schemas, schema.$ref.split('/').at(-1) ?? '');
  return target === undefined || isOpen(target, document, hops + 1);
}

function each(properties: Record<string, Schema>, change: (schema: Schema) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, change(schema)]));
}

/** Points local references at the document the components live in. */
function rebase(schema: Schema, base: string): Schema {
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    name === '$ref' && typeof value === 'string' && value.startsWith('#/') ? `${base}${value}` : value,
  ) as Schema;
}
