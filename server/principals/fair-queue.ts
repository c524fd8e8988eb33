/**
 * Calls that wait, for a permit of an account or for their turn in this process, in a fair order: start-time fair queueing (Goyal, Vin and Cheng, 1996) over principals.
 * One caller with hundreds of calls waits for its own; a principal with twice the share gets twice as many permits while both wait.
 */

/** Who waits. */
export interface Waiter {
  principal: string;
  /** Weight; 1 when left out. */
  share?: number;
}

/** Where nobody tells principals apart. */
export const NOBODY: Waiter = { principal: '' };

interface Entry<T> {
  item: T;
  /** Virtual time from which it is due: the lowest goes first, then the one that came first. */
  start: number;
  /** Virtual time that serving it takes: 1 / share. */
  cost: number;
  order: number;
}

export class FairQueue<T> {
  /** Of each principal that waits, in the order of arrival. */
  readonly #flows = new Map<string, Entry<T>[]>();
  /** Virtual time at which the last entry of a principal will have been served. */
  readonly #ends = new Map<string, number>();
  #now = 0;
  #count = 0;
  #arrived = 0;

  get size(): number {
    return this.#count;
  }

  add(item: T, { principal, share = 1 }: Waiter): void {
    const start = this.#startOf(principal);
    const entry = { item, start, cost: 1 / share, order: this.#arrived++ };
    const flow = this.#flows.get(principal);
    if (flow) flow.push(entry);
    else this.#flows.set(principal, [entry]);
    this.#ends.set(principal, start + entry.cost);
    this.#count += 1;
  }

  /** How many of those that wait now would go before a new entry. */
  ahead({ principal }: Waiter): number {
    return this.#before(this.#startOf(principal));
  }

  /** Takes out the entry that is due; undefined where nobody waits. */
  next(): T | undefined {
    let due: [string, Entry<T>[]] | undefined;
    for (const flow of this.#flows) if (due === undefined || goesBefore(flow[1][0]!, due[1][0]!)) due = flow;
    if (due === undefined) return undefined;
    const { item, start } = due[1][0]!;
    this.#now = start;
    this.#takeOut(...due, 0);
    return item;
  }

  /** Its caller left: those behind it of the same principal move up, so the principal pays only for what it got. */
  remove(item: T): void {
    for (const [principal, flow] of this.#flows) {
      const at = flow.findIndex((entry) => entry.item === item);
      if (at < 0) continue;
      let { start } = flow[at]!;
      for (const entry of flow.slice(at + 1)) {
        entry.start = start;
        start += entry.cost;
      }
      this.#ends.set(principal, start);
      this.#takeOut(principal, flow, at);
      return;
    }
  }

  #takeOut(principal: string, flow: Entry<T>[], at: number): void {
    flow.splice(at, 1);
    this.#count -= 1;
    if (flow.length === 0) this.#flows.delete(principal);
    // Nobody waits: what principals had before counts no more.
    if (this.#count > 0) return;
    this.#ends.clear();
    this.#now = 0;
  }

  #startOf(principal: string): number {
    return Math.max(this.#now, this.#ends.get(principal) ?? 0);
  }

  #before(start: number): number {
    let count = 0;
    for (const flow of this.#flows.values()) for (const entry of flow) if (entry.start <= start) count += 1;
    return count;
  }
}

const goesBefore = <T>(one: Entry<T>, other: Entry<T>): boolean =>
  one.start < other.start || (one.start === other.start && one.order < other.order);
