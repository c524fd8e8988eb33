/**
 * R12: SIGTERM under load, reads and writes. What was asked before it is answered, what comes after is refused (503 over a
 * connection that is still there, or a port that is closed), the process ends with 0, and every write that was acknowledged
 * was done, once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Wire } from '../../support/mcp-wire.ts';
import { quantile } from '../statistics.ts';
import { operations } from '../tool-names.ts';
import { Writes } from './acknowledged-writes.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { isAnswerTo, nonceCall } from './router-calls.ts';

const RESTARTS = 100;
const CLIENTS = 64;
/** Of these. */
const WRITERS = 16;
const MOST_SECONDS = 10;
/** A request may still be on its way when the signal comes; what was written this long before has arrived. */
const SURELY_THERE_MS = 20;

async function read(wire: Wire, call: ReturnType<typeof nonceCall>): Promise<'stopping' | 'done' | { wrong: string }> {
  const answer = await wire.ask(call.request);
  if (answer.status === 503) return 'stopping';
  return isAnswerTo(call, answer) ? 'done' : { wrong: `${answer.status} ${answer.body.slice(0, 120)}` };
}

async function run({ router: start, scale, timed }: RobustContext): Promise<Finding> {
  const restarts = Math.max(2, Math.ceil(RESTARTS * scale));
  const known = operations(64);
  const failures = new Failures();
  const ended: number[] = [];
  let answered = 0;
  let refused = 0;
  let lost = 0;
  await using writes = await Writes.start();
  for (let n = 0; n < restarts; n++) {
    await using router = await start(writes.env);
    let signalled = Number.POSITIVE_INFINITY;
    const broken = (id: string, began: number, error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED' && began > signalled) refused += 1;
      if (began >= signalled - SURELY_THERE_MS) return;
      lost += 1;
      failures.add(`restart ${n}: ${id} asked ${Math.round(signalled - began)} ms before SIGTERM was not answered`);
    };
    const client = async (number: number) => {
      const wire = new Wire(router.port);
      for (let at = 0; ; at++) {
        const id = `nonce_${n}_${number}_${at}`;
        let began = performance.now();
        const asking = () => {
          began = performance.now();
        };
        try {
          const got = await (number < WRITERS
            ? writes.create(wire, router.bearer, id, asking)
            : read(wire, nonceCall(id, at, router.bearer, known)));
          if (got === 'stopping') {
            refused += 1;
            break;
          }
          if (got === 'done') answered += 1;
          else failures.add(`${id} got ${got.wrong}`);
        } catch (error) {
          broken(id, began, error);
          break;
        }
      }
      wire.close();
    };
    const warm = answered + 4 * CLIENTS;
    const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    while (answered < warm && failures.count === 0) await pause(20);
    await pause((n * 37) % 100);
    signalled = performance.now();
    const code = await router.stop();
    ended.push((performance.now() - signalled) / 1000);
    await load;
    if (code !== 0) failures.add(`restart ${n}: exit code ${code}`);
  }
  if (refused < restarts) failures.add(`only ${refused} callers were refused after the signal`);
  const written = await writes.judged();
  for (const name of written.lost) failures.add(`the write of ${name} was acknowledged and never done`);
  for (const name of written.doubled) failures.add(`the write of ${name} was done twice`);
  if (written.acknowledged < restarts * WRITERS) failures.add(`only ${written.acknowledged} writes were acknowledged`);
  if (timed && Math.max(...ended) > MOST_SECONDS) failures.add(`one end took ${round(Math.max(...ended))} seconds`);
  return {
    figures: {
      restarts,
      answered,
      refused,
      lost,
      writesAcknowledged: written.acknowledged,
      writesLost: written.lost.length,
      writesDoubled: written.doubled.length,
      writesUntold: written.untold,
      endP50Seconds: round(quantile(ended, 0.5)),
      endMaxSeconds: round(Math.max(...ended)),
    },
    failures: failures.all(),
  };
}

export const RESTARTS_CHECK: RobustCheck = { id: 'R12', title: 'SIGTERM under load', run };
