/** Traces from the message of a client to the request at a platform, received by an OTLP endpoint over HTTP. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type InstallationTestbed, installationTestbed } from '../test/support/installation-testbed.ts';
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from '../test/support/otlp-receiver.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});
const kept = <T extends AsyncDisposable>(one: T): T => {
  open.push(one);
  return one;
};

const traced = async (receiver: OtlpReceiver, variables: Record<string, string> = {}): Promise<InstallationTestbed> =>
  kept(
    await installationTestbed({
      platforms: ['sensors'],
      variables: { SVC_MCP_TRACES_URL: receiver.url, SVC_MCP_SENSORS_WRITES: 'on', ...variables },
    }),
  );

/** Names from the root to a span. */
function pathOf(span: ReceivedSpan, all: readonly ReceivedSpan[]): string[] {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathOf(parent, all) : []), span.name];
}

describe('a call', () => {
  test('that reads is one trace: message, dispatch, request', async () => {
    const receiver = kept(await otlpReceiver());
    const testbed = await traced(receiver);
    const read = testbed.calls.get('sensors')!.find(({ tool }) => tool.capability === 'read')!;
    expect((await testbed.read(read)).isError).toBe(false);
    await testbed.sendTraces();
    const spans = receiver.spans();
    const request = spans.find(({ kind, name }) => kind === 3 && name === 'GET')!;
    expect(pathOf(request, spans)).toEqual(['tools/call invoke_read_tool', `dispatch ${read.tool.name}`, 'GET']);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(Object.fromEntries(request.attributes)).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.request.resend_count': 0,
      'svc_mcp.platform': 'sensors',
    });
    // In the order of their beginnings each lies within the one before it.
    const inTime = spans.toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
    expect(inTime.map(({ name }) => name)).toEqual(pathOf(request, spans));
    const ends = inTime.map(({ endTimeUnixNano }) => BigInt(endTimeUnixNano));
    expect(ends.toSorted((a, b) => Number(b - a))).toEqual(ends);
    expect(Math.abs(Number(ends[0]! / 1_000_000n) - Date.now())).toBeLessThan(60_000);
    const dispatch = spans.find(({ name }) => name.startsWith('dispatch'))!;
    expect(Object.fromEntries(dispatch.attributes)).toMatchObject({
      'svc_mcp.operation': read.tool.name,
      'svc_mcp.capability': 'read',
      'svc_mcp.outcome': 'success',
    });
  });

  test('that is refused is marked, without the text of the refusal', async () => {
    const receiver = kept(await otlpReceiver());
    const testbed = await traced(receiver);
    await testbed.ask('invoke_read_tool', { name: 'no_such_tool_anywhere', arguments: { serial: 'PRIVATE-1' } });
    await testbed.sendTraces();
    const dispatch = receiver.spans().find(({ name }) => name === 'dispatch unknown')!;
    expect(dispatch.status).toEqual({ code: 2 });
    expect(receiver.bodies.join('')).not.toMatch(/PRIVATE-1|no_such_tool_anywhere/);
  });

  test('has attributes of the documented list alone', async () => {
    const receiver = kept(await otlpReceiver());
    const testbed = await traced(receiver);
    for (const call of testbed.calls.get('sensors')!.slice(0, 60)) await testbed.carryOut(call);
    await testbed.sendTraces();
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'traces.md'), 'utf8');
    const documented = new Set([...page.matchAll(/^\| `([a-z_]+\.[a-z_.]+)` \|/gm)].map(([, name]) => name));
    const sent = new Set(receiver.spans().flatMap(({ attributes }) => [...attributes.keys()]));
    expect([...sent].filter((name) => !documented.has(name))).toEqual([]);
    // Ids of HTTP requests: this router is called without HTTP.
    expect([...documented].filter((name) => !sent.has(name!))).toEqual(['svc_mcp.request']);
    expect(receiver.spans().flatMap(({ events }) => events ?? [])).toEqual([]);
  });
});

describe('an endpoint', () => {
  const timed = async (receiver: OtlpReceiver) => {
    const testbed = await traced(receiver);
    const read = testbed.calls.get('sensors')!.find(({ tool }) => tool.capability === 'read')!;
    await testbed.read(read);
    const started = performance.now();
    const answers = [];
    for (let n = 0; n < 20; n++) answers.push(await testbed.read(read));
    return { testbed, answers, ms: performance.now() - started };
  };

  test('that answers after a minute holds up no call and no end of the process', async () => {
    const { testbed, answers, ms } = await timed(kept(await otlpReceiver({ delayMs: 60_000 })));
    expect(answers.every(({ isError }) => !isError)).toBe(true);
    expect(ms).toBeLessThan(20_000);
    const started = performance.now();
    await testbed.sendTraces();
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test.each([
    ['that refuses', async () => (await otlpReceiver({ status: 400 })).url],
    ['that is not there', async () => 'http://127.0.0.1:9/v1/traces'],
  ])('%s is one warning, and calls go on', async (_how, urlOf) => {
    const testbed = kept(
      await installationTestbed({ platforms: ['sensors'], variables: { SVC_MCP_TRACES_URL: await urlOf() } }),
    );
    const read = testbed.calls.get('sensors')!.find(({ tool }) => tool.capability === 'read')!;
    for (let round = 0; round < 2; round++) {
      expect((await testbed.read(read)).isError).toBe(false);
      await testbed.sendTraces();
    }
    expect(testbed.log.filter((line) => line.includes('traces.unsent')).length).toBeLessThanOrEqual(1);
  });
});
