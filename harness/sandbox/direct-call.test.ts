import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { directCallMs } from './direct-call.ts';
import { openLoopback } from './loopback.ts';

const measured = async (answer: (response: ServerResponse) => unknown) => {
  await using server = await openLoopback(createServer((_request, response) => void answer(response)));
  return await directCallMs(new URL(server.url).host, 'a', 200);
};

test('five reads are timed', async () => {
  expect(await measured((response) => response.end('[]'))).toHaveLength(5);
});

test.each<[string, (response: ServerResponse) => unknown]>([
  ['a refusal', (response) => response.writeHead(503).end()],
  ['a connection that is reset', (response) => response.socket?.resetAndDestroy()],
  ['an answer that is cut off', (response) => response.write('[', () => response.destroy())],
  ['an answer that never begins', () => {}],
  ['an answer that never ends', (response) => response.write('[')],
])('%s by plan is no measure, and ends no run', async (_what, answer) => {
  expect(await measured(answer)).toBeUndefined();
});
