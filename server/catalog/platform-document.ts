/** Reads OpenAPI documents from disk and follows references inside them. Nothing outside the file is ever fetched. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { RouterError } from '../errors.ts';
import { yaml } from '../lazy-import.ts';

export type JsonObject = { [key: string]: unknown };

export interface ApiDocument {
  /** Short id: `x-svc-document`, else the file name. */
  id: string;
  file: string;
  content: JsonObject;
}

/** Files of a document folder (or the one file), sorted, so that builds are repeatable. */
export function documentFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => /^[^.].*\.(json|ya?ml)$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

export function readDocument(file: string): ApiDocument {
  let content: unknown;
  try {
    const text = readFileSync(file, 'utf8');
    content = extname(file) === '.json' ? JSON.parse(text) : yaml().parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw new RouterError('DOCUMENT_INVALID', `${file}: should be an OpenAPI document, got text that does not parse`, {
      cause,
    });
  }
  if (!isObject(content) || !isObject(content['paths'])) {
    throw new RouterError(
      'DOCUMENT_INVALID',
      `${file}: \`/paths\` should be an object of paths, got ${content === null ? 'null' : typeof content}`,
    );
  }
  const info = isObject(content['info']) ? content['info'] : {};
  const id = typeof info['x-svc-document'] === 'string' ? info['x-svc-document'] : basename(file, extname(file));
  return { id, file, content };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a local reference such as `#/components/schemas/Site`. */
export function lookUp(document: ApiDocument, reference: string): unknown {
  if (!reference.startsWith('#/') && reference !== '#') {
    throw new RouterError(
      'DOCUMENT_INVALID',
      `${document.file}: a reference should stay inside the document, got ${JSON.stringify(reference)}`,
    );
  }
  const found = valueAt(document.content, reference);
  if (found === undefined) {
    throw new RouterError(
      'DOCUMENT_INVALID',
      `${document.file}: reference ${JSON.stringify(reference)} points at nothing`,
    );
  }
  return found;
}

/** What a reference within `root` leads to (RFC 6901, 6); undefined for nothing, and for a reference to another place. */
export function valueAt(root: unknown, reference: string): unknown {
  return pointerSteps(reference)?.reduce<unknown>(
    // A key such as `constructor` is only there when the document holds it.
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined,
    root,
  );
}

/** The names on the way of a reference such as `#/components/schemas/Site`; undefined for one that is no pointer. */
export function pointerSteps(reference: string): string[] | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  return reference
    .split('/')
    .slice(1)
    .map((step) => percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A name as a part of a JSON pointer (RFC 6901, 3). */
export const pointerPart = (name: string | number): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1');

/** The text that is meant by one with percent signs; a stray one is part of the text. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  return decodedOr(text, (all) => all.replace(CODES, (codes) => decodedOr(codes, () => codes)));
}

/** The code of one ASCII character, or of several other characters in a row. */
const CODES = /%[0-7][\da-f]|(?:%[89a-f][\da-f])+/gi;

function decodedOr(text: string, otherwise: (text: string) => string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return otherwise(text);
  }
}

/** Follows `$ref` until there is a value; a reference to itself is an error, not a hang. */
export function resolveRef(document: ApiDocument, value: unknown): JsonObject {
  let found = value;
  for (let hops = 0; isObject(found) && typeof found['$ref'] === 'string'; hops++) {
    if (hops > 32)
      throw new RouterError(
        'DOCUMENT_INVALID',
        `${document.file}: reference ${JSON.stringify(found['$ref'])} leads back to itself`,
      );
    found = lookUp(document, found['$ref']);
  }
  return isObject(found) ? found : {};
}

/**
 * A version, a number or a word as text, empty for anything else. `String` would throw for an object of a document that
 * has a field called `toString`.
 */
export function scalarText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** The text of a field; empty where it holds none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
