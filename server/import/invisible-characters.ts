/**
 * Characters that a person reading a document does not see, and a model does: controls, marks of direction, what has no
 * width, tags. From texts they are taken out; a name or a value that holds one is no typing error, so its document is refused.
 */
import type { JsonObject } from '../catalog/platform-document.ts';
import { RouterError } from '../errors.ts';
import { type Finding, pointerPart } from './import-finding.ts';

const INVISIBLE =
  /(?![\t\n\r])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Variation_Selector})/gu;
/** Keys whose values are sent as they are. */
const SENT = new Set(['enum', 'const', 'operationId', 'name']);
/** Keys of what is neither sent nor shown to a model. */
const EXAMPLES = new Set(['example', 'examples']);

export const hasInvisible = (text: string): boolean => text.search(INVISIBLE) >= 0;

interface Place {
  node: Record<string | number, unknown>;
  /** Keys from the top down, as a chain: most are never told. */
  path: Path | undefined;
  sent: boolean;
  /** Inside of an example. */
  example: boolean;
}

interface Path {
  key: string | number;
  above: Path | undefined;
}

/**
 * Changes the document and reports where. Not recursive, because examples may nest to any depth. Throws for a text
 * that is sent.
 */
export function withoutInvisible(content: JsonObject, document: string, findings: Finding[]): void {
  const seen = new Set<object>();
  const open: Place[] = [{ node: content, path: undefined, sent: false, example: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen.has(place.node)) continue;
    seen.add(place.node);
    cleanNode(place, open, document, findings);
  }
}

/** Takes them out of the texts of one node and adds the nodes below it to those that are open. */
function cleanNode(place: Place, open: Place[], document: string, findings: Finding[]): void {
  const { node, path: above } = place;
  for (const [key, value] of Object.entries(node)) {
    const path = { key, above };
    const { sent, example } = kindOf(place, key);
    const hasUnreadable = typeof value === 'string' && hasInvisible(value);
    if (example && hasInvisible(key)) {
      delete node[key];
      continue;
    }
    if (hasInvisible(key) || (hasUnreadable && sent)) throw refused(document, path);
    if (isNode(value)) open.push({ node: value, path, sent, example });
    if (!hasUnreadable) continue;
    findings.push(takenOut(document, path, value));
    node[key] = value.replace(INVISIBLE, '');
  }
}

/** What a key of a node holds. A property called `name` is a schema, whose texts are no names. */
function kindOf({ node, path, sent, example }: Place, key: string): Pick<Place, 'sent' | 'example'> {
  const isKeyword = !Array.isArray(node) && path?.key !== 'properties';
  const isExample = example || (isKeyword && EXAMPLES.has(key));
  return { example: isExample, sent: !isExample && (sent || (isKeyword && SENT.has(key))) };
}

const takenOut = (document: string, path: Path, text: string): Finding => ({
  document,
  pointer: pointerOf(path),
  message: `${text.match(INVISIBLE)?.length} invisible characters in a text: taken out`,
  remedy: 'take them out of the document',
});

const isNode = (value: unknown): value is Place['node'] => typeof value === 'object' && value !== null;

const refused = (document: string, path: Path): RouterError =>
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
