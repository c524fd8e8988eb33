/** Calls of 2025-11-25 connections whose question gets no answer, through a client library that nobody here wrote. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, type Server } from '@modelcontextprotocol/server';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfirmationService } from '../dispatch/confirmation.ts';
import { fixedKeys } from '../dispatch/keyring.ts';
import { MemorySingleUse } from '../dispatch/single-use.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { PublicTool } from '../tools/public/public-tool.ts';
import { protocolFactory } from './protocol.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A client whose person is asked by a tool; `sent` counts what a yes let through. */
async function asking(answer: (() => ElicitResult | Promise<ElicitResult>) | undefined, parts = 1) {
  const sent = { count: 0 };
  const question = {
    subject: 'a',
    digest: 'd',
    parts: Array.from({ length: parts }, (_, i) => ({ message: `Send ${i + 1}?`, objects: [] })),
  };
  const tool: PublicTool = {
    definition: { name: 'invoke_tool', inputSchema: { type: 'object' } },
    run: async (_, { approver }) => {
      const asked = await approver.ask(question);
      if (asked.kind === 'pending') return { kind: 'ask', question: asked.result };
      if (asked.answer.kind === 'yes') sent.count += 1;
      return { kind: 'texts', texts: [JSON.stringify(asked.answer)], isError: asked.answer.kind !== 'yes' };
    },
  };
  const server = protocolFactory({
    version: '1',
    instructions: '',
    tools: [tool],
    confirmations: new ConfirmationService(fixedKeys(new Uint8Array(32).fill(3)), new MemorySingleUse()),
    anonymous: 'local',
    logger: createLogger('error', () => {}),
  })({ era: 'legacy' }) as Server;
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  if (answer) client.setRequestHandler(ElicitRequestSchema, async () => answer());
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  await client.connect(here as Parameters<Client['connect']>[0]);
  const call = async () => {
    const result = await client.callTool({ name: 'invoke_tool', arguments: {} }, undefined, { timeout: 3_600_000 });
    return { isError: result.isError, answer: JSON.parse((result.content as { text: string }[])[0]?.text ?? '') };
  };
  return { call, sent };
}

test.each([
  ['knows no question although it said so', undefined, 'Method not found'],
  ['fails to show it', () => Promise.reject(new Error('no window is open')), 'no window is open'],
] as const)('a client that %s gets a refusal like any other', async (_, answer, why) => {
  const { call, sent } = await asking(answer);
  const refused = await call();
  expect(refused).toMatchObject({ isError: true, answer: { ok: false, code: 'confirmation_unavailable' } });
  expect(refused.answer.message).toContain(`"${why}`);
  expect(refused.answer.message).toContain('Nothing was sent');
  expect(sent.count).toBe(0);
});

test('one of several questions that fails ends the others, and the next call is asked anew', async () => {
  let shown = 0;
  const { call, sent } = await asking(() => {
    shown += 1;
    if (shown === 1) throw new Error('busy');
    return shown <= 2 ? new Promise<ElicitResult>(() => {}) : { action: 'accept', content: { confirm: true } };
  }, 2);
  expect(await call()).toMatchObject({ answer: { code: 'confirmation_unavailable' } });
  expect(sent.count).toBe(0);
  expect(await call()).toEqual({ isError: undefined, answer: { kind: 'yes' } });
  expect(sent.count).toBe(1);
});

test('a question that nobody answers in time is withdrawn, and says so', { timeout: 20_000 }, async () => {
  vi.useFakeTimers();
  const shown = Promise.withResolvers<void>();
  const { call, sent } = await asking(() => {
    shown.resolve();
    return new Promise(() => {});
  });
  const answered = call();
  await shown.promise;
  await vi.advanceTimersByTimeAsync(300_000);
  const { isError, answer } = await answered;
  expect(isError).toBe(true);
  expect(answer).toMatchObject({ ok: false, code: 'cancelled' });
  expect(answer.message).toContain('nobody answered the question in time');
  expect(sent.count).toBe(0);
});
