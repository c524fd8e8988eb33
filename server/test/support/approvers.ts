/**
 * Approvers for tests: one with the same answer to every question that records the questions, and one that is not
 * reachable.
 */
import type { Answer, Approver } from '../../dispatch/confirmation.ts';

export function approver(kind: Answer['kind'] = 'yes', reachable = true): Approver & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    reachable,
    how: 'form',
    ask: async ({ parts }) => {
      asked.push(...parts.map(({ message }) => message));
      return { kind: 'answered', answer: kind === 'yes' ? { kind } : { kind, why: `the person ${kind}` } };
    },
  };
}

export const nobody: Approver = {
  reachable: false,
  how: 'form',
  ask: async () => {
    throw new Error('nobody to ask');
  },
};

/** The form values of an approval: the yes, and the name of each object that a request of the question destroys. */
export function typedYes(message: string): Record<string, unknown> {
  const objects = [...message.matchAll(/^confirm_object: (".*")$/gm)].map(([, text]) => JSON.parse(text as string));
  const named = objects.map((object, i) => [i === 0 ? 'confirm_object' : `confirm_object_${i + 1}`, object]);
  return { confirm: true, ...Object.fromEntries(named) };
}
