/** Answers of refused and failed calls: one shape, from the one table of errors. */
import { ERRORS, type ErrorCode, type Outcome, RouterError } from '../errors.ts';
import { redactText } from '../telemetry/redact.ts';
import type { Blob } from './binary-answer.ts';
import { fitRefusal, type Refusal } from './fit-refusal.ts';
import { withoutLocalPaths } from './local-paths.ts';

/** The end of a call: a value to show, or a refusal. */
export type CallEnd = (
  | {
      kind: 'done';
      result: unknown;
      outcome: Outcome;
      /** The result as JSON, where it was made anyway. */
      text?: string;
      /** The bytes that `result` describes. */
      blob?: Blob;
    }
  | { kind: 'refused'; refusal: Refusal; outcome: Outcome }
) & {
  /** What the call cost, for programs. */
  meta?: Record<string, unknown>;
};

export type Refused = Extract<CallEnd, { kind: 'refused' }>;

export interface Subject {
  tool: string;
  platform: string | null;
}

export function subjectOf(tool: { name: string; platform: string }): Subject {
  return { tool: tool.name, platform: tool.platform };
}

const wires = Object.values(ERRORS).map(({ wire }) => wire);
const SHARED: ReadonlySet<string> = new Set(wires.filter((wire, i) => wires.indexOf(wire) !== i));

export function refuse(
  code: ErrorCode,
  subject: Subject,
  message: string,
  more: Record<string, unknown> = {},
): Refused {
  const { wire, status, outcome, remedy } = ERRORS[code];
  const refusal: Refusal = {
    ok: false,
    status,
    code: wire,
    ...(SHARED.has(wire) ? { reason: code } : {}),
    message,
    tool: subject.tool,
    platform: subject.platform,
    hint: remedy,
    ...more,
  };
  return { kind: 'refused', refusal: code === 'ARGUMENTS_INVALID' ? fitRefusal(refusal) : refusal, outcome };
}

/** Of a repetition: whoever repeats a call got no answer to it, and must not take "nothing was sent" for that one. */
export function refuseUsed(subject: Subject, what: 'plan token' | 'approval'): Refused {
  const message = `the ${what} was already used: an earlier call with it may have been carried out. This call sent nothing.`;
  return refuse('PLAN_TOKEN_USED', subject, message);
}

/** A surprise as a refusal. The message of an unknown error stays in the log: it may hold anything. */
export function refuseError(error: unknown, subject: Subject, more: Record<string, unknown> = {}): Refused {
  if (error instanceof RouterError) {
    const message = withoutLocalPaths(redactText(error.message));
    // A detail of this name is part of the message; in a refusal it is the local code.
    const { reason: _, ...details } = error.details;
    return refuse(error.code, subject, message, { hint: withoutLocalPaths(error.remedy), ...details, ...more });
  }
  return refuse('INTERNAL', subject, 'the router failed on this call; see its log', more);
}
