/**
 * R6: three times the capacity. More concurrent callers than needed lower the throughput little. Calls beyond the rate
 * budget of a platform are refused at once with the wait that they would have. The budget itself is used up. After the
 * load the next call is answered.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { demoAccount, startFake } from '../../support/child-process.ts';
import { mcpRequest, messageOf, Wire } from '../../support/mcp-wire.ts';
import { quantile } from '../statistics.ts';
import { operations } from '../tool-names.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { isAnswerTo, nonceCall } from './router-calls.ts';

const BUSY = 64;
const CALLS = 40_000;
const LEAST_GOODPUT = 0.8;
const RECOVERED_MS = 5_000;
const PER_SECOND = 20;
const SECONDS = 15;
/** A caller waits no longer for a place. */
const PATIENCE_SECONDS = 2;

async function run({ router: start, scale, timed }: RobustContext): Promise<Finding> {
  const failures = new Failures();
  const crowd = await pressed(start, Math.ceil(CALLS * Math.min(1, scale * 5)), failures);
  if (timed && crowd.goodput < LEAST_GOODPUT)
    failures.add(`three times the callers got ${round(crowd.goodput)} of the answers`);
  const budget = await overBudget(start, Math.max(4, Math.ceil(SECONDS * scale)), failures);
  return { figures: { ...crowd, ...budget }, failures: failures.all() };
}

type Start = RobustContext['router'];

async function pressed(start: Start, calls: number, failures: Failures) {
  await using router = await start();
  const known = operations(64);
  /** Right answers for a second of the router's own CPU, with so many callers: others on the machine do not count. */
  const rate = async (callers: number, each: number) => {
    const began = router.cpuSeconds() ?? Number.NaN;
    const caller = async (number: number) => {
      const wire = new Wire(router.port);
      for (let at = 0; at < each; at++) {
        const call = nonceCall(`nonce_${callers}_${number}_${at}`, at, router.bearer, known);
        if (!isAnswerTo(call, await wire.ask(call.request))) failures.add(`${call.id} was not answered rightly`);
      }
      wire.close();
    };
    await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));
    return (callers * each) / ((router.cpuSeconds() ?? Number.NaN) - began);
  };
  await rate(BUSY, Math.ceil(calls / BUSY / 2));
  const before = await rate(BUSY, Math.ceil(calls / BUSY));
  const during = await rate(3 * BUSY, Math.ceil(calls / BUSY / 3));
  return { perCpuSecond: Math.round(before), perCpuSecondPressed: Math.round(during), goodput: round(during / before) };
}

/** Three times as many calls as a platform's budget has places, each from a caller of its own, at an even pace. */
async function overBudget(start: Start, seconds: number, failures: Failures) {
  await using fake = await startFake('mgmt');
  await using router = await start({
    ...demoAccount(fake.base),
    SVC_MCP_RATE_PER_SECOND: String(PER_SECOND),
    SVC_MCP_CALL_TIMEOUT_SECONDS: String(PATIENCE_SECONDS),
  });
  const told = { answered: 0, refused: 0, late: 0 };
  const times: number[] = [];
  const one = async (wire: Wire, id: number) => {
    const began = performance.now();
    const message = messageOf(await wire.ask(read(router.bearer, id))) as Answer;
    times.push(performance.now() - began);
    const text = message.result?.content[0]?.text ?? '';
    if (message.result?.isError !== true) told.answered += 1;
    else if (isRefusal(text)) told.refused += 1;
    // It got its place in the last moment, and the platform's answer came after that.
    else if (/"code":"timeout"/.test(text)) told.late += 1;
    else failures.add(`call ${id}: ${JSON.stringify(message).slice(0, 300)}`);
  };
  await one(new Wire(router.port), 0);
  const began = performance.now();
  const calls: Promise<void>[] = [];
  for (let id = 1; id <= 3 * PER_SECOND * seconds; id++) {
    const wire = new Wire(router.port);
    calls.push(one(wire, id).finally(() => wire.close()));
    await pause(Math.max(0, began + (id * 1000) / (3 * PER_SECOND) - performance.now()));
  }
  const offered = (performance.now() - began) / 1000;
  await Promise.all(calls);
  const ended = performance.now();
  const before = told.answered;
  await one(new Wire(router.port), 0);
  const recoveredMs = performance.now() - ended;
  if (told.answered !== before + 1 || recoveredMs > RECOVERED_MS)
    failures.add(`a call after the load took ${Math.round(recoveredMs)} ms`);
  const used = before / ((offered + PATIENCE_SECONDS) * PER_SECOND);
  if (used < LEAST_GOODPUT) failures.add(`${round(used)} of the budget was used`);
  if (told.late > before / 5) failures.add(`${told.late} calls waited for nothing, ${before} were answered`);
  if (told.refused < before / 2)
    failures.add(`${told.refused} calls were refused, ${before} answered: that is no overload`);
  // The queue is bounded by what its last caller would wait for.
  const longest = Math.max(...times) / 1000;
  if (longest > 3 * PATIENCE_SECONDS + 4) failures.add(`one caller waited ${round(longest)} seconds`);
  return {
    offered: calls.length,
    answered: before,
    refused: told.refused,
    late: told.late,
    budgetUsed: round(used),
    refusedWithinP50Ms: round(quantile(times, 0.5)),
    longestSeconds: round(longest),
    recoveredMs: Math.round(recoveredMs),
  };
}

interface Answer {
  result?: { isError?: boolean; content: { text: string }[] };
}

/** Refused, with the reason and when to come again. */
const isRefusal = (text: string): boolean => /"retry_after/.test(text);

const read = (bearer: string, id: number): string =>
  mcpRequest({
    era: '2026-07-28',
    bearer,
    id,
    method: 'tools/call',
    params: { name: 'invoke_read_tool', arguments: { name: 'mgmt_list_auth_servers', arguments: { limit: 1 } } },
  });

export const OVERLOAD_CHECK: RobustCheck = { id: 'R6', title: 'three times what can be done', run };
