/**
 * `npm run bench:replicas`: three routers behind a real nginx without affinity, with a real Redis: calls, confirmations, the
 * loss of a router and of Redis, and the rate budget of all together. Counts only, so a busy machine changes nothing.
 * `--calls 10000`, `--confirmations 500` and `--seconds 30` (of the budget) say how much; `--json` prints one object; anything lost, doubled or above the budget makes the exit code 1.
 */
import { parseArgs } from 'node:util';
import { missing } from '../support/programs.ts';
import { loseOne, loseRedis, manyCalls, manyConfirmations, spendBudget } from '../support/replica-checks.ts';
import { type ReplicaTestbed, startTestbed, type TestbedOptions } from '../support/replica-testbed.ts';

const PER_SECOND = 8;
const BURST = 2;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    calls: { type: 'string', default: '10000' },
    confirmations: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '30' },
  },
});

async function within<T>(options: TestbedOptions, run: (testbed: ReplicaTestbed) => Promise<T>): Promise<T> {
  await using testbed = await startTestbed(options);
  // Awaited here, or the testbed would be gone before its time.
  return await run(testbed);
}

async function main(): Promise<void> {
  const absent = missing('redis-server', 'nginx');
  if (absent !== undefined) {
    process.exitCode = 3;
    return;
  }
  const [calls, confirmations, seconds] = [Number(values.calls), Number(values.confirmations), Number(values.seconds)];
  const unlimited = { variables: { SVC_MCP_RATE_PER_SECOND: '0' } };
  const limited = { variables: { SVC_MCP_RATE_PER_SECOND: String(PER_SECOND) } };
  const together = await within(unlimited, async (testbed) => ({
    calls: await manyCalls(testbed, calls),
    confirmations: await manyConfirmations(testbed, confirmations),
    killed: await loseOne(testbed, Math.ceil(calls / 5), 'kill'),
    stopped: await loseOne(testbed, Math.ceil(calls / 5), 'stop'),
  }));
  const budget = await within(limited, async (testbed) => ({
    budget: await spendBudget(testbed, seconds, PER_SECOND, BURST),
    redisKilled: await loseRedis(testbed, seconds, 'kill', PER_SECOND, BURST),
    redisPaused: await loseRedis(testbed, seconds / 3, 'pause', PER_SECOND, BURST),
  }));
  const figures = { ...together, ...budget };
  const wrong = problemsOf(figures);
  if (values.json)
    process.stdout.write(`${JSON.stringify({ bench: 'replicas', figures, wrong, passed: wrong.length === 0 })}\n`);
  else {
    for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(14)} ${JSON.stringify(figure)}`);
    console.log(
      wrong.length === 0 ? 'nothing lost, nothing doubled, never above the budget' : `WRONG: ${wrong.join('; ')}`,
    );
  }
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

interface Figures {
  calls: Awaited<ReturnType<typeof manyCalls>>;
  confirmations: Awaited<ReturnType<typeof manyConfirmations>>;
  killed: Awaited<ReturnType<typeof loseOne>>;
  stopped: Awaited<ReturnType<typeof loseOne>>;
  budget: Awaited<ReturnType<typeof spendBudget>>;
  redisKilled: Awaited<ReturnType<typeof loseRedis>>;
  redisPaused: Awaited<ReturnType<typeof loseRedis>>;
}

function problemsOf({ calls, confirmations, killed, stopped, budget, redisKilled, redisPaused }: Figures): string[] {
  const outages = [redisKilled, redisPaused];
  const held: [string, boolean][] = [
    ['a call was not found or failed', calls.notFound + calls.failed === 0 && calls.routers === 3],
    ['a confirmation was applied twice', confirmations.appliedTwice === 0],
    ['a confirmation was not applied', confirmations.notApplied + confirmations.notFound === 0],
    ['a repeated confirmation was not refused', confirmations.refused === confirmations.repeated],
    ['no confirmation crossed routers', confirmations.crossed > 0],
    [
      'a killed router lost more than what it held',
      killed.failed <= killed.open && killed.failedLater === 0 && killed.notFound === 0,
    ],
    ['a stopped router lost a call', stopped.failed + stopped.notFound === 0 && stopped.exitCode === 0],
    ['the budget was exceeded', [budget, ...outages].every(({ mostInASecond }) => mostInASecond <= PER_SECOND + BURST)],
    ['the budget lay idle', budget.used > 0.8],
    [
      'reads did not go on without Redis',
      outages.every(({ whileCut, readsFailed }) => whileCut.calls > 0 && readsFailed === 0),
    ],
    ['a change got through without Redis', outages.every(({ changesSent }) => changesSent === 0)],
    [
      'a change was not refused without Redis',
      outages.every((o) => o.changesTried > 0 && o.changesRefused === o.changesTried),
    ],
    [
      'changes did not come back with Redis',
      outages.every(({ recoveredAfterSeconds }) => recoveredAfterSeconds !== null),
    ],
  ];
  return held.filter(([, holds]) => !holds).map(([problem]) => problem);
}

await main();
