/**
 * What an adapter is: the rules by which it refuses a candidate, each with the sentence of specification 3.3 it keeps, and the
 * writes that make the object, each with the read that proves it and the call that takes it back.
 */
import type { Target } from '../classification.ts';
import type { PlannedCandidate } from '../plan.ts';
import { PLACEHOLDER } from '../secret-field.ts';

/** Where the objects of one run go. */
export interface TargetContext {
  target: Target;
  /** New generation only; a classic target knows no such id. */
  scope_id?: string;
  /** A site or group by name; of a classic target the group, as the operator wrote it. */
  scope_name?: string;
  /** The device function. */
  persona?: string;
  cluster_name?: string;
  cluster_scope_id?: string;
  /** What exists at the target already, by `type:identifier`. */
  external_object_references?: Readonly<Record<string, string>>;
}

export interface ToolCall {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** An object that a write refers to and that the run does not hold, so that only the target can have it. */
export interface Need {
  /** `type:identifier`. */
  ref: string;
  read: ToolCall;
}

export interface Step {
  kind: 'object' | 'assignment';
  what: string;
  /** The precondition of the write: each of them is at the target. */
  needs?: readonly Need[];
  create: ToolCall;
  /** Makes an object that is there already like this one; none where it cannot be changed. */
  update?: ToolCall;
  read: ToolCall;
  /** Fields that the answer must have; of an assignment, the tuple that must be among the items. */
  expect: Readonly<Record<string, unknown>>;
  /** What no update may change: an object of which the answer says otherwise is left as it is. */
  kept?: Readonly<Record<string, unknown>>;
  /** Fields that are sent and that no read shows, because a secret is in them. */
  hidden?: readonly string[];
  /** None where no verified call takes the write back. */
  undo?: ToolCall;
}

/**
 * error: this object will never be written; compatibility: nothing of its kind is at this target; context: the target is not
 * said precisely enough; blocker: shown and not written.
 */
export type Refusal = 'error' | 'compatibility' | 'context' | 'blocker';

export interface Rule {
  id: string;
  refusal: Refusal;
  /** The sentence it keeps. */
  keeps: string;
  /** The fault; undefined if there is none. */
  broken: (candidate: PlannedCandidate, context: TargetContext) => string | undefined;
}

export interface Adapter {
  rules: readonly Rule[];
  /** Types whose objects travel inside this one, so that it does not wait for them. */
  inline: readonly string[];
  /** Secret names it asks for, given by the caller of every apply. */
  secretsOf: (candidate: PlannedCandidate) => readonly string[];
  stepsOf: (candidate: PlannedCandidate, context: TargetContext, secrets: Readonly<Record<string, string>>) => Step[];
}

/** Names of specification 7: what an adapter rejects is an AdapterError; nothing of its kind at the target is incompatible. */
const ERROR_NAMES: Readonly<Partial<Record<Refusal, string>>> = {
  error: 'AdapterError',
  context: 'AdapterError',
  compatibility: 'compatibility error',
};

export interface BrokenRule {
  rule: string;
  refusal: Refusal;
  /** Begins with the name of the error, where the rule makes one. */
  message: string;
}

/** Whether what a candidate depends on, `type:identifier`, travels inside of it. */
export const isInline = ({ inline }: Adapter, ref: string): boolean => inline.includes(ref.split(':')[0] as string);

/** Why the target takes no such call; undefined where nothing is known against it. */
export type FaultOf = (call: ToolCall) => string | undefined;

/** The rule of an object that the documents of the target do not take. */
export const SCHEMA_RULE = 'target-schema';

/** `faultOf` is asked about an object that keeps all rules of its adapter. */
export function brokenRules(
  adapter: Adapter,
  candidate: PlannedCandidate,
  context: TargetContext,
  faultOf: FaultOf = () => undefined,
): BrokenRule[] {
  const toldOf = (rule: string, refusal: Refusal, message: string): BrokenRule => {
    const name = ERROR_NAMES[refusal];
    return { rule, refusal, message: name ? `${name}: ${message}` : message };
  };
  const broken = adapter.rules.flatMap((rule) => {
    const message = rule.broken(candidate, context);
    return message === undefined ? [] : [toldOf(rule.id, rule.refusal, message)];
  });
  if (broken.length > 0) return broken;
  const fault = faultIn(adapter.stepsOf(candidate, context, placeholdersOf(adapter, candidate)), faultOf);
  return fault === undefined ? [] : [toldOf(SCHEMA_RULE, 'error', `the target does not take it: ${fault}`)];
}

/** The first fault of what the steps would create. */
export const faultIn = (steps: readonly Step[], faultOf: FaultOf): string | undefined =>
  steps.map(({ create }) => faultOf(create)).find((fault) => fault !== undefined);

/** What stands in the place of each secret until a caller brings it. */
export const placeholdersOf = (adapter: Adapter, candidate: PlannedCandidate): Record<string, string> =>
  Object.fromEntries(adapter.secretsOf(candidate).map((name) => [name, PLACEHOLDER]));
