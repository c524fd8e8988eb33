import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listedOnce } from '../compare/measure.ts';
import type { Child } from '../subject/subject-process.ts';
import { openBridge } from './agent-bridge.ts';
import { httpProcess, stdioProcess } from './lane-process.ts';
import { connectStdio, type Upstream } from './upstream.ts';

const stub = () =>
  connectStdio({
    name: 'stub',
    file: process.execPath,
    args: [join(import.meta.dirname, '..', 'test', 'stub-subject.ts')],
    cwd: import.meta.dirname,
    env: {},
  });

test('a call that outlives its run over stdio neither asks nor writes in the next run', async () => {
  await using bridge = await openBridge();
  const process = await stdioProcess(stub);
  const open = (upstream: Upstream) =>
    bridge.open({ upstream, approvals: ['PATCH /things/7'], maxCalls: 9, newCalls: async () => [] });
  const first = await process.connect();
  const left = await open(first);
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'late', arguments: { path: '/things/7' } },
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  void fetch(left.url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {});
  await sleep(100);
  await process.disconnect(first, await left.end());
  const next = await open(await process.connect());
  await sleep(400);
  process.assertAlive();
  expect(next.transcript.map(({ kind }) => kind)).toEqual(['initialize', 'list']);
  expect(await next.end()).toBe(false);
  await process.close();
});

test('a comparison, which asks for the list once, speaks to the process that was started again', async () => {
  const process = await stdioProcess(stub);
  const lane = listedOnce(process, []);
  const first = await lane.connect();
  expect((await first.callTool('echo', { run: 1 })).isError).toBe(false);
  await lane.disconnect(first, true);
  const next = await lane.connect();
  expect((await next.callTool('echo', { run: 2 })).content).toEqual([{ type: 'text', text: '{"run":2}' }]);
  expect(await next.listTools()).toEqual([]);
  await process.close();
});

test('over HTTP the process is started again only after a run that left it at work', async () => {
  const log: string[] = [];
  const upstream = { close: async () => void log.push('connection closed') } as Upstream;
  const process = await httpProcess(async () => {
    log.push('started');
    return { close: async () => void log.push('ended') } as Child<{ url: string }>;
  }, 'bearer');
  await process.disconnect(upstream, false);
  await process.disconnect(upstream, true);
  await process.close();
  expect(log).toEqual(['started', 'connection closed', 'connection closed', 'ended', 'started', 'ended']);
});
