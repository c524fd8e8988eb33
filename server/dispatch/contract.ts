/**
 * The execution contract: what a write still needs before it takes effect. It is part of a preview, of an apply, and
 * of a refusal by the gate, the plan or the approver.
 */
import type { Decision, GateState } from '../access/access-policy.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';
import type { Outcome } from '../errors.ts';
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
  | { kind: 'preview' }
  | {
      kind: 'refusal';
      outcome: Outcome;
      applying: boolean;
      /** An operator has yet to answer. */
      pending?: boolean;
    }
  | { kind: 'applied'; readBack: ReadBack | undefined };

export interface Confirmation {
  by: Config['confirmation'] | 'operator';
  /** Whether the connection can ask a person. */
  askable: boolean;
  /** Outside of a maintenance window, where a plan token alone would do inside. */
  outsideWindow?: boolean;
}

const ALTERNATIVES = [
  'connect a client that can elicit',
  'the operator of this router may set SVC_MCP_CONFIRMATION=token',
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
  ['declined', 'nothing: the person said no'],
  ['cancelled', 'nothing, until the person wants it'],
  ['blocked', 'nothing here: the hint says what the operator has to do'],
]);

const ASKED = {
  elicit: '; the person is asked then',
  operator: '; an operator is asked then, and the same call, repeated, gets the answer',
  token: '',
};

const waysOf = ({ outsideWindow }: Confirmation): readonly string[] =>
  outsideWindow === true ? WINDOW_ALTERNATIVES : ALTERNATIVES;

function nextAction(
  tool: Tool,
  { allowed }: Decision,
  confirmation: Confirmation,
  stage: Stage,
): ExecutionContract['next_action'] {
  const { by, askable } = confirmation;
  if (!allowed) return 'nothing here: only the operator of this router can open the gate';
  if (stage.kind === 'applied')
    return tool.poll
      ? 'call the tool in `poll` until it says how this ended'
      : (stage.readBack ?? 'read the object back');
  if (stage.kind === 'refusal' && stage.pending === true)
    return 'wait for an operator, then repeat exactly this call to learn the answer';
  const ended = stage.kind === 'refusal' ? ENDED.get(stage.outcome) : undefined;
  if (ended !== undefined) return ended;
  if (by === 'elicit' && !askable)
    return `this connection cannot ask a person, so it cannot be applied: ${waysOf(confirmation).join(', or ')}`;
  if (stage.kind === 'refusal')
    return 'preview again with dry_run: true, then apply with dry_run: false, confirm: true and that plan_token';
  const object = by === 'token' && tool.capability === 'destructive' ? ' and confirm_object: <object>' : '';
  return `to apply: same arguments with dry_run: false, confirm: true, plan_token${object}${ASKED[by]}`;
}
