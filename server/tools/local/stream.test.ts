/** collect_stream_events over a real WebSocket: what is collected, what ends it, and what is masked. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openDispatch } from '../../dispatch/open-dispatch.ts';
import { openCatalog } from '../../open-catalog.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { nobody } from '../../test/support/approvers.ts';
import { SAMPLE_SECRET, sampleInstallation } from '../../test/support/sample-installation.ts';
import { type StreamServer, streamServer } from '../../test/support/stream-server.ts';
import { openLocalTools } from './registry.ts';

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

function collector({ url }: Pick<StreamServer, 'url'>) {
  const installation = sampleInstallation();
  const cache = mkdtempSync(join(tmpdir(), 'stream-'));
  const config = installation.config({ SOURCE_BASE_URL: url, TOKEN_CACHE_DIR: cache, SVC_MCP_RATE_PER_SECOND: '0' });
  const { catalog } = openCatalog(config);
  const local = openLocalTools({ config, catalog, visible: () => true, choose: () => [] }, config.localToolsets);
  const { dispatch, close } = openDispatch(config, catalog, createLogger('silent'), local);
  closes.push(() => {
    close();
    catalog.close();
    installation[Symbol.dispose]();
    rmSync(cache, { recursive: true, force: true });
  });
  return async (args: Record<string, unknown>, signal?: AbortSignal) => {
    const call = {
      dispatcher: 'invoke_read_tool',
      name: 'collect_stream_events',
      principal: 'local',
      approver: nobody,
    } as const;
    const result = await dispatch.invoke({
      ...call,
      arguments: { topic: 'alerts', ...args },
      ...(signal ? { signal } : {}),
    });
    return result.kind === 'done' ? (result.result as Record<string, unknown>) : result;
  };
}

const alert = (id: number) => JSON.stringify({ id, severity: 'major' });

test('collects until there are enough, with its login, on the path of its topic', async () => {
  await using server = await streamServer((send) => {
    for (let id = 0; id < 10; id++) send(alert(id));
  });
  expect(await collector(server)({ max_events: 3 })).toMatchObject({
    topic: 'alerts',
    count: 3,
    ended_by: 'max_events',
    events: [{ data: { id: 0 } }, { data: { id: 1 } }, { data: { id: 2 } }],
  });
  expect(server.asked).toEqual([
    { path: '/network-streaming/v1alpha1/topics/alerts', authorization: 'Bearer stream-token-1' },
  ]);
});

test('a stream that goes on is ended by the time, one that the platform closes by the platform, a flood by its bytes', async () => {
  await using quiet = await streamServer((send) => send(alert(1)));
  expect(await collector(quiet)({ seconds: 1 })).toMatchObject({ count: 1, ended_by: 'time' });
  await using brief = await streamServer((send, close) => {
    send('not json');
    send('{"id":9007199254740993}');
    send('null');
    send(Buffer.from([1, 2, 3]));
    close(1001);
  });
  expect(await collector(brief)({ seconds: 30 })).toMatchObject({
    ended_by: 'platform',
    close_code: 1001,
    binary_frames: 1,
    events: [{ data: 'not json' }, { data: { id: '9007199254740993' } }, { data: null }],
  });
  await using flood = await streamServer((send) => {
    for (let i = 0; i < 10; i++) send(JSON.stringify({ i, text: 'x'.repeat(70_000) }));
  });
  expect(await collector(flood)({ seconds: 30 })).toMatchObject({ ended_by: 'max_bytes', count: 2 });
});

test('a stream without an end, its events in pieces with pings between them, is left when there is enough', async () => {
  let sent = 0;
  await using server = await streamServer((_send, _close, { sendInPieces }) => {
    const timer = setInterval(() => {
      if (server.open === 0) clearInterval(timer);
      else sendInPieces(JSON.stringify({ id: sent++, text: 'ä'.repeat(300) }), 101);
    }, 1);
  });
  const collected = await collector(server)({ max_events: 40, seconds: 30 });
  const { events, ...rest } = collected as Record<string, unknown>;
  expect(rest).toMatchObject({ ended_by: 'max_events', count: 40 });
  expect((events as { data: unknown }[]).map(({ data }) => data)).toEqual(
    Array.from({ length: 40 }, (_, id) => ({ id, text: 'ä'.repeat(300) })),
  );
  // It hangs up, though this server does not hear a close among its own frames.
  while (server.open > 0) await new Promise((next) => setTimeout(next, 5));
});

test('a message without an end is no message: it ends by its bytes, and the connection is cut', async () => {
  await using server = await streamServer((_send, _close, { sendWithoutEnd }) => sendWithoutEnd());
  expect(await collector(server)({ seconds: 30 })).toMatchObject({ ended_by: 'max_bytes', count: 0 });
  while (server.open > 0) await new Promise((next) => setTimeout(next, 5));
});

test('secrets of events are masked, known ones and those their names give away', async () => {
  await using server = await streamServer((send, close) => {
    send(JSON.stringify({ note: `the client secret is ${SAMPLE_SECRET}`, password: 'hunter22-of-somebody' }));
    close(1000);
  });
  const text = JSON.stringify(await collector(server)({ seconds: 30 }));
  expect(text).toContain('the client secret is');
  expect(text).not.toContain(SAMPLE_SECRET);
  expect(text).not.toContain('hunter22-of-somebody');
});

test('a login that is refused is renewed once; a stream that stays shut is an error with its host', async () => {
  await using strict = await streamServer(
    (send) => send(alert(7)),
    (authorization) => authorization === 'Bearer stream-token-2',
  );
  expect(await collector(strict)({ max_events: 1 })).toMatchObject({ count: 1 });
  await using shut = await streamServer(
    () => {},
    () => false,
  );
  expect(await collector(shut)({ seconds: 30 })).toMatchObject({
    kind: 'refused',
    refusal: { code: 'upstream_error', message: expect.stringContaining('the event stream at 127.0.0.1') },
  });
  expect(new Set(shut.asked.map(({ authorization }) => authorization)).size).toBe(2);
});

test('a caller that disconnects ends it', async () => {
  const caller = new AbortController();
  await using server = await streamServer(() => setImmediate(() => caller.abort()));
  const ended = await collector(server)({ seconds: 30 }, caller.signal);
  expect(ended).toMatchObject({ kind: 'refused', refusal: { code: 'cancelled' } });
});

test('topics and times outside the schema are refused before anything is opened', async () => {
  await using server = await streamServer(() => {});
  const collect = collector(server);
  for (const args of [{ topic: '../admin' }, { seconds: 31 }, { max_events: 201 }])
    expect(await collect(args)).toMatchObject({ kind: 'refused', refusal: { code: 'invalid_arguments' } });
  expect([server.asked, server.tokens]).toEqual([[], 0]);
});
