/** W3C context and the setting of traces, over a small installation that listens on HTTP. */
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { otlpReceiver } from '../test/support/otlp-receiver.ts';
import { recordingUpstream } from '../test/support/recording-upstream.ts';
import { serving } from '../test/support/serving.ts';
import { sessionClient } from '../test/support/session-client.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});
const kept = <T extends AsyncDisposable>(one: T): T => {
  open.push(one);
  return one;
};

describe('W3C context', () => {
  const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  async function called(how: { header?: string; meta?: string; state?: string }) {
    const receiver = kept(await otlpReceiver());
    const upstream = kept(await recordingUpstream());
    upstream.object = () => ({ status: 200, body: { items: [] } });
    const router = kept(await serving({ SVC_MCP_TRACES_URL: receiver.url, SOURCE_BASE_URL: upstream.origin }));
    const headers = {
      ...(how.header === undefined ? {} : { traceparent: how.header }),
      ...(how.state === undefined ? {} : { tracestate: how.state }),
    };
    const { client } = kept(await sessionClient(router.url, { headers }));
    const _meta = how.meta === undefined ? {} : { _meta: { traceparent: how.meta } };
    await client.callTool({ name: 'find_tool', arguments: { query: 'authentication servers' }, ..._meta });
    const read = { name: 'mgmt_list_auth_servers', arguments: {} };
    await client.callTool({ name: 'invoke_read_tool', arguments: read, ..._meta });
    return { receiver, upstream, router };
  }

  test.each([
    ['in the message', { meta: PARENT }],
    ['in a header', { header: PARENT }],
    ['in the message before the header', { meta: PARENT, header: PARENT.replace('0af7', '1111') }],
  ])('comes %s and goes on to the platform', async (_where, how) => {
    const { receiver, upstream, router } = await called(how);
    await router.sendTraces();
    expect(new Set(receiver.spans().map(({ traceId }) => traceId))).toEqual(new Set([PARENT.split('-')[1]]));
    const sent = upstream.reads[0]?.headers['traceparent'];
    expect(sent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    const request = receiver.spans().find(({ spanId }) => spanId === sent?.split('-')[2]);
    expect(request?.kind).toBe(3);
  });

  test('has a state that goes on with it, if it has the form of the standard', async () => {
    const passed = await called({ header: PARENT, state: 'vendor=a1,other=b2' });
    expect(passed.upstream.reads[0]?.headers['tracestate']).toBe('vendor=a1,other=b2');
    const ignored = await called({ header: PARENT, state: 'no state at all' });
    expect(ignored.upstream.reads[0]?.headers).not.toHaveProperty('tracestate');
  });

  test('of a caller that does not sample makes no span, and goes on as not sampled', async () => {
    const { receiver, upstream, router } = await called({ meta: PARENT.replace(/01$/, '00') });
    await router.sendTraces();
    expect(receiver.spans()).toEqual([]);
    expect(upstream.reads[0]?.headers['traceparent']).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
  });

  test.each(['', 'x', `${PARENT}-more`, PARENT.replaceAll(/[0-9a-f]/g, '0')])(
    'of another form is ignored: %j',
    async (meta) => {
      const { receiver, router } = await called({ meta });
      await router.sendTraces();
      expect(receiver.spans().every(({ traceId }) => traceId !== PARENT.split('-')[1] && !/^0+$/.test(traceId))).toBe(
        true,
      );
      expect(receiver.spans().length).toBeGreaterThan(2);
    },
  );
});

describe('an address', () => {
  test.each([
    ['with a password', 'https://user:hunter2@traces.example/v1', /SVC_MCP_TRACES_URL should be .* got another form/],
    ['of another scheme', 'grpc://traces.example:4317', /SVC_MCP_TRACES_URL should be/],
    ['that is no address', 'traces', /SVC_MCP_TRACES_URL should be/],
  ])('%s is refused, and is not repeated', (_how, url, said) => {
    const load = () => loadConfig({ env: { SVC_MCP_TRACES_URL: url }, cwd: import.meta.dirname });
    expect(load).toThrow(said);
    expect(load).not.toThrow(/hunter2/);
  });

  test('that is not on the egress list is refused', () => {
    const env = { SVC_MCP_TRACES_URL: 'http://127.0.0.1:4318/v1/traces', SVC_MCP_EGRESS: 'https://api.example' };
    expect(() => loadConfig({ env, cwd: import.meta.dirname })).toThrow(
      /SVC_MCP_TRACES_URL should be .*SVC_MCP_EGRESS/,
    );
  });
});

test('the log says why an endpoint did not take the spans', async () => {
  const receiver = kept(await otlpReceiver({ status: 401 }));
  const router = kept(await serving({ SVC_MCP_TRACES_URL: receiver.url }));
  const { client } = kept(await sessionClient(router.url));
  await client.callTool({ name: 'find_tool', arguments: { query: 'authentication servers' } });
  await router.sendTraces();
  const [line = '{}', ...more] = router.log.filter((one) => one.includes('traces.unsent'));
  expect([JSON.parse(line), more]).toMatchObject([{ message: 'Unauthorized', code: 401 }, []]);
});

test('the question to a person shows that the request carries the ids of its trace', async () => {
  const receiver = kept(await otlpReceiver());
  const upstream = kept(await recordingUpstream());
  upstream.object = () => ({ status: 200, body: { name: 'radius-1' } });
  const variables = { SOURCE_BASE_URL: upstream.origin, SVC_MCP_MGMT_WRITES: 'on' };
  const router = kept(await serving({ SVC_MCP_TRACES_URL: receiver.url, ...variables }));
  const person = { action: 'accept' as const, content: { confirm: true } };
  const { client, asked } = kept(await sessionClient(router.url, { person }));
  const invoke = async (more: object) => {
    const called = {
      name: 'mgmt_update_auth_server',
      arguments: { name: 'radius-1', body: { 'auth-port': 1812 }, ...more },
    };
    const { content } = await client.callTool({ name: 'invoke_tool', arguments: called });
    return JSON.parse((content as { text: string }[])[0]!.text) as Record<string, unknown>;
  };
  const { plan_token, object } = await invoke({});
  await invoke({ dry_run: false, confirm: true, plan_token, confirm_object: object });
  expect(asked.join('')).toMatch(/traceparent: .*ids of the trace, made when it is sent/);
  expect(upstream.writes[0]?.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  await router.sendTraces();
  const answers = receiver.spans().flatMap(({ attributes }) => attributes.get('svc_mcp.answer') ?? []);
  expect(answers).toEqual(['asked', 'yes']);
  expect(receiver.spans().some(({ attributes }) => attributes.has('svc_mcp.request'))).toBe(true);
});

test('without the setting no request carries a header of a trace, and no question shows one', async () => {
  const upstream = kept(await recordingUpstream());
  upstream.object = () => ({ status: 200, body: { items: [] } });
  const router = kept(await serving({ SOURCE_BASE_URL: upstream.origin }));
  const { client } = kept(
    await sessionClient(router.url, {
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    }),
  );
  await client.callTool({ name: 'invoke_read_tool', arguments: { name: 'mgmt_list_auth_servers', arguments: {} } });
  expect(upstream.reads).toHaveLength(1);
  expect(upstream.reads[0]?.headers).not.toHaveProperty('traceparent');
});
