/** R12: SIGTERM under load. What was asked before it is answered, what comes after is refused, and the process ends with 0. */
import { setTimeout as pause } from 'node:timers/promises';
import { operations } from '../tool-names.ts';
import { Wire } from '../wire.ts';
import { isAnswerTo, nonceCall } from './calls.ts';
import { Failures, type Finding, quantile, type RobustCheck, type RobustContext, round } from './check.ts';

const RESTARTS = 100;
const CLIENTS = 64;
const MOST_SECONDS = 10;
/** A request may still be on its way when the signal comes; what was written this long before has arrived. */
const SURELY_THERE_MS = 20;

async function run({ router: start, scale }: RobustContext): Promise<Finding> {
  const restarts = Math.max(2, Math.ceil(RESTARTS * scale));
  const known = operations(64);
  const failures = new Failures();
  const ended: number[] = [];
  let answered = 0;
  let refused = 0;
  let lost = 0;
  for (let n = 0; n < restarts; n++) {
    await using router = await start();
    let signalled = Number.POSITIVE_INFINITY;
    const client = async (number: number) => {
      const wire = new Wire(router.port);
      for (let at = 0; ; at++) {
        const call = nonceCall(`nonce_${n}_${number}_${at}`, at, router.bearer, known);
        const began = performance.now();
        try {
          const answer = await wire.ask(call.request);
          if (answer.status === 503) {
            refused += 1;
            break;
          }
          if (isAnswerTo(call, answer)) answered += 1;
          else failures.add(`${call.id} got ${answer.status} ${answer.body.slice(0, 120)}`);
        } catch {
          if (began < signalled - SURELY_THERE_MS) {
            lost += 1;
            failures.add(
              `restart ${n}: a call asked ${Math.round(signalled - began)} ms before SIGTERM was not answered`,
            );
          }
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
  if (Math.max(...ended) > MOST_SECONDS) failures.add(`one end took ${round(Math.max(...ended))} seconds`);
  return {
    figures: {
      restarts,
      answered,
      refused,
      lost,
      endP50Seconds: round(quantile(ended, 0.5)),
      endMaxSeconds: round(Math.max(...ended)),
    },
    failures: failures.all(),
  };
}

export const RESTARTS_CHECK: RobustCheck = { id: 'R12', title: 'SIGTERM under load', run };
