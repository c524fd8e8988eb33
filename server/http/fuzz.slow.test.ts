/** The route answers any input with a client error or a protocol answer, and the router keeps running. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../test/support/any-text.ts';
import { serving } from '../test/support/serving.ts';

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const ERAS = ['2025-11-25', '2026-07-28', '1999-01-01', ''];
const METHODS = ['initialize', 'tools/list', 'tools/call', 'ping', 'resources/list', 'notifications/initialized', 'x'];

const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0', null),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    method: fc.oneof(fc.constantFrom(...METHODS), fc.string()),
    params: fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.oneof(fc.constantFrom('find_tool', 'invoke_read_tool', 'invoke_tool'), fc.string()),
        arguments: fc.oneof(
          fc.jsonValue(),
          fc.record(
            {
              name: fc.oneof(
                fc.constantFrom('mgmt_delete_auth_server', 'mgmt_get_wlan', '__proto__', 'constructor'),
                fc.string(),
              ),
              arguments: fc.jsonValue(),
              query: fc.string(),
            },
            { requiredKeys: [] },
          ),
        ),
        _meta: fc.constant({
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'f', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        }),
      }),
    ),
  },
  { requiredKeys: [] },
);
/** Right in form, so that what is inside reaches the tools. */
const call = fc
  .record({
    name: fc.constantFrom('find_tool', 'invoke_read_tool', 'invoke_tool'),
    arguments: fc.oneof(
      fc.record({ query: anyText(), top_k: fc.integer({ min: -1, max: 12 }) }, { requiredKeys: [] }),
      fc.record({
        name: fc.constantFrom('mgmt_delete_auth_server', 'mgmt_get_wlan', 'mgmt_update_auth_server', '__proto__'),
        arguments: fc.dictionary(
          fc.constantFrom('name', 'ssid', 'body', 'dry_run', 'plan_token', '__proto__'),
          fc.jsonValue(),
        ),
      }),
    ),
  })
  .map((params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
const body = fc.oneof(
  call,
  call,
  call,
  call,
  call,
  message.map((one) => JSON.stringify(one)),
  fc.array(message, { maxLength: 4 }).map((many) => JSON.stringify(many)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string(),
  fc.integer({ min: 1, max: 2_000 }).map((depth) => '['.repeat(depth)),
);

test('600 generated messages: no 5xx, no stray shape, and it still answers', async () => {
  await using router = await serving({
    SVC_MCP_MGMT_WRITES: '1',
    SOURCE_BASE_URL: 'http://127.0.0.1:9',
    SVC_MCP_CALL_TIMEOUT_SECONDS: '2',
  });
  const statuses = new Map<number, number>();
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'f', version: '1' } },
  };
  const opened = await fetch(router.url, { method: 'POST', headers: HEADERS, body: JSON.stringify(initialize) });
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(...ERAS), fc.boolean(), async (text, era, inSession) => {
      const response = await fetch(router.url, {
        method: 'POST',
        headers: { ...HEADERS, ...(era ? { 'mcp-protocol-version': era } : {}), ...(inSession ? session : {}) },
        body: text,
      });
      const answer = await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      expect(response.status).toBeLessThan(500);
      if (answer.startsWith('{')) expect(JSON.parse(answer)).toMatchObject({ jsonrpc: '2.0' });
    }),
    { numRuns: 600, seed: 7 },
  );
  expect(
    Math.min(statuses.get(200) ?? 0, statuses.get(400) ?? 0),
    'enough messages got through, and enough did not',
  ).toBeGreaterThan(20);
  expect((await fetch(new URL('/livez', router.url))).status).toBe(200);
  expect(router.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
