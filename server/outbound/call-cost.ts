/** What one call cost beyond its requests: kept by whoever makes the call, added to by the outbound client. */
export interface CallCost {
  /** Requests that were sent, retries and read-backs included. */
  requests: number;
  /** Milliseconds waited for the budget of the account, and for a retry. */
  rateWaitMs: number;
  retryWaitMs: number;
  /** The requests one by one, where somebody looks at them. */
  sent?: SentRequest[];
}

/** One request that went out, without query, headers and body. */
export interface SentRequest {
  platform: string;
  method: string;
  path: string;
  /** Milliseconds since 1970 when it was sent, and how long it took. */
  at: number;
  ms: number;
  /** HTTP status of the answer; null where none came. */
  status: number | null;
}

/** Requests of one call that are kept: a batch or a migration sends many more. */
const MOST_SENT = 50;

/** Keeps the request where the call is traced. */
export function noteSent(cost: CallCost, request: SentRequest): void {
  if (cost.sent !== undefined && cost.sent.length < MOST_SENT) cost.sent.push(request);
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
