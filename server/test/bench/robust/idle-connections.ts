/**
 * R24: four thousand connections without a bearer token, silent, dribbling, refused, or asking for health, each opened anew a
 * moment after it is cut. A client at work and one that connects for every call are served as before, and `/livez` answers. Then six
 * thousand, more than there are places: everybody is still answered, and times are only shown.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Wire } from '../../support/mcp-wire.ts';
import { quantile } from '../statistics.ts';
import { operations } from '../tool-names.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { isAnswerTo, nonceCall } from './router-calls.ts';

const CONNECTIONS = 4_000;
/** More than a router without `connections.ts` would hold. */
const BEYOND = 6_000;
/** From being cut to being back. */
const BACK_MS = 1_000;
/** Rounds of calm and flood by turns, so that a machine that changes its pace changes both. */
const ROUNDS = 4;
const CALLS = 300;
/** Below so many milliseconds nobody notices: a call, and the answer to a health check. */
const UNNOTICED_MS = { kept: 10, fresh: 10, live: 100 };

const LIVE = 'GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
/** The first text of an open connection. */
const MANNERS = [
  '',
  'P',
  'POST /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n',
];

class Flood {
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #going = true;
  opened = 0;

  constructor(port: number, count: number) {
    this.#port = port;
    for (let n = 0; n < count; n++) this.#open(n);
  }

  get held(): number {
    return [...this.#sockets].filter((socket) => socket.readyState === 'open').length;
  }

  #open(number: number): void {
    const socket = connect(this.#port, '127.0.0.1');
    this.#sockets.add(socket);
    socket.once('connect', () => {
      this.opened += 1;
      const said = MANNERS[number % MANNERS.length] as string;
      if (said !== '') socket.write(said);
    });
    socket.on('error', () => {});
    socket.resume();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      setTimeout(() => this.#going && this.#open(number), BACK_MS);
    });
  }

  async end(): Promise<void> {
    this.#going = false;
    for (const socket of this.#sockets) socket.destroy();
    await pause(BACK_MS + 200);
  }
}

interface Times {
  /** Over one connection that is kept. */
  kept: number[];
  /** Each over a connection of its own. */
  fresh: number[];
  live: number[];
}

async function measure(port: number, bearer: string, kept: Wire, calls: number, failures: Failures): Promise<Times> {
  const times: Times = { kept: [], fresh: [], live: [] };
  const known = operations(16);
  const timed = async (into: number[], name: string, ask: () => Promise<boolean>) => {
    const began = performance.now();
    const fine = await ask().catch((error: Error) => {
      failures.add(`${name}: ${error.message}`);
      return true;
    });
    if (!fine) failures.add(`${name} was not answered rightly`);
    into.push(performance.now() - began);
  };
  const call = async (wire: Wire, at: number) => {
    const asked = nonceCall(`nonce_${at}`, at, bearer, known);
    return isAnswerTo(asked, await wire.ask(asked.request));
  };
  for (let at = 0; at < calls; at++) {
    await timed(times.kept, 'a kept connection', () => call(kept, at));
    await timed(times.fresh, 'a new connection', async () => {
      const wire = new Wire(port);
      const fine = await call(wire, at);
      wire.close();
      return fine;
    });
    if (at % 5 === 0) await timed(times.live, '/livez', async () => (await new Wire(port).ask(LIVE)).status === 200);
    await pause(2);
  }
  return times;
}

async function run({ router: start, scale, timed }: RobustContext): Promise<Finding> {
  await using router = await start();
  const { port, bearer } = router;
  const failures = new Failures();
  const calls = Math.max(30, Math.ceil((CALLS * scale) / ROUNDS));
  const kept = new Wire(port);
  await measure(port, bearer, kept, 30, failures);
  const calm: Times = { kept: [], fresh: [], live: [] };
  const pressed: Times = { kept: [], fresh: [], live: [] };
  const add = (to: Times, from: Times) => {
    for (const name of ['kept', 'fresh', 'live'] as const) to[name].push(...from[name]);
  };
  let opened = 0;
  let held = 0;
  for (let round = 0; round < ROUNDS; round++) {
    add(calm, await measure(port, bearer, kept, calls, failures));
    const flood = new Flood(port, CONNECTIONS);
    await pause(3_000);
    add(pressed, await measure(port, bearer, kept, calls, failures));
    held = Math.max(held, flood.held);
    opened += flood.opened;
    await flood.end();
  }
  const flood = new Flood(port, BEYOND);
  await pause(3_000);
  const beyond = await measure(port, bearer, kept, calls, failures);
  await flood.end();
  kept.close();
  const figures: Record<string, number> = { connections: CONNECTIONS, opened, heldAtOnce: held };
  for (const name of ['kept', 'fresh', 'live'] as const) {
    const [idle, under] = [quantile(calm[name], 0.95), quantile(pressed[name], 0.95)];
    figures[`${name}P95IdleMs`] = round(idle);
    figures[`${name}P95FloodMs`] = round(under);
    figures[`${name}P95BeyondMs`] = round(quantile(beyond[name], 0.95));
    const allowed = Math.max(2 * idle, UNNOTICED_MS[name]);
    if (timed && under > allowed)
      failures.add(`${name}: p95 is ${round(under)} ms under the flood and ${round(idle)} ms without it`);
  }
  if (router.process.exitCode !== null) failures.add('the router ended');
  return { figures, failures: failures.all() };
}

export const IDLE_CONNECTIONS_CHECK: RobustCheck = { id: 'R24', title: 'connections that do nothing', run };
