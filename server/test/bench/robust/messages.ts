/**
 * R1: messages that are nearly right, quite wrong, no messages or no text at all, most from a fast seeded generator and some from
 * fast-check. Whatever comes: an answer below 500 that is JSON-RPC and names the caller's id, and a router that lives.
 */
import fc from 'fast-check';
import { startFake } from '../../support/child-process.ts';
import { messageOf, postOf, textOf, Wire, type WireAnswer } from '../../support/mcp-wire.ts';
import { quantile } from '../statistics.ts';
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
const ERA = '2026-07-28';

const META = {
  'io.modelcontextprotocol/protocolVersion': ERA,
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const METHODS = [
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/list',
  'ping',
  'initialize',
  'server/discover',
  'x',
  '',
];
const TOOLS = ['find_tool', 'invoke_read_tool', 'invoke_tool', 'lookup_api', '__proto__', 'constructor', ''];
const NAMES = [
  'lookup_api',
  'mgmt_get_auth_server',
  'mgmt_list_auth_servers',
  'mgmt_delete_auth_server',
  'mgmt_create_auth_server',
  '__proto__',
  'hasOwnProperty',
  'no_such_tool',
];
const TEXTS = [
  '',
  'access points',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u0000',
  '../../etc/passwd',
  "' OR 1=1 --",
  '"'.repeat(50),
  '%'.repeat(200),
  '\u202e\u200b',
  'a'.repeat(5_000),
  '{"$ref":"#"}',
  'GET /network-config/v1alpha1/auth-servers/{name}',
  'NEAR(a b) OR *',
];
const ODD = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53 + 2,
  '',
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":1}') as object,
  '\u0000',
];
/** Bodies that JSON.stringify would never write. */
const RAW = [
  '',
  ' ',
  'null',
  '0',
  '"x"',
  '[]',
  '{}',
  '[{}]',
  '{',
  '}',
  '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
  '{"jsonrpc":"2.0","__proto__":{"x":1},"id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","constructor":{"prototype":{"x":1}},"id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}',
  `{"jsonrpc":"2.0","id":"${'9'.repeat(3_000)}","method":"ping"}`,
];

/** Bytes that stand in no UTF-8: alone, cut short, too long for what they say, half of a pair, beyond the last letter. */
const NO_TEXT = [[0xff], [0xc3], [0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]].map((bytes) =>
  Buffer.from(bytes),
);

interface Sent {
  body: string | Buffer;
  header: string | undefined;
  session: boolean;
}

function generated(random: Random): Sent {
  const header = random.of([ERA, ERA, ERA, '2025-11-25', '1999-01-01', undefined]);
  const later = header === ERA;
  const session = random.chance(later ? 5 : 90);
  const kind = random.below(100);
  if (kind < 8) return { body: random.of(RAW), header, session };
  if (kind < 10) return { body: '['.repeat(1 + random.below(20_000)), header, session };
  if (kind < 11) return { body: nested(1 + random.below(100_000)), header, session };
  const body = JSON.stringify(
    kind < 16 ? Array.from({ length: random.below(5) }, () => message(later, random)) : message(later, random),
  );
  if (kind < 24) return { body: damaged(body, random), header, session };
  return { body: kind < 28 ? withoutText(body, random) : body, header, session };
}

const nested = (depth: number) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;

function message(later: boolean, random: Random): unknown {
  const method = random.of(METHODS);
  const built: Record<string, unknown> = {
    jsonrpc: random.chance(97) ? '2.0' : random.of(ODD),
    method: random.chance(97) ? method : random.of(ODD),
    params: random.chance(95) ? paramsOf(method, later, random) : random.of(ODD),
  };
  if (random.chance(92))
    built['id'] = random.chance(90) ? random.below(1e6) : random.of(['a', '', '\ud800', 1.5, null, {}]);
  if (random.chance(3)) delete built[random.of(['jsonrpc', 'method', 'params'])];
  return built;
}

function paramsOf(method: string, later: boolean, random: Random): unknown {
  const meta = random.chance(later ? 95 : 5) ? { _meta: random.chance(95) ? META : random.of(ODD) } : {};
  if (method === 'initialize')
    return {
      protocolVersion: random.of(['2025-11-25', '2024-11-05', 'x']),
      capabilities: {},
      clientInfo: { name: 'f', version: '1' },
    };
  if (method !== 'tools/call') return random.chance(50) ? meta : { ...meta, cursor: random.of(TEXTS) };
  const tool = random.of(TOOLS);
  const args =
    tool === 'find_tool'
      ? { query: random.of(TEXTS), top_k: random.of([1, 5, 0, -1, 1e9, 'x']) }
      : { name: random.of(NAMES), arguments: random.chance(80) ? argumentsOf(random) : random.of(ODD) };
  return { name: tool, arguments: random.chance(96) ? args : random.of(ODD), ...meta };
}

function argumentsOf(random: Random): Record<string, unknown> {
  const names = ['query', 'name', 'limit', 'top_k', 'body', 'dry_run', 'confirm', 'plan_token', 'cursor', 'zzz'];
  const pairs = Array.from({ length: random.below(4) }, () => [
    random.of(names),
    random.chance(60) ? random.of(TEXTS) : random.of<unknown>(ODD),
  ]);
  return Object.fromEntries(pairs) as Record<string, unknown>;
}

/** One place of a text changed, cut, or doubled. */
function damaged(text: string, random: Random): string {
  const at = random.below(text.length);
  const way = random.below(3);
  if (way === 0) return text.slice(0, at);
  if (way === 1) return text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1);
  return text.slice(0, at) + text.slice(at - random.below(20)) + text.slice(at);
}

function withoutText(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), random.of(NO_TEXT), bytes.subarray(at)]);
}

/** The same through fast-check, whose strings and values are stranger than a list of ours. */
function fromFastCheck(count: number, seed: number): Sent[] {
  const value = fc.jsonValue({ maxDepth: 4 });
  const params = fc.record({
    name: fc.oneof(fc.constantFrom(...TOOLS), fc.string({ unit: 'binary' })),
    arguments: fc.oneof(fc.dictionary(fc.string(), value), value),
    _meta: fc.constant(META),
  });
  const one = fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer(), fc.string()),
    method: fc.constantFrom(...METHODS),
    params: fc.oneof(params, value),
  });
  const body = fc.oneof(one, fc.array(one, { maxLength: 3 }), value).map((made) => JSON.stringify(made));
  const sent = fc.record({ body, header: fc.constantFrom(ERA, '2025-11-25', undefined), session: fc.boolean() });
  return fc.sample(sent, { numRuns: count, seed });
}

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
    SOURCE_BASE_URL: fake.base,
    SOURCE_CLIENT_ID: 'demo-client',
    SOURCE_CLIENT_SECRET: 'demo-secret',
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
