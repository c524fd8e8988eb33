/**
 * `allOf` of parts that are closed: each part refuses the fields of the others, so that no value with fields of two parts fits (JSON
 * Schema 2020-12, 10.3.2.3). The author means the fields of all parts and no others: the parts are opened there, and the whole is closed.
 */
import { isObject, type JsonObject, valueAt } from '../catalog/platform-document.ts';
import { addedSchema } from './added-schema.ts';
import { documentNodes } from './document-nodes.ts';

const DEPTH = 100;

/** Changes the compositions of a document; a part that is used elsewhere too stays closed there. */
export function openClosedParts(content: JsonObject): void {
  const parts: Parts = { content, closed: new Map(), opened: new Map() };
  const wholes = [...documentNodes(content)].map(({ node }) => node).filter((node) => refusesItself(parts, node));
  // Every part is read before a whole is changed: a whole may be the part of another one.
  const opened = wholes.map((whole) => partsOf(whole).map((part) => withoutEnd(parts, part)));
  for (const [at, whole] of wholes.entries()) {
    whole['allOf'] = opened[at];
    delete whole['additionalProperties'];
    whole['unevaluatedProperties'] = false;
  }
}

/** What is known of the parts of a document: each is read once, however many wholes share it. */
interface Parts {
  content: JsonObject;
  closed: Map<JsonObject, boolean>;
  /** A part that is referred to, to the reference to the same one without its end. */
  opened: Map<JsonObject, string>;
}

const partsOf = (schema: JsonObject): unknown[] => (Array.isArray(schema['allOf']) ? schema['allOf'] : []);

/** Whether a part refuses what the schema has beside it. */
function refusesItself(parts: Parts, schema: JsonObject): boolean {
  const inner = partsOf(schema);
  const beside = ['properties', 'oneOf', 'anyOf'].some((keyword) => schema[keyword] !== undefined);
  return (inner.length > 1 || beside) && inner.some((part) => isClosed(parts, part));
}

function isClosed(parts: Parts, part: unknown, depth = 0): boolean {
  if (!isObject(part) || depth > DEPTH) return false;
  const known = parts.closed.get(part);
  if (known !== undefined) return known;
  const closed =
    part['additionalProperties'] === false ||
    part['unevaluatedProperties'] === false ||
    [referredBy(parts, part), ...partsOf(part)].some((inner) => isClosed(parts, inner, depth + 1));
  parts.closed.set(part, closed);
  return closed;
}

const referredBy = ({ content }: Parts, { $ref }: JsonObject): unknown =>
  typeof $ref === 'string' ? valueAt(content, $ref) : undefined;

/** A part that takes other fields as well; what stands in its fields stays as it is. */
function withoutEnd(parts: Parts, part: unknown, depth = 0): unknown {
  if (!isObject(part) || depth > DEPTH || !isClosed(parts, part)) return part;
  const open = { ...part };
  for (const keyword of ['additionalProperties', 'unevaluatedProperties'])
    if (open[keyword] === false) delete open[keyword];
  if (open['allOf'] !== undefined) open['allOf'] = partsOf(part).map((inner) => withoutEnd(parts, inner, depth + 1));
  if (typeof part['$ref'] === 'string') open['$ref'] = openReference(parts, part['$ref'], depth + 1);
  return open;
}

function openReference(parts: Parts, reference: string, depth: number): string {
  const target = valueAt(parts.content, reference);
  if (!isObject(target) || !isClosed(parts, target)) return reference;
  const known = parts.opened.get(target);
  if (known !== undefined) return known;
  const opened = addedSchema(parts.content, reference, 'open', withoutEnd(parts, target, depth) as JsonObject);
  parts.opened.set(target, opened);
  return opened;
}
