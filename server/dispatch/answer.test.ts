/** Refusals that a platform tells inside a success. */
import { expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { answerOf } from './answer.ts';
import { Cursors } from './cursor.ts';
import { fixedKeys } from './keys.ts';

const tool = {
  name: 'legacy_set_vlan',
  platform: 'legacy',
  capability: 'write',
  innerOutcome: { status: '_global_result.status', ok: 0, message: '_global_result.status_str' },
} as Tool;

const options = {
  config: { response: { maxItems: 200, maxBytes: 200_000, batchMaxBytes: 300_000, cursorTtlSeconds: 900 } },
  cursors: new Cursors(fixedKeys(new Uint8Array(32)), 900),
};

const answered = (body: unknown) =>
  answerOf({
    tool,
    values: {},
    from: 0,
    options,
    response: {
      status: 200,
      body,
      headers: new Headers(),
      location: null,
      retryAfterMs: undefined,
      attempts: 1,
    },
  });

test('a code that is not the good one is a refusal with the words of the platform', () => {
  const body = { _global_result: { status: 409, status_str: 'VLAN 20 is in use' } };
  expect(answered(body)).toMatchObject({
    kind: 'refused',
    refusal: { code: 'upstream_rejected', data: body, message: expect.stringContaining('VLAN 20 is in use') },
  });
});

test.each([
  ['the good code', { _global_result: { status: 0, status_str: 'Success' } }],
  ['the good code as text', { _global_result: { status: '0' } }],
  ['no code at all', { _data: { vlan: [] } }],
])('%s is a success', (_, body) => {
  expect(answered(body)).toMatchObject({ kind: 'done', outcome: 'success' });
});
