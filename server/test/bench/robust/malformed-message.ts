/** Messages that are nearly right, quite wrong, no messages or no text at all. */
import fc from 'fast-check';
import { anyText } from '../../support/any-text.ts';
import type { Random } from './random.ts';

export const ERA = '2026-07-28';

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

export interface Sent {
  body: string | Buffer;
  header: string | undefined;
  session: boolean;
}

export function generated(random: Random): Sent {
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
export function fromFastCheck(count: number, seed: number): Sent[] {
  const value = fc.jsonValue({ maxDepth: 4 });
  const params = fc.record({
    name: fc.oneof(fc.constantFrom(...TOOLS), anyText()),
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
