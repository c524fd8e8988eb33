/** States that a client carries for the router: exact to the letter, good once, and for what was asked alone. */
import { randomBytes } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { ConfirmationService } from './confirmation.ts';
import { Cursors } from './cursor.ts';
import { fixedKeys } from './keyring.ts';
import { type Plan, PlanTokens } from './plan-token.ts';
import type { Question } from './question.ts';
import { MemorySingleUse } from './single-use.ts';

const QUESTION: Question = {
  subject: ['PATCH', '/sites/1', { name: 'x' }],
  digest: 'd',
  parts: [{ message: 'May this be sent?', objects: [] }],
};
const PLAN: Plan = { tool: 't', arguments: {}, principal: 'p', access: [], catalog: 'c', account: null };
const keys = fixedKeys(randomBytes(32));

/** A request that brings back `state`, and the yes of a person with it. */
function context(state?: unknown, principal = 'p'): ServerContext {
  const yes = { confirm: { action: 'accept', content: { confirm: true } } };
  return {
    sessionId: 's',
    http: { authInfo: { clientId: principal } },
    mcpReq: {
      method: 'tools/call',
      requestState: () => state,
      inputResponses: state === undefined ? undefined : yes,
    },
  } as unknown as ServerContext;
}

async function asked(confirmations: ConfirmationService, question = QUESTION): Promise<string> {
  const answers = await confirmations.approverOf(context(), 'modern', { elicitation: {} }).ask(question);
  if (answers.kind !== 'pending') throw new Error('a question was expected');
  return (answers.result as unknown as { requestState: string }).requestState;
}

describe('the answer to a question', () => {
  test('counts for who was asked, on the connection where it was asked', async () => {
    const confirmations = new ConfirmationService(keys, new MemorySingleUse());
    const state = await asked(confirmations);
    await expect(confirmations.verifier('modern')(state, context(undefined, 'another'))).rejects.toThrow();
    await expect(confirmations.verifier('legacy')(state, context())).rejects.toThrow();
    await expect(confirmations.verifier('modern')(state, context())).resolves.toBeDefined();
  });
});

const VARIANTS: [string, (text: string) => string][] = [
  ['a padding behind it', (text) => `${text}=`],
  ['two paddings behind it', (text) => `${text}==`],
  ['a blank behind it', (text) => `${text} `],
  ['a blank before it', (text) => ` ${text}`],
  ['a line end behind it', (text) => `${text}\n`],
  ['a tab behind it', (text) => `${text}\t`],
  ['a null behind it', (text) => `${text}\0`],
  ['a dot behind it', (text) => `${text}.`],
  ['a blank within it', (text) => `${text.slice(0, -4)} ${text.slice(-4)}`],
  ['a padding before its dot', (text) => text.replace(/\.(?=[^.]*$)/, '=.')],
  ['the letters of plain base64', (text) => text.replaceAll('-', '+').replaceAll('_', '/')],
];

describe.each(VARIANTS)('with %s', (_, change) => {
  // A token without a letter that differs between both alphabets is drawn again.
  const drawn = async (draw: () => Promise<string> | string) => {
    for (;;) {
      const text = await draw();
      if (change(text) !== text) return text;
    }
  };

  test('a state is refused', async () => {
    const confirmations = new ConfirmationService(keys, new MemorySingleUse());
    const state = await drawn(() => asked(confirmations));
    await expect(confirmations.verifier('modern')(change(state), context())).rejects.toThrow();
    await expect(confirmations.verifier('modern')(state, context())).resolves.toBeDefined();
  });

  test('a plan token is refused', async () => {
    const plans = new PlanTokens(keys, new MemorySingleUse());
    const token = await drawn(() => plans.issue(PLAN));
    expect(await plans.check(change(token), PLAN)).toMatchObject({ ok: false });
    expect(await plans.check(token, PLAN)).toMatchObject({ ok: true });
  });

  test('a cursor is refused', async () => {
    const cursors = new Cursors(keys, 900);
    const of = { tool: 't', arguments: {}, principal: 'p' };
    const cursor = await drawn(() => cursors.issue({ ...of }, Math.floor(Math.random() * 1e9)));
    expect(cursors.read(change(cursor), of)).toHaveProperty('reason');
    expect(cursors.read(cursor, of)).toHaveProperty('offset');
  });
});

test('every letter of a state counts, its last bits as well', async () => {
  const confirmations = new ConfirmationService(keys, new MemorySingleUse());
  const state = await asked(confirmations);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (const at of [3, 10, state.length - 44, state.length - 1])
    for (const letter of letters) {
      const changed = state.slice(0, at) + letter + state.slice(at + 1);
      if (changed !== state) await expect(confirmations.verifier('modern')(changed, context())).rejects.toThrow();
    }
});
