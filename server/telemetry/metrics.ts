/**
 * What the router counts of its own calls: one series per tool and backend, labels and numbers only (specification 2.2
 * and 8). Arguments, results and messages never come here.
 */
import type { Capability } from '../access/access-policy.ts';
import type { Outcome } from '../errors.ts';

/** Upper edges of the latency bins, in milliseconds. */
export const LATENCY_EDGES_MS = [10, 25, 50, 100, 250, 500, 1000, 2500, 5000] as const;
/** Most series there can be, the overflow series among them. */
export const SERIES_CAP = 512;
/** Tool and backend of the series that takes what no longer gets one of its own. */
export const OVERFLOW = '_overflow_';
const LABEL_LENGTH = 64;
/** What the name of an OAuth subject ends with: a tilde and 24 hex digits. */
const SUBJECT_END = 25;

export const SCHEMA_VERSION = 1;

export const METRIC_CAPABILITIES = ['read', 'write', 'destructive', 'diagnostic', 'unknown'] as const;
export type MetricCapability = (typeof METRIC_CAPABILITIES)[number];

/** One settled call, as the registry sees it. */
export interface CompletedCall {
  tool: string;
  /** As find_tool names it in `server`. */
  backend: string;
  outcome: Outcome;
  /** Null for a name that is no tool. */
  capability: Capability | null;
  ms: number;
  /** The answer was cut down by the output budget. */
  truncated: boolean;
  /** Who called. */
  principal?: string;
  /** For the console alone; metrics leave it out. */
  trace?: CallTrace;
}

/** What one call asked for and what came of it: names, times and statuses, no value of an argument. */
export interface CallTrace {
  id: string;
  dispatcher: string;
  principal: string;
  argumentNames: readonly string[];
  /** Code of the refusal; empty where it was done. */
  code: string;
  approval: { id: string; how: string; answeredBy: string } | undefined;
  rateWaitMs: number;
  retryWaitMs: number;
  requests: readonly {
    platform: string;
    method: string;
    path: string;
    at: number;
    ms: number;
    status: number | null;
  }[];
}

export interface Latency {
  count: number;
  /** Milliseconds, as is `max`. */
  sum: number;
  max: number;
  /** Calls per bin, not cumulative: bin i holds what took at most edge i and more than the edge before. */
  buckets: number[];
  over_max: number;
}

export interface Series {
  tool: string;
  backend: string;
  requests: number;
  errors: number;
  outcomes: Record<string, number>;
  capabilities: Record<MetricCapability, number>;
  latency: Latency;
  truncated_events: number;
}

export interface RateWaits {
  count: number;
  sumMs: number;
  maxMs: number;
}

export interface MetricsSnapshot {
  schema_version: number;
  enabled: boolean;
  hint?: string;
  uptime_seconds: number;
  series_count: number;
  series_cap: number;
  /** Read-only: a later snapshot may share these objects. */
  series: readonly Readonly<Series>[];
  rate_limit: { wait_count: number; wait_sum_ms: number; wait_max_ms: number };
  /** Where there are several: calls of each by outcome. */
  principals?: readonly PrincipalCounts[];
  /** Where operators approve writes. */
  approvals?: ApprovalCounts;
  /** Of protocol 2025-11-25, where any are kept. */
  sessions?: number;
  /** Where routers share a Redis. */
  redis_up?: boolean;
  /** Where lines of the audit log are sent to other systems. */
  audit_exports?: readonly AuditExportState[];
}

/** What the router knows of the moment, beside what it has counted. */
export interface StateNow {
  /** Approvals that wait, over all replicas; null where nobody can tell. */
  pending?: number | null | undefined;
  sessions?: number | undefined;
  redisUp?: boolean | undefined;
  auditExports?: readonly AuditExportState[] | undefined;
}

/** One system that lines of the audit log are sent to. */
export interface AuditExportState {
  to: string;
  /** False from the first sending that failed to the next that did not. */
  up: boolean;
  /** Lines that are not sent yet. */
  waiting: number;
  /** Lines that were dropped since the start. */
  lost: number;
}

/** Of the store that replicas share: how many wait, null where it does not answer. Of this process: the answers it took, and the time until each. */
export interface ApprovalCounts {
  pending: number | null;
  answers: Record<ApprovalAnswer, number>;
  answer_count: number;
  answer_sum_ms: number;
  answer_max_ms: number;
}

/** Most principals with a record of their own; whoever comes after them shares the overflow's. */
export const PRINCIPAL_CAP = 64;

export interface PrincipalCounts {
  principal: string;
  outcomes: Record<string, number>;
}

export type ApprovalAnswer = 'approved' | 'declined' | 'cancelled';

export interface MetricsOptions {
  /** Waits for the rate budget, over all accounts. */
  waits: () => RateWaits;
  /** Whether operators approve writes here. */
  approvals?: boolean;
  /** Whether calls are counted by principal too. */
  principals?: boolean;
  /** Milliseconds that only go forward. */
  now?: () => number;
}

export class Metrics {
  readonly #series = new Map<string, Series>();
  /** Copies that still are what their series is: most series rest between two scrapes. */
  readonly #shown = new Map<Series, Series>();
  readonly #waits: () => RateWaits;
  readonly #now: () => number;
  readonly #startedMs: number;
  readonly #principals: Map<string, PrincipalCounts> | undefined;
  readonly #approvals: Omit<ApprovalCounts, 'pending'> | undefined;

  constructor({ waits, approvals = false, principals = false, now = () => performance.now() }: MetricsOptions) {
    this.#approvals = approvals
      ? { answers: { approved: 0, declined: 0, cancelled: 0 }, answer_count: 0, answer_sum_ms: 0, answer_max_ms: 0 }
      : undefined;
    this.#principals = principals ? new Map() : undefined;
    this.#waits = waits;
    this.#now = now;
    this.#startedMs = now();
  }

  record(call: CompletedCall): void {
    const series = this.#seriesOf(label(call.tool), label(call.backend));
    this.#shown.delete(series);
    series.requests += 1;
    if (call.outcome !== 'success') series.errors += 1;
    series.outcomes[call.outcome] = (series.outcomes[call.outcome] ?? 0) + 1;
    series.capabilities[call.capability ?? 'unknown'] += 1;
    if (call.truncated) series.truncated_events += 1;
    time(series.latency, Math.max(0, call.ms));
    this.#recordPrincipal(call);
  }

  /** Names are bounded like series, so that no caller can make the text of a scrape grow. */
  #recordPrincipal({ principal, outcome }: CompletedCall): void {
    const known = this.#principals;
    if (known === undefined || principal === undefined) return;
    const own = label(shortened(principal));
    const name = known.has(own) || known.size < PRINCIPAL_CAP - 1 ? own : OVERFLOW;
    const counts = known.get(name) ?? { principal: name, outcomes: {} };
    counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1;
    known.set(name, counts);
  }

  /** An approval was answered, so many milliseconds after it was asked for. */
  recordAnswer(answer: ApprovalAnswer, ms: number): void {
    const counts = this.#approvals;
    if (counts === undefined) return;
    counts.answers[answer] += 1;
    counts.answer_count += 1;
    counts.answer_sum_ms += Math.max(0, ms);
    counts.answer_max_ms = Math.max(counts.answer_max_ms, ms);
  }

  snapshot({ pending = 0, sessions, redisUp, auditExports = [] }: StateNow = {}): MetricsSnapshot {
    const { count, sumMs, maxMs } = this.#waits();
    return {
      schema_version: SCHEMA_VERSION,
      enabled: true,
      uptime_seconds: Math.max(0, this.#now() - this.#startedMs) / 1000,
      series_count: this.#series.size,
      series_cap: SERIES_CAP,
      series: Array.from(this.#series.values(), (one) => this.#shownOf(one)),
      rate_limit: { wait_count: count, wait_sum_ms: sumMs, wait_max_ms: maxMs },
      ...(this.#principals ? { principals: structuredClone([...this.#principals.values()]) } : {}),
      ...(this.#approvals ? { approvals: { pending, ...structuredClone(this.#approvals) } } : {}),
      ...(sessions === undefined ? {} : { sessions }),
      ...(redisUp === undefined ? {} : { redis_up: redisUp }),
      ...(auditExports.length > 0 ? { audit_exports: auditExports } : {}),
    };
  }

  #shownOf(series: Series): Series {
    const known = this.#shown.get(series);
    if (known !== undefined) return known;
    const copy = structuredClone(series);
    this.#shown.set(series, copy);
    return copy;
  }

  /** The last place is the overflow's: whoever comes after everybody else shares it. */
  #seriesOf(tool: string, backend: string): Series {
    const known = this.#series.get(`${tool} ${backend}`);
    if (known !== undefined) return known;
    const full = this.#series.size >= SERIES_CAP - 1;
    const series = full ? newSeries(OVERFLOW, OVERFLOW) : newSeries(tool, backend);
    const mark = `${series.tool} ${series.backend}`;
    const shared = this.#series.get(mark);
    if (shared !== undefined) return shared;
    this.#series.set(mark, series);
    return series;
  }
}

/** The answer of the route while nothing is collected; seconds since the start of the router run all the same. */
export function disabledSnapshot(uptimeSeconds: number): MetricsSnapshot {
  return {
    schema_version: SCHEMA_VERSION,
    enabled: false,
    hint: 'set SVC_MCP_METRICS=1 and restart to collect metrics',
    uptime_seconds: uptimeSeconds,
    series_count: 0,
    series_cap: SERIES_CAP,
    series: [],
    rate_limit: { wait_count: 0, wait_sum_ms: 0, wait_max_ms: 0 },
  };
}

/** A label value: what is no lowercase letter, digit, underscore, dot or hyphen becomes an underscore; at most 64 characters. */
export function label(text: string): string {
  return text.replace(/[^a-z0-9_.-]/g, '_').slice(0, LABEL_LENGTH);
}

/** A name that is too long is cut in the middle: its end tells two subjects of one issuer apart. */
function shortened(name: string): string {
  if (name.length <= LABEL_LENGTH) return name;
  return `${name.slice(0, LABEL_LENGTH - SUBJECT_END)}${name.slice(-SUBJECT_END)}`;
}

function newSeries(tool: string, backend: string): Series {
  return {
    tool,
    backend,
    requests: 0,
    errors: 0,
    outcomes: {},
    capabilities: { read: 0, write: 0, destructive: 0, diagnostic: 0, unknown: 0 },
    latency: { count: 0, sum: 0, max: 0, buckets: LATENCY_EDGES_MS.map(() => 0), over_max: 0 },
    truncated_events: 0,
  };
}

function time(latency: Latency, ms: number): void {
  latency.count += 1;
  latency.sum += ms;
  latency.max = Math.max(latency.max, ms);
  const bin = LATENCY_EDGES_MS.findIndex((edge) => ms <= edge);
  if (bin < 0) latency.over_max += 1;
  else latency.buckets[bin] = (latency.buckets[bin] as number) + 1;
}
