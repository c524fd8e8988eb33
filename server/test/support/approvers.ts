/** People for tests: somebody who answers every question the same way and remembers what was asked, or nobody. */
import type { Answer, Person } from '../../dispatch/confirmation.ts';

export function person(is: Answer['is'] = 'yes', reachable = true): Person & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    reachable,
    how: 'form',
    ask: async ({ parts }) => {
      asked.push(...parts.map(({ message }) => message));
      return { is: 'answered', answer: is === 'yes' ? { is } : { is, why: `the person ${is}` } };
    },
  };
}

export const nobody: Person = {
  reachable: false,
  how: 'form',
  ask: async () => {
    throw new Error('nobody to ask');
  },
};

/** What somebody types who agrees to a question: the yes, and the name of each object that a request in it destroys. */
export function typedYes(message: string): Record<string, unknown> {
  const objects = [...message.matchAll(/^confirm_object: (".*")$/gm)].map(([, text]) => JSON.parse(text as string));
  const named = objects.map((object, i) => [i === 0 ? 'confirm_object' : `confirm_object_${i + 1}`, object]);
  return { confirm: true, ...Object.fromEntries(named) };
}
