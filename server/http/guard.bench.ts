/**
 * `npm run bench:guard`: what the guard costs a call that brings an access token. In this process, the time of the guard alone by the token
 * of one caller and of a thousand; then the throughput of a router with OAuth as a ratio to one with a static bearer, two processes asked in
 * turn within each round. It is judged by CPU time where the system tells it, because other work of the machine changes the rest. `--rounds 9`, `--requests 2000`, `--connections 16`; `--json` prints one object; beyond a goal the exit code is 1.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { Bench } from 'tinybench';
import { Egress } from '../egress/egress.ts';
import { OAuthCallers } from '../oauth/oauth-callers.ts';
import { hashOf, newBearer } from '../principals/bearer-hash.ts';
import { Principals } from '../principals/principals.ts';
import { createLogger } from '../telemetry/logger.ts';
import { median, quantile } from '../test/bench/statistics.ts';
import { type Child, ROOT, startChild } from '../test/support/child-process.ts';
import { mcpRequest, Wire } from '../test/support/mcp-wire.ts';
import { sampleInstallation } from '../test/support/sample-installation.ts';
import { RESOURCE, startTokenIssuer, type TokenIssuer } from '../test/support/token-issuer.ts';
import { addGuard } from './guard.ts';

const GOALS = { guardMs: 0.15, ratio: 0.9 };
/** Callers whose tokens are all kept, in turn. */
const CALLERS = 1_000;

interface GuardFigure {
  id: string;
  p50Ms: number;
  p99Ms: number;
}

type Hook = (request: object, reply: object) => Promise<unknown>;

/** The guard of a router as its framework calls it, for one request with this bearer. */
function guardOf(
  ...[binding, principals, oauth]: Parameters<typeof addGuard> extends [unknown, ...infer R] ? R : never
) {
  let hook: Hook | undefined;
  const app = { addHook: (_: string, given: Hook) => (hook = given) } as unknown as FastifyInstance;
  addGuard(app, binding, principals, oauth);
  const refused = { code: () => refused, header: () => refused, send: () => 'refused' };
  return async (bearer: string) => {
    const rawHeaders = ['Host', '127.0.0.1:8010', 'Accept', 'application/json', 'Authorization', `Bearer ${bearer}`];
    const answer = await (hook as Hook)({ raw: { url: '/mcp', rawHeaders }, headers: {}, id: 'id' }, refused);
    if (answer !== undefined) throw new Error('the guard should let this request in');
  };
}

async function guardFigures(issuer: TokenIssuer): Promise<GuardFigure[]> {
  using installation = sampleInstallation();
  const path = join(installation.root, 'principals.yaml');
  const bearer = newBearer();
  const entries = ['ada', 'bob'].map((name) => `  - { name: ${name}, oauth: { claim: sub, value: ${name} } }\n`);
  writeFileSync(path, `principals:\n${entries.join('')}  - { name: eve, bearers: [${hashOf(bearer)}] }\n`);
  chmodSync(path, 0o600);
  const config = installation.config({
    MCP_TRANSPORT: 'streamable-http',
    SVC_MCP_OAUTH_ISSUER: issuer.issuer,
    SVC_MCP_OAUTH_RESOURCE: RESOURCE,
    SVC_MCP_PRINCIPALS_PATH: path,
  });
  const logger = createLogger('silent');
  const principals = new Principals(path, config, logger);
  if (config.oauth === undefined) throw new Error('OAuth should be configured');
  const oauth = new OAuthCallers({ config, settings: config.oauth, egress: new Egress(), principals, logger });
  const guard = guardOf(config.http, principals, oauth);
  const tokens = await Promise.all(
    Array.from({ length: CALLERS }, (_, n) => issuer.token({ sub: n ? `caller-${n}` : 'ada' })),
  );
  for (const token of tokens) await guard(token);
  let at = 0;
  const bench = new Bench({ time: 1_500, warmupTime: 300, retainSamples: true });
  bench.add('static bearer of a principal', () => guard(bearer));
  bench.add('access token of one caller', () => guard(tokens[0] as string));
  bench.add(`access tokens of ${CALLERS} callers in turn`, () => guard(tokens[at++ % CALLERS] as string));
  await bench.run();
  return bench.tasks.map(({ name, result }) => {
    const samples = 'latency' in result ? (result.latency.samples ?? []) : [];
    return { id: name, p50Ms: quantile(samples, 0.5), p99Ms: quantile(samples, 0.99) };
  });
}

interface Effort {
  rounds: number;
  requests: number;
  connections: number;
}

interface Rate {
  perSecond: number;
  /** Of the router's process, per call; NaN where the system does not tell it. */
  cpuMs: number;
}

/** Throws at an answer other than 200. */
async function rateOf(router: Child, bearer: string, { requests, connections }: Effort): Promise<Rate> {
  const request = mcpRequest({ era: '2026-07-28', id: 1, bearer, method: 'tools/list', params: {} });
  let left = requests;
  const worker = async () => {
    const wire = new Wire(Number(new URL(String(router.ready['url'])).port));
    while (left-- > 0) {
      const { status } = await wire.ask(request);
      if (status !== 200) throw new Error(`a call should answer 200, got ${status}`);
    }
    wire.close();
  };
  const [cpu, began] = [router.cpuSeconds() ?? Number.NaN, performance.now()];
  await Promise.all(Array.from({ length: connections }, worker));
  const perSecond = (requests * 1000) / (performance.now() - began);
  return { perSecond, cpuMs: (((router.cpuSeconds() ?? Number.NaN) - cpu) * 1000) / requests };
}

function startQuietRouter(folder: string, variables: Record<string, string>): Promise<Child> {
  const env = {
    MCP_TRANSPORT: 'streamable-http',
    MCP_PORT: '0',
    SVC_MCP_LOG_LEVEL: 'error',
    SVC_MCP_CONFIG_DIR: join(folder, 'user'),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    CREDS_PATH: join(folder, 'none.yaml'),
    ...variables,
  };
  return startChild(join(ROOT, 'server/cli/router.mjs'), ['--json'], env, folder);
}

async function throughput(issuer: TokenIssuer, effort: Effort) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-guard-'));
  const bearer = newBearer();
  const plain = await startQuietRouter(folder, { MCP_HTTP_BEARER_TOKEN: bearer });
  const oauth = { SVC_MCP_OAUTH_ISSUER: issuer.issuer, SVC_MCP_OAUTH_RESOURCE: RESOURCE };
  const guarded = await startQuietRouter(folder, oauth);
  try {
    const token = await issuer.token({ exp: Math.floor(Date.now() / 1000) + 3_600 });
    const pairs: { plain: Rate; guarded: Rate }[] = [];
    // The first round warms both up. The order alternates, so that neither has the warmer machine.
    for (let round = 0; round <= effort.rounds; round++) {
      const first = round % 2 ? await rateOf(guarded, token, effort) : await rateOf(plain, bearer, effort);
      const second = round % 2 ? await rateOf(plain, bearer, effort) : await rateOf(guarded, token, effort);
      if (round > 0) pairs.push(round % 2 ? { plain: second, guarded: first } : { plain: first, guarded: second });
    }
    return {
      bearerPerSecond: Math.round(median(pairs.map((pair) => pair.plain.perSecond))),
      tokenPerSecond: Math.round(median(pairs.map((pair) => pair.guarded.perSecond))),
      ratio: median(pairs.map((pair) => pair.guarded.perSecond / pair.plain.perSecond)),
      cpuRatio: median(pairs.map((pair) => pair.plain.cpuMs / pair.guarded.cpuMs)),
    };
  } finally {
    await Promise.all([plain.stop(), guarded.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    requests: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '16' },
    json: { type: 'boolean', default: false },
  },
});
await using issuer = await startTokenIssuer();
const figures = await guardFigures(issuer);
const rates = await throughput(issuer, {
  rounds: Number(values.rounds),
  requests: Number(values.requests),
  connections: Number(values.connections),
});
const percent = (share: number) => (Number.isNaN(share) ? 'not told' : `${Math.round(share * 100)} %`);
const passed =
  figures.every(({ p50Ms }) => p50Ms <= GOALS.guardMs) &&
  (Number.isNaN(rates.cpuRatio) ? rates.ratio : rates.cpuRatio) >= GOALS.ratio;
if (values.json)
  process.stdout.write(`${JSON.stringify({ bench: 'guard', figures, ...rates, goals: GOALS, passed })}\n`);
else {
  for (const { id, p50Ms, p99Ms } of figures)
    console.log(`${id}: p50 ${p50Ms.toFixed(4)} ms, p99 ${p99Ms.toFixed(4)} ms (goal p50 ${GOALS.guardMs} ms)`);
  console.log(
    `tools/list with an access token: ${rates.tokenPerSecond} calls/s, with a static bearer ${rates.bearerPerSecond}: ${percent(rates.ratio)}, by CPU time ${percent(rates.cpuRatio)} (goal ${percent(GOALS.ratio)})`,
  );
}
process.exitCode = passed ? 0 : 1;
