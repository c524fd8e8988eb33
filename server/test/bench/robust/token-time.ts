/**
 * R15: does the time of a refusal tell how much of a bearer token was right? The router's own function gets tokens wrong in the
 * first character or in the last, as chance will have it, and the two sets of times are held against each other. A comparison
 * that stops early goes through the same test and must be found out: else the machine is too noisy to say anything.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from '../statistics.ts';
import { Random } from './random.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { welchT } from './welch.ts';

const SAMPLES = 100_000;
const LEAST_SAMPLES = 5_000;
/** One in three may be bad luck. */
const ROUNDS = 3;
const MOST_T = 4.5;
const LEAST_T_OF_A_LEAK = 20;
const WARM_UP = 5_000;
const COPIES = 64;
const TOKEN = 'b64u-sample-bearer-token-0123456789-abcdefghijklmnopqrstuvwxyz-Z';

type Check = (given: string | undefined) => boolean;

async function run({ root, scale }: RobustContext): Promise<Finding> {
  const file = pathToFileURL(join(root, 'server', 'http', 'bearer-check.ts')).href;
  const { bearerCheck } = (await import(file)) as { bearerCheck: (token: string) => Check };
  const samples = Math.max(LEAST_SAMPLES, Math.ceil(SAMPLES * scale));
  const failures = new Failures();
  const isRight = bearerCheck(TOKEN);
  if (!isRight(TOKEN) || isRight(EARLY) || isRight(LATE)) failures.add('the comparison does not tell right from wrong');
  const ours = medianT(isRight, samples);
  const leak = medianT(stopsEarly(TOKEN), samples);
  if (ours > MOST_T) failures.add(`a token wrong late is told from one wrong early: |t| is ${ours}, goal ≤ ${MOST_T}`);
  if (leak < LEAST_T_OF_A_LEAK)
    failures.add(`a comparison that stops early is not found out here: |t| is ${leak}, wanted ≥ ${LEAST_T_OF_A_LEAK}`);
  return { figures: { samples, rounds: ROUNDS, t: ours, tOfOneThatStopsEarly: leak }, failures: failures.all() };
}

const EARLY = `#${TOKEN.slice(1)}`;
const LATE = `${TOKEN.slice(0, -1)}#`;

/** The leak that a router must not have. */
const stopsEarly =
  (token: string): Check =>
  (given = '') => {
    for (let at = 0; at < token.length; at++) if (given.charCodeAt(at) !== token.charCodeAt(at)) return false;
    return given.length === token.length;
  };

/** Median of |t| over the rounds. */
function medianT(check: Check, samples: number): number {
  const sizes = Array.from({ length: ROUNDS }, (_, seed) => Math.abs(tOf(check, samples, seed + 1)));
  return round(median(sizes));
}

function tOf(check: Check, samples: number, seed: number): number {
  const random = new Random(seed);
  // Copies are at different addresses, so that the measurement does not depend on the address of a text.
  const pools = [EARLY, LATE].map((text) => Array.from({ length: COPIES }, () => Buffer.from(text).toString('latin1')));
  const times: [number[], number[]] = [[], []];
  for (let at = -WARM_UP; at < samples; at++) {
    const which = random.below(2);
    const given = random.of(pools[which] as string[]);
    const began = performance.now();
    check(given);
    const took = performance.now() - began;
    if (at >= 0) times[which as 0 | 1].push(took);
  }
  return welchT(...times);
}

export const TOKEN_TIME_CHECK: RobustCheck = { id: 'R15', title: 'What the time of a refusal tells', run };
