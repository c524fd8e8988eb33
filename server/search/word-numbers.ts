/** Words as spelled in plain letters, each with a number from 0: found by their letters, so that no string is made for a known one. */
export class WordNumbers {
  size = 0;
  #letters = Buffer.alloc(1 << 16);
  #offset = new Uint32Array(1 << 14);
  /** Number of a word + 1, 0 for an empty slot. */
  #slots = new Uint32Array(1 << 15);

  /** The word that stands there; a new one gets the next number. */
  numberOf(letters: Uint8Array, from: number, to: number): number {
    const last = this.#slots.length - 1;
    let slot = hash(letters, from, to) & last;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & last) {
      const number = (this.#slots[slot] as number) - 1;
      if (this.#isAt(number, letters, from, to)) return number;
    }
    this.#add(letters, from, to);
    this.#slots[slot] = this.size;
    const number = this.size - 1;
    if (this.size * 2 > this.#slots.length) this.#widen();
    return number;
  }

  wordAt(number: number): string {
    return this.#letters.toString('latin1', this.#offset[number], this.#offset[number + 1]);
  }

  #isAt(number: number, letters: Uint8Array, from: number, to: number): boolean {
    const start = this.#offset[number] as number;
    if ((this.#offset[number + 1] as number) - start !== to - from) return false;
    for (let i = 0; i < to - from; i++) if (this.#letters[start + i] !== letters[from + i]) return false;
    return true;
  }

  #add(letters: Uint8Array, from: number, to: number): void {
    const start = this.#offset[this.size] as number;
    const end = start + to - from;
    if (end > this.#letters.length) {
      const larger = Buffer.alloc(end * 2);
      larger.set(this.#letters);
      this.#letters = larger;
    }
    for (let i = from; i < to; i++) this.#letters[start + i - from] = letters[i] as number;
    if (this.size + 2 > this.#offset.length) {
      const larger = new Uint32Array(this.#offset.length * 2);
      larger.set(this.#offset);
      this.#offset = larger;
    }
    this.#offset[++this.size] = end;
  }

  #widen(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const last = this.#slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = hash(this.#letters, this.#offset[number] as number, this.#offset[number + 1] as number) & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = number + 1;
    }
  }
}

/** FNV-1a over the letters. */
function hash(letters: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let i = from; i < to; i++) value = Math.imul(value ^ (letters[i] as number), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
