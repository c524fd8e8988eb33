import { expect, test } from 'vitest';
import { type CompletedCall, LATENCY_EDGES_MS, label, Metrics, OVERFLOW, SERIES_CAP } from './metrics.ts';
import { prometheusText } from './prometheus.ts';

const CALL: CompletedCall = {
  tool: 'mgmt_list_aps',
  backend: 'mgmt',
  outcome: 'success',
  capability: 'read',
  ms: 12,
  truncated: false,
};

const counting = () => new Metrics({ waits: () => ({ count: 3, sumMs: 412.5, maxMs: 200 }), now: () => 0 });

test.each([
  ['mgmt_list_aps', 'mgmt_list_aps'],
  ['A', '_'],
  ['MGMT List/APs', '______ist___s'],
  ['Zürich"\n{x}', '__rich___x_'],
  ['a.b-c_9', 'a.b-c_9'],
  ['x'.repeat(80), 'x'.repeat(64)],
])('label %j → %j', (given, wanted) => expect(label(given)).toBe(wanted));

test.each(LATENCY_EDGES_MS.map((edge, at) => [edge, at]))(
  'a call of exactly %d ms is in bin %d, a longer one in the next',
  (edge, at) => {
    const metrics = counting();
    metrics.record({ ...CALL, ms: edge });
    metrics.record({ ...CALL, ms: edge + 0.001 });
    const { buckets, over_max } = metrics.snapshot().series[0]!.latency;
    expect(buckets[at]).toBe(1);
    expect(at + 1 < buckets.length ? buckets[at + 1] : over_max).toBe(1);
  },
);

test('outcomes and capabilities are counted apart; a name that is no tool is of unknown capability', () => {
  const metrics = counting();
  metrics.record(CALL);
  metrics.record({ ...CALL, outcome: 'blocked', capability: 'write', truncated: true });
  metrics.record({ ...CALL, outcome: 'not_found', capability: null });
  const [series] = metrics.snapshot().series;
  expect(series).toMatchObject({
    requests: 3,
    errors: 2,
    outcomes: { success: 1, blocked: 1, not_found: 1 },
    capabilities: { read: 1, write: 1, destructive: 0, diagnostic: 0, unknown: 1 },
    truncated_events: 1,
  });
});

test('two subjects of one issuer have a record each, however long its host name is', () => {
  const metrics = new Metrics({ waits: () => ({ count: 0, sumMs: 0, maxMs: 0 }), principals: true, now: () => 0 });
  const host = 'login.eu-central-1.identity.example.com';
  for (const digit of ['a', 'b', 'b'])
    metrics.record({ ...CALL, principal: `https___id.example_users@${host}~${digit.repeat(24)}` });
  metrics.record({ ...CALL, principal: 'night-agent' });
  const start = 'https___id.example_users_login.eu-centr';
  expect(metrics.snapshot().principals).toEqual([
    { principal: `${start}_${'a'.repeat(24)}`, outcomes: { success: 1 } },
    { principal: `${start}_${'b'.repeat(24)}`, outcomes: { success: 2 } },
    { principal: 'night-agent', outcomes: { success: 1 } },
  ]);
});

test('the 512th series is the overflow, and everything after it goes there', () => {
  const metrics = counting();
  for (let i = 0; i < SERIES_CAP + 88; i += 1) metrics.record({ ...CALL, tool: `tool_${i}` });
  metrics.record({ ...CALL, tool: 'tool_3' });
  const { series, series_count } = metrics.snapshot();
  expect(series_count).toBe(SERIES_CAP);
  expect(series.find(({ tool }) => tool === OVERFLOW)?.requests).toBe(89);
  expect(series.find(({ tool }) => tool === 'tool_3')?.requests).toBe(2);
  expect(series.reduce((sum, { requests }) => sum + requests, 0)).toBe(SERIES_CAP + 89);
});

test('a snapshot does not change with later calls', () => {
  const metrics = counting();
  metrics.record(CALL);
  const before = metrics.snapshot();
  const copy = structuredClone(before);
  metrics.record(CALL);
  expect(before).toEqual(copy);
});

test('the histogram is cumulative and its +Inf equals the count, for any calls', () => {
  const metrics = counting();
  const times = Array.from({ length: 500 }, (_, i) => (i * 7919) % 7000);
  for (const ms of times) metrics.record({ ...CALL, ms });
  const text = prometheusText(metrics.snapshot()).toString();
  const bucket = (le: string): number =>
    Number(new RegExp(`_bucket\\{[^}]*le="${le.replace('+', '\\+')}"\\} (\\d+)`).exec(text)?.[1]);
  for (const edge of LATENCY_EDGES_MS) expect(bucket(String(edge))).toBe(times.filter((ms) => ms <= edge).length);
  expect(bucket('+Inf')).toBe(500);
  expect(text).toContain('svc_mcp_tool_call_latency_ms_count{tool="mgmt_list_aps",backend="mgmt"} 500\n');
});

test('no line joins an outcome with a capability', () => {
  const metrics = counting();
  metrics.record(CALL);
  const joined = prometheusText(metrics.snapshot())
    .toString()
    .split('\n')
    .filter((line) => line.includes('outcome=') && line.includes('capability='));
  expect(joined).toEqual([]);
});

test('waits for the rate budget are families without labels', () => {
  const text = prometheusText(counting().snapshot()).toString();
  expect(text).toContain('svc_mcp_rate_limit_waits_total 3\n');
  expect(text).toContain('svc_mcp_rate_limit_wait_ms_total 412.5\n');
  expect(text).toContain('svc_mcp_rate_limit_wait_max_ms 200\n');
  expect(text).toContain('svc_mcp_metrics_series_cap 512\n');
});

test('the whole text, of calls that differ in all that is counted', () => {
  let now = 1_000;
  const metrics = new Metrics({ waits: () => ({ count: 3, sumMs: 412.5, maxMs: 200 }), now: () => now });
  metrics.record(CALL);
  metrics.record({ ...CALL, ms: 700.5, truncated: true });
  metrics.record({ ...CALL, outcome: 'blocked', capability: 'write', ms: 6000, truncated: true });
  metrics.record({ ...CALL, tool: 'lookup_api', backend: 'router', ms: 3 });
  now += 2_500;
  expect(prometheusText(metrics.snapshot()).toString()).toBe(`# HELP svc_mcp_tool_calls_total Calls by tool and outcome.
# TYPE svc_mcp_tool_calls_total counter
svc_mcp_tool_calls_total{tool="mgmt_list_aps",backend="mgmt",outcome="success"} 2
svc_mcp_tool_calls_total{tool="mgmt_list_aps",backend="mgmt",outcome="blocked"} 1
svc_mcp_tool_calls_total{tool="lookup_api",backend="router",outcome="success"} 1
# HELP svc_mcp_tool_capability_calls_total Calls by tool and capability.
# TYPE svc_mcp_tool_capability_calls_total counter
svc_mcp_tool_capability_calls_total{tool="mgmt_list_aps",backend="mgmt",capability="read"} 2
svc_mcp_tool_capability_calls_total{tool="mgmt_list_aps",backend="mgmt",capability="write"} 1
svc_mcp_tool_capability_calls_total{tool="lookup_api",backend="router",capability="read"} 1
# HELP svc_mcp_tool_call_latency_ms Time from the call to its result in milliseconds.
# TYPE svc_mcp_tool_call_latency_ms histogram
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="10"} 0
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="25"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="50"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="100"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="250"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="500"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="1000"} 2
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="2500"} 2
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="5000"} 2
svc_mcp_tool_call_latency_ms_bucket{tool="mgmt_list_aps",backend="mgmt",le="+Inf"} 3
svc_mcp_tool_call_latency_ms_sum{tool="mgmt_list_aps",backend="mgmt"} 6712.5
svc_mcp_tool_call_latency_ms_count{tool="mgmt_list_aps",backend="mgmt"} 3
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="10"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="25"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="50"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="100"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="250"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="500"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="1000"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="2500"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="5000"} 1
svc_mcp_tool_call_latency_ms_bucket{tool="lookup_api",backend="router",le="+Inf"} 1
svc_mcp_tool_call_latency_ms_sum{tool="lookup_api",backend="router"} 3
svc_mcp_tool_call_latency_ms_count{tool="lookup_api",backend="router"} 1
# HELP svc_mcp_tool_call_truncated_total Results cut down to the output budget.
# TYPE svc_mcp_tool_call_truncated_total counter
svc_mcp_tool_call_truncated_total{tool="mgmt_list_aps",backend="mgmt"} 2
svc_mcp_tool_call_truncated_total{tool="lookup_api",backend="router"} 0
# HELP svc_mcp_rate_limit_waits_total Platform calls that waited for the rate budget.
# TYPE svc_mcp_rate_limit_waits_total counter
svc_mcp_rate_limit_waits_total 3
# HELP svc_mcp_rate_limit_wait_ms_total Milliseconds waited for the rate budget.
# TYPE svc_mcp_rate_limit_wait_ms_total counter
svc_mcp_rate_limit_wait_ms_total 412.5
# HELP svc_mcp_rate_limit_wait_max_ms Longest wait for the rate budget in milliseconds.
# TYPE svc_mcp_rate_limit_wait_max_ms gauge
svc_mcp_rate_limit_wait_max_ms 200
# HELP svc_mcp_metrics_series Series there are.
# TYPE svc_mcp_metrics_series gauge
svc_mcp_metrics_series 2
# HELP svc_mcp_metrics_series_cap Most series there can be.
# TYPE svc_mcp_metrics_series_cap gauge
svc_mcp_metrics_series_cap 512
# HELP svc_mcp_metrics_uptime_seconds Seconds since the router started.
# TYPE svc_mcp_metrics_uptime_seconds gauge
svc_mcp_metrics_uptime_seconds 2.5
`);
});
