/** Reads and writes of a run as calls of its caller: each write previewed and bound, lists read to their end, secrets kept out. */
import { describe, expect, test } from 'vitest';
import type { Call, Result } from '../dispatch/dispatch-call.ts';
import { refuse } from '../dispatch/envelope.ts';
import { RouterError } from '../errors.ts';
import { dispatchPort } from './dispatch-port.ts';

const SUBJECT = { tool: 'mgmt_create_role', platform: 'mgmt' };
const done = (result: unknown): Result => ({ kind: 'done', result, outcome: 'success' });

/** A router with fixed answers, one per call, that records the calls. */
function caller(...answers: Result[]) {
  const calls: Call[] = [];
  const invoke = async (call: Call): Promise<Result> => {
    calls.push(call);
    return answers[calls.length - 1] ?? done({});
  };
  return { calls, context: { call: { principal: 'somebody' }, invoke } };
}

const WRITE = { tool: 'mgmt_create_role', arguments: { name: 'staff', body: {} } };
const READ = { tool: 'mgmt_get_role', arguments: { name: 'staff' } };
const LIST = { tool: 'mgmt_list_roles', arguments: { scope: 's' } };
const PREVIEW = done({ plan_token: 'token', object: 'staff' });

describe('a write', () => {
  test('is previewed, and sent with the token of its own preview in the name of the caller', async () => {
    const { calls, context } = caller(PREVIEW, done({ name: 'staff' }));
    expect(await dispatchPort(context).write(WRITE)).toEqual({ kind: 'done', result: { name: 'staff' } });
    expect(calls.map(({ dispatcher, principal, arguments: args }) => [dispatcher, principal, args])).toEqual([
      ['invoke_tool', 'somebody', { ...WRITE.arguments, dry_run: true }],
      [
        'invoke_tool',
        'somebody',
        { ...WRITE.arguments, dry_run: false, confirm: true, plan_token: 'token', confirm_object: 'staff' },
      ],
    ]);
  });
  test('whose preview is refused is not sent', async () => {
    const { calls, context } = caller(refuse('WRITE_GATE_CLOSED', SUBJECT, 'the gate is closed'));
    expect(await dispatchPort(context).write(WRITE)).toEqual({ kind: 'refused', message: 'the gate is closed' });
    expect(calls).toHaveLength(1);
  });
  test('of a run that is no longer held is not sent', async () => {
    const { calls, context } = caller(PREVIEW);
    const lost = () => {
      throw new RouterError('MIGRATION_RUN_LOST', 'it is held by another one');
    };
    await expect(dispatchPort(context, { mayWrite: lost }).write(WRITE)).rejects.toMatchObject({
      code: 'MIGRATION_RUN_LOST',
    });
    expect(calls).toHaveLength(1);
  });
  test.each([
    ['UPSTREAM_REJECTED', 'refused'],
    ['UPSTREAM_FORBIDDEN', 'refused'],
    ['UPSTREAM_FAILED', 'outcome_unknown'],
    ['UPSTREAM_TIMEOUT', 'outcome_unknown'],
    ['OUTCOME_UNKNOWN', 'outcome_unknown'],
  ] as const)('that ends with %s is %s', async (code, kind) => {
    const { context } = caller(PREVIEW, refuse(code, SUBJECT, 'why'));
    expect(await dispatchPort(context).write(WRITE)).toEqual({ kind, message: 'why' });
  });
});

describe('a read', () => {
  test.each([
    ['what the platform does not have is absent', 'UPSTREAM_NOT_FOUND', 'absent'],
    ['a tool that nobody has is no answer', 'UNKNOWN_TOOL', 'unknown'],
    ['a platform that is not configured is no answer', 'PLATFORM_NOT_CONFIGURED', 'unknown'],
    ['a failure is no answer', 'UPSTREAM_FAILED', 'unknown'],
  ] as const)('%s', async (_, code, kind) => {
    const { context } = caller(refuse(code, SUBJECT, 'why'));
    expect(await dispatchPort(context).read(READ)).toMatchObject({ kind });
  });
  test('of a list continues to its end, from the end of the last page', async () => {
    const cut = { _pagination: { truncated: true } };
    const { calls, context } = caller(
      done({ items: [1, 2], ...cut }),
      done({ items: [3], ...cut }),
      done({ items: [4] }),
    );
    expect(await dispatchPort(context).read(LIST)).toMatchObject({ kind: 'found', value: { items: [1, 2, 3, 4] } });
    expect(calls.map((call) => call.arguments['offset'])).toEqual([undefined, 2, 3]);
  });
  test('of a list of the legacy controller counts from one', async () => {
    const { calls, context } = caller(done({ items: [1, 2], _pagination: { truncated: true } }), done({ items: [] }));
    await dispatchPort(context).read({ tool: 'legacy_list_roles', arguments: {} });
    expect(calls.map((call) => call.arguments['offset'])).toEqual([undefined, 3]);
  });
  test('of a list whose answer is no list is no answer', async () => {
    const { context } = caller(done({ preview: 'the start of something large' }));
    expect(await dispatchPort(context).read(LIST)).toEqual({ kind: 'unknown', message: 'the answer is no list' });
  });
  test('of a list that never ends is cut, and says so', async () => {
    const endless = done({ items: [1], _pagination: { truncated: true } });
    const { calls, context } = caller(...Array.from({ length: 60 }, () => endless));
    expect(await dispatchPort(context).read(LIST)).toMatchObject({ value: { _pagination: { truncated: true } } });
    expect(calls).toHaveLength(50);
  });
});

describe('a message of the platform holds no secret of the apply', () => {
  const secret = 'Otter-Wharf-8822-Pine';
  const bytes = Buffer.from(secret);
  test.each([
    ['as it is', secret],
    ['in base64', bytes.toString('base64')],
    ['in base64 behind something', Buffer.from(`user:${secret}`).toString('base64')],
    ['in base64url', bytes.toString('base64url')],
    ['in hexadecimal digits', bytes.toString('hex')],
    ['in capital ones', bytes.toString('hex').toUpperCase()],
    ['for an address', [...bytes].map((byte) => `%${byte.toString(16)}`).join('')],
    ['as escaped JSON', [...secret].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')],
    ['in part', secret.slice(4, 16)],
  ])('%s', async (_, spelled) => {
    const { context } = caller(PREVIEW, refuse('UPSTREAM_REJECTED', SUBJECT, `not with ${spelled} here`));
    const { message } = (await dispatchPort(context, { secrets: [secret] }).write(WRITE)) as { message: string };
    expect(message).toMatch(/^not with .*\*{6}.* here$/);
    expect(message.length).toBeLessThan('not with  here'.length + 6 + 10);
  });
  test('also one that is too short to be looked for in parts', async () => {
    const { context } = caller(PREVIEW, refuse('UPSTREAM_REJECTED', SUBJECT, 'not with abc here'));
    expect(await dispatchPort(context, { secrets: ['abc', ''] }).write(WRITE)).toEqual({
      kind: 'refused',
      message: 'not with ****** here',
    });
  });
});
