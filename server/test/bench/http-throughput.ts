/**
 * `npm run bench:http`: what the HTTP surface with guard, bearer and metrics costs, as ratios to a trivial echo server on
 * the same SDK. Both are processes of their own and are asked in turn within each round, so what else a machine does
 * weighs on both alike. `--json` prints one object, `--only lookup,distinct,read,metrics` picks, `--rounds`,
 * `--requests` and `--connections` say how much; below a goal the exit code is 1.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Child, demoAccount, ROOT, startChild, startFake, startRouter } from '../support/child-process.ts';
import { mcpRequest, messageOf, textOf, Wire } from '../support/mcp-wire.ts';
import { tokenOf } from './fake-token.ts';
import { median } from './statistics.ts';
import { blockedNames, operations } from './tool-names.ts';

const GOALS = { lookup: 0.6, distinct: 0.6, read: 0.6, metricsMs: 5 } as const;
const SERIES = 512;
/** Each of another tool: a scrape is never of what rested altogether. */
const CALLS_BETWEEN = 50;
/** Different operations that are looked up in turn. */
const LOOKUPS = 64;
/** More than any cache of the router keeps, so that each is looked up. */
const DISTINCT = 2_000;

interface Target {
  child: Child;
  port: number;
  /** Asked in turn. */
  asks: readonly Ask[];
}

interface Ask {
  request: string;
  /** A text that a right answer contains. */
  holds: string;
}

interface Ratio {
  id: 'lookup' | 'distinct' | 'read';
  what: string;
  /** Requests a second, median over rounds. */
  echoPerSecond: number;
  routerPerSecond: number;
  /** Router over echo within a round, median over rounds. */
  ratio: number;
  /** The same in CPU time per request of the server process; null where the system does not tell it. */
  cpuRatio: number | null;
  goal: number;
  wrong: number;
  passed: boolean;
}

interface Rate {
  perSecond: number;
  cpuMs: number | undefined;
  wrong: number;
}

async function rate({ child, port, asks }: Target, requests: number, connections: number): Promise<Rate> {
  const cpuBefore = child.cpuSeconds();
  const began = performance.now();
  let left = requests;
  let wrong = 0;
  const worker = async () => {
    const wire = new Wire(port);
    while (left-- > 0) {
      const { request, holds } = asks[left % asks.length] as Ask;
      const answer = await wire.ask(request);
      if (answer.status !== 200 || !answer.body.includes(holds)) wrong++;
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - began) / 1000;
  const cpuAfter = child.cpuSeconds();
  const cpuMs =
    cpuBefore === undefined || cpuAfter === undefined ? undefined : ((cpuAfter - cpuBefore) * 1000) / requests;
  return { perSecond: requests / seconds, cpuMs, wrong };
}

interface Effort {
  rounds: number;
  requests: number;
  connections: number;
}

async function ratioOf(id: Ratio['id'], what: string, echo: Target, router: Target, effort: Effort): Promise<Ratio> {
  const { rounds, requests, connections } = effort;
  await rate(echo, requests, connections);
  await rate(router, requests, connections);
  const pairs: { echo: Rate; router: Rate }[] = [];
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that neither server has the warmer machine.
    const first = await rate(round % 2 ? router : echo, requests, connections);
    const second = await rate(round % 2 ? echo : router, requests, connections);
    pairs.push(round % 2 ? { echo: second, router: first } : { echo: first, router: second });
  }
  const ratio = median(pairs.map((pair) => pair.router.perSecond / pair.echo.perSecond));
  const cpu = pairs.map((pair) => (pair.echo.cpuMs ?? Number.NaN) / (pair.router.cpuMs ?? Number.NaN));
  const wrong = pairs.reduce((sum, pair) => sum + pair.echo.wrong + pair.router.wrong, 0);
  return {
    id,
    what,
    echoPerSecond: Math.round(median(pairs.map((pair) => pair.echo.perSecond))),
    routerPerSecond: Math.round(median(pairs.map((pair) => pair.router.perSecond))),
    ratio,
    cpuRatio: cpu.every(Number.isFinite) ? median(cpu) : null,
    goal: GOALS[id],
    wrong,
    passed: ratio >= GOALS[id] && wrong === 0,
  };
}

interface MetricsFigure {
  id: 'metrics';
  series: number;
  bytes: number;
  /** Median over scrapes, from the first byte sent to the last received. */
  ms: number;
  goalMs: number;
  passed: boolean;
}

async function metricsFigure(port: number, bearer: string): Promise<MetricsFigure> {
  const wire = new Wire(port);
  const names = blockedNames(SERIES + 88);
  const call = (at: number) => wire.ask(readRequest(at, bearer, names[at % names.length] as string, {}));
  for (const at of names.keys()) await call(at);
  const scrape = (query = '') =>
    wire.ask(`GET /metrics${query} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${bearer}\r\n\r\n`);
  const { series_count } = JSON.parse(textOf(await scrape('?format=json'))) as { series_count: number };
  const times: number[] = [];
  let bytes = 0;
  for (let n = 0; n < 60; n++) {
    for (let more = 0; more < CALLS_BETWEEN; more++) await call(n * CALLS_BETWEEN + more);
    const began = performance.now();
    bytes = (await scrape()).body.length;
    times.push(performance.now() - began);
  }
  wire.close();
  const ms = median(times.slice(20));
  const passed = series_count === SERIES && ms <= GOALS.metricsMs;
  return { id: 'metrics', series: series_count, bytes, ms, goalMs: GOALS.metricsMs, passed };
}

function readRequest(id: number, bearer: string, name: string, args: object): string {
  const params = { name: 'invoke_read_tool', arguments: { name, arguments: args } };
  return mcpRequest({ era: '2026-07-28', id, bearer, method: 'tools/call', params });
}

const echoRequest = (name: string, args: object) =>
  mcpRequest({ era: '2026-07-28', id: 1, method: 'tools/call', params: { name, arguments: args } });

/** The name of the first authentication server there is, as the router lists them. */
async function someServer(port: number, bearer: string): Promise<string> {
  const wire = new Wire(port);
  const message = messageOf(await wire.ask(readRequest(1, bearer, 'mgmt_list_auth_servers', { limit: 1 })));
  wire.close();
  const { content } = (message as { result: { content: { text: string }[] } }).result;
  const { items } = JSON.parse(content[0]?.text ?? '') as { items: Record<string, unknown>[] };
  return String(items[0]?.['name']);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', default: 'lookup,distinct,read,metrics' },
      rounds: { type: 'string', default: '9' },
      requests: { type: 'string', default: '2000' },
      connections: { type: 'string', default: '16' },
    },
  });
  const only = values.only.split(',');
  const effort = {
    rounds: Number(values.rounds),
    requests: Number(values.requests),
    connections: Number(values.connections),
  };
  await using fake = await startFake('mgmt');
  await using router = await startRouter({
    ...demoAccount(fake.base),
  });
  const echo = await startChild(join(ROOT, 'server/test/bench/echo-mcp.ts'), [fake.base, await tokenOf(fake.base)], {});
  const { port, bearer } = router;
  const server = { child: router, port };
  const plain = { child: echo, port: Number(echo.ready['port']) };
  const figures: (Ratio | MetricsFigure)[] = [];
  try {
    for (const [id, count] of [
      ['lookup', LOOKUPS],
      ['distinct', DISTINCT],
    ] as const) {
      if (!only.includes(id)) continue;
      const known = operations(count);
      const looked = (query: string) => ({ request: readRequest(1, bearer, 'lookup_api', { query }), holds: query });
      const echoed = (text: string) => ({ request: echoRequest('echo', { text }), holds: text });
      const what = `an exact lookup_api of ${count} operations in turn / an echo`;
      const theirs = { ...plain, asks: known.map(echoed) };
      figures.push(await ratioOf(id, what, theirs, { ...server, asks: known.map(looked) }, effort));
    }
    if (only.includes('read')) {
      const name = await someServer(port, bearer);
      const path = `network-config/v1alpha1/auth-servers/${encodeURIComponent(name)}`;
      const read = { request: readRequest(1, bearer, 'mgmt_get_auth_server', { name }), holds: name };
      const ours = { ...server, asks: [read] };
      const theirs = { ...plain, asks: [{ request: echoRequest('pass', { path }), holds: name }] };
      figures.push(await ratioOf('read', 'one read through the fake / the same call passed on', theirs, ours, effort));
    }
    if (only.includes('metrics')) figures.push(await metricsFigure(port, bearer));
  } finally {
    await echo.stop();
  }
  const passed = figures.every((figure) => figure.passed);
  if (values.json) process.stdout.write(`${JSON.stringify({ bench: 'http', figures, passed })}\n`);
  else for (const figure of figures) console.log(lineOf(figure));
  process.exitCode = passed ? 0 : 1;
}

function lineOf(figure: Ratio | MetricsFigure): string {
  if (figure.id === 'metrics')
    return `/metrics of ${figure.series} series: ${figure.ms.toFixed(2)} ms, ${figure.bytes} bytes (goal ${figure.goalMs} ms)`;
  const percent = (value: number | null) => (value === null ? 'not told' : `${Math.round(value * 100)} %`);
  return (
    `${figure.what}: ${percent(figure.ratio)} (goal ${percent(figure.goal)}); ${figure.routerPerSecond} to ${figure.echoPerSecond} requests/s, ` +
    `by CPU ${percent(figure.cpuRatio)}, wrong answers ${figure.wrong}`
  );
}

await main();
