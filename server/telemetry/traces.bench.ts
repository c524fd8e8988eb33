/**
 * `npm run bench:traces`: what traces cost. Two routers over one platform that answers at once, one with SVC_MCP_TRACES_URL at a receiver
 * that takes every span, are asked for the same read in turn within each round; the throughput as a ratio, judged by CPU time where the
 * system tells it. `--rounds 150`, `--requests 60`, `--connections 8`: many short rounds, so that other work of the machine slows both
 * alike. `--json` prints one object; beyond the goal the exit code is 1.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newBearer } from '../principals/bearer-hash.ts';
import { demoAccount } from '../test/support/child-process.ts';
import { pairedRates } from '../test/support/paired-routers.ts';
import { recordingUpstream } from '../test/support/recording-upstream.ts';

const GOAL = 0.95;
const READ = { name: 'invoke_read_tool', arguments: { name: 'mgmt_list_aaa_profiles', arguments: {} } };

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '150' },
    requests: { type: 'string', default: '60' },
    connections: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
});

const upstream = await recordingUpstream();
let spans = 0;
const receiver = createServer(async (request, response) => {
  const text = (await request.toArray()).join('');
  spans += text.split('"spanId"').length - 1;
  response.setHeader('content-type', 'application/json').end('{}');
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-traces-'));
try {
  const bearer = newBearer();
  const variables = { MCP_HTTP_BEARER_TOKEN: bearer, SVC_MCP_RATE_PER_SECOND: '0', ...demoAccount(upstream.origin) };
  const traces = { SVC_MCP_TRACES_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces` };
  const effort = {
    rounds: Number(values.rounds),
    requests: Number(values.requests),
    connections: Number(values.connections),
  };
  const sides = { plain: { variables, bearer }, other: { variables: { ...variables, ...traces }, bearer } };
  const rates = await pairedRates(folder, sides, effort, { method: 'tools/call', params: READ });
  const share = Number.isNaN(rates.cpuRatio) ? rates.ratio : rates.cpuRatio;
  // Without spans, or without requests at the platform, nothing was measured.
  const isMeasured = spans > 0 && upstream.reads.length > 0;
  const passed = isMeasured && share >= GOAL;
  const percent = (part: number) => `${Math.round(part * 1000) / 10} %`;
  if (values.json)
    process.stdout.write(`${JSON.stringify({ bench: 'traces', ...rates, spans, goal: GOAL, passed })}\n`);
  else
    console.log(
      `reads with traces: ${rates.otherPerSecond} a second, without ${rates.plainPerSecond}: ${percent(rates.ratio)}, by CPU time ${percent(rates.cpuRatio)} (goal ${percent(GOAL)}); ${spans} spans received`,
    );
  process.exitCode = passed ? 0 : 1;
} finally {
  receiver.closeAllConnections();
  receiver.close();
  await upstream[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
