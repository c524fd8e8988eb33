/**
 * Parsers of foreign input in the harness and the fake: damaged scenarios, and damaged fault plans. Each input is
 * accepted or refused with a code; nothing throws otherwise.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { startFake } from '../sandbox/sandbox.ts';
import { parseScenario } from '../scenario/scenario.ts';

export interface RubbishResult {
  scenarios: number;
  scenariosRefused: number;
  plans: number;
  plansRefused: number;
  longestMs: number;
  /** Errors that nobody planned, and answers that are none: the first few in words. */
  unplanned: number;
  first: string[];
}

const BOMB = 'a: &a [x,x,x,x,x,x,x,x,x]\n'.concat(
  ...[...'bcdefghij'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]\n`),
);
const FRAGMENTS = [
  ...['\0', '\ufeff', '\ud800', '\r\n', '\t', '{', '}', ']', '"', "'", ': ', '- ', '|\n', '---\n', '<<: *a\n', '? '],
  ...['__proto__', 'constructor', 'null', '1e400', '-0', '[]', '!!binary ', '!!js/function ', '&a [*a]', '*nowhere'],
  ...['%YAML 9.9\n---\n', '['.repeat(2_000), '{"a":'.repeat(1_000), '='.repeat(300), BOMB],
];
const PLAN = JSON.stringify({
  rules: [
    { platform: 'nac', capability: 'read', from: 2, times: 3, fault: { kind: 'status', status: 429, retryAfter: '1' } },
    { operation: 'GET /api/device', fault: { kind: 'reflect', in: ['body', 'header'], encodings: ['raw', 'gzip'] } },
    { fault: { kind: 'drip', bytes: 10, everyMs: 5 } },
  ],
});
const AT_A_TIME = 16;
const MOST_SHOWN = 8;

export async function readRubbish(root: string, texts: number): Promise<RubbishResult> {
  const random = xoroshiro128plus(20_261_122);
  const below = (limit: number) => uniformInt(random, 0, limit - 1);
  const spoilt = (seed: string): string => {
    let text = seed;
    for (let times = 1 + below(3); times > 0; times--) text = spoiltOnce(text, below);
    return text;
  };
  const result: RubbishResult = {
    scenarios: texts,
    scenariosRefused: 0,
    plans: texts,
    plansRefused: 0,
    longestMs: 0,
    unplanned: 0,
    first: [],
  };
  const unplanned = (text: string) => {
    result.unplanned++;
    if (result.first.length < MOST_SHOWN) result.first.push(text.slice(0, 300));
  };
  const timed = async (one: () => boolean | Promise<boolean>): Promise<boolean> => {
    const began = performance.now();
    const refused = await one();
    result.longestMs = Math.max(result.longestMs, Math.round(performance.now() - began));
    return refused;
  };

  const names = (await readdir(join(root, 'scenarios'), { recursive: true })).filter((name) => name.endsWith('.yaml'));
  const seeds = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(root, 'scenarios', name), 'utf8') })),
  );
  for (let at = 0; at < texts; at++) {
    const { name, text } = seeds[below(seeds.length)] as (typeof seeds)[number];
    const refused = await timed(() => {
      try {
        return 'problems' in parseScenario(spoilt(text), `scenarios/${name}`);
      } catch (error) {
        unplanned(`${name}, text ${at}: ${error}`);
        return true;
      }
    });
    if (refused) result.scenariosRefused++;
  }

  await using fake = await startFake(root, ['nac'], ['--port', '0', '--control-port', '0']);
  const address = `${fake.ready.control}/namespaces/default`;
  await fetch(`${address}/reset`, { method: 'POST' });
  let left = texts;
  const sender = async () => {
    while (left-- > 0) {
      const body = spoilt(PLAN);
      const refused = await timed(async () => {
        const answer = await fetch(`${address}/faults`, { method: 'PUT', body });
        const said = (await answer.text()).slice(0, 200);
        if (answer.status !== 200 && answer.status !== 400)
          unplanned(`${answer.status} ${said}: ${body.slice(0, 100)}`);
        return answer.status !== 200;
      });
      if (refused) result.plansRefused++;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, sender));
  return result;
}

function spoiltOnce(text: string, below: (limit: number) => number): string {
  const at = below(text.length + 1);
  const way = below(5);
  if (way === 0) return text.slice(0, at);
  if (way === 1) return text.slice(0, at) + FRAGMENTS[below(FRAGMENTS.length)] + text.slice(at);
  if (way === 2) return text.slice(0, at) + String.fromCharCode(below(0x10000)) + text.slice(at + 1);
  if (way === 3) return text.slice(0, at) + text.slice(at + below(40));
  return text.slice(0, at) + text.slice(Math.max(0, at - below(200)));
}
