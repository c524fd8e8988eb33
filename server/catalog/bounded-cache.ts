/** A cache with a bound on its entries, for values that never change because their source does not. */

/** Names and paths are shorter; a caller's long text is not worth holding. */
const LONGEST_KEY = 400;

export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The cached value, or the value that `make` returns. It does not cache undefined or a key that is too long. */
  of(key: Key, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (made === undefined || (typeof key === 'string' && key.length > LONGEST_KEY)) return made;
    // A caller that reads a few keys fills the cache again soon. A caller that reads all keys gains nothing from a
    // better order.
    if (this.#entries.size >= this.#most) this.#entries.clear();
    this.#entries.set(key, made);
    return made;
  }
}
