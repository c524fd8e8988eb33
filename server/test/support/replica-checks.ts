/**
 * Properties that several routers must keep together, as counts. Each check uses a testbed as it is and leaves it
 * usable.
 */
import { type BudgetFigure, budgetFigure } from './budget-figure.ts';
import { noOutcomes, note, type Outcomes, ReplicaClient, type Reply } from './replica-client.ts';
import type { ReplicaTestbed } from './replica-testbed.ts';
import type { Ended } from './running-process.ts';

const AT_ONCE = 16;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const READ = { name: 'mgmt_get_auth_server', arguments: { name: 'radius-1' } };
const PAGE = { name: 'mgmt_list_devices', arguments: { limit: 5 } };

/** Calls of every kind, both revisions; a page is read on wherever the next request lands. */
async function anyCall(client: ReplicaClient, n: number, outcomes: Outcomes): Promise<void> {
  const kind = n % 5;
  if (kind === 0) return note(outcomes, await client.call('find_tool', { query: 'list authentication servers' }));
  if (kind === 1) return note(outcomes, await client.legacyCall('invoke_read_tool', READ));
  if (kind === 2)
    return note(
      outcomes,
      await client.call('invoke_read_tool', { name: 'lookup_api', arguments: { query: 'auth-servers' } }),
    );
  if (kind === 3) return note(outcomes, await client.call('invoke_read_tool', READ));
  const first = await client.call('invoke_read_tool', PAGE);
  note(outcomes, first);
  const next = first.said?.['_pagination'] as { next_cursor?: string; cursor?: string } | undefined;
  const cursor = next?.next_cursor ?? next?.cursor;
  if (cursor !== undefined) note(outcomes, await client.call('invoke_read_tool', { ...PAGE, cursor }));
}

export interface CallsFigure {
  calls: number;
  fine: number;
  notFound: number;
  failed: number;
  routers: number;
}

export async function manyCalls(testbed: ReplicaTestbed, count: number): Promise<CallsFigure> {
  const client = new ReplicaClient(testbed.url);
  const outcomes = noOutcomes();
  await client.each(count, AT_ONCE, (n) => anyCall(client, n, outcomes));
  client.close();
  return { ...figureOf(outcomes), routers: Object.keys(outcomes.byRouter).length };
}

const figureOf = ({ calls, fine, notFound, failed }: Outcomes) => ({ calls, fine, notFound, failed: failed.length });

export interface ConfirmationsFigure {
  confirmations: number;
  applied: number;
  appliedTwice: number;
  notApplied: number;
  /** Second uses of the same confirmed plan, and how many of them were refused. */
  repeated: number;
  refused: number;
  notFound: number;
  /** Flows of which two steps were served by different routers. */
  crossed: number;
}

/** Each makes an object of its own: a target that another flow changed meanwhile would make the plan stale. */
const change = (n: number, controls: Record<string, unknown>) => ({
  name: 'mgmt_create_auth_server',
  arguments: {
    name: `server-${n}`,
    body: { name: `server-${n}`, type: 'XMLAPI', 'auth-server-address': addressOf(n) },
    ...controls,
  },
});
const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
const YES = { confirm: { action: 'accept', content: { confirm: true } } };

interface Confirmed {
  steps: Reply[];
  /** The last request, which applies; sent as often as this is called. */
  apply: () => Promise<Reply>;
}

/** Preview and question, up to the person's yes; undefined where a step was refused. */
async function confirmed(client: ReplicaClient, n: number): Promise<Confirmed | { refused: Reply }> {
  const preview = await client.call('invoke_tool', change(n, { dry_run: true }));
  const token = preview.said?.['plan_token'];
  if (typeof token !== 'string') return { refused: preview };
  const applying = change(n, { dry_run: false, confirm: true, plan_token: token });
  const asked = await client.call('invoke_tool', applying);
  const requestState = asked.result?.requestState;
  if (requestState === undefined) return { refused: asked };
  return {
    steps: [preview, asked],
    apply: () => client.call('invoke_tool', applying, { requestState, inputResponses: YES }),
  };
}

const applied = (reply: Reply) => reply.status === 200 && reply.result?.isError !== true && reply.result !== undefined;

export async function manyConfirmations(
  testbed: ReplicaTestbed,
  count: number,
  from = 1,
): Promise<ConfirmationsFigure> {
  const client = new ReplicaClient(testbed.url);
  const before = (await testbed.ledger()).length;
  const figure = {
    confirmations: 0,
    applied: 0,
    appliedTwice: 0,
    notApplied: 0,
    repeated: 0,
    refused: 0,
    notFound: 0,
    crossed: 0,
  };
  await client.each(count, AT_ONCE, async (n) => {
    figure.confirmations += 1;
    const flow = await confirmed(client, from + n);
    if ('refused' in flow) {
      const outcomes = noOutcomes();
      note(outcomes, flow.refused);
      figure.notFound += outcomes.notFound;
      return;
    }
    // Twice at once, as an impatient client would; and once more afterwards.
    const both = await Promise.all([flow.apply(), flow.apply()]);
    const all = [...both, await flow.apply()];
    figure.repeated += all.length - 1;
    figure.refused += all.filter((reply) => !applied(reply)).length;
    if (new Set([...flow.steps, ...all].map((reply) => reply.from)).size > 1) figure.crossed += 1;
  });
  client.close();
  const writes = (await testbed.ledger()).slice(before).filter(({ capability }) => capability === 'write');
  const times = new Map<string, number>();
  for (const { bodyHash } of writes) times.set(String(bodyHash), (times.get(String(bodyHash)) ?? 0) + 1);
  figure.applied = times.size;
  figure.appliedTwice = [...times.values()].filter((n) => n > 1).length;
  figure.notApplied = count - times.size;
  return figure;
}

export interface LossFigure extends Omit<CallsFigure, 'routers'> {
  /** Calls that were open when it happened: the most that may be lost by a kill. */
  open: number;
  /** Failed calls that began when its process was gone. */
  failedLater: number;
  exitCode: number | null;
}

/** Ends one router in the middle of many calls, by a power cut or by a signal, and starts it again. */
export async function loseOne(testbed: ReplicaTestbed, count: number, how: 'kill' | 'stop'): Promise<LossFigure> {
  const client = new ReplicaClient(testbed.url);
  const outcomes = noOutcomes();
  const router = testbed.routers[0];
  if (router === undefined) throw new Error('a testbed has routers');
  let at = Number.POSITIVE_INFINITY;
  let open = 0;
  let ending: Promise<Ended> | undefined;
  await client.each(count, AT_ONCE, async (n) => {
    if (n === Math.floor(count / 3)) {
      open = client.open + 1;
      ending = router[how]().finally(() => {
        at = performance.now();
      });
    }
    await anyCall(client, n, outcomes);
  });
  const exitCode = (await ending)?.code ?? null;
  client.close();
  await router.start();
  const failedLater = outcomes.failed.filter(({ began }) => began > at).length;
  return { ...figureOf(outcomes), open, failedLater, exitCode };
}

/** More reads than the budget lets through, for a while. */
export async function spendBudget(
  testbed: ReplicaTestbed,
  seconds: number,
  perSecond: number,
  burst: number,
): Promise<BudgetFigure> {
  const from = performance.now();
  await readsFor(testbed, () => performance.now() - from < seconds * 1_000);
  return budgetFigure(testbed, from, from + seconds * 1_000, perSecond, burst);
}

async function readsFor(testbed: ReplicaTestbed, go: () => boolean, seen?: (reply: Reply) => void): Promise<void> {
  const client = new ReplicaClient(testbed.url);
  const worker = async () => {
    while (go()) {
      const reply = await client.call('invoke_read_tool', READ);
      seen?.(reply);
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  client.close();
}

export interface OutageFigure {
  before: BudgetFigure;
  whileCut: BudgetFigure;
  after: BudgetFigure;
  /** The most calls in any second over all of it. */
  mostInASecond: number;
  readsFailed: number;
  /** Changes tried while it was gone: how many were refused with `state_unavailable`, and how many reached the platform. */
  changesTried: number;
  changesRefused: number;
  changesSent: number;
  /** From its return until a change was confirmed and applied again, in seconds. */
  recoveredAfterSeconds: number | null;
}

/** Redis gone in the middle of more reads than the budget lets through, with changes tried all the while. */
export async function loseRedis(
  testbed: ReplicaTestbed,
  goneSeconds: number,
  how: 'kill' | 'pause',
  perSecond: number,
  burst: number,
): Promise<OutageFigure> {
  const client = new ReplicaClient(testbed.url);
  const begin = performance.now();
  let readsFailed = 0;
  let going = true;
  const reading = readsFor(
    testbed,
    () => going,
    (reply) => {
      if (!applied(reply)) readsFailed += 1;
    },
  );
  await wait(4_000);
  const prepared = await confirmed(client, 900_001);
  const lostAt = performance.now();
  const sentBefore = changesOf(testbed);
  if (how === 'kill') await testbed.redis.kill();
  else testbed.redis.pause();
  const [changesTried, changesRefused] = await tryChanges(client, prepared, lostAt + goneSeconds * 1_000);
  const changesSent = changesOf(testbed) - sentBefore;
  const backAt = performance.now();
  if (how === 'kill') await testbed.redis.restart();
  else testbed.redis.resume();
  const recoveredAfterSeconds = await recovered(client, backAt);
  await wait(Math.max(0, backAt + 5_000 - performance.now()));
  going = false;
  await reading;
  client.close();
  const end = performance.now();
  const figure = (from: number, to: number) => budgetFigure(testbed, from, to, perSecond, burst);
  return {
    before: figure(begin, lostAt),
    whileCut: figure(lostAt, backAt),
    after: figure(backAt, end),
    mostInASecond: figure(begin, end).mostInASecond,
    readsFailed,
    changesTried,
    changesRefused,
    changesSent,
    recoveredAfterSeconds,
  };
}

const changesOf = (testbed: ReplicaTestbed): number => testbed.arrivals.filter(({ method }) => method !== 'GET').length;

/** One that was confirmed before, then a new one again and again. */
async function tryChanges(
  client: ReplicaClient,
  prepared: Awaited<ReturnType<typeof confirmed>>,
  until: number,
): Promise<[number, number]> {
  let tried = 0;
  let refused = 0;
  const count = (reply: Reply) => {
    tried += 1;
    if (reply.said?.['code'] === 'state_unavailable') refused += 1;
  };
  if (!('refused' in prepared)) count(await prepared.apply());
  for (let n = 0; performance.now() < until; n++) {
    const flow = await confirmed(client, 910_000 + n);
    count('refused' in flow ? flow.refused : await flow.apply());
    await wait(500);
  }
  return [tried, refused];
}

async function recovered(client: ReplicaClient, since: number): Promise<number | null> {
  for (let n = 0; performance.now() - since < 20_000; n++) {
    const flow = await confirmed(client, 920_000 + n);
    if (!('refused' in flow) && applied(await flow.apply())) return Math.round((performance.now() - since) / 100) / 10;
    await wait(100);
  }
  return null;
}
