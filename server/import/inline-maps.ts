/**
 * Maps of a document that stand in other files: `paths: {$ref: paths.yaml}`, `components.schemas: {$ref: schemas/index.yaml}`, and for
 * Swagger 2.0 whatever its conversion has to see (path items, operations, parameters, responses). OpenAPI has references to single
 * objects only, but documents are split so, and tools read them so. What cannot be followed stays, and the gatherer names it.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { METHODS } from '../catalog/operation-source.ts';
import { isObject, type JsonObject, percentDecoded, valueAt } from '../catalog/platform-document.ts';
import { RouterError } from '../errors.ts';
import { type Kind, kindAt, MAX_DEPTH } from './document-nodes.ts';
import type { ParsedFiles } from './parse-file.ts';

const MOST_HOPS = 8;
/** Many places may refer to one; a document that grows beyond this is an attack on its reader. */
const MOST_INLINED = 64 * 1024 * 1024;
const TOP = ['paths', 'components', 'definitions', 'parameters', 'responses', 'securityDefinitions'];

interface Place {
  file: string;
  /** Folder below which files may be read. */
  root: string;
  main: string;
  content: JsonObject;
  files: ParsedFiles;
  budget: { left: number };
}

/**
 * Changes the document.
 *
 * @param file of the document
 * @param root folder below which files may be read
 * @param files those of the import that were read
 */
export function inlineMaps(content: JsonObject, file: string, root: string, files: ParsedFiles): void {
  const main = realpathSync(file);
  const place: Place = {
    file: main,
    root: realpathSync(root),
    main,
    content,
    files,
    budget: { left: MOST_INLINED },
  };
  for (const name of TOP) inline(content, name, kindAt(content, 'object', name), place);
  const { components, paths } = content;
  if (isObject(components))
    for (const name of Object.keys(components)) inline(components, name, kindAt(components, 'object', name), place);
  if (!('swagger' in content)) return;
  for (const holder of [content['parameters'], content['responses'], paths]) {
    if (isObject(holder)) for (const name of Object.keys(holder)) inline(holder, name, 'object', place);
  }
  for (const item of isObject(paths) ? Object.values(paths).filter(isObject) : []) inlineOperations(item, place);
}

function inlineOperations(item: JsonObject, place: Place): void {
  inlineList(item['parameters'], place);
  for (const method of METHODS) {
    if (!isObject(item[method])) continue;
    inline(item, method, 'object', place);
    const { parameters, responses } = item[method] as JsonObject;
    inlineList(parameters, place);
    if (isObject(responses)) for (const status of Object.keys(responses)) inline(responses, status, 'object', place);
  }
}

function inlineList(list: unknown, place: Place): void {
  if (Array.isArray(list)) for (const at of list.keys()) inline(list, at, 'object', place);
}

/** Puts what a reference names into its place, as long as it is one. References within the document to single objects stay. */
function inline(holder: JsonObject | unknown[], key: string | number, kind: Kind, place: Place): void {
  const values = holder as Record<string | number, unknown>;
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    const value = values[key];
    const reference = isObject(value) ? value['$ref'] : undefined;
    if (typeof reference !== 'string') return;
    const isMap = typeof key === 'string' && TOP.includes(key);
    if (reference.startsWith('#') && !isMap) return;
    const found = named(reference, kind, place);
    if (found === undefined) return;
    const { $ref: _, ...beside } = value as JsonObject;
    values[key] = isObject(found) ? { ...found, ...beside } : found;
  }
}

/** A copy of what a reference from the document names, with its own references as the document would write them. */
function named(reference: string, kind: Kind, place: Place): unknown {
  const [path = '', fragment = ''] = reference.split('#', 2);
  const file = path === '' ? place.main : fileBelow(path, place);
  const whole = file === undefined ? undefined : file === place.main ? place.content : readOnce(file, place);
  const found = valueAt(whole, `#${fragment}`);
  if (file === undefined || !isObject(found) || found === place.content) return undefined;
  place.budget.left -= JSON.stringify(found).length;
  return place.budget.left < 0 ? undefined : rebased(found, kind, { ...place, file }, 0);
}

function fileBelow(path: string, { main, root }: Place): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return undefined;
  const target = resolve(dirname(main), percentDecoded(path));
  // A name that no file can have exists no more than any other; `statSync` would throw.
  if (!existsSync(target) || !statSync(target).isFile()) return undefined;
  const real = realpathSync(target);
  return real.startsWith(root + sep) && target.startsWith(root + sep) ? real : undefined;
}

/** Undefined for a file that cannot be read as a document; the gatherer says why. */
function readOnce(file: string, { files }: Place): unknown {
  try {
    return files.value(file);
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    return undefined;
  }
}

function rebased(value: unknown, kind: Kind, place: Place, depth: number): unknown {
  if (depth > MAX_DEPTH) return {};
  if (typeof value !== 'object' || value === null || kind === 'data') return value;
  const parts = Object.entries(value).map(([key, part]): [string, unknown] =>
    key === '$ref' && typeof part === 'string'
      ? [key, fromMain(part, place)]
      : [key, rebased(part, kindAt(value, kind, key), place, depth + 1)],
  );
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

function fromMain(reference: string, { file, main }: Place): string {
  const [path = '', ...rest] = reference.split('#');
  const fragment = rest.length > 0 ? `#${rest.join('#')}` : '';
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return reference;
  const target = path === '' ? file : resolve(dirname(file), percentDecoded(path));
  if (target === main) return fragment === '' ? '#' : fragment;
  const written = relative(dirname(main), target).split(sep).map(encodeURIComponent).join('/');
  return `${written}${fragment}`;
}
