/**
 * Characters that a person reading a document does not see, and a model does: controls, marks of direction, what has no
 * width, tags. From texts they are taken out, and in patterns they are written as escapes. In a name or a value that is sent they are
 * no typing error: a name refuses its document, a value sets the operations aside that would send it.
 */
import { isObject, type JsonObject, pointerPart } from '../catalog/platform-document.ts';
import { UNSENDABLE } from '../catalog/request-schema.ts';
import { RouterError } from '../errors.ts';
import { type Kind, kindAt } from './document-nodes.ts';
import type { Finding } from './import-finding.ts';

const INVISIBLE =
  /(?![\t\n\r])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Variation_Selector})/gu;

export const hasInvisible = (text: string): boolean => text.search(INVISIBLE) >= 0;

/** What the texts below a key are for: `data` is neither sent nor a text that a person wrote for readers. */
type Use = 'text' | 'name' | 'value' | 'data';

interface Place {
  node: object;
  kind: Kind;
  /** Keys from the top down, as a chain: most are never told. */
  path: Path | undefined;
  use: Use;
  /** The schema that lists these values. */
  schema?: JsonObject;
}

interface Path {
  key: string | number;
  above: Path | undefined;
}

/**
 * Changes the document and reports where. Not recursive, because examples may nest to any depth. Throws for a name
 * that is sent.
 */
export function withoutInvisible(content: JsonObject, document: string, findings: Finding[]): void {
  const seen = new Set<object>();
  const open: Place[] = [{ node: content, kind: 'object', path: undefined, use: 'text' }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen.has(place.node)) continue;
    seen.add(place.node);
    cleanNode(place, open, document, findings);
  }
}

/** Takes them out of the texts of one node and adds the nodes below it to those that are open. */
function cleanNode(place: Place, open: Place[], document: string, findings: Finding[]): void {
  for (const [key, value] of Object.entries(place.node)) {
    const kind = kindAt(place.node, place.kind, key);
    const path = { key, above: place.path };
    const use = useBelow(place, key, kind);
    const inner: Place = { node: place.node, kind, path, use };
    if (use === 'value') inner.schema = place.schema ?? (place.node as JsonObject);
    if (hasInvisible(key) || (typeof value === 'string' && hasInvisible(value)))
      cleanPart(inner, key, value, document, findings);
    if (typeof value === 'object' && value !== null) open.push({ ...inner, node: value });
  }
}

/** `place` is that of the part, with the node that holds it. */
function cleanPart(
  { node, path, use, schema }: Place,
  key: string,
  value: unknown,
  document: string,
  findings: Finding[],
) {
  const isKey = hasInvisible(key);
  if (use === 'text' && key === 'pattern' && typeof value === 'string') {
    (node as JsonObject)[key] = value.replace(/\\?./gsu, (piece) => (hasInvisible(piece) ? escaped(piece) : piece));
    return;
  }
  if (use === 'name' || (isKey && use === 'text')) throw refused(document, path);
  if (schema) schema[UNSENDABLE] = true;
  // A key of data is nothing that anybody reads.
  if (!isKey || schema) findings.push(takenOut(document, path, isKey ? key : String(value), use));
  if (isKey) delete (node as JsonObject)[key];
  else (node as JsonObject)[key] = String(value).replace(INVISIBLE, '');
}

/** One character, with the backslash before it, as an escape of ECMA-262 with the flag `u`. */
const escaped = (piece: string): string => `\\u{${[...piece].at(-1)?.codePointAt(0)?.toString(16)}}`;

/** A name is sent where the object also says in which part of the request. */
function useBelow({ node, kind, use }: Place, key: string, kindOfPart: Kind): Use {
  if (use !== 'text') return use;
  if (isObject(node) && (kind === 'object' || kind === 'schema')) {
    if (key === 'enum' || key === 'const') return 'value';
    if (key === 'operationId' || (key === 'name' && node['in'] !== undefined)) return 'name';
  }
  return kindOfPart === 'data' ? 'data' : 'text';
}

const takenOut = (document: string, path: Path | undefined, text: string, use: Use): Finding => ({
  document,
  pointer: pointerOf(path),
  message: `${text.match(INVISIBLE)?.length} invisible characters in a ${use === 'value' ? 'value: operations that send it are set aside' : 'text: taken out'}`,
  remedy: 'take them out of the document',
});

const refused = (document: string, path: Path | undefined): RouterError =>
  new RouterError(
    'DOCUMENT_INVALID',
    `${document}: should hold no invisible characters in names and values, got one at ${pointerOf(path)}`,
    { remedy: 'take the character out of the document, and ask how it came in' },
  );

function pointerOf(path: Path | undefined): string {
  let pointer = '';
  for (let at = path; at !== undefined; at = at.above) pointer = `/${pointerPart(at.key)}${pointer}`;
  return pointer.replace(INVISIBLE, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}
