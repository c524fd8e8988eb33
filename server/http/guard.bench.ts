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
import { quantile } from '../test/bench/statistics.ts';
import { type Effort, pairedRates } from '../test/support/paired-routers.ts';
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

async function throughput(issuer: TokenIssuer, effort: Effort) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-guard-'));
  const bearer = newBearer();
  const oauth = { SVC_MCP_OAUTH_ISSUER: issuer.issuer, SVC_MCP_OAUTH_RESOURCE: RESOURCE };
  try {
    const token = await issuer.token({ exp: Math.floor(Date.now() / 1000) + 3_600 });
    const plain = { variables: { MCP_HTTP_BEARER_TOKEN: bearer }, bearer };
    const other = { variables: oauth, bearer: token };
    const rates = await pairedRates(folder, { plain, other }, effort, { method: 'tools/list', params: {} });
    const { plainPerSecond: bearerPerSecond, otherPerSecond: tokenPerSecond, ratio, cpuRatio } = rates;
    return { bearerPerSecond, tokenPerSecond, ratio, cpuRatio };
  } finally {
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
