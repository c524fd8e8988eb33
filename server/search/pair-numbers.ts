/** Pairs of whole numbers, each with a number of its own from 0 in the order of their first mention. */
export class PairNumbers {
  size = 0;
  #first = new Uint32Array(1 << 11);
  #second = new Uint32Array(1 << 11);
  /** Number of a pair + 1, 0 for an empty slot; twice as many as pairs fit. */
  #slots = new Uint32Array(1 << 12);

  numberOf(a: number, b: number): number {
    const last = this.#slots.length - 1;
    let slot = hash(a, b) & last;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & last) {
      const number = (this.#slots[slot] as number) - 1;
      if (this.#first[number] === a && this.#second[number] === b) return number;
    }
    if (this.size === this.#first.length) {
      this.#grow();
      return this.numberOf(a, b);
    }
    this.#first[this.size] = a;
    this.#second[this.size] = b;
    this.#slots[slot] = ++this.size;
    return this.size - 1;
  }

  pairAt(number: number): [a: number, b: number] {
    return [this.#first[number] as number, this.#second[number] as number];
  }

  #grow(): void {
    const [first, second] = [this.#first, this.#second];
    this.#first = new Uint32Array(first.length * 2);
    this.#second = new Uint32Array(first.length * 2);
    this.#slots = new Uint32Array(this.#slots.length * 2);
    this.size = 0;
    for (let i = 0; i < first.length; i++) this.numberOf(first[i] as number, second[i] as number);
  }
}

function hash(a: number, b: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
