/** What was asked lately, kept up to a number: for answers that cannot change because what they come from does not. */

/** Names and paths are shorter; a caller's long text is not worth holding. */
const LONGEST_KEY = 400;

export class Recent<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The kept value, or the made one; undefined is not kept, nor what has a long name. */
  of(key: Key, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (made === undefined || (typeof key === 'string' && key.length > LONGEST_KEY)) return made;
    // Whoever asks for one asks for it again; whoever asks for all of them starts over.
    if (this.#entries.size >= this.#most) this.#entries.clear();
    this.#entries.set(key, made);
    return made;
  }
}
