/** A metrics snapshot in the Prometheus text format 0.0.4 (specification 2.3). */
import { LATENCY_EDGES_MS, type MetricsSnapshot, type Series } from './metrics.ts';

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = readonly (readonly [name: string, value: string])[];

interface Sample {
  suffix?: string;
  labels: Labels;
  value: number;
}

interface Family {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: (snapshot: MetricsSnapshot) => Sample[];
}

export const FAMILIES: readonly Family[] = [
  {
    name: 'svc_mcp_tool_calls_total',
    type: 'counter',
    help: 'Calls by tool and outcome.',
    samples: ({ series }) => marginal(series, 'outcome', ({ outcomes }) => outcomes),
  },
  {
    name: 'svc_mcp_tool_capability_calls_total',
    type: 'counter',
    help: 'Calls by tool and capability.',
    samples: ({ series }) => marginal(series, 'capability', ({ capabilities }) => capabilities),
  },
  {
    name: 'svc_mcp_tool_call_latency_ms',
    type: 'histogram',
    help: 'Time from the call to its result in milliseconds.',
    samples: ({ series }) => series.flatMap(histogram),
  },
  {
    name: 'svc_mcp_tool_call_truncated_total',
    type: 'counter',
    help: 'Results cut down to the output budget.',
    samples: ({ series }) => series.map((one) => ({ labels: labelsOf(one), value: one.truncated_events })),
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
  single('svc_mcp_metrics_series', 'gauge', 'Series there are.', ({ series_count }) => series_count),
  single('svc_mcp_metrics_series_cap', 'gauge', 'Most series there can be.', ({ series_cap }) => series_cap),
  single('svc_mcp_metrics_uptime_seconds', 'gauge', 'Seconds since the router started.', ({ uptime_seconds }) => {
    return uptime_seconds;
  }),
];

export function prometheusText(snapshot: MetricsSnapshot): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of FAMILIES) {
    const found = samples(snapshot);
    if (found.length === 0) continue;
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const { suffix = '', labels, value } of found) lines.push(`${name}${suffix}${shown(labels)} ${value}`);
  }
  return `${lines.join('\n')}\n`;
}

function single(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: (snapshot: MetricsSnapshot) => number,
): Family {
  return { name, type, help, samples: (snapshot) => [{ labels: [], value: value(snapshot) }] };
}

/** One family for each label beside tool and backend; what both say together is kept nowhere. */
function marginal(series: readonly Series[], name: string, counts: (one: Series) => Record<string, number>): Sample[] {
  return series.flatMap((one) =>
    Object.entries(counts(one))
      .filter(([, value]) => value > 0)
      .map(([value, count]) => ({ labels: [...labelsOf(one), [name, value] as const], value: count })),
  );
}

/** Cumulative from left to right; what is over the last edge is only in `+Inf`, which so equals the count. */
function histogram(one: Series): Sample[] {
  const { buckets, count, sum } = one.latency;
  const labels = labelsOf(one);
  let below = 0;
  const bins = LATENCY_EDGES_MS.map((edge, at) => {
    below += buckets[at] as number;
    return { suffix: '_bucket', labels: [...labels, ['le', String(edge)] as const], value: below };
  });
  return [
    ...bins,
    { suffix: '_bucket', labels: [...labels, ['le', '+Inf'] as const], value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}

function labelsOf({ tool, backend }: Series): Labels {
  return [
    ['tool', tool],
    ['backend', backend],
  ];
}

/** Values passed the registry's sanitiser, so nothing in them needs escaping. */
function shown(labels: Labels): string {
  return labels.length === 0 ? '' : `{${labels.map(([name, value]) => `${name}="${value}"`).join(',')}}`;
}
