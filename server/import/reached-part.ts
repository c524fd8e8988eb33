/** What a document reaches of another file: the values that references name, each at its own place, and nothing beside them. */
import { isObject, type JsonObject, pointerSteps } from '../catalog/platform-document.ts';
import { MAX_DEPTH } from './document-nodes.ts';

export class ReachedPart {
  readonly #whole: unknown;
  /** Each value of the file that was reached, with its one copy: a value that is reached twice is copied once. */
  readonly #copies = new Map<object, object>();
  #content: unknown = {};

  /** `whole` is the value of the file, which stays as it is. */
  constructor(whole: unknown) {
    this.#whole = whole;
  }

  /** The reached values at their places. The objects above them hold nothing else. */
  get content(): unknown {
    return this.#content;
  }

  /**
   * The document's own copy of the value at a fragment; undefined where there is none. A list is reached with all its entries,
   * because the place of each depends on the others.
   *
   * @param tooDeep is called where the value nests deeper than any schema that a person wrote
   */
  reach(fragment: string, tooDeep: () => never): unknown {
    let value = this.#whole;
    const above: string[] = [];
    for (const step of pointerSteps(`#${fragment}`) ?? []) {
      if (Array.isArray(value)) break;
      if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
      above.push(step);
      value = value[step];
    }
    const copy = this.#copy(value, tooDeep, above.length);
    this.#place(above, copy);
    return copy;
  }

  #copy(value: unknown, tooDeep: () => never, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) tooDeep();
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    const parts = Object.entries(value).map(([key, part]) => [key, this.#copy(part, tooDeep, depth + 1)] as const);
    const copy = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
    this.#copies.set(value, copy);
    return copy;
  }

  #place(above: string[], copy: unknown): void {
    const last = above.pop();
    if (last === undefined) {
      this.#content = copy;
      return;
    }
    let holder = this.#content as JsonObject;
    for (const step of above) {
      if (!Object.hasOwn(holder, step)) put(holder, step, {});
      holder = holder[step] as JsonObject;
    }
    put(holder, last, copy);
  }
}

/** Sets a field of the object itself, also where its name is `__proto__`. */
const put = (holder: JsonObject, name: string, value: unknown): void => {
  Object.defineProperty(holder, name, { value, configurable: true, enumerable: true, writable: true });
};
