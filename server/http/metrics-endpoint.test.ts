import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../principals/bearer-hash.ts';
import type { MetricsSnapshot } from '../telemetry/metrics.ts';
import { LATENCY_EDGES_MS } from '../telemetry/metrics.ts';
import { modernRequest } from '../test/support/modern-client.ts';
import { SAMPLE_SECRET } from '../test/support/sample-installation.ts';
import { type Serving, serving } from '../test/support/serving.ts';

const BOTH = { SVC_MCP_METRICS: '1', SVC_MCP_METRICS_HTTP: '1' };

const scrape = (router: Serving, path = '/metrics', headers: Record<string, string> = {}) =>
  fetch(new URL(path, router.url), { headers });

async function call(router: Serving, name: string, args: Record<string, unknown>): Promise<void> {
  const response = await fetch(router.url, { method: 'POST', ...modernRequest(name, args) });
  expect(response.status).toBe(200);
  await response.text();
}

describe('the four flag combinations (specification 3.2)', () => {
  test('collection off, route off: no route', async () => {
    await using router = await serving();
    expect((await scrape(router)).status).toBe(404);
  });

  test('collection off, route on: enabled false with a hint', async () => {
    await using router = await serving({ SVC_MCP_METRICS_HTTP: '1' });
    const response = await scrape(router);
    expect(response.status).toBe(200);
    const { uptime_seconds: early, ...told } = (await response.json()) as MetricsSnapshot;
    expect(told).toMatchObject({ enabled: false, hint: expect.stringContaining('SVC_MCP_METRICS=1'), series: [] });
    await setTimeout(30);
    const later = (await (await scrape(router)).json()) as MetricsSnapshot;
    expect(early).toBeGreaterThan(0);
    expect(later.uptime_seconds).toBeGreaterThanOrEqual(early + 0.025);
  });

  test('collection on, route off: no route', async () => {
    await using router = await serving({ SVC_MCP_METRICS: '1' });
    expect((await scrape(router)).status).toBe(404);
  });

  test('collection on, route on: data', async () => {
    await using router = await serving(BOTH);
    expect(await (await scrape(router)).text()).toContain('svc_mcp_metrics_series 0\n');
  });
});

test.each([
  ['/metrics', {}, 'text'],
  ['/metrics', { accept: '*/*' }, 'text'],
  ['/metrics', { accept: 'text/plain' }, 'text'],
  [
    '/metrics',
    { accept: 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1' },
    'text',
  ],
  ['/metrics', { accept: 'application/json' }, 'json'],
  ['/metrics', { accept: 'text/plain;q=0.5, application/json' }, 'json'],
  ['/metrics', { accept: 'application/json;q=0.5, text/plain' }, 'text'],
  ['/metrics?format=json', { accept: 'text/plain' }, 'json'],
  ['/metrics?format=prometheus', { accept: 'application/json' }, 'text'],
])('%s with %o is %s', async (path, headers, wanted) => {
  await using router = await serving(BOTH);
  const response = await scrape(router, path, headers as Record<string, string>);
  expect(response.headers.get('content-type')).toBe(
    wanted === 'json' ? 'application/json; charset=utf-8' : 'text/plain; version=0.0.4; charset=utf-8',
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('only GET', async () => {
  await using router = await serving(BOTH);
  const response = await fetch(new URL('/metrics', router.url), { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
});

test('behind the bearer token and the allow-lists, unlike the health routes', async () => {
  await using router = await serving({ ...BOTH, MCP_HTTP_BEARER_TOKEN: 'correct-horse-battery-staple' });
  expect((await scrape(router)).status).toBe(401);
  expect((await scrape(router, '/livez')).status).toBe(200);
  expect((await scrape(router, '/metrics', { authorization: 'Bearer correct-horse-battery-staple' })).status).toBe(200);
  const foreign = await scrape(router, '/metrics', {
    authorization: 'Bearer correct-horse-battery-staple',
    origin: 'http://evil.test',
  });
  expect(foreign.status).toBe(403);
});

test('the backend of a series is the server that find_tool names', async () => {
  await using router = await serving(BOTH);
  const served = async (query: string): Promise<{ name: string; server: string }> => {
    const response = await fetch(router.url, { method: 'POST', ...modernRequest('find_tool', { query }) });
    const { result } = (await response.json()) as { result: { content: { text: string }[] } };
    return JSON.parse(result.content[0]?.text ?? '[]')[0];
  };
  const asked = ['mgmt_get_access_points', 'lookup_api', 'plan_tool_workflow'];
  const found = await Promise.all(asked.map(served));
  expect(found.map(({ name }) => name)).toEqual(asked);
  for (const { name } of found) await call(router, 'invoke_read_tool', { name, arguments: { query: 'wlan' } });
  const { series } = (await (await scrape(router, '/metrics?format=json')).json()) as MetricsSnapshot;
  const backends = Object.fromEntries(series.map(({ tool, backend }) => [tool, backend]));
  expect(backends).toEqual({
    ...Object.fromEntries(found.map(({ name, server }) => [name, server])),
    find_tool: found[2]?.server,
  });
  expect(found[0]?.server).not.toBe('mgmt');
});

test('calls are counted by tool and platform, without what was asked or answered', async () => {
  await using router = await serving(BOTH);
  await call(router, 'find_tool', { query: 'a most secret question' });
  await call(router, 'invoke_read_tool', { name: 'lookup_api', arguments: { query: 'a most secret question' } });
  await call(router, 'invoke_read_tool', { name: 'Tool Nobody Has' });
  const text = await (await scrape(router, '/metrics?format=json')).text();
  const { series } = JSON.parse(text) as MetricsSnapshot;
  const byTool = Object.fromEntries(series.map((one) => [one.tool, one]));
  expect(byTool['find_tool']).toMatchObject({ backend: 'router', requests: 1, outcomes: { success: 1 } });
  expect(byTool['lookup_api']).toMatchObject({ requests: 1, errors: 0, capabilities: { read: 1 } });
  expect(byTool['_unknown_']).toMatchObject({ requests: 1, errors: 1, capabilities: { unknown: 1 } });
  for (const one of series) {
    expect(one.latency.buckets).toHaveLength(LATENCY_EDGES_MS.length);
    expect(one.latency.buckets.reduce((sum, count) => sum + count, one.latency.over_max)).toBe(one.latency.count);
  }
  for (const hidden of ['secret question', 'Nobody', SAMPLE_SECRET]) expect(text).not.toContain(hidden);
});

test('a call that waits for the rate budget is in both forms, and the seconds since the start go on', async () => {
  const platform = createServer(({ url }, response) => {
    const answer = url?.endsWith('/as/token') ? { access_token: 'metrics-token', expires_in: 7200 } : {};
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await once(platform.listen(0, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  await using router = await serving({ ...BOTH, SOURCE_BASE_URL: base, SVC_MCP_RATE_PER_SECOND: '2' });
  const read = { name: 'mgmt_get_wlan', arguments: { ssid: 'x' } };
  const before = (await (await scrape(router, '/metrics?format=json')).json()) as MetricsSnapshot;
  await Promise.all([1, 2, 3].map(() => call(router, 'invoke_read_tool', read)));
  const { rate_limit, uptime_seconds } = (await (
    await scrape(router, '/metrics?format=json')
  ).json()) as MetricsSnapshot;
  const text = await (await scrape(router)).text();
  platform.close();
  const { wait_count, wait_sum_ms, wait_max_ms } = rate_limit;
  expect([wait_count, wait_max_ms], 'two calls go at once').toEqual([1, wait_sum_ms]);
  expect(wait_sum_ms).toBeGreaterThan(0);
  expect(uptime_seconds).toBeGreaterThanOrEqual(before.uptime_seconds + wait_sum_ms / 1000);
  expect(text).toContain('svc_mcp_rate_limit_waits_total 1\n');
  expect(text).toContain(`svc_mcp_rate_limit_wait_ms_total ${wait_sum_ms}\n`);
  expect(text).toContain(`svc_mcp_rate_limit_wait_max_ms ${wait_max_ms}\n`);
});

const promtool = spawnSync('promtool', ['--version']).status === 0;

// What the tool says is about units in names, and the specification gives these names.
const NAMES_WITH_UNITS =
  /^(svc_mcp_rate_limit_wait_max_ms|svc_mcp_rate_limit_wait_ms_total|svc_mcp_tool_call_latency_ms) metric names should not contain abbreviated units$/;

test.skipIf(!promtool)(
  `promtool reads the text${promtool ? '' : ' (skipped: promtool is not on this machine)'}`,
  async () => {
    await using router = await serving(BOTH);
    await call(router, 'find_tool', { query: 'access points' });
    await call(router, 'invoke_read_tool', { name: 'Tool Nobody Has' });
    const input = await (await scrape(router)).text();
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !NAMES_WITH_UNITS.test(line));
    expect(said).toEqual([]);
    const broken = spawnSync('promtool', ['check', 'metrics'], { input: `${input}svc_mcp_x{ 1\n`, encoding: 'utf8' });
    expect(broken.status).not.toBe(0);
  },
);

test('a search without a corpus counts as degraded and as an error', async () => {
  await using router = await serving(BOTH);
  const search = { name: 'search_docs', arguments: { query: 'rotate the passphrase' } };
  const answered = await fetch(router.url, { method: 'POST', ...modernRequest('invoke_read_tool', search) });
  expect(await answered.text()).toMatch(/\\"degraded\\":true/);
  const { series } = (await (await scrape(router, '/metrics?format=json')).json()) as MetricsSnapshot;
  expect(series.find(({ tool }) => tool === 'search_docs')).toMatchObject({
    requests: 1,
    errors: 1,
    outcomes: { degraded: 1 },
  });
  expect(await (await scrape(router)).text()).toContain(
    'svc_mcp_tool_calls_total{tool="search_docs",backend="rag-core",outcome="degraded"} 1',
  );
});

test('a principal that may not read the metrics reads them under no spelling of the path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-metrics-'));
  const path = join(folder, 'principals.yaml');
  const bearer = 'a-bearer-of-a-test-that-is-long-enough';
  writeFileSync(path, JSON.stringify({ principals: [{ name: 'reader', bearers: [hashOf(bearer)] }] }), { mode: 0o600 });
  await using router = await serving({ ...BOTH, SVC_MCP_PRINCIPALS_PATH: path });
  const headers = { authorization: `Bearer ${bearer}` };
  for (const spelled of ['/metrics', '/%6detrics', '/metric%73', '/%6Detrics?format=json'])
    expect([spelled, (await scrape(router, spelled, headers)).status]).toEqual([spelled, 403]);
  // `fetch` sends no fragment.
  const { hostname, port } = new URL(router.url);
  const [fragment] = await once(get({ hostname, port, path: '/metrics#x', headers, agent: false }), 'response');
  fragment.resume();
  expect(fragment.statusCode).toBe(400);
  const put = await fetch(new URL('/%6dcp', router.url), { method: 'PUT', headers });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE']);
  rmSync(folder, { recursive: true });
});

test('open sessions, the Redis and the audit lines on their way to a receiver are told where there are any', async () => {
  const told = async (router: Serving) =>
    (await (await scrape(router)).text()).split('\n').filter((line) => /^svc_mcp_(sessions|redis|audit)/.test(line));
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-metrics-'));
  const password = join(folder, 'redis_password');
  writeFileSync(password, 'a-password-of-a-redis-that-is-not-there', { mode: 0o600 });
  await using router = await serving({
    ...BOTH,
    SVC_MCP_AUDIT_LOG: '1',
    SVC_MCP_AUDIT_SYSLOG: 'tcp://127.0.0.1:9',
    SVC_MCP_REDIS_URL: 'redis://127.0.0.1:9',
    SVC_MCP_REDIS_PASSWORD_PATH: password,
  });
  await call(router, 'invoke_read_tool', { name: 'no_such_tool', arguments: {} });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const opened = await fetch(router.url, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  expect(opened.status).toBe(200);
  await expect.poll(() => told(router)).toContain('svc_mcp_audit_export_up{to="syslog"} 0');
  expect(await told(router)).toEqual([
    'svc_mcp_sessions 1',
    'svc_mcp_redis_up 0',
    'svc_mcp_audit_export_up{to="syslog"} 0',
    'svc_mcp_audit_export_waiting{to="syslog"} 1',
    'svc_mcp_audit_export_lost_total{to="syslog"} 0',
  ]);
  await using plain = await serving({ ...BOTH, SVC_MCP_STATELESS: '1' });
  expect(await told(plain)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('how many approvals wait is told as long as their store answers: no number is not 0', async () => {
  await using router = await serving({ ...BOTH, SVC_MCP_APPROVALS: 'operator' });
  const lines = async () =>
    (await (await scrape(router)).text()).split('\n').filter((line) => /^svc_mcp_appro/.test(line));
  const others = [
    'svc_mcp_approval_answers_total 0',
    'svc_mcp_approval_answer_ms_total 0',
    'svc_mcp_approval_answer_max_ms 0',
  ];
  expect(await lines()).toEqual(['svc_mcp_approvals_pending 0', ...others]);
  const { stateDir } = router.installation.config();
  writeFileSync(join(stateDir, 'approvals'), 'not a folder');
  expect(await lines()).toEqual(others);
});
