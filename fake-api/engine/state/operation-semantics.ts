/** How an operation takes effect, where it is not at once, by itself, with a status that says how it went. */
import type { OperationObject } from '../openapi/openapi-document.ts';
import type { Capability } from '../openapi/operation-capability.ts';
import { isObject } from './json-value.ts';

export interface StageStyle {
  /** Parameter or body field that says which stage is meant; null for one of the whole platform. */
  key: string | null;
  /** Query parameter of a read that chooses between what is edited and what is committed. */
  view: { parameter: string; edited: string; committed: string } | null;
}

/** One POST that adds, changes or deletes. */
export interface SetWords {
  field: string;
  add: string;
  modify: string;
  delete: string;
}

/** A success whose body may say that the call was refused. */
export interface OutcomeStyle {
  /** Dotted path of the code, and the code that means success. */
  status: string;
  ok: number;
  message: string;
  /** Statuses of refusals that are told this way. */
  codes: number[];
}

/** A field of the body that makes a call weigh more than its operation. */
export interface Escalation {
  field: string;
  values: Record<string, Capability>;
}

export interface OperationSemantics {
  /** Writes of its resource wait in a stage. */
  staged: boolean;
  /** What the rows of its resource follow from, where they are not stored. */
  resourceDerive: Record<string, unknown>;
  stage: StageStyle | null;
  set: SetWords | null;
  outcome: OutcomeStyle | null;
  escalates: Escalation | null;
  /** Seconds that a credential issued here lives. */
  lifetimeSeconds: number | null;
}

export function operationSemanticsOf(source: OperationObject): OperationSemantics {
  const resource = source['x-svc-resource'];
  const extension = <T>(name: string): T | null => (source[name] === undefined ? null : (source[name] as T));
  return {
    staged: isObject(resource) && resource['staged'] === true,
    resourceDerive: isObject(resource) && isObject(resource['derive']) ? resource['derive'] : {},
    stage: extension<StageStyle>('x-svc-stage'),
    set: extension<SetWords>('x-svc-set'),
    outcome: extension<OutcomeStyle>('x-svc-outcome'),
    escalates: extension<Escalation>('x-svc-escalates'),
    lifetimeSeconds: extension<number>('x-svc-lifetime'),
  };
}
