/** A metrics snapshot in the Prometheus text format 0.0.4 (specification 2.3). */
import { type AuditExportState, LATENCY_EDGES_MS, type MetricsSnapshot, type Series } from './metrics.ts';

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Family {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Every line of the family, each ended; none where there is nothing to show. */
  lines: (name: string, snapshot: MetricsSnapshot) => Uint8Array[];
}

export const FAMILIES: readonly Family[] = [
  {
    name: 'svc_mcp_tool_calls_total',
    type: 'counter',
    help: 'Calls by tool and outcome.',
    lines: perSeries((name, one) => marginal(name, one, 'outcome', one.outcomes)),
  },
  {
    name: 'svc_mcp_tool_capability_calls_total',
    type: 'counter',
    help: 'Calls by tool and capability.',
    lines: perSeries((name, one) => marginal(name, one, 'capability', one.capabilities)),
  },
  {
    name: 'svc_mcp_tool_call_latency_ms',
    type: 'histogram',
    help: 'Time from the call to its result in milliseconds.',
    lines: perSeries(histogram),
  },
  {
    name: 'svc_mcp_tool_call_truncated_total',
    type: 'counter',
    help: 'Results cut down to the output budget.',
    lines: perSeries((name, one) => `${name}{${labelsOf(one)}} ${one.truncated_events}\n`),
  },
  single('svc_mcp_rate_limit_waits_total', 'counter', 'Platform calls that waited for the rate budget.', (snapshot) => {
    return snapshot.rate_limit.wait_count;
  }),
  single('svc_mcp_rate_limit_wait_ms_total', 'counter', 'Milliseconds waited for the rate budget.', (snapshot) => {
    return snapshot.rate_limit.wait_sum_ms;
  }),
  single('svc_mcp_rate_limit_wait_max_ms', 'gauge', 'Longest wait for the rate budget in milliseconds.', (snapshot) => {
    return snapshot.rate_limit.wait_max_ms;
  }),
  {
    name: 'svc_mcp_principal_calls_total',
    type: 'counter',
    help: 'Calls by principal and outcome.',
    lines: (name, { principals = [] }) =>
      principals.flatMap(({ principal, outcomes }) =>
        Object.entries(outcomes).map(([outcome, count]) =>
          ascii(`${name}{principal="${principal}",outcome="${outcome}"} ${count}\n`),
        ),
      ),
  },
  single('svc_mcp_approvals_pending', 'gauge', 'Approvals that wait for an operator.', ({ approvals }) => {
    return approvals?.pending;
  }),
  single('svc_mcp_approval_answers_total', 'counter', 'Approvals that were answered here.', ({ approvals }) => {
    return approvals?.answer_count;
  }),
  single(
    'svc_mcp_approval_answer_ms_total',
    'counter',
    'Milliseconds from a question to its answer.',
    ({ approvals }) => {
      return approvals?.answer_sum_ms;
    },
  ),
  single('svc_mcp_approval_answer_max_ms', 'gauge', 'Longest time to an answer in milliseconds.', ({ approvals }) => {
    return approvals?.answer_max_ms;
  }),
  single('svc_mcp_sessions', 'gauge', 'Open sessions of protocol 2025-11-25.', ({ sessions }) => sessions),
  single('svc_mcp_redis_up', 'gauge', 'Whether the Redis that routers share answers.', ({ redis_up }) => {
    return redis_up === undefined ? undefined : Number(redis_up);
  }),
  ofExports('svc_mcp_audit_export_up', 'gauge', 'Whether the last lines of the audit log were taken.', ({ up }) => {
    return Number(up);
  }),
  ofExports('svc_mcp_audit_export_waiting', 'gauge', 'Lines of the audit log not sent yet.', ({ waiting }) => waiting),
  ofExports(
    'svc_mcp_audit_export_lost_total',
    'counter',
    'Lines of the audit log not sent at all.',
    ({ lost }) => lost,
  ),
  single('svc_mcp_metrics_series', 'gauge', 'Series there are.', ({ series_count }) => series_count),
  single('svc_mcp_metrics_series_cap', 'gauge', 'Most series there can be.', ({ series_cap }) => series_cap),
  single('svc_mcp_metrics_uptime_seconds', 'gauge', 'Seconds since the router started.', ({ uptime_seconds }) => {
    return uptime_seconds;
  }),
];

/** The text as bytes: with hundreds of series, putting strings together would take most of the time of a scrape. */
export function prometheusText(snapshot: MetricsSnapshot): Buffer {
  const whole: Uint8Array[] = [];
  for (const { name, type, help, lines } of FAMILIES) {
    const found = lines(name, snapshot);
    if (found.length > 0) whole.push(ascii(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`), ...found);
  }
  return Buffer.concat(whole);
}

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Absent where the value is not known: a 0 would be a count. */
function single(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: (snapshot: MetricsSnapshot) => number | null | undefined,
): Family {
  const lines: Family['lines'] = (own, snapshot) => {
    const known = value(snapshot);
    return typeof known === 'number' ? [ascii(`${own} ${known}\n`)] : [];
  };
  return { name, type, help, lines };
}

function ofExports(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: (state: AuditExportState) => number,
): Family {
  const lines: Family['lines'] = (own, { audit_exports = [] }) =>
    audit_exports.map((state) => ascii(`${own}{to="${state.to}"} ${value(state)}\n`));
  return { name, type, help, lines };
}

/** Lines of one series are written once as long as it rests: a snapshot then holds the very same series. */
function perSeries(linesOf: (name: string, one: Series) => string): Family['lines'] {
  const written = new WeakMap<Series, Uint8Array>();
  return (name, { series }) =>
    series.map((one) => {
      const known = written.get(one);
      if (known !== undefined) return known;
      const lines = ascii(linesOf(name, one));
      written.set(one, lines);
      return lines;
    });
}

/** One family for each label beside tool and backend; what both say together is kept nowhere. */
function marginal(name: string, one: Series, label: string, counts: Readonly<Record<string, number>>): string {
  let lines = '';
  for (const value in counts)
    if ((counts[value] as number) > 0) lines += `${name}{${labelsOf(one)},${label}="${value}"} ${counts[value]}\n`;
  return lines;
}

/** Cumulative from left to right; what is over the last edge is only in `+Inf`, which so equals the count. */
function histogram(name: string, one: Series): string {
  const { buckets, count, sum } = one.latency;
  const labels = labelsOf(one);
  const bucket = `${name}_bucket{${labels},le="`;
  let below = 0;
  let lines = '';
  for (let at = 0; at < LATENCY_EDGES_MS.length; at++) {
    below += buckets[at] as number;
    lines += `${bucket}${LATENCY_EDGES_MS[at]}"} ${below}\n`;
  }
  return `${lines}${bucket}+Inf"} ${count}\n${name}_sum{${labels}} ${sum}\n${name}_count{${labels}} ${count}\n`;
}

/** Values passed the registry's sanitiser, so nothing in them needs escaping. */
function labelsOf({ tool, backend }: Series): string {
  return `tool="${tool}",backend="${backend}"`;
}
