/** What an attempt that brought no answer means: another one, an error, or a write whose outcome only the platform knows. */
import { RouterError } from '../errors.ts';
import type { Deadline } from './deadline.ts';
import { afterSending, brokenOff, neverConnected, unknownOutcome } from './failure.ts';
import type { PlatformResponse } from './platform-response.ts';
import type { PlatformRequest } from './wire-request.ts';

export type Attempted =
  | { kind: 'response'; response: PlatformResponse }
  | { kind: 'again'; retryAfterMs: number | undefined; reason: string; giveUp: () => PlatformResponse };

interface BrokenAttempt {
  request: PlatformRequest;
  url: string;
  deadline: Deadline;
  last: boolean;
}

/** Throws what the call ends with, unless it may be tried again. */
export function failedAttempt({ request, url, deadline, last }: BrokenAttempt, cause: unknown): Attempted {
  if (cause instanceof RouterError) throw cause.code === 'EGRESS_REFUSED' ? cause : afterSending(request, cause);
  if (deadline.signal.aborted) throw interruption(request, deadline, true);
  const failure = brokenOff(request.platform.id, url, cause);
  if (request.capability !== 'read' && !neverConnected(cause))
    throw unknownOutcome(request, `the connection broke (${String(failure.details['reason'])})`, cause);
  if (last) throw failure;
  const giveUp = () => {
    throw failure;
  };
  return { kind: 'again', retryAfterMs: undefined, reason: String(failure.details['reason']), giveUp };
}

/** Stopped by the caller or by the deadline. Once a write was on its way, only the platform knows. */
export function interruption(request: PlatformRequest, deadline: Deadline, sent: boolean): RouterError {
  const cause = deadline.signal.reason;
  const late = `no answer within ${Math.round(deadline.ms / 100) / 10} s`;
  if (sent && request.capability !== 'read')
    return unknownOutcome(
      request,
      deadline.byCaller ? 'the call was cancelled while the request was on its way' : late,
      cause,
    );
  if (deadline.byCaller) return new RouterError('CANCELLED', `${request.platform.id}: the call was cancelled`);
  const unsent = request.capability === 'read' ? '' : '. Nothing was sent.';
  return new RouterError('UPSTREAM_TIMEOUT', `${request.platform.id}: ${late}${unsent}`, { cause });
}
