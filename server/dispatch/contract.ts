/**
 * The execution contract: what a write still needs before it takes effect. It is part of a preview, of an apply, and
 * of a refusal by the gate, the plan or the approver.
 */
import type { Decision, GateState } from '../access/access-policy.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';
import type { ErrorCode, Outcome } from '../errors.ts';
import type { ReadBack } from './object-read.ts';

export interface ExecutionContract {
  platform: string;
  capability: string;
  gate: GateState | null;
  dry_run: { supported: true; state: 'preview' | 'execution_requested' };
  confirm: {
    supported: true;
    required: true;
    by: Config['confirmation'] | 'operator';
    /** Only where a person has to be asked and this connection cannot. */
    askable?: false;
    /** What the caller can do about it. */
    ways?: readonly string[];
  };
  idempotent: boolean;
  /** The one thing to do next: a call, or a sentence where there is none to make. */
  next_action: string | ReadBack;
}

/** The stage of a call when its contract is made. */
export type Stage =
  /** `byOperator` where operators answer for this very request, as for one that no form has room for. */
  | { kind: 'preview'; byOperator: boolean }
  | {
      kind: 'refusal';
      outcome: Outcome;
      applying: boolean;
      /** An operator has yet to answer. */
      pending?: boolean;
      /** Which of the refusals with this outcome it is. */
      reason?: ErrorCode | undefined;
    }
  /** `polled` where the answer names the call that tells how it ended. */
  | { kind: 'applied'; readBack: ReadBack | undefined; polled: boolean }
  /** The platform refused what was sent. */
  | { kind: 'rejected' };

export interface Confirmation {
  by: Config['confirmation'] | 'operator';
  /** Whether the connection can ask a person. */
  askable: boolean;
  /** Outside of a maintenance window, where a plan token alone would do inside. */
  outsideWindow?: boolean;
}

const ALTERNATIVES = [
  'connect a client that can elicit',
  'the operator of this router may set SVC_MCP_APPROVALS=operator, and operators answer',
  'the operator of this router may set SVC_MCP_CONFIRMATION=token, and nobody is asked',
] as const;

const WINDOW_ALTERNATIVES = ['connect a client that can elicit', 'wait for the maintenance window'] as const;

const DECISIONS: ReadonlySet<Outcome> = new Set([
  'blocked',
  'declined',
  'cancelled',
  'confirmation_required',
  'confirmation_unavailable',
]);

/** Whether gate, plan or person ended the call; other refusals of a write have no plan that a contract could be about. */
export const isDecision = (outcome: Outcome): boolean => DECISIONS.has(outcome);

export function contractOf(
  tool: Tool,
  decision: Decision,
  confirmation: Confirmation,
  stage: Stage,
): ExecutionContract {
  const { by, askable } = confirmation;
  const ways = waysOf(confirmation);
  const stuck = by === 'elicit' && !askable && decision.allowed;
  const preview = stage.kind === 'preview' || (stage.kind === 'refusal' && !stage.applying);
  return {
    platform: tool.platform,
    capability: tool.capability,
    gate: decision.gate ?? null,
    dry_run: { supported: true, state: preview ? 'preview' : 'execution_requested' },
    confirm: { supported: true, required: true, by, ...(stuck ? { askable: false, ways } : {}) },
    idempotent: tool.method === 'PUT' || tool.method === 'DELETE',
    next_action: nextAction(tool, decision, confirmation, stage),
  };
}

/** Refusals after which nothing is left to do. */
const ENDED = new Map<Outcome, string>([
  ['declined', 'nothing: the person did not agree, the message says why'],
  ['cancelled', 'nothing, until the person wants it'],
  ['blocked', 'nothing yet: the hint says what has to happen first'],
]);

const ASKED = {
  elicit: '; the person is asked then',
  operator: '; an operator is asked then, and the same call, repeated, gets the answer',
  token: '',
};

const waysOf = ({ outsideWindow }: Confirmation): readonly string[] =>
  outsideWindow === true ? WINDOW_ALTERNATIVES : ALTERNATIVES;

function nextAction(
  { capability }: Tool,
  { allowed }: Decision,
  confirmation: Confirmation,
  stage: Stage,
): ExecutionContract['next_action'] {
  const { by, askable } = confirmation;
  if (!allowed) return 'nothing here: only the operator of this router can open the gate';
  const settled =
    stage.kind === 'refusal' ? endedBy(stage) : stage.kind === 'preview' ? undefined : afterSending(stage);
  if (settled !== undefined) return settled;
  if (by === 'elicit' && !askable)
    return 'this connection cannot ask a person, so it cannot be applied: `confirm.ways` has what can be done about it';
  if (stage.kind === 'refusal')
    return 'preview again with dry_run: true, then apply with dry_run: false, confirm: true and that plan_token';
  const object = by === 'token' && capability === 'destructive' ? ' and confirm_object: <object>' : '';
  return `to apply: same arguments with dry_run: false, confirm: true, plan_token${object}${ASKED[by]}`;
}

function endedBy({ outcome, pending, reason }: Extract<Stage, { kind: 'refusal' }>): string | undefined {
  if (pending === true) return 'wait for an operator, then repeat exactly this call to learn the answer';
  if (reason === 'WRONG_DISPATCHER') return 'call invoke_tool with the same name and arguments';
  if (reason === 'PLAN_TOKEN_USED') return 'read the object to see whether the change is there';
  return ENDED.get(outcome);
}

function afterSending(stage: Extract<Stage, { kind: 'applied' | 'rejected' }>): string | ReadBack {
  if (stage.kind === 'rejected') return 'follow the hint, then preview again: the plan_token is used up';
  if (stage.polled) return 'call the tool in `poll` until it says how this ended';
  return stage.readBack ?? 'read the object back';
}
