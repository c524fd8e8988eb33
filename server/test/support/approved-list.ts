import { Approvals } from '../../dispatch/approvals.ts';
import type { Answer } from '../../dispatch/confirmation.ts';
import { type ExactRequest, RequestDigests } from '../../dispatch/exact-request.ts';
import { fixedKeys } from '../../dispatch/keyring.ts';
import { PlanTokens } from '../../dispatch/plan-token.ts';
import { MemorySingleUse } from '../../dispatch/single-use.ts';

/** A list of writes to which the person said yes. Asking about one of its targets gives the answer that stands for it. */
export function approvedList(targets: readonly string[]): (target: string) => Promise<Answer['kind'] | 'asked'> {
  const keys = fixedKeys(new Uint8Array(32).fill(1));
  const digests = new RequestDigests(keys);
  const config = { access: {} as never, confirmation: 'elicit', approvalMaxCharacters: 8_000 } as const;
  const plans = new PlanTokens(keys, new MemorySingleUse());
  const approvals = new Approvals({ config, catalog: { digest: 'c' }, plans, digests }, () => ({}) as never);
  const listed = approvals.listApprover(targets.map(requestTo), APPROVED);
  return async (target) => {
    const asked = await listed.ask({ subject: null, digest: digests.of([requestTo(target)]), parts: [] });
    return asked.kind === 'answered' ? asked.answer.kind : 'asked';
  };
}

const APPROVED = {
  id: '1',
  digest: '',
  how: 'form',
  askedAt: 0,
  state: 'approved',
  answeredAt: 0,
  answeredBy: 'local',
} as const;

const requestTo = (target: string): ExactRequest => ({
  tool: { name: 'mgmt_x', platform: 'mgmt', capability: 'write', line: '', method: 'PUT', path: '/x/{id}' },
  described: {
    account: { section: 'mgmt', identity: 'mgmt:1', origin: 'https://mgmt.test' },
    method: 'PUT',
    target,
    headers: [],
  },
  path: target,
  object: target,
});
