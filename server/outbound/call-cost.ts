/** What one call cost beyond its requests: kept by whoever makes the call, added to by the outbound client. */
export interface CallCost {
  /** Requests that were sent, retries and read-backs included. */
  requests: number;
  /** Milliseconds waited for the budget of the account, and for a retry. */
  rateWaitMs: number;
  retryWaitMs: number;
}

export function noCallCost(): CallCost {
  return { requests: 0, rateWaitMs: 0, retryWaitMs: 0 };
}

/** Why a call waits. It is reported before the wait. */
export interface Wait {
  for: 'rate_limit' | 'retry';
  platform: string;
  /** Milliseconds, as far as they are known beforehand. */
  ms: number;
  /** Of a retry: what came in place of an answer, and which attempt comes next. */
  reason?: string;
  attempt?: number;
}
