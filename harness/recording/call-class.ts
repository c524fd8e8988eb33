/** How a platform call counts in one scenario: the fake's class, unless the scenario's notes say otherwise. */
import { isCallOf } from '../scenario/path-pattern.ts';
import type { LedgerEntry, Recording } from './recording.ts';

export type CallClass = LedgerEntry['capability'];

export function classOf(entry: LedgerEntry, task: Recording['task']): CallClass {
  const note = Object.entries(task.classify).find(([call]) => isCallOf(entry, call));
  return note ? note[1] : entry.capability;
}

/** Entries that are the agent's doing: neither token calls nor the polling of an asynchronous operation. */
export function countedCalls(recording: Recording): LedgerEntry[] {
  return recording.ledger.filter((entry) => entry.capability !== 'auth' && entry.capability !== 'poll');
}

export function writesOf(recording: Recording): LedgerEntry[] {
  return recording.ledger.filter((entry) => ['write', 'destructive'].includes(classOf(entry, recording.task)));
}

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

export const nameOf = (entry: Pick<LedgerEntry, 'method' | 'path'>): string => `${entry.method} ${entry.path}`;
