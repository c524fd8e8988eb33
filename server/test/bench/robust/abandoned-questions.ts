/**
 * R25: questions that nobody answers. One session after another call asks a person and goes away: what the router holds
 * stays bounded, the oldest calls are answered `cancelled`, and other calls of the same session are served meanwhile.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { demoAccount, startFake } from '../../support/child-process.ts';
import { mcpRequest, messageOf, textOf, Wire } from '../../support/mcp-wire.ts';
import { probe } from './memory-in-use.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { openSession } from './router-calls.ts';

const QUESTIONS = 50_000;
/** Callers that each ask, see their question and leave. */
const AT_ONCE = 8;
const MOST_MB = 50;
/** The heap grows to the size that such a load takes, whatever it is; after that nothing may be added. */
const WARM = 5_000;
/** About ten seconds after a load the runtime gives back what the load took; what is resident then is what is held. */
const REST_MS = 20_000;
/** Other calls of the session, one for so many questions. */
const OTHER_EVERY = 50;
/** Questions per session that stay open; above it the oldest is withdrawn. */
const KEPT_OPEN = 32;

const TOOL = 'mgmt_create_auth_server';
const CHANGE = {
  name: 'bench-1',
  body: { name: 'bench-1', type: 'XMLAPI', 'auth-server-address': '10.0.0.1' },
};

async function run({ router: start, scale, timed }: RobustContext): Promise<Finding> {
  const failures = new Failures();
  const total = Math.ceil(QUESTIONS * scale);
  await using fake = await startFake('mgmt');
  await using router = await start({
    ...demoAccount(fake.base),
    SVC_MCP_MGMT_WRITES: '1',
  });
  const pid = router.process.pid ?? 0;
  const session = await askableSession(router.port, router.bearer);
  let id = 100;
  const call = (name: string, args: Record<string, unknown>) =>
    mcpRequest({
      era: '2025-11-25',
      session,
      bearer: router.bearer,
      id: ++id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
  const plan = await planToken(new Wire(router.port), call('invoke_tool', { name: TOOL, arguments: CHANGE }));
  const apply = () =>
    call('invoke_tool', { name: TOOL, arguments: { ...CHANGE, dry_run: false, confirm: true, plan_token: plan } });

  await checkOldest(router.port, apply, failures);
  const idleMb = residentMb(pid);
  await leaveQuestions(router.port, apply, Math.min(WARM, total), failures);
  const residentBefore = residentMb(pid);
  const before = await probe(router);
  let [others, asked, most] = [0, 0, residentBefore];
  const began = performance.now();
  const wire = new Wire(router.port);
  while (asked < total) {
    const some = Math.min(OTHER_EVERY * AT_ONCE, total - asked);
    await leaveQuestions(router.port, apply, some, failures);
    asked += some;
    others += 1;
    const answer = await wire.ask(call('invoke_read_tool', { name: 'lookup_api', arguments: { query: TOOL } }));
    if (answer.status !== 200 || !textOf(answer).includes('result')) failures.add(`another call: ${answer.status}`);
    most = Math.max(most, residentMb(pid));
  }
  const seconds = (performance.now() - began) / 1000;
  wire.close();
  // Beside other work the runtime finds no rest to give it back in, so it is waited for where no time is judged.
  const restUntil = performance.now() + (timed ? REST_MS : 3 * REST_MS);
  do await pause(1_000);
  while (residentMb(pid) - idleMb > MOST_MB && performance.now() < restUntil);
  const held = residentMb(pid) - idleMb;
  const after = await probe(router);
  const grown = most - residentBefore;
  if (held > MOST_MB) failures.add(`resident memory is ${round(held)} MB above idle after a rest`);
  if (grown > MOST_MB) failures.add(`resident memory grew by ${round(grown)} MB under load`);
  if (after.mb - before.mb > MOST_MB) failures.add(`${round(after.mb - before.mb)} MB are held that were not before`);
  return {
    figures: {
      questions: asked,
      seconds: round(seconds),
      otherCalls: others,
      residentHeldMb: round(held),
      residentMoreMb: round(grown),
      residentIdleMb: round(idleMb),
      residentWarmMb: round(residentBefore),
      keptMb: round(after.mb - before.mb),
    },
    failures: failures.all(),
  };
}

/** Callers that stay: the router must answer the oldest of them when there are too many. */
async function checkOldest(port: number, request: () => string, failures: Failures): Promise<void> {
  const staying = Array.from({ length: KEPT_OPEN + 8 }, () => new Wire(port).ask(request()).then(textOf));
  const answered = await Promise.race([Promise.all(staying.slice(0, 8)), pause(10_000).then(() => [])]);
  if (answered.length !== 8 || !answered.every((text) => /cancelled/.test(text) && /too many questions/.test(text)))
    failures.add(`the oldest calls should be answered, got ${JSON.stringify(answered).slice(0, 300)}`);
  for (const one of staying) one.catch(() => {});
}

/** Asks, waits until the question is there, and goes away without an answer. */
async function leaveQuestions(port: number, request: () => string, count: number, failures: Failures): Promise<void> {
  const one = async (share: number) => {
    for (let at = 0; at < share; at++) if (!(await questionSeen(port, request()))) failures.add('a call did not ask');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => one(Math.ceil(count / AT_ONCE))));
}

async function questionSeen(port: number, request: string): Promise<boolean> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setEncoding('latin1').on('data', (more: string) => {
      text += more;
      if (!text.includes('elicitation/create')) return;
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false)).on('close', () => resolve(false));
  });
}

async function planToken(wire: Wire, preview: string): Promise<string> {
  const message = messageOf(await wire.ask(preview)) as { result?: { content: { text: string }[] } };
  wire.close();
  const { plan_token } = JSON.parse(message.result?.content[0]?.text ?? '{}') as { plan_token?: string };
  if (plan_token === undefined) throw new Error(`a preview should answer a plan_token, got ${JSON.stringify(message)}`);
  return plan_token;
}

/** A session of a client that can ask a person. */
async function askableSession(port: number, bearer: string): Promise<string> {
  const wire = new Wire(port);
  const session = await openSession(wire, bearer, { elicitation: {} });
  wire.close();
  if (session === undefined) throw new Error('initialize should open a session');
  return session;
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const QUESTIONS_CHECK: RobustCheck = { id: 'R25', title: 'questions that nobody answers', run };
