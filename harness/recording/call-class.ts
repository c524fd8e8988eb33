/** How a platform call counts in one scenario: the fake's class, unless the scenario's notes say otherwise. */
import { isCallOf } from '../scenario/path-pattern.ts';
import type { LedgerEntry, Recording } from './recording.ts';

export type CallClass = LedgerEntry['capability'];

/** RFC 9110 §9.2.1 calls only GET, HEAD, OPTIONS and TRACE safe; POST is a read where the platform or the scenario says so. */
const CHANGING: Readonly<Record<string, CallClass>> = { PUT: 'write', PATCH: 'write', DELETE: 'destructive' };

/** PUT, PATCH and DELETE are changes, whatever the ledger or the scenario calls them. */
export function classOf(entry: LedgerEntry, task: Pick<Recording['task'], 'classify'>): CallClass {
  const note = Object.entries(task.classify).find(([call]) => isCallOf(entry, call));
  return changeOr(entry.method, note ? note[1] : entry.capability);
}

/** Entries that are the agent's doing: neither token calls nor the polling of an asynchronous operation. */
export function countedCalls(recording: Recording): LedgerEntry[] {
  return recording.ledger.filter((entry) => {
    const capability = changeOr(entry.method, entry.capability);
    return capability !== 'auth' && capability !== 'poll';
  });
}

function changeOr(method: string, said: CallClass): CallClass {
  const least = CHANGING[method];
  return least === undefined || said === 'write' || said === 'destructive' ? said : least;
}

export function writesOf(recording: Recording): LedgerEntry[] {
  return recording.ledger.filter((entry) => ['write', 'destructive'].includes(classOf(entry, recording.task)));
}

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

export const nameOf = (entry: Pick<LedgerEntry, 'method' | 'path'>): string => `${entry.method} ${entry.path}`;
