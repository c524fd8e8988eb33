/** Malformed messages reach a server of either revision with what it wants of every message, and no less malformed. */
import { expect, test } from 'vitest';
import { senderMeta } from '../sandbox/revision.ts';
import { malformedMessages } from './malformed-messages.ts';
import { dialectOf } from './raw-dialect.ts';

const messages = malformedMessages(90, 1);

test('of 2025-11-25 each is sent as it is', () => {
  const { dressed } = dialectOf('2025-11-25');
  expect(messages.map(({ text }) => dressed(text))).toEqual(messages.map(({ text }) => text));
});

test('of 2026-07-28 each request with parameters of the right form says who sends it, and nothing else changes', () => {
  const { dressed, headers } = dialectOf('2026-07-28');
  for (const { kind, text } of messages) {
    const sent = dressed(text);
    if (sent === text) continue;
    const { params, ...rest } = JSON.parse(sent);
    const { params: before = {}, ...same } = JSON.parse(text);
    expect(params._meta, kind).toMatchObject(senderMeta());
    expect({ ...rest, params: { ...params, _meta: undefined } }, kind).toEqual({
      ...same,
      params: { ...before, _meta: undefined },
    });
  }
  expect(messages.filter(({ text }) => dressed(text) !== text).length).toBeGreaterThan(30);
  expect(headers('{"method":"tools/call","params":{"name":"a"}}')).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'a',
  });
  expect(headers('{"method":"a\\nb","params":[1')).toEqual({ 'mcp-protocol-version': '2026-07-28' });
});
