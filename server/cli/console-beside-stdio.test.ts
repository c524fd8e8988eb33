import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { RouterError } from '../errors.ts';
import type { Router } from '../router.ts';
import { createLogger } from '../telemetry/logger.ts';
import { consoleBesideStdio } from './console-beside-stdio.ts';

const AGAIN_MS = 10;

/** A router's own console: a server that says whose it is. */
const consoleOf =
  (router: string, port: number): Router['serveConsole'] =>
  async () => {
    const server = createServer((_request, response) => response.setHeader('connection', 'close').end(router));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening').catch((cause: unknown) => {
      throw new RouterError('PORT_IN_USE', 'the port is in use', { cause });
    });
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => void (await new Promise((resolve) => server.close(resolve))),
      unref: () => void server.unref(),
    };
  };

async function open(router: string, port: number) {
  const log: string[] = [];
  const logger = createLogger('debug', (line) => log.push(line));
  return { ...(await consoleBesideStdio(consoleOf(router, port), logger, AGAIN_MS)), log };
}

test('where the router that serves it ends, one of the others takes its place, and the next after that one', async () => {
  const first = await open('first', 0);
  const { url = '', port } = { url: first.url, port: Number(new URL(first.url ?? '').port) };
  const others = [await open('other', port), await open('other', port)];
  expect(others.map((one) => one.url)).toEqual([undefined, undefined]);
  const serves = () => fetch(url).then((response) => response.text(), String);
  expect(await serves()).toBe('first');
  await first.close();
  await expect.poll(serves).toBe('other');
  const here = () => others.filter(({ log }) => log.some((line) => line.includes('console.here')));
  const [second] = here();
  expect(here()).toHaveLength(1);
  await second?.close();
  await expect.poll(() => here().length).toBe(2);
  expect(await serves()).toBe('other');
  for (const one of others) await one.close();
  expect(await serves()).toContain('fetch failed');
});

test('a router that waits for the port ends without having served it', async () => {
  const first = await open('first', 0);
  const waiting = await open('waiting', Number(new URL(first.url ?? '').port));
  await waiting.close();
  await first.close();
  expect(waiting.log.filter((line) => line.includes('console.here'))).toEqual([]);
});

test('without a console nothing is served, and another failure is not tried again', async () => {
  const logger = createLogger('silent');
  const none = await consoleBesideStdio(async () => undefined, logger, AGAIN_MS);
  expect(none.url).toBeUndefined();
  await none.close();
  const failing = async () => {
    throw new RouterError('ADDRESS_UNAVAILABLE', 'no such address');
  };
  await expect(consoleBesideStdio(failing, logger, AGAIN_MS)).rejects.toMatchObject({ code: 'ADDRESS_UNAVAILABLE' });
});
