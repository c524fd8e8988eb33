import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectMcp } from '../agents/mcp/agent-client.ts';
import { type Bridge, openBridge } from './agent-bridge.ts';
import { connectStdio, type Upstream } from './upstream.ts';

const stub = (...args: string[]) => ({
  name: 'stub',
  file: process.execPath,
  args: [join(import.meta.dirname, '..', 'test', 'stub-subject.ts'), ...args],
  cwd: import.meta.dirname,
  env: {},
});

let bridge: Bridge;
let upstream: Upstream;

beforeAll(async () => {
  bridge = await openBridge();
  upstream = await connectStdio(stub());
});

afterAll(async () => {
  await upstream.close();
  await bridge.close();
});

const open = (approvals: string[], maxCalls = 10, to = upstream) => {
  let seq = 0;
  return bridge.open({ upstream: to, approvals, maxCalls, newCalls: async () => [++seq] });
};

describe('the bridge', () => {
  test('lets an HTTP client reach a stdio subject and writes down every message', async () => {
    const session = await open([]);
    const mcp = await connectMcp(session.url, 10);
    expect((await mcp.listTools()).map((tool) => tool.name)).toEqual(['echo', 'write']);
    expect(await mcp.callTool('echo', { a: 1 })).toEqual({ isError: false, texts: ['{"a":1}'], json: { a: 1 } });
    expect(session.transcript).toMatchObject([
      { n: 1, kind: 'initialize', received: 'Echo, or write.' },
      { n: 2, kind: 'list', received: [{ name: 'echo' }, { name: 'write' }] },
      { n: 3, kind: 'call', tool: 'echo', sent: { a: 1 }, received: ['{"a":1}'], isError: false, calls: [1] },
    ]);
    session.end();
  });

  test('asks the approver, never the agent, and the approver accepts only approved calls', async () => {
    const session = await open(['PATCH /things/7']);
    const mcp = await connectMcp(session.url, 10);
    expect((await mcp.callTool('write', { path: '/things/7' })).json).toEqual({ ok: true, code: 'done' });
    expect((await mcp.callTool('write', { path: '/things/8' })).json).toEqual({ ok: false, code: 'declined' });
    const answers = session.transcript
      .filter((message) => message.kind === 'elicitation')
      .map((message) => message.received);
    expect(answers).toEqual([{ action: 'accept', content: { confirm: true } }, { action: 'decline' }]);
    session.end();
  });

  test('hands on an error of the protocol as a failed call, written down with its own platform calls', async () => {
    const session = await open([]);
    const mcp = await connectMcp(session.url, 10);
    const text = 'MCP error -32603: declined by the person';
    expect(await mcp.callTool('fail', { id: 3 })).toEqual({ isError: true, texts: [text], json: undefined });
    await mcp.callTool('echo', {});
    expect(session.transcript.slice(2)).toMatchObject([
      { n: 3, kind: 'call', tool: 'fail', sent: { id: 3 }, received: [text], isError: true, calls: [1] },
      { n: 4, kind: 'call', tool: 'echo', isError: false, calls: [2] },
    ]);
    session.end();
  });

  test.each<[string, object, string[]]>([
    ['alone', { content: [], structuredContent: { vlan: 20 } }, ['{"vlan":20}']],
    ['beside a text of its own', { content: ['done'], structuredContent: { psk: 'x' } }, ['done', '{"psk":"x"}']],
    ['that its text repeats', { content: ['{"vlan": 20}'], structuredContent: { vlan: 20 } }, ['{"vlan": 20}']],
    ['around its text', { content: ['7'], structuredContent: { result: '7' } }, ['7']],
    [
      'around its blocks',
      { content: ['{"a":1}', '{"a":2}'], structuredContent: { result: [{ a: 1 }, { a: 2 }] } },
      ['{"a":1}', '{"a":2}'],
    ],
  ])('hands on and writes down structured content %s', async (_how, result, texts) => {
    const session = await open([]);
    const mcp = await connectMcp(session.url, 10);
    expect((await mcp.callTool('structured', { result })).texts).toEqual(texts);
    expect(session.transcript.at(-1)).toMatchObject({ kind: 'call', received: texts });
    await session.end();
  });

  test('hands on the text of a resource that is embedded, and writes the resource down', async () => {
    const resource = {
      type: 'resource',
      resource: { uri: 'site:7', mimeType: 'application/json', text: '{"vlan":20}' },
    };
    const callTool = async () => ({
      isError: false,
      content: [resource, { type: 'image', data: '', mimeType: 'image/png' }],
    });
    const session = await open([], 10, { ...upstream, callTool });
    const mcp = await connectMcp(session.url, 10);
    expect(await mcp.callTool('echo', {})).toEqual({ isError: false, texts: ['{"vlan":20}'], json: { vlan: 20 } });
    expect(session.transcript.at(-1)).toMatchObject({ received: [resource, { type: 'image' }] });
    await session.end();
  });

  test('hands on a call that is not answered in time as a failed one', async () => {
    const hurried = await connectStdio({ ...stub(), callMs: 100 });
    const session = await open([], 10, hurried);
    const mcp = await connectMcp(session.url, 10);
    expect(await mcp.callTool('hang', {})).toMatchObject({
      isError: true,
      texts: [expect.stringMatching('timed out')],
    });
    expect(session.transcript.at(-1)).toMatchObject({ kind: 'call', tool: 'hang', isError: true, calls: [1] });
    session.end();
    await hurried.close();
  });

  test('ends the agent with the subject, and keeps the call under which it ended', async () => {
    const ending = await connectStdio(stub());
    const session = await open([], 10, ending);
    const mcp = await connectMcp(session.url, 10);
    await expect(mcp.callTool('exit', {})).rejects.toThrow('stub should keep its connection open, got an end');
    expect(session.transcript.at(-1)).toMatchObject({ kind: 'call', tool: 'exit', isError: true, calls: [1] });
    session.end();
    await ending.close();
  });

  test('cancels the calls that wait when the run ends, and keeps them in its transcript', async () => {
    const begun = Promise.withResolvers<void>();
    const callTool: Upstream['callTool'] = (...call) => {
      begun.resolve();
      return upstream.callTool(...call);
    };
    const session = await open([], 10, { ...upstream, callTool });
    const mcp = await connectMcp(session.url, 10);
    const gone = expect(mcp.callTool('hang', {})).resolves.toMatchObject({ isError: true });
    await begun.promise;
    expect(await session.end()).toBe(true);
    await gone;
    expect(session.transcript.slice(2)).toMatchObject([
      { n: 3, kind: 'call', tool: 'hang', isError: true, calls: [1] },
    ]);
  });

  test('knows whether the subject may still be at work: after a call that took too long, and not after an answer', async () => {
    const hurried = await connectStdio({ ...stub(), callMs: 100 });
    const ends = [];
    for (const tool of ['hang', 'fail', 'echo']) {
      const session = await open([], 10, hurried);
      await (await connectMcp(session.url, 10)).callTool(tool, {});
      ends.push(await session.end());
    }
    expect(ends).toEqual([true, false, false]);
    await hurried.close();
  });

  test('closes the address with the run', async () => {
    const session = await open([]);
    session.end();
    expect((await fetch(session.url, { method: 'POST' })).status).toBe(404);
  });

  test('never closes a connection under a subject that is slow or an agent that thinks for long', async () => {
    const session = await open([]);
    const hello = await fetch(session.url, { method: 'POST', body: '{}' });
    expect([hello.headers.get('connection'), hello.headers.get('keep-alive')]).toEqual(['keep-alive', null]);
    session.end();
  });

  test('passes no more calls than the limit, whatever the agent counts', async () => {
    const session = await open([], 1);
    const mcp = await connectMcp(session.url, 99);
    await mcp.callTool('echo', {});
    await expect(mcp.callTool('echo', {})).rejects.toThrow('no more than 1 calls');
    session.end();
  });
});

test('a subject that does not start is a coded error with its last words', async () => {
  await expect(connectStdio(stub('--crash'))).rejects.toMatchObject({
    code: 'SUBJECT_UNREACHABLE',
    exit: 3,
    message: expect.stringContaining('cannot open the catalog: CATALOG_MISSING'),
  });
});
