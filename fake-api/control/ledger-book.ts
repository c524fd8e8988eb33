/** Keeps the ledger of one namespace: append-only, numbered from 1, emptied by a reset alone. */
import type { CallRecord, Journal } from '../engine/http/request-pipeline.ts';
import type { LedgerEntry } from './ledger.ts';

export class LedgerBook implements Journal {
  readonly #entries: LedgerEntry[] = [];

  get next(): number {
    return this.#entries.length + 1;
  }

  append(record: CallRecord): void {
    this.#entries.push({ seq: this.next, ...record });
  }

  /** Says of the latest call that a planned fault struck it: its status is then not what the client saw. */
  markFault(kind: string): void {
    const last = this.#entries.at(-1);
    if (last !== undefined) last.fault = kind;
  }

  after(seq: number): LedgerEntry[] {
    return this.#entries.slice(Math.max(0, seq));
  }
}
