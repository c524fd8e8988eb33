/**
 * Rows of one resource: an immutable base shared by all namespaces of a fixture, and this namespace's own changes over
 * it. Reset drops the changes, a snapshot copies only them.
 */
import { digestOf, type JsonObject, sha256 } from './json-value.ts';

export interface Row {
  /** Values of the parent parameters, then of the key, joined. */
  readonly id: string;
  readonly value: JsonObject;
  /** Pointer of each secret that was accepted, with its hash; the secret itself is never kept. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly revision: number;
}

/** Never part of a name on any platform. */
const JOINT = '\u001f';

export function rowId(parts: readonly string[]): string {
  return parts.map(oneSpelling).join(JOINT);
}

const MAC = /^([\da-f]{2}:){5}[\da-f]{2}$/i;

/** A MAC address is the same in capitals. */
function oneSpelling(part: string): string {
  return part.length === 17 && MAC.test(part) ? part.toLowerCase() : part;
}

export function rowParts(id: string): string[] {
  return id.split(JOINT);
}

/** What a collection starts from. Asked for on the first touch: most collections of most namespaces are never looked at. */
export interface BaseCollection {
  rows: () => ReadonlyMap<string, Row>;
  /** How many rows these are, without the values of any. */
  count: () => number;
}

export class Collection {
  readonly #base: BaseCollection;
  #changes = new Map<string, Row | null>();
  #byParent: Map<string, Row[]> | null = null;
  readonly #parentCount: number;

  constructor(base: BaseCollection, parentCount: number) {
    this.#base = base;
    this.#parentCount = parentCount;
  }

  get(id: string): Row | undefined {
    const changed = this.#changes.get(id);
    if (changed !== undefined) return changed ?? undefined;
    return this.#base.rows().get(id);
  }

  /** Whether the start has it. */
  isOriginal(id: string): boolean {
    return this.#base.rows().has(id);
  }

  /** The row as the start has it. */
  original(id: string): Row | undefined {
    return this.#base.rows().get(id);
  }

  put(row: Row): void {
    const known = this.get(row.id) !== undefined;
    this.#changes.set(row.id, row);
    if (known && this.#byParent !== null) {
      const rows = this.#byParent.get(this.#parentOf(row.id)) as Row[];
      rows[rows.findIndex((entry) => entry.id === row.id)] = row;
    } else {
      this.#byParent = null;
    }
  }

  delete(id: string): void {
    this.#changes.set(id, null);
    this.#byParent = null;
  }

  /** Rows under one parent in key order; the caller must not change the array. */
  under(parent: readonly string[]): readonly Row[] {
    return this.#index().get(rowId(parent)) ?? [];
  }

  *all(): Iterable<Row> {
    for (const rows of this.#index().values()) yield* rows;
  }

  get size(): number {
    if (this.#byParent === null && this.#changes.size === 0) return this.#base.count();
    let count = 0;
    for (const rows of this.#index().values()) count += rows.length;
    return count;
  }

  changes(): Map<string, Row | null> {
    return new Map(this.#changes);
  }

  restore(changes: Map<string, Row | null>): void {
    // Most collections never changed: what was indexed of them still holds.
    if (changes.size === 0 && this.#changes.size === 0) return;
    this.#changes = new Map(changes);
    this.#byParent = null;
  }

  /** One digest over ids, values and secrets; rows without a change since the last one are not read again. */
  digest(): string {
    if (this.#changes.size > 0) return digestOfRows(this.all());
    const base = this.#base.rows();
    const digest = baseDigests.get(base) ?? digestOfRows(this.all());
    baseDigests.set(base, digest);
    return digest;
  }

  #index(): Map<string, Row[]> {
    if (this.#byParent !== null) return this.#byParent;
    const rows: Row[] = [];
    for (const [id, row] of this.#base.rows()) if (!this.#changes.has(id)) rows.push(row);
    for (const row of this.#changes.values()) if (row !== null) rows.push(row);
    rows.sort((left, right) => compareIds(left.id, right.id));
    this.#byParent = Map.groupBy(rows, (row) => this.#parentOf(row.id));
    return this.#byParent;
  }

  #parentOf(id: string): string {
    return this.#parentCount === 0 ? '' : rowId(rowParts(id).slice(0, this.#parentCount));
  }
}

/** Rows are never changed, only replaced, so a digest holds as long as its row. Those of a start are shared by all namespaces. */
const rowDigests = new WeakMap<Row, string>();
const baseDigests = new WeakMap<ReadonlyMap<string, Row>, string>();

function digestOfRows(rows: Iterable<Row>): string {
  const lines: string[] = [];
  for (const row of rows) {
    const digest = rowDigests.get(row) ?? digestOf([row.id, row.value, row.secrets]);
    rowDigests.set(row, digest);
    lines.push(digest);
  }
  return sha256(lines.join());
}

/** Whole numbers by value, so that `vlan 9` stands before `vlan 10`, and names after them in code-unit order. */
export function compareIds(left: string, right: string): number {
  if (!left.includes(JOINT) && !right.includes(JOINT)) return comparePart(left, right);
  const leftParts = rowParts(left);
  const rightParts = rowParts(right);
  for (let at = 0; at < leftParts.length && at < rightParts.length; at += 1) {
    const order = comparePart(leftParts[at] as string, rightParts[at] as string);
    if (order !== 0) return order;
  }
  return leftParts.length - rightParts.length;
}

const WHOLE = /^\d{1,15}$/;

function comparePart(left: string, right: string): number {
  const isWhole = WHOLE.test(left);
  if (isWhole !== WHOLE.test(right)) return isWhole ? -1 : 1;
  const order = isWhole ? Number(left) - Number(right) : 0;
  if (order !== 0) return order;
  return left < right ? -1 : left > right ? 1 : 0;
}
