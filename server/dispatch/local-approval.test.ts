/** The approval of a run of the router's own tools, where it has requests and where it has none. */
import { expect, test } from 'vitest';
import { approver, nobody } from '../test/support/approvers.ts';
import { Approvals } from './approvals.ts';
import type { Approver } from './confirmation.ts';
import { type LocalCall, WholeResult } from './dispatch-call.ts';
import { RequestDigests } from './exact-request.ts';
import { fixedKeys } from './keyring.ts';
import { LocalApproval } from './local-approval.ts';
import { PlanTokens } from './plan-token.ts';
import { MemorySingleUse } from './single-use.ts';

function applied() {
  const keys = fixedKeys(new Uint8Array(32).fill(1));
  const config = { access: {} as never, confirmation: 'elicit', approvalMaxCharacters: 8_000 } as const;
  const plans = new PlanTokens(keys, new MemorySingleUse());
  const parts = { config, catalog: { digest: 'c' }, plans, digests: new RequestDigests(keys) };
  const approvals = new Approvals(parts, () => ({}) as never);
  const run = (by: Approver, plan_token?: string) => {
    const tool = { name: 'apply_run', platform: 'router', capability: 'write', local: true };
    const call = { name: tool.name, arguments: {}, principal: 'local', approver: by };
    const controls = plan_token === undefined ? {} : { confirm: true, plan_token };
    return new LocalApproval({ call, tool, controls } as unknown as LocalCall, approvals, { config }).ofRun;
  };
  const token = run(nobody).preview('run');
  return (by: Approver, given = token) => run(by, given).take('run', { about: 'Run', object: 'run', requests: [] });
}

test('a run without requests asks nobody, keeps its token, and agrees to nothing', async () => {
  const take = applied();
  const person = approver();
  for (const by of [person, nobody]) {
    const taken = await take(by);
    if (taken instanceof WholeResult) throw new Error('expected an approver');
    expect(taken.how).toBe('list');
    expect(await taken.ask({ subject: null, digest: 'of a request', parts: [] })).toMatchObject({
      answer: { kind: 'declined' },
    });
  }
  expect(person.asked).toEqual([]);
});

test('a run without requests needs its plan token all the same', async () => {
  const taken = await applied()(approver(), 'forged');
  expect(taken).toMatchObject({ result: { kind: 'refused', refusal: { code: 'confirmation_required' } } });
});
