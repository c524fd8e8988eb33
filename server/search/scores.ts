/**
 * The current scores of every tool, as arrays. Only the touched entries are cleared, so no question allocates or
 * clears the whole size.
 */

/** From one tool in so many on, clearing all costs less than clearing those that were touched. */
const FEW = 8;

export class Scores {
  /** By the tool's own words, and how much of the question they answer. */
  readonly own: Float32Array;
  readonly covered: Float32Array;
  /** How much the words of its name that were asked for tell. */
  readonly named: Float32Array;
  /** How likely the question is about its group, as a share. */
  readonly group: Float32Array;
  readonly touched: Uint32Array;
  readonly #isTouched: Uint8Array;
  count = 0;

  constructor(size: number) {
    this.own = new Float32Array(size);
    this.covered = new Float32Array(size);
    this.named = new Float32Array(size);
    this.group = new Float32Array(size);
    this.touched = new Uint32Array(size);
    this.#isTouched = new Uint8Array(size);
  }

  /** Before a tool gets its first points of either kind. */
  touch(tool: number): void {
    if (this.#isTouched[tool] === 1) return;
    this.#isTouched[tool] = 1;
    this.touched[this.count++] = tool;
  }

  clear(): void {
    if (this.count > this.own.length / FEW) this.#clearAll();
    else this.#clearTouched();
    this.count = 0;
  }

  #clearAll(): void {
    for (const array of [this.own, this.covered, this.named, this.group, this.#isTouched]) array.fill(0);
  }

  #clearTouched(): void {
    for (let i = 0; i < this.count; i++) {
      const tool = this.touched[i] as number;
      this.#isTouched[tool] = 0;
      this.own[tool] = 0;
      this.covered[tool] = 0;
      this.named[tool] = 0;
      this.group[tool] = 0;
    }
  }
}
