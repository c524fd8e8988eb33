/**
 * R5: a million calls of every kind, among them calls of every tool of a platform. The heap after a collection is flat over the
 * calls, the resident memory is flat over the minutes, and neither files nor series accumulate.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { linearRegression } from 'simple-statistics';
import { demoAccount, startFake } from '../../support/child-process.ts';
import { mcpRequest, textOf, Wire } from '../../support/mcp-wire.ts';
import { operations, toolNames } from '../tool-names.ts';
import { probe } from './memory-in-use.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { isAnswerTo, nonceCall, openSession } from './router-calls.ts';

const CALLS = 1_000_000;
const CONNECTIONS = 16;
const PARTS = 20;
/** Caches fill and code is compiled in the first of them. */
const WARM_PARTS = 5;
const MOST_MB_A_MINUTE = 2;
const MOST_RATIO = 1.5;
/** Kept after a collection, from the first part that counts to the last. */
const MOST_KEPT_MB = 8;
const MOST_FILES_MORE = 8;
/** Those of connections and pending calls come and go. */
const MOST_TIMERS_MORE = 32;
const SERIES = 512;

interface Sample {
  minutes: number;
  residentMb: number;
  heldMb: number;
  files: number;
  timers: number;
}

async function run({ router: start, scale, timed }: RobustContext): Promise<Finding> {
  const calls = Math.ceil(CALLS * scale);
  const failures = new Failures();
  await using fake = await startFake('mgmt');
  await using router = await start({
    ...demoAccount(fake.base),
  });
  const { port, bearer } = router;
  const pid = router.process.pid ?? 0;
  const known = operations(512);
  const names = toolNames();
  const wires = Array.from({ length: CONNECTIONS }, () => new Wire(port));
  const session = await openSession(wires[0] as Wire, bearer);
  let at = 0;
  const worker = async (wire: Wire, until: number) => {
    while (at < until) {
      const number = at++;
      if (number % 50 === 0) {
        await askPlatform(wire, bearer, number, names[(number / 50) % names.length] as string, failures);
        continue;
      }
      const call = nonceCall(`nonce_${number}`, number, bearer, known, number % 3 === 0 ? session : undefined);
      if (!isAnswerTo(call, await wire.ask(call.request))) failures.add(`${call.id} was not answered rightly`);
    }
  };
  const samples: Sample[] = [];
  const began = performance.now();
  for (let part = 1; part <= PARTS; part++) {
    await Promise.all(wires.map((wire) => worker(wire, (calls * part) / PARTS)));
    const { mb: heldMb, timers } = await probe(router);
    samples.push({
      minutes: (performance.now() - began) / 60_000,
      residentMb: residentMb(pid),
      heldMb,
      files: filesOf(pid),
      timers,
    });
  }
  const series = await seriesOf(port, bearer);
  for (const wire of wires) wire.close();
  const counted = samples.slice(WARM_PARTS);
  const [first, last] = [counted[0] as Sample, counted.at(-1) as Sample];
  const slope = linearRegression(counted.map(({ minutes, residentMb: mb }) => [minutes, mb])).m;
  const ratio = last.residentMb / first.residentMb;
  // Over a minute or less a slope says nothing.
  if (timed && last.minutes - first.minutes > 3 && slope >= MOST_MB_A_MINUTE)
    failures.add(`memory grows ${round(slope)} MB a minute`);
  checkGrowth(first, last, failures);
  if (series > SERIES) failures.add(`${series} series`);
  return {
    figures: {
      calls: at,
      minutes: round(last.minutes),
      residentFirstMb: round(first.residentMb),
      residentLastMb: round(last.residentMb),
      residentRatio: round(ratio),
      slopeMbPerMinute: round(slope),
      heldFirstMb: round(first.heldMb),
      heldLastMb: round(last.heldMb),
      filesFirst: first.files,
      filesLast: last.files,
      filesMore: last.files - first.files,
      timersLast: last.timers,
      timersMore: last.timers - first.timers,
      series,
    },
    failures: failures.all(),
  };
}

/** A list that the platform answers; and any tool without arguments, answered or refused, but checked against its whole schema. */
async function askPlatform(
  wire: Wire,
  bearer: string,
  number: number,
  name: string,
  failures: Failures,
): Promise<void> {
  const listed = await wire.ask(invocation(bearer, number, 'mgmt_list_auth_servers', { limit: 5 }));
  if (listed.status !== 200 || !textOf(listed).includes('items')) failures.add(`call ${number}: ${listed.status}`);
  const called = await wire.ask(invocation(bearer, number, name, {}));
  if (called.status !== 200 || !textOf(called).includes('"result"')) failures.add(`${name}: ${called.status}`);
}

/** Values that grew between the first and the last sample by more than their bound. */
function checkGrowth(first: Sample, last: Sample, failures: Failures): void {
  if (last.residentMb / first.residentMb >= MOST_RATIO)
    failures.add(`resident memory grew from ${round(first.residentMb)} to ${round(last.residentMb)} MB`);
  if (last.heldMb - first.heldMb > MOST_KEPT_MB)
    failures.add(`${round(first.heldMb)} MB were held and ${round(last.heldMb)} later`);
  if (last.files > first.files + MOST_FILES_MORE) failures.add(`${first.files} open files, ${last.files} later`);
  if (last.timers > first.timers + MOST_TIMERS_MORE) failures.add(`${first.timers} timers, ${last.timers} later`);
}

const invocation = (bearer: string, id: number, name: string, args: Record<string, unknown>): string =>
  mcpRequest({
    era: '2026-07-28',
    bearer,
    id,
    method: 'tools/call',
    params: { name: 'invoke_read_tool', arguments: { name, arguments: args } },
  });

async function seriesOf(port: number, bearer: string): Promise<number> {
  const wire = new Wire(port);
  const text = textOf(
    await wire.ask(`GET /metrics HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${bearer}\r\n\r\n`),
  );
  wire.close();
  return [...text.matchAll(/_latency_ms_count\{/g)].length;
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

export const SOAK_CHECK: RobustCheck = { id: 'R5', title: 'a million calls', run };
