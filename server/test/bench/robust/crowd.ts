/** R4: a thousand clients at once, a hundred calls each, of both revisions: every answer is its own caller's. */
import { setTimeout as pause } from 'node:timers/promises';
import { Wire } from '../../support/mcp-wire.ts';
import { quantile } from '../statistics.ts';
import { operations } from '../tool-names.ts';
import { watchLivez } from './livez-watch.ts';
import { memoryMb } from './memory-in-use.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { isAnswerTo, nonceCall, openSession } from './router-calls.ts';

const CLIENTS = 1_000;
const CALLS = 100;
/** Of these every third keeps a session, as clients of 2025-11-25 do; there are 512 at most. */
const SESSION_EVERY = 3;
/** A heap is back when what a thousand connections and their sessions took is gone. */
const MOST_LEFT_MB = 24;
const LIVEZ_MOST_MS = 250;

async function run({ router: start, scale, timed }: RobustContext): Promise<Finding> {
  const clients = Math.ceil(CLIENTS * Math.min(1, scale * 10));
  const calls = Math.ceil(CALLS * Math.min(1, scale * 10));
  await using router = await start();
  const { port, bearer } = router;
  const known = operations(64);
  const failures = new Failures();
  let right = 0;
  /** Right answers of each client. */
  let each: number[] = [];
  const client = async (number: number) => {
    const wire = new Wire(port);
    try {
      const session = number % SESSION_EVERY === 0 ? await openSession(wire, bearer) : undefined;
      for (let at = 0; at < calls; at++) {
        const call = nonceCall(
          `nonce_${number}_${at}_${(number * 7919 + at * 104729) % 999983}`,
          at,
          bearer,
          known,
          session,
        );
        const answer = await wire.ask(call.request);
        if (isAnswerTo(call, answer)) {
          right += 1;
          each[number] = (each[number] ?? 0) + 1;
        } else failures.add(`${call.id} got ${answer.status} ${answer.body.slice(0, 200)}`);
      }
      if (session !== undefined) await wire.ask(goodbye(bearer, session));
    } catch (error) {
      failures.add(`client ${number}: ${(error as Error).message}`);
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: 32 }, (_, n) => client(100_000 + n * SESSION_EVERY + 1)));
  right = 0;
  each = Array.from({ length: clients }, () => 0);
  const before = await memoryMb(router);
  const live = watchLivez(port);
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
  const seconds = (performance.now() - began) / 1000;
  const livez = await live.stop();
  await pause(500);
  const after = await memoryMb(router);
  const livezP99 = quantile(livez.keptAlive, 0.99);
  if (timed && livezP99 > LIVEZ_MOST_MS) failures.add(`/livez took ${round(livezP99)} ms at p99`);
  const least = Math.min(...each);
  if (least < calls) failures.add(`one client got ${least} of ${calls} right answers`);
  if (right !== clients * calls) failures.add(`${right} of ${clients * calls} answers were right`);
  if (after - before > MOST_LEFT_MB) failures.add(`memory grew from ${round(before)} to ${round(after)} MB`);
  return {
    figures: {
      right: `${right} of ${clients * calls}`,
      clients,
      perSecond: Math.round((clients * calls) / seconds),
      livezP99Ms: round(livezP99),
      livezP99NewConnectionMs: round(quantile(livez.fresh, 0.99)),
      livezAsked: livez.keptAlive.length + livez.fresh.length,
      memoryBeforeMb: round(before),
      memoryAfterMb: round(after),
    },
    failures: failures.all(),
  };
}

const goodbye = (bearer: string, session: string) =>
  `DELETE /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${bearer}\r\nmcp-session-id: ${session}\r\n\r\n`;

export const CROWD_CHECK: RobustCheck = { id: 'R4', title: 'a thousand clients at once', run };
