/**
 * R12: SIGTERM under load, with reads and writes. The router answers the calls from before the signal and refuses
 * later ones (503 over an open connection, or a closed port). It ends with 0, and every acknowledged write was done
 * once.
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

/** What became of the requests, over all restarts. */
interface Tally {
  failures: Failures;
  answered: number;
  refused: number;
  lost: number;
}

type Router = Awaited<ReturnType<RobustContext['router']>>;

/** One router, and those who ask it until it refuses them. */
class Round {
  readonly #number: number;
  readonly #router: Router;
  readonly #writes: Writes;
  readonly #tally: Tally;
  readonly #known: ReturnType<typeof operations>;
  #signalled = Number.POSITIVE_INFINITY;

  constructor(number: number, router: Router, writes: Writes, tally: Tally, known: ReturnType<typeof operations>) {
    this.#number = number;
    this.#router = router;
    this.#writes = writes;
    this.#tally = tally;
    this.#known = known;
  }

  /** Answers how many seconds the router took to end. */
  async stopUnderLoad(): Promise<number> {
    const tally = this.#tally;
    const warm = tally.answered + 4 * CLIENTS;
    const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => this.#client(number)));
    while (tally.answered < warm && tally.failures.count === 0) await pause(20);
    await pause((this.#number * 37) % 100);
    this.#signalled = performance.now();
    const code = await this.#router.stop();
    const seconds = (performance.now() - this.#signalled) / 1000;
    await load;
    if (code !== 0) tally.failures.add(`restart ${this.#number}: exit code ${code}`);
    return seconds;
  }

  async #client(number: number): Promise<void> {
    const wire = new Wire(this.#router.port);
    for (let at = 0; await this.#isAnswered(wire, number, at); at++);
    wire.close();
  }

  /** Asks once; false where there is nobody to ask any more. */
  async #isAnswered(wire: Wire, number: number, at: number): Promise<boolean> {
    const tally = this.#tally;
    const id = `nonce_${this.#number}_${number}_${at}`;
    let began = performance.now();
    const asking = () => {
      began = performance.now();
    };
    try {
      const { bearer } = this.#router;
      const got = await (number < WRITERS
        ? this.#writes.create(wire, bearer, id, asking)
        : read(wire, nonceCall(id, at, bearer, this.#known)));
      if (got === 'stopping') tally.refused += 1;
      else if (got === 'done') tally.answered += 1;
      else tally.failures.add(`${id} got ${got.wrong}`);
      return got !== 'stopping';
    } catch (error) {
      this.#broken(id, began, error);
      return false;
    }
  }

  #broken(id: string, began: number, error: unknown): void {
    const signalled = this.#signalled;
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED' && began > signalled) this.#tally.refused += 1;
    if (began >= signalled - SURELY_THERE_MS) return;
    this.#tally.lost += 1;
    const before = Math.round(signalled - began);
    this.#tally.failures.add(`restart ${this.#number}: ${id} asked ${before} ms before SIGTERM was not answered`);
  }
}

async function run({ router: start, scale, timed }: RobustContext): Promise<Finding> {
  const restarts = Math.max(2, Math.ceil(RESTARTS * scale));
  const known = operations(64);
  const tally: Tally = { failures: new Failures(), answered: 0, refused: 0, lost: 0 };
  const { failures } = tally;
  const ended: number[] = [];
  await using writes = await Writes.start();
  for (let n = 0; n < restarts; n++) {
    await using router = await start(writes.env);
    ended.push(await new Round(n, router, writes, tally, known).stopUnderLoad());
  }
  const { answered, refused, lost } = tally;
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
