/** The report of a completed call: for programs as `_meta` beside its result, and for the metrics. */
import type { Tool } from '../catalog/tool.ts';
import type { Outcome } from '../errors.ts';
import type { CallCost } from '../outbound/call-cost.ts';
import type { CallTrace, CompletedCall } from '../telemetry/metrics.ts';
import { argumentNames } from './argument-names.ts';
import { BATCHES } from './batch.ts';
import type { Call } from './dispatch-call.ts';
import type { CallEnd } from './envelope.ts';
import { sourcesIn, untrustedFrom } from './untrusted.ts';

/** Told where there is something to tell: whose text it is, a wait, or more than the one request that a call is. */
export function metaOf(
  { requests, rateWaitMs, retryWaitMs }: CallCost,
  sources: readonly string[],
): { meta?: Record<string, unknown> } {
  const meta: Record<string, unknown> = sources.length > 0 ? untrustedFrom(sources) : {};
  if (requests > 1 || rateWaitMs > 0 || retryWaitMs > 0)
    meta['svc-mcp/spent'] = {
      requests,
      rate_wait_ms: Math.round(rateWaitMs),
      retry_wait_ms: Math.round(retryWaitMs),
    };
  return Object.keys(meta).length > 0 ? { meta } : {};
}

/** The sources of text that is not the router's own: the platforms that answered during this call. */
export function sourcesOf(tool: Tool | undefined, result: CallEnd, { requests }: CallCost): string[] {
  const own = tool && !tool.local && requests > 0 ? [`platform:${tool.platform}`] : [];
  return [...new Set([...sourcesIn(result), ...own])];
}

/** The outcome that metrics and audit log count. Only a tool of the router can be degraded: a platform's field may be called so. */
export function countedOutcome(tool: Tool | undefined, end: CallEnd): Outcome {
  const isDegraded =
    tool?.local !== undefined &&
    end.kind === 'done' &&
    (end.result as { degraded?: unknown } | null)?.degraded === true;
  return isDegraded ? 'degraded' : end.outcome;
}

/** A name that is no tool is the caller's text, so it never becomes a label. */
const UNKNOWN = '_unknown_';

export function completedCall(tool: Tool | undefined, end: CallEnd, ms: number, call: Call): CompletedCall {
  return {
    tool: tool?.name ?? UNKNOWN,
    backend: tool?.backend ?? UNKNOWN,
    outcome: countedOutcome(tool, end),
    capability: tool?.capability ?? null,
    ms,
    truncated: isTruncated(tool, end),
    trace: traceOf(call, end),
  };
}

/** A batch is bounded by leaving out whole results, so its report says it and not `_response_bounds`. */
function isTruncated(tool: Tool | undefined, end: CallEnd): boolean {
  if (end.kind !== 'done' || tool === undefined) return false;
  const result = end.result as { truncated?: unknown; _response_bounds?: { truncated?: unknown } } | null;
  return (BATCHES.has(tool.name) ? result?.truncated : result?._response_bounds?.truncated) === true;
}

function traceOf({ id = '', dispatcher, principal, arguments: args, cost, approved }: Call, end: CallEnd): CallTrace {
  return {
    id,
    dispatcher,
    principal,
    argumentNames: argumentNames(args),
    code: end.kind === 'refused' ? end.refusal.code : '',
    approval: approved && { id: approved.id, how: approved.how, answeredBy: approved.answeredBy },
    rateWaitMs: Math.round(cost?.rateWaitMs ?? 0),
    retryWaitMs: Math.round(cost?.retryWaitMs ?? 0),
    requests: cost?.sent ?? [],
  };
}
