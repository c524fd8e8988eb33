import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openServerLane } from './server-lane.ts';
import type { TryTestbed } from './try-testbed.ts';

const testbed = { targetFor: async () => undefined, platformsAt: '127.0.0.1:1', assertAlive: () => {} };

test('a call that its server does not answer in time neither asks nor writes in the next run', async () => {
  const command = [process.execPath, join(import.meta.dirname, '..', 'test', 'stub-subject.ts')];
  const limits = { startMs: 20_000, callMs: 50 };
  const server = { name: 'stub', command, headers: {}, env: {}, cwd: import.meta.dirname, limits };
  await using opened = await openServerLane(server, testbed as unknown as TryTestbed, 'try-1');
  const { lane } = opened;
  const run = async () => {
    const upstream = await lane.connect();
    const approvals = ['PATCH /things/7'];
    return {
      upstream,
      session: await lane.bridge.open({ upstream, approvals, maxCalls: 9, newCalls: async () => [] }),
    };
  };
  const first = await run();
  const call = { name: 'late', arguments: { path: '/things/7' } };
  await fetch(first.session.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  await lane.disconnect(first.upstream, await first.session.end());
  const { session } = await run();
  await sleep(400);
  expect(session.transcript.map(({ kind }) => kind)).toEqual(['initialize', 'list']);
  expect([opened.restarts(), opened.hasDied()]).toEqual([0, false]);
});
