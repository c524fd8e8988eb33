/** Refusals that a platform tells inside a success: the status of the answer is good, a code in its body is not. */
import { successOf } from '../openapi/declared-outcome.ts';
import type { Operation } from '../openapi/served-operation.ts';
import { byName } from '../state/json-value.ts';
import type { OutcomeStyle } from '../state/operation-semantics.ts';
import { type Answer, done } from './platform-answer.ts';

export function toldInside(answer: Answer, operation: Operation): Answer {
  const { outcome } = operation;
  if (answer.kind !== 'refused' || outcome === null || !outcome.codes.includes(answer.status)) return answer;
  const told = done(successOf(operation).status, verdictOf(outcome, answer.status, answer.message));
  return { ...told, refusedInside: true };
}

/** The code and its text at their places in the body. */
export function verdictOf(outcome: OutcomeStyle, code: number, message: string): Record<string, unknown> {
  const body = byName<unknown>();
  place(body, outcome.status.split('.'), code);
  place(body, outcome.message.split('.'), message);
  return body;
}

function place(body: Record<string, unknown>, [step = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    body[step] = value;
    return;
  }
  const inner = (body[step] ?? byName()) as Record<string, unknown>;
  body[step] = inner;
  place(inner, rest, value);
}
