/**
 * R2: five hundred connections with slow input, endless headers and bodies, compressed bombs, smuggled and pipelined
 * requests, while other clients work. The router answers slow clients with 408 and closes them within ten seconds. The
 * other clients hardly notice. The memory comes back.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Wire } from '../../support/mcp-wire.ts';
import { quantile } from '../statistics.ts';
import { operations } from '../tool-names.ts';
import { memoryMb } from './memory-in-use.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { isAnswerTo, nonceCall } from './router-calls.ts';

const SLOW = 500;
const CUT_WITHIN_MS = 10_000;
/** Timers of a busy machine are late. */
const GRACE_MS = 1_500;
/** The longest wait of a run that does not judge times: a connection that is still open then was never closed. */
const NEVER_CUT_MS = 30_000;
const MOST_MEMORY_MB = 64;
/** Others may take twice as long; below this many milliseconds nobody notices. */
const UNNOTICED_MS = 50;

interface Ending {
  answer: string;
  ms: number;
}

/** An answer that should not come would come soon after the last one that should. */
const NO_MORE_MS = 500;

/** Says something, dribbles perhaps, and tells how it ended; `within` bounds the wait, which an answer that `suffices` ends. */
function ending(
  port: number,
  first: string | Uint8Array,
  {
    drip = '',
    within,
    suffices = () => false,
  }: { drip?: string; within: number; suffices?: (text: string) => boolean },
): Promise<Ending> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let answer = '';
    const dripping = drip === '' ? undefined : setInterval(() => socket.write(drip), 400);
    let limit = setTimeout(() => socket.destroy(), within);
    socket.on('data', (text: string) => {
      answer += text;
      if (!suffices(answer)) return;
      clearTimeout(limit);
      limit = setTimeout(() => socket.destroy(), NO_MORE_MS);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(dripping);
      clearTimeout(limit);
      resolve({ answer, ms: performance.now() - began });
    });
    socket.write(first);
  });
}

const head = (...lines: string[]) =>
  `${['POST /mcp HTTP/1.1', 'host: localhost', 'accept: application/json, text/event-stream', 'content-type: application/json', ...lines].join('\r\n')}\r\n\r\n`;

async function others(port: number, bearer: string, until: () => boolean, failures: Failures): Promise<number[]> {
  const times: number[] = [];
  const known = operations(16);
  const worker = async (number: number) => {
    const wire = new Wire(port);
    for (let at = 0; !until(); at++) {
      const call = nonceCall(`nonce_${number}_${at}`, at, bearer, known);
      const began = performance.now();
      try {
        if (!isAnswerTo(call, await wire.ask(call.request))) failures.add(`${call.id} was not answered rightly`);
      } catch (error) {
        failures.add(`another client: ${(error as Error).message}`);
      }
      times.push(performance.now() - began);
      await pause(5);
    }
    wire.close();
  };
  await Promise.all([0, 1, 2, 3].map(worker));
  return times;
}

async function run({ router: start, timed }: RobustContext): Promise<Finding> {
  await using router = await start();
  const { port, bearer } = router;
  const failures = new Failures();
  const authorization = `authorization: Bearer ${bearer}`;
  let quiet = true;
  setTimeout(() => {
    quiet = false;
  }, 4_000);
  const calm = await others(port, bearer, () => !quiet, failures);
  const before = await memoryMb(router);

  const most = timed ? CUT_WITHIN_MS + GRACE_MS : NEVER_CUT_MS;
  let attacking = true;
  const meanwhile = others(port, bearer, () => !attacking, failures);
  const slow = Array.from({ length: SLOW }, (_, n) => {
    const unended = `POST /mcp HTTP/1.1\r\nhost: localhost\r\n${authorization}\r\n`;
    return ending(port, n % 2 ? unended : 'GET /', { drip: n % 2 ? 'x-a: b\r\n' : 'a', within: most + 3_000 });
  });
  const odd = await oddRequests(port, authorization, failures);
  const cut = await Promise.all(slow);
  attacking = false;
  const pressed = await meanwhile;
  const latest = Math.max(...cut.map(({ ms }) => ms));
  if (latest > most) failures.add(`a dribbling connection lived ${Math.round(latest)} ms`);
  const said408 = cut.filter(({ answer }) => answer.startsWith('HTTP/1.1 408')).length;
  if (said408 < SLOW) failures.add(`${SLOW - said408} dribbling connections were not told 408`);
  await pause(300);
  const after = await memoryMb(router);
  if (after - before > MOST_MEMORY_MB) failures.add(`memory grew from ${round(before)} to ${round(after)} MB`);
  const [calmP99, pressedP99] = [quantile(calm, 0.99), quantile(pressed, 0.99)];
  const allowedP99 = Math.max(2 * calmP99, UNNOTICED_MS);
  if (timed && pressedP99 > allowedP99)
    failures.add(`others waited ${round(pressedP99)} ms at p99 instead of ${round(calmP99)}`);
  if (router.process.exitCode !== null) failures.add('the router ended');
  return {
    figures: {
      slow: SLOW,
      told408: said408,
      latestCutMs: Math.round(latest),
      oddRequests: odd,
      othersP99CalmMs: round(calmP99),
      othersP99PressedMs: round(pressedP99),
      /** Of twice the calm p99, or of the time that nobody notices. */
      othersOfAllowed: round(pressedP99 / allowedP99),
      memoryBeforeMb: round(before),
      memoryAfterMb: round(after),
      memoryGrownMb: round(after - before),
    },
    failures: failures.all(),
  };
}

const statusesIn = (text: string): string =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1]).join(',');

/** Each with the statuses that are right for it; several answers to one connection in their order. */
async function oddRequests(port: number, authorization: string, failures: Failures): Promise<number> {
  const bomb = gzipSync(Buffer.alloc(100 << 20, ' '));
  const close = 'connection: close';
  const smuggled = 'GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const live = 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
  const cases: [name: string, bytes: string | Uint8Array, statuses: RegExp][] = [
    ['header of 64 KiB', head(`x-long: ${'x'.repeat(64 << 10)}`), /^431$/],
    ['3,000 headers', head(...Array.from({ length: 3_000 }, (_, n) => `x-${n}: y`)), /^431$/],
    ['body of 100 MiB, announced', head(authorization, close, `content-length: ${100 << 20}`), /^413$/],
    [
      'body without end, in chunks',
      head(authorization, close, 'transfer-encoding: chunked') + chunk.repeat(100),
      /^413$/,
    ],
    [
      'packed bomb',
      Buffer.concat([
        Buffer.from(head(authorization, close, 'content-encoding: gzip', `content-length: ${bomb.length}`)),
        bomb,
      ]),
      /^(400|415)$/,
    ],
    [
      'length and chunks',
      `${head(authorization, 'content-length: 4', 'transfer-encoding: chunked')}0\r\n\r\n${smuggled}`,
      /^400$/,
    ],
    ['unknown coding', `${head(authorization, 'transfer-encoding: xchunked')}0\r\n\r\n${smuggled}`, /^400$/],
    ['two lengths', `${head(authorization, 'content-length: 2', 'content-length: 60')}{}${smuggled}`, /^400$/],
    ['bad chunk', `${head(authorization, 'transfer-encoding: chunked')}zz\r\n{}\r\n${smuggled}`, /^400$/],
    ['bare line feeds', head(authorization).replaceAll('\r\n', '\n') + smuggled, /^400$/],
    ['space before the colon', head(authorization, 'x-a : b') + smuggled, /^400$/],
    ['split header', head(authorization, 'x-a: b\rx-c: d'), /^400$/],
    ['zero byte', head(authorization, 'x-a: b\0c'), /^400$/],
    ['ten in a row', live.repeat(10), /^200(,200){9}$/],
    ['one after a refusal', `GET /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n${live}`, /^401,200$/],
    ['no HTTP', 'SSH-2.0-x\r\n\r\n', /^400$/],
    ['TLS', Buffer.from('16030100a50100', 'hex'), /^400$/],
  ];
  for (const [name, bytes, wanted] of cases) {
    const suffices = (text: string) => wanted.test(statusesIn(text));
    const { answer } = await ending(port, bytes, { within: NEVER_CUT_MS, suffices });
    const statuses = statusesIn(answer);
    if (!wanted.test(statuses)) failures.add(`${name}: answered ${statuses || 'nothing'}`);
  }
  return cases.length;
}

export const SOCKETS_CHECK: RobustCheck = { id: 'R2', title: 'connections that misbehave', run };
