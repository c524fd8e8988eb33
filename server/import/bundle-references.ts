/**
 * A document and what it reaches of other files → one document. Only files below the given root are read and nothing is
 * ever fetched: what lies elsewhere becomes "any", with a finding that says where.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { METHODS } from '../catalog/operation-source.ts';
import {
  type ApiDocument,
  isObject,
  type JsonObject,
  percentDecoded,
  pointerPart,
  resolveRef,
} from '../catalog/platform-document.ts';
import { RouterError } from '../errors.ts';
import { documentNodes, nestsTooDeep, pointerOf } from './document-nodes.ts';
import type { Finding } from './import-finding.ts';
import type { ParsedFiles } from './parse-file.ts';
import { boundedCopies, fieldsOf, joinedItem, OPERATION, PARTS } from './path-item.ts';
import { ReachedPart } from './reached-part.ts';

const CORRECT = 'correct the reference';
const SAVE_BESIDE = 'save the file beside the document and refer to it by a relative path';

interface Unusable {
  why: string;
  remedy: string;
}

interface OpenValue {
  value: unknown;
  file: string;
  /** JSON pointer from the file to the value. */
  pointer: string;
}

export class Gatherer {
  readonly #root: string;
  readonly #findings: Finding[];
  readonly #files: ParsedFiles;
  readonly #parts = new Map<string, ReachedPart>();
  /** Values of parts whose references are still those of their file. */
  #open: OpenValue[] = [];
  /** What stands where a reference could not be followed, with the finding about it. */
  readonly #unusable = new WeakMap<object, Finding>();
  /** Path items whose operations belong to another place, until each has a copy. */
  readonly #borrowed = new WeakSet<object>();
  /** Objects whose references are those of the gathered document. */
  #walked = new Set<object>();
  #main = '';
  /** Operations that the last document lost, because they refer to nothing that can be used. */
  setAside = 0;

  /** `root` is the folder below which files may be read. */
  constructor(root: string, findings: Finding[], files: ParsedFiles) {
    this.#root = realpathSync(root);
    this.#findings = findings;
    this.#files = files;
  }

  gather(file: string, content: JsonObject): JsonObject {
    this.#main = realpathSync(file);
    this.#parts.clear();
    this.#walked = new Set();
    this.setAside = 0;
    // A document cannot be a reference; one that says so would lose its paths.
    delete content['$ref'];
    this.#open = [{ value: content, file: this.#main, pointer: '' }];
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) this.#walk(next);
    if (this.#parts.size > 0)
      content[PARTS] = Object.fromEntries([...this.#parts].map(([path, part]) => [this.#nameOf(path), part.content]));
    // Before references are judged, so that one to an operation of such a path finds it.
    this.#inlinePathItems(content);
    this.#closeReferences(content);
    this.#inlineOperations(content);
    this.#inlineComponents(content);
    return content;
  }

  #walk({ value, file, pointer }: OpenValue): void {
    for (const place of documentNodes(value, (below) => this.#tooDeep(file, pointer + below), this.#walked)) {
      const { $ref } = place.node;
      if (typeof $ref === 'string') this.#reference(place.node, $ref, file, pointer + pointerOf(place));
    }
  }

  #tooDeep(file: string, pointer: string): never {
    throw nestsTooDeep(this.#nameOf(file), pointer);
  }

  #reference(node: JsonObject, reference: string, file: string, pointer: string): void {
    const found = this.#follow(reference, file);
    if (typeof found === 'string') node['$ref'] = found;
    else this.#anything(node, this.#nameOf(file), pointer, reference, found);
  }

  /** The same reference from the gathered document, or why there is none. */
  #follow(reference: string, file: string): string | Unusable {
    const [path = '', fragment = ''] = reference.split('#', 2);
    if (path === '') return file === this.#main ? reference : this.#reach(file, fragment);
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path))
      return { why: 'points to another place and nothing is fetched', remedy: SAVE_BESIDE };
    const target = resolve(dirname(file), percentDecoded(path));
    if (!this.#below(target))
      return { why: `leads out of ${this.#root}, which is all that is read`, remedy: SAVE_BESIDE };
    if (!existsSync(target) || !statSync(target).isFile())
      return { why: 'names a file that does not exist', remedy: 'add the file, or correct the reference' };
    const real = realpathSync(target);
    if (!this.#below(real)) return { why: `leads out of ${this.#root} by a link`, remedy: SAVE_BESIDE };
    if (real === this.#main) return `#${fragment}`;
    return this.#reach(real, fragment);
  }

  /** What is named is taken once, with all it refers to, and is no data: `responses.yaml#/default` is a response. */
  #reach(file: string, fragment: string): string | Unusable {
    try {
      const part = this.#parts.get(file) ?? new ReachedPart(this.#files.value(file));
      const value = part.reach(fragment, () => this.#tooDeep(file, fragment));
      this.#parts.set(file, part);
      this.#open.push({ value, file, pointer: fragment });
      return this.#within(file, fragment);
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      return { why: `names a file that cannot be used (${error.message})`, remedy: error.remedy };
    }
  }

  #below(path: string): boolean {
    return path.startsWith(this.#root + sep);
  }

  #within(file: string, fragment: string): string {
    return `#/${PARTS}/${pointerPart(this.#nameOf(file)).replaceAll('%', '%25')}${fragment}`;
  }

  #nameOf(file: string): string {
    return relative(this.#root, file);
  }

  #anything(node: JsonObject, document: string, pointer: string, reference: string, { why, remedy }: Unusable): void {
    for (const key of Object.keys(node)) delete node[key];
    const message = `$ref ${JSON.stringify(reference)} ${why}: taken as any value`;
    const finding = { document, pointer, message, remedy };
    this.#findings.push(finding);
    this.#unusable.set(node, finding);
  }

  /** A reference to nothing, or to itself, would make whatever uses it useless: it becomes "any" as well. */
  #closeReferences(content: JsonObject): void {
    const document = { id: '', file: this.#nameOf(this.#main), content };
    const mediaTypes: JsonObject[] = [];
    for (const place of documentNodes(content)) {
      const { $ref } = place.node;
      if (typeof $ref !== 'string') continue;
      const why = whyUnresolved(document, place.node);
      if (why !== undefined)
        this.#anything(place.node, document.file, pointerOf(place), $ref, { why, remedy: CORRECT });
      else if (place.above?.kind === 'names' && place.above.key === 'content') mediaTypes.push(place.node);
    }
    // Since OpenAPI 3.2 a media type may be a reference; whoever reads a body looks for its schema right there.
    for (const media of mediaTypes) {
      const { $ref } = media;
      const target = isSchemaReference($ref) ? { schema: { $ref } } : resolveRef(document, media);
      delete media['$ref'];
      Object.assign(media, { ...target, ...media });
    }
  }

  /** A path that refers to another place holds what is there, and what stands beside the reference. */
  #inlinePathItems(content: JsonObject): void {
    const document = { id: '', file: this.#nameOf(this.#main), content };
    const paths = content['paths'];
    if (!isObject(paths)) return;
    for (const [path, item] of Object.entries(paths)) {
      if (!isObject(item) || typeof item['$ref'] !== 'string' || whyUnresolved(document, item) !== undefined) continue;
      const target = resolveRef(document, item);
      // An item that could not be read stays itself, so that its finding is found again.
      const joined = this.#unusable.has(target) ? target : joinedItem(target, item);
      if (joined !== target) this.#borrowed.add(joined);
      paths[path] = joined;
    }
  }

  /**
   * Each path gets operations of its own, also where they are those of another path. One that refers to nothing usable, or whose
   * body or parameter does, is set aside: called without its parameters it would be another call.
   */
  #inlineOperations(content: JsonObject): void {
    const document = { id: '', file: this.#nameOf(this.#main), content };
    const paths = isObject(content['paths']) ? content['paths'] : {};
    const own = boundedCopies(document.file);
    for (const [path, item] of Object.entries(paths))
      if (isObject(item) && this.#unusable.has(item)) {
        this.#leaveOut(item);
        delete paths[path];
      }
    // All are read before one is put in its place, because an operation may refer to another that is a reference.
    const found = Object.entries(paths).flatMap(([path, item]) =>
      isObject(item) ? this.#followedOperations(document, path, item) : [],
    );
    const copies = found.map(({ operation }) => operation && own(operation));
    found.forEach(({ item, method }, i) => {
      if (copies[i] === undefined) delete item[method];
      else item[method] = copies[i];
    });
    for (const [path, item] of Object.entries(paths))
      if (isObject(item) && this.#borrowed.has(item)) paths[path] = own(item);
  }

  /** What the operations that are references lead to; undefined for one that is set aside. */
  #followedOperations(document: ApiDocument, path: string, item: JsonObject) {
    return METHODS.flatMap((method) => {
      const stated = item[method];
      if (!isObject(stated)) return [];
      const operation = this.#operationOf(document, stated, `/paths/${pointerPart(path)}/${method}`);
      if (operation !== undefined && this.#lacksPart(document, item, operation))
        return [{ item, method, operation: undefined }];
      return operation === stated ? [] : [{ item, method, operation }];
    });
  }

  /** Whether a parameter or the body is a reference that could not be followed. */
  #lacksPart(document: ApiDocument, item: JsonObject, operation: JsonObject): boolean {
    const stated = [item['parameters'], operation['parameters'], operation['requestBody']].flat();
    const lacking = stated.map((part) => resolveRef(document, part)).find((part) => this.#unusable.has(part));
    if (lacking !== undefined) this.#leaveOut(lacking);
    return lacking !== undefined;
  }

  #operationOf(document: ApiDocument, operation: JsonObject, pointer: string): JsonObject | undefined {
    const target = resolveRef(document, operation);
    if (this.#unusable.has(target)) {
      this.#leaveOut(target);
      return undefined;
    }
    if (target === operation) return operation;
    const { $ref, ...beside } = operation;
    const found = { ...fieldsOf(target, OPERATION), ...beside };
    if (Object.keys(found).length > 0) return found;
    const message = `$ref ${JSON.stringify($ref)} points at no operation: set aside`;
    this.#findings.push({ document: document.file, pointer, message, remedy: CORRECT });
    this.setAside++;
    return undefined;
  }

  #leaveOut(node: object): void {
    this.setAside++;
    const finding = this.#unusable.get(node);
    if (finding) finding.message = finding.message.replace(/taken as any value$/, 'set aside');
  }

  /** Components that only refer to another file stand where they are named, so that they count there. */
  #inlineComponents(content: JsonObject): void {
    const document = { id: '', file: this.#nameOf(this.#main), content };
    const components = isObject(content['components']) ? Object.values(content['components']) : [];
    for (const map of [content['definitions'], ...components]) {
      if (!isObject(map)) continue;
      for (const [name, entry] of Object.entries(map)) {
        if (!isObject(entry) || typeof entry['$ref'] !== 'string') continue;
        if (!entry['$ref'].startsWith(`#/${PARTS}/`)) continue;
        map[name] = structuredClone(resolveRef(document, entry));
      }
    }
  }
}

/** What is meant by one in place of a media type is an answer or a body of that schema. */
const isSchemaReference = (reference: unknown): boolean => /^#\/components\/schemas\/[^/]+$/.test(String(reference));

/** Undefined for a node that is no reference, or one that leads to something. */
export function whyUnresolved(document: ApiDocument, node: JsonObject): string | undefined {
  try {
    resolveRef(document, node);
    return undefined;
  } catch (error) {
    return error instanceof RouterError && /itself/.test(error.message) ? 'leads back to itself' : 'points at nothing';
  }
}
