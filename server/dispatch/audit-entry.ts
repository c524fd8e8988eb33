/** A call as the audit log keeps it: who, what, how it ended. Arguments only by name and by a digest without secrets. */
import { isGated } from '../access/access-policy.ts';
import type { CallRecord } from '../audit/audit-record.ts';
import type { Tool } from '../catalog/tool.ts';
import { redact } from '../telemetry/redact.ts';
import type { ApprovalRecord } from './approvals.ts';
import { argumentNames } from './argument-names.ts';
import { digest } from './canonical-json.ts';
import { countedOutcome } from './completed-call.ts';
import type { Call } from './dispatch-call.ts';
import type { CallEnd } from './envelope.ts';

const LONGEST_NAME = 100;

/** The answer is a call of its own and may never come, so this is all that is certain to be on record of the question. */
export const auditedQuestion = (call: Call, tool: Tool | undefined, digest: string): CallRecord => ({
  kind: 'asked',
  ...subjectOf(call, tool),
  digest,
});

export function auditedIntent(
  call: Call,
  tool: Tool,
  { id, digest, how, askedAt, answeredAt, answeredBy }: ApprovalRecord,
): CallRecord {
  const approval = { id, digest, how, asked_at: askedAt, answered_at: answeredAt, answered_by: answeredBy };
  return { kind: 'intent', ...subjectOf(call, tool), approval };
}

export function auditedEnd(call: Call, tool: Tool | undefined, end: CallEnd, ms: number): CallRecord {
  // Nobody is asked about a call that passes no gate.
  const { cost, answered = tool !== undefined && isGated(tool.capability) ? call.approver.answers : undefined } = call;
  return {
    kind: 'call',
    ...subjectOf(call, tool),
    ...(answered === undefined ? {} : { digest: answered }),
    ...(call.approved === undefined ? {} : { approver: call.approved.answeredBy }),
    outcome: countedOutcome(tool, end),
    ...(end.kind === 'refused' ? { code: end.refusal.code, status: end.refusal.status } : {}),
    ms: Math.round(ms),
    ...(cost ? { requests: cost.requests, rate_wait_ms: Math.round(cost.rateWaitMs) } : {}),
  };
}

type Subject = Omit<
  CallRecord,
  'kind' | 'digest' | 'approver' | 'outcome' | 'code' | 'status' | 'ms' | 'requests' | 'rate_wait_ms'
>;

function subjectOf(call: Call, tool: Tool | undefined): Subject {
  // The token differs from preview to preview of the same thing.
  const { plan_token: _, ...asked } = call.arguments;
  return {
    id: call.id ?? '',
    dispatcher: call.dispatcher,
    tool: (tool?.name ?? call.name).slice(0, LONGEST_NAME),
    platform: tool?.platform ?? null,
    capability: tool?.capability ?? null,
    ...(tool?.evidence.by === 'operator' ? { class_by: 'operator' } : {}),
    principal: call.principal,
    argument_keys: argumentNames(call.arguments),
    argument_digest: digest(redact(asked, new Set(tool?.secrets))),
  };
}
