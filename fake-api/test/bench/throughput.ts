/**
 * `npm run bench:fake`: how many calls a second the fake answers over keep-alive HTTP. The load comes from a process of
 * its own, so that client and server do not share an event loop; the engine alone is timed beside it.
 * `--seconds 5`, `--connections 8`; `--json` prints one object.
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Bench } from 'tinybench';
import { startFakeApi } from '../../fake.ts';
import { type Campus, campus } from '../campus-testbed.ts';
import type { LoadAnswer, LoadOrder } from './load.ts';

const GOAL_CALLS_PER_SECOND = 2000;

/** What a router asks in a diagnosis: lists, one item, filters, counts, a trend, a ranking. */
const MIX = [
  ['listDevices', 'limit=50'],
  ['getAp', ''],
  ['listClients', `limit=25&filter=${encodeURIComponent("status eq 'FAILED'")}`],
  ['listAlerts', `filter=${encodeURIComponent("severity in ('CRITICAL','MAJOR')")}`],
  ['listSitesHealth', ''],
  ['getAuthServer', ''],
  ['listServerGroups', ''],
  ['countDevices', 'groupBy=status'],
  ['getApCpuUtilizationTrend', ''],
  ['listTopApsByUsage', 'limit=5'],
] as const;

interface Options {
  seconds: number;
  connections: number;
  json: boolean;
}

async function main(): Promise<void> {
  const options = readOptions();
  const shipped = await campus();
  const paths = readMix(shipped);
  const engine = await engineRate(shipped, paths);
  const http = await httpRate(paths, options);
  const passed = http.callsPerSecond >= GOAL_CALLS_PER_SECOND && http.failures === 0;
  const result = {
    bench: 'fake-throughput',
    callsPerSecond: Math.round(http.callsPerSecond),
    engineCallsPerSecond: Math.round(engine),
    goal: GOAL_CALLS_PER_SECOND,
    calls: http.calls,
    failures: http.failures,
    p50Ms: http.p50Ms,
    p95Ms: http.p95Ms,
    connections: options.connections,
    seconds: options.seconds,
    operations: paths.length,
    passed,
  };
  if (options.json) console.log(JSON.stringify(result));
  else {
    console.log(
      `over HTTP      ${result.callsPerSecond} calls/s (goal ${GOAL_CALLS_PER_SECOND}), p50 ${result.p50Ms} ms, p95 ${result.p95Ms} ms`,
    );
    console.log(`engine alone   ${result.engineCallsPerSecond} calls/s`);
    console.log(`failures       ${result.failures} of ${result.calls} calls`);
  }
  process.exitCode = passed ? 0 : 1;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '8' },
      json: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  const connections = Number(values.connections);
  if (!(seconds > 0 && seconds <= 600) || !Number.isInteger(connections) || connections < 1 || connections > 256) {
    console.error(
      `--seconds should be a number up to 600 and --connections a whole number from 1 to 256, got "${values.seconds}" and "${values.connections}"`,
    );
    process.exit(2);
  }
  return { seconds, connections, json: values.json };
}

/** Several rows per operation, so that no answer is always the same one. */
function readMix(shipped: Campus): string[] {
  const paths: string[] = [];
  for (let at = 0; at < 8; at += 1) {
    for (const [id, query] of MIX) {
      const call = shipped.sample(id, at);
      if (call === null) throw new Error(`the read mix names operation ${id}, which the documents do not have`);
      paths.push(query === '' ? call.path : `${call.path}?${query}`);
    }
  }
  return paths;
}

async function engineRate(shipped: Campus, paths: string[]): Promise<number> {
  const testbed = shipped.open();
  const bench = new Bench({ time: 1500, warmupTime: 300 });
  bench.add('read mix', () => {
    for (const target of paths) testbed.send('GET', target);
  });
  await bench.run();
  const result = bench.tasks[0]?.result;
  const rate = result !== undefined && 'throughput' in result ? result.throughput.mean : 0;
  return rate * paths.length;
}

async function httpRate(paths: string[], options: Options): Promise<LoadAnswer> {
  await using fake = await startFakeApi({ platformIds: ['mgmt'] });
  const base = fake.platforms['mgmt'] as string;
  const answer = await fetch(`${base}/as/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-client',
      client_secret: 'demo-secret',
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const load = fork(new URL('load.ts', import.meta.url));
  const order: LoadOrder = { base, token, paths, seconds: options.seconds, connections: options.connections };
  return await new Promise<LoadAnswer>((resolve, reject) => {
    load.once('message', (message) => resolve(message as LoadAnswer));
    load.once('error', reject);
    load.once('exit', (code) => reject(new Error(`the load process ended with ${code} before it answered`)));
    load.send(order);
  });
}

await main();
