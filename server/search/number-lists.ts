/** Lists of numbers one behind the other in one array, because hundreds of thousands of small arrays cost more than what they hold. */
export class NumberLists {
  numbers = new Uint32Array(1 << 12);
  length = 0;
  #ends = new Uint32Array(1 << 10);
  #count = 0;
  /** Per number: the list it was put into last by `pushOnce`, plus 1. */
  #seenIn = new Uint32Array(1 << 10);

  /** How many lists are closed. */
  get count(): number {
    return this.#count;
  }

  push(number: number): void {
    if (this.length === this.numbers.length) this.numbers = doubled(this.numbers);
    this.numbers[this.length++] = number;
  }

  /** Unless the open list has it already from here. */
  pushOnce(number: number): void {
    while (number >= this.#seenIn.length) this.#seenIn = doubled(this.#seenIn);
    if (this.#seenIn[number] === this.#count + 1) return;
    this.#seenIn[number] = this.#count + 1;
    this.push(number);
  }

  /** Ends the open list and opens the next. */
  close(): number {
    if (this.#count === this.#ends.length) this.#ends = doubled(this.#ends);
    this.#ends[this.#count] = this.length;
    return this.#count++;
  }

  from(list: number): number {
    return list === 0 ? 0 : (this.#ends[list - 1] as number);
  }

  to(list: number): number {
    return this.#ends[list] as number;
  }

  lengthOf(list: number): number {
    return this.to(list) - this.from(list);
  }

  list(list: number): Uint32Array {
    return this.numbers.subarray(this.from(list), this.to(list));
  }
}

/** Where lists of so many numbers start, one behind the other; one more entry than lists. */
export function startsOf(counts: readonly number[]): number[] {
  const starts = [0];
  for (const count of counts) starts.push((starts.at(-1) as number) + count);
  return starts;
}

/** Arrays of numbers below `limit` that take no more room than those need. */
export const arrayOf = (limit: number) => (limit <= 0x10000 ? Uint16Array : Uint32Array);

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
