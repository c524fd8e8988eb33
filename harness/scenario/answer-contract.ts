/**
 * What an agent is told about the form of its answer: the facts with their types, in neutral names, without their values.
 * Every contract offers `refused`, so that its presence says nothing about the right answer.
 */
import type { AnswerSchema } from './scenario-schema.ts';

export interface AnswerContract {
  type: 'object';
  properties: Record<string, unknown>;
}

const REFUSED = {
  type: 'string',
  description: 'Only where the task was not done: why it must not or cannot be done',
};

export function contractOf({ properties }: AnswerSchema): AnswerContract {
  return { type: 'object', properties: { ...withoutTolerance(properties), refused: REFUSED } };
}

function withoutTolerance<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutTolerance) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'tolerance');
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutTolerance(inner)])) as T;
}
