/**
 * R23: a platform and a document of a stranger's. Answers of 8 MB in shapes that are slow to parse, mask or shape, and
 * arguments against patterns that take a backtracking engine for ever: meanwhile `/livez` answers at once, every call
 * ends with an answer or a coded refusal, and the memory comes back.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mcpRequest, textOf, Wire } from '../../support/mcp-wire.ts';
import { runNode } from '../../support/running-process.ts';
import { quantile } from '../statistics.ts';
import { watchLivez } from './livez-watch.ts';
import { probe } from './memory-in-use.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';

const MOST_LIVEZ_MS = 100;
/** Of a run that does not judge times: as often as this process needs to read one answer, so that a slow processor slows both. */
const MOST_TIMES_READING = 6;
const MOST_KEPT_MB = 20;
const ROUNDS = 3;
/** Calls at once in the last round. */
const AT_ONCE = 4;
const BYTES = 8 * 1024 * 1024 - 1_024;
/** The workers of the router return their memory after a second without work. */
const REST_MS = 3_000;
const IDLE_MS = 10_000;

const filled = (head: string, part: string, tail: string): string =>
  head + part.repeat(Math.floor((BYTES - head.length - tail.length) / part.length)) + tail;

/** Answers by name; each is built when it is asked for, and none is kept. */
const ANSWERS: Readonly<Record<string, () => { status?: number; text: string }>> = {
  'a list': () => ({
    text: filled('{"items":[', '{"id":"a1b2c3","name":"access point","up":true},', '{}],"total":1}'),
  }),
  'one text': () => ({ text: filled('{"note":"', 'x', '"}') }),
  'deep lists': () => ({ text: filled('', '[', '') }),
  'deep objects': () => ({ text: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` }),
  'empty objects': () => ({ text: filled('[', '{},', '{}]') }),
  '250,000 secret names': () => ({
    text: `{${Array.from({ length: 250_000 }, (_, at) => `"k${at}_password":"hunter22"`).join(',')}}`,
  }),
  'long numbers': () => ({ text: filled('[', '12345678901234567890,', '1]') }),
  escapes: () => ({ text: filled('["', '\\u0061', '"]') }),
  'invisible characters': () => ({ text: filled('["', '\\u200b', '"]') }),
  'secrets in text': () => ({ text: filled('["', "password: 'aa token bearer abcdefgh1 ", '"]') }),
  'spaces in text': () => ({ text: filled('["password', ' ', '"]') }),
  'a long refusal': () => ({ status: 400, text: filled('{"message":"', 'because ', '"}') }),
  'a page of HTML': () => ({ text: filled('<!doctype html>', '<p>', '') }),
  'no JSON': () => ({ text: filled('{"items":[', '1,', '') }),
  'places of a job': () => ({ text: `{"location":"${'/jobs/a'.repeat(230_000)}"}` }),
};

/** Patterns that take a backtracking engine longer than anybody waits, and one value each; refused before anything is sent. */
const PATTERNS: Readonly<Record<string, { pattern: string; value: string }>> = {
  nested: { pattern: '^(a+)+$', value: `${'a'.repeat(40)}!` },
  quadratic: { pattern: '^.*a.*a.*b$', value: 'a'.repeat(200_000) },
  unanchored: { pattern: '\\s+$', value: `${' '.repeat(500_000)}x` },
  alternatives: { pattern: '^(a|a)*$', value: `${'a'.repeat(60)}!` },
};

function documentOf(): object {
  const answer = { '200': { description: 'anything', content: { 'application/json': { schema: {} } } } };
  const query = (name: string, schema: object) => ({ name, in: 'query', schema });
  return {
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1' },
    paths: {
      '/answers/{shape}': {
        get: {
          operationId: 'getAnswer',
          summary: 'Get an answer',
          parameters: [{ name: 'shape', in: 'path', required: true, schema: { type: 'string' } }],
          responses: answer,
        },
      },
      '/checked': {
        get: {
          operationId: 'getChecked',
          summary: 'Get what was checked',
          parameters: Object.entries(PATTERNS).map(([name, { pattern }]) => query(name, { type: 'string', pattern })),
          responses: answer,
        },
      },
    },
  };
}

async function listening(): Promise<{ server: Server; base: string }> {
  const server = createServer((request, response) => {
    const shape = decodeURIComponent((request.url ?? '').slice('/answers/'.length));
    const { status = 200, text } = ANSWERS[shape]?.() ?? { status: 404, text: '{}' };
    const body = Buffer.from(text);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Answers how many calls there were. */
async function askPatterns(ask: ReturnType<typeof callerOf>, timed: boolean, failures: Failures): Promise<number> {
  let calls = 0;
  for (const [name, { value }] of Object.entries(PATTERNS)) {
    const began = performance.now();
    calls += await ask('hostile_get_checked', { [name]: value }, /invalid_arguments/);
    const ms = performance.now() - began;
    if (timed && ms > 1_000) failures.add(`the pattern ${name} took ${Math.round(ms)} ms`);
  }
  return calls;
}

async function run({ router: start, root, scale, timed }: RobustContext): Promise<Finding> {
  const failures = new Failures();
  const configDir = mkdtempSync(join(tmpdir(), 'svc-mcp-hostile-'));
  const { server, base } = await listening();
  try {
    const file = join(configDir, 'hostile.json');
    writeFileSync(file, JSON.stringify(documentOf()));
    const words = ['add', file, '--platform', 'hostile', '--base-url', base, '--auth', 'none'];
    const env = { PATH: process.env['PATH'] ?? '', HOME: configDir, SVC_MCP_CONFIG_DIR: configDir };
    const { code, stderr } = await runNode([join(root, 'server/cli/catalog.mjs'), ...words], { env });
    if (code !== 0) throw new Error(stderr);
    await using router = await start({ SVC_MCP_CONFIG_DIR: configDir, SVC_MCP_CALL_TIMEOUT_SECONDS: '30' });
    const pid = router.process.pid ?? 0;
    const ask = callerOf(router.port, router.bearer, failures);
    // Each package and each worker is loaded once.
    await ask('hostile_get_answer', { shape: 'a list' });
    await ask('hostile_get_checked', { nested: 'a' });
    await pause(REST_MS);
    const [before, residentBefore] = [await probe(router), residentMb(pid)];
    const idle = await livezIdle(router.port, timed ? IDLE_MS : 500);
    const watch = watchLivez(router.port);
    let calls = 0;
    for (let round = 1; round <= Math.max(1, Math.ceil(ROUNDS * scale)); round++) {
      for (const shape of Object.keys(ANSWERS)) calls += await ask('hostile_get_answer', { shape });
      calls += await askPatterns(ask, timed, failures);
    }
    const crowd = Object.keys(ANSWERS).flatMap((shape) => Array.from({ length: AT_ONCE }, () => shape));
    for (let at = 0; at < crowd.length * Math.min(1, scale); at += AT_ONCE) {
      const some = crowd.slice(at, at + AT_ONCE).map((shape) => ask('hostile_get_answer', { shape }));
      calls += (await Promise.all(some)).reduce((sum, one) => sum + one, 0);
    }
    const times = await watch.stop();
    await pause(REST_MS);
    const [after, residentAfter] = [await probe(router), residentMb(pid)];
    const livez = [...times.keptAlive, ...times.fresh];
    const longest = Math.max(...livez);
    // The main thread must not be blocked for this long, however busy the machine is.
    const mostBusyMs = timed ? MOST_LIVEZ_MS : Math.max(MOST_LIVEZ_MS, MOST_TIMES_READING * readingMs());
    if (after.busiestMs > mostBusyMs) failures.add(`the main thread was busy for ${after.busiestMs} ms`);
    if (timed && longest > MOST_LIVEZ_MS) failures.add(`/livez took ${Math.round(longest)} ms`);
    if (after.mb - before.mb > MOST_KEPT_MB)
      failures.add(`${round(after.mb - before.mb)} MB are held that were not before`);
    return {
      figures: {
        calls,
        livezAsked: livez.length,
        livezP50Ms: round(quantile(livez, 0.5)),
        livezMaxMs: round(longest),
        livezMaxIdleMs: round(Math.max(...idle)),
        busiestMs: after.busiestMs,
        keptMb: round(after.mb - before.mb),
        residentMoreMb: round(residentAfter - residentBefore),
      },
      failures: failures.all(),
    };
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(configDir, { recursive: true, force: true });
  }
}

/** Processor time to read the longest list, at the slowest moment of a few: the longest stretch was at such a one too. */
function readingMs(): number {
  const text = ANSWERS['a list']?.().text ?? '';
  const took = Array.from({ length: 6 }, () => {
    const before = process.threadCpuUsage();
    JSON.parse(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.max(...took);
}

/** One call over a connection of its own; answers 1, so that calls can be counted. */
function callerOf(port: number, bearer: string, failures: Failures) {
  let id = 0;
  return async (name: string, args: Record<string, unknown>, wanted = /./): Promise<number> => {
    const wire = new Wire(port);
    const params = { name: 'invoke_read_tool', arguments: { name, arguments: args } };
    const answer = await wire.ask(mcpRequest({ era: '2026-07-28', bearer, id: ++id, method: 'tools/call', params }));
    wire.close();
    const text = textOf(answer);
    const subject = `${name} ${JSON.stringify(args).slice(0, 60)}`;
    if (answer.status !== 200 || text.includes('\\"internal\\"') || !wanted.test(text))
      failures.add(`${subject}: ${answer.status} ${text.slice(0, 200)}`);
    else if (text.length > 300_000) failures.add(`${subject}: an answer of ${text.length} characters`);
    return 1;
  };
}

/** Of the same router before anything hostile is asked of it: what the machine itself does to `/livez`. */
async function livezIdle(port: number, ms: number): Promise<number[]> {
  const watch = watchLivez(port);
  await pause(ms);
  const { keptAlive, fresh } = await watch.stop();
  return [...keptAlive, ...fresh];
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const HOSTILE_PLATFORM_CHECK: RobustCheck = { id: 'R23', title: 'a hostile platform', run };
