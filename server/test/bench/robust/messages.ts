/**
 * R1: messages that are nearly right, wrong, no messages, or no text, most from a fast seeded generator and some from
 * fast-check. For every input the answer is below 500, is JSON-RPC and has the caller's id, and the router keeps
 * running.
 */
import { demoAccount, startFake } from '../../support/child-process.ts';
import { messageOf, postOf, textOf, Wire, type WireAnswer } from '../../support/mcp-wire.ts';
import { quantile } from '../statistics.ts';
import { ERA, fromFastCheck, generated, type Sent } from './malformed-message.ts';
import { memoryMb } from './memory-in-use.ts';
import { Random } from './random.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext, round } from './robust-check.ts';
import { openSession, sessionOf } from './router-calls.ts';

const MESSAGES = 100_000;
const FROM_FAST_CHECK = 0.05;
const CONNECTIONS = 16;
/** Sent before memory is looked at first: caches fill, code is compiled. */
const WARM_SHARE = 0.2;
const MOST_GROWTH = 1.1;
/** Why an answer is not right; undefined when it is. */
function wrongWith({ body }: Sent, answer: WireAnswer): string | undefined {
  if (answer.status >= 500 || answer.status < 200) return `status ${answer.status}`;
  const text = textOf(answer);
  if (text === '') return answer.status === 202 ? undefined : `status ${answer.status} without a word`;
  const found = messageOf(answer);
  const all = (Array.isArray(found) ? found : [found]) as ({ jsonrpc?: unknown; id?: unknown } | undefined | null)[];
  if (all.some((one) => one?.jsonrpc !== '2.0')) return `no JSON-RPC: ${text.slice(0, 120)}`;
  const asked = idsOf(body);
  const stranger = all.find((one) => one?.id !== null && one?.id !== undefined && !asked.includes(one.id));
  if (stranger !== undefined) return `id ${JSON.stringify(stranger?.id)} was never asked`;
  // A call that was understood is answered under its own id.
  if (
    answer.status === 200 &&
    all.length === 1 &&
    asked.length === 1 &&
    all[0]?.id !== asked[0] &&
    'id' in (all[0] ?? {})
  )
    return `asked as ${JSON.stringify(asked[0])}, answered as ${JSON.stringify(all[0]?.id)}`;
  return undefined;
}

function idsOf(body: string | Buffer): unknown[] {
  try {
    const parsed = JSON.parse(body.toString().replace(/^\ufeff/, '')) as unknown;
    return [parsed].flat().map((one) => (one as { id?: unknown } | null)?.id);
  } catch {
    return [];
  }
}

/** Each byte as one letter, so that a failure can be sent again. */
const shown = ({ body, ...sent }: Sent): string =>
  JSON.stringify({ body: typeof body === 'string' ? body : body.toString('latin1'), ...sent }).slice(0, 200);

const headersOf = (bearer: string, sent: Sent, session: string) => [
  `authorization: Bearer ${bearer}`,
  ...(sent.header === undefined ? [] : [`mcp-protocol-version: ${sent.header}`]),
  ...(sent.header === ERA ? laterHeaders(sent.body.toString()) : []),
  ...(sent.session ? [`mcp-session-id: ${session}`] : []),
];

/** The later revision wants method and name in headers too; a message in which they can be found gets them. */
function laterHeaders(body: string): string[] {
  const method = /"method":"([a-z/]+)"/.exec(body)?.[1];
  const name = /"params":\{"name":"([a-z_]+)"/.exec(body)?.[1];
  return [
    ...(method === undefined ? [] : [`mcp-method: ${method}`]),
    ...(name === undefined || method !== 'tools/call' ? [] : [`mcp-name: ${name}`]),
  ];
}

async function run({ router: start, scale }: RobustContext): Promise<Finding> {
  const total = Math.ceil(MESSAGES * scale);
  await using fake = await startFake('mgmt');
  await using router = await start({
    ...demoAccount(fake.base),
    SVC_MCP_MGMT_WRITES: '1',
  });
  const { port, bearer } = router;
  const failures = new Failures();
  const statuses = new Map<number, number>();
  const times: number[] = [];
  const session = (await openSession(new Wire(port), bearer)) ?? '';
  const random = new Random(20260728);
  const strange = fromFastCheck(Math.ceil(total * FROM_FAST_CHECK), 7);
  const drawn = () => (random.chance(FROM_FAST_CHECK * 100) && strange.pop()) || generated(random);
  let left = 0;
  let noText = 0;
  const worker = async () => {
    const wire = new Wire(port);
    while (left-- > 0) {
      const sent = drawn();
      if (typeof sent.body !== 'string') noText += 1;
      const began = performance.now();
      try {
        const answer = await wire.ask(postOf(sent.body, headersOf(bearer, sent, session)));
        times.push(performance.now() - began);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const wrong = wrongWith(sent, answer);
        if (wrong !== undefined) failures.add(`${wrong}, asked ${shown(sent)}`);
        await closeOpened(wire, bearer, answer);
      } catch (error) {
        failures.add(`${(error as Error).message}, asked ${shown(sent)}`);
      }
    }
    wire.close();
  };
  const send = (count: number) => {
    left = count;
    return Promise.all(Array.from({ length: CONNECTIONS }, worker));
  };
  await send(Math.ceil(total * WARM_SHARE));
  const before = await memoryMb(router);
  await send(total - Math.ceil(total * WARM_SHARE));
  const after = await memoryMb(router);
  const alive = (await new Wire(port).ask('GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'))
    .status;
  if (alive !== 200 || router.process.exitCode !== null) failures.add('the router did not live to the end');
  const failed = router.log.join('').match(/"level":"error"[^\n]*/)?.[0];
  if (failed !== undefined) failures.add(`logged ${failed}`);
  if (after > before * MOST_GROWTH) failures.add(`memory grew from ${round(before)} to ${round(after)} MB`);
  for (const status of [200, 400])
    if ((statuses.get(status) ?? 0) < total / 100)
      failures.add(`hardly any answer ${status}: the messages test little`);
  return {
    figures: {
      messages: times.length,
      notUtf8: noText,
      status5xx: [...statuses].reduce((sum, [status, times]) => sum + (status >= 500 ? times : 0), 0),
      statuses: JSON.stringify(Object.fromEntries([...statuses].sort((a, b) => a[0] - b[0]))),
      p999Ms: round(quantile(times, 0.999)),
      slowerThan100Ms: times.filter((ms) => ms > 100).length,
      memoryBeforeMb: round(before),
      memoryAfterMb: round(after),
      memoryGrowth: round(after / before),
    },
    failures: failures.all(),
  };
}

/** A session that a message opened is closed again, or the fuzz would end at the cap on sessions. */
async function closeOpened(wire: Wire, bearer: string, answer: WireAnswer): Promise<void> {
  const id = answer.status === 200 ? sessionOf(answer) : undefined;
  if (id === undefined) return;
  await wire.ask(
    `DELETE /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${bearer}\r\nmcp-session-id: ${id}\r\n\r\n`,
  );
}

export const MESSAGES_CHECK: RobustCheck = { id: 'R1', title: 'messages of every kind', run };
