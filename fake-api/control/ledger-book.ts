/** Keeps the ledger of one namespace: append-only, numbered from 1, emptied by a reset alone. */
import type { CallRecord, Journal } from '../engine/http/request-pipeline.ts';
import type { LedgerEntry } from './ledger.ts';

export class LedgerBook implements Journal {
  readonly #entries: LedgerEntry[] = [];
  #logins = 0;

  get calls(): number {
    return this.#entries.length - this.#logins;
  }

  append(record: CallRecord): void {
    this.#entries.push({ seq: this.#entries.length + 1, ...record });
    if (record.capability === 'auth') this.#logins += 1;
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
