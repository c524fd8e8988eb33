/** The question on its way to a client and back: each answer counts once, for its own question, and says what was typed. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { ConfirmationService } from './confirmation.ts';
import { fixedKeys } from './keyring.ts';
import type { Question } from './question.ts';
import { MemorySingleUse } from './single-use.ts';

const DESTRUCTIVE: Question = { subject: 'a', digest: 'd', parts: [{ message: 'Send?', objects: ['Lab 1'] }] };
const TWO_PARTS: Question = {
  subject: 'a',
  digest: 'd',
  parts: [
    { message: 'Part 1', objects: [] },
    { message: 'Part 2', objects: ['one', 'two'] },
  ],
};

/** A request of a client that brings answers and the state of an earlier round, as the protocol library hands it over. */
function context(state?: unknown, inputResponses: Record<string, unknown> = {}): ServerContext {
  const mcpReq = {
    method: 'tools/call',
    envelope: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } },
    requestState: () => state,
    inputResponses,
  };
  return { mcpReq } as unknown as ServerContext;
}

async function asked(question: Question) {
  const confirmations = new ConfirmationService(fixedKeys(new Uint8Array(32).fill(3)), new MemorySingleUse());
  const ctx = context();
  const first = await confirmations.approverOf(ctx, 'modern', undefined).ask(question);
  if (first.kind !== 'pending') throw new Error('nobody should have answered yet');
  const { inputRequests = {}, requestState = '' } = first.result;
  const state = await confirmations.verifier('modern')(requestState, ctx);
  const answer = async (responses: Record<string, unknown>, about = question) => {
    const round = await confirmations.approverOf(context(state, responses), 'modern', undefined).ask(about);
    return round.kind === 'answered' ? round.answer : round;
  };
  return { inputRequests: inputRequests as Record<string, { params: { requestedSchema: object } }>, answer };
}

const accept = (content: object) => ({ action: 'accept', content });

test('a destructive request wants the name of its object typed', async () => {
  const { inputRequests } = await asked(DESTRUCTIVE);
  expect(inputRequests['confirm']?.params.requestedSchema).toMatchObject({
    required: ['confirm', 'confirm_object'],
    properties: { confirm_object: { type: 'string' } },
  });
  for (const [typed, kind] of [
    ['Lab 1', 'yes'],
    [' Lab 1 ', 'yes'],
    ['Lab 2', 'declined'],
    ['', 'declined'],
    [undefined, 'declined'],
  ] as const) {
    const { answer } = await asked(DESTRUCTIVE);
    expect(await answer({ confirm: accept({ confirm: true, confirm_object: typed }) }), String(typed)).toMatchObject({
      kind,
    });
  }
});

test('an answer counts once', async () => {
  const { answer } = await asked(DESTRUCTIVE);
  const yes = { confirm: accept({ confirm: true, confirm_object: 'Lab 1' }) };
  expect(await answer(yes)).toEqual({ kind: 'yes' });
  expect(await answer(yes)).toEqual({ kind: 'declined', why: 'this confirmation was already used' });
});

test.each([
  ['another subject', { subject: 'b' }],
  ['another digest', { digest: 'e' }],
])('an answer to one question is none to %s', async (_, change) => {
  const { answer } = await asked(DESTRUCTIVE);
  const yes = { confirm: accept({ confirm: true, confirm_object: 'Lab 1' }) };
  expect(await answer(yes, { ...DESTRUCTIVE, ...change })).toMatchObject({ kind: 'declined' });
});

test('every part of a question has to be agreed to', async () => {
  const whole = accept({ confirm: true, confirm_object: 'one', confirm_object_2: 'two' });
  for (const [responses, kind] of [
    [{ confirm: accept({ confirm: true }), confirm_2: whole }, 'yes'],
    [{ confirm: { action: 'decline' }, confirm_2: whole }, 'declined'],
    [{ confirm: accept({ confirm: false }), confirm_2: whole }, 'declined'],
    [{ confirm: { action: 'cancel' }, confirm_2: whole }, 'cancelled'],
    [{ confirm: accept({ confirm: true }), confirm_2: accept({ confirm: true, confirm_object: 'one' }) }, 'declined'],
  ] as const) {
    const { answer, inputRequests } = await asked(TWO_PARTS);
    expect(Object.keys(inputRequests)).toEqual(['confirm', 'confirm_2']);
    expect(await answer(responses), JSON.stringify(responses)).toMatchObject({ kind });
  }
});

test('a part without an answer is asked about again', async () => {
  const { answer } = await asked(TWO_PARTS);
  expect(await answer({ confirm: accept({ confirm: true }) })).toMatchObject({ kind: 'pending' });
});

test('a no to one part is the answer, and the question is none any more', async () => {
  const { answer } = await asked(TWO_PARTS);
  expect(await answer({ confirm: { action: 'decline' } })).toMatchObject({ kind: 'declined' });
  const whole = accept({ confirm: true, confirm_object: 'one', confirm_object_2: 'two' });
  expect(await answer({ confirm: accept({ confirm: true }), confirm_2: whole })).toMatchObject({
    kind: 'declined',
    why: 'this confirmation was already used',
  });
});
