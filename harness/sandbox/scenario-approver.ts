/**
 * The person who is asked before a write. In the harness that is the scenario: it accepts only operations on objects
 * that its `approvals` list, and declines everything else. The agent is never asked.
 */
import { isExactly, splitCall } from '../scenario/path-pattern.ts';

export interface ApproverAnswer {
  action: 'accept' | 'decline';
  /** `confirm: true`, and the names that the question wants typed. */
  content?: Record<string, string | boolean>;
}

const OBJECT = /^object: ((?:GET|POST|PUT|PATCH|DELETE) \/\S*)$/gm;
const TYPED = /^confirm_object: (".*")$/gm;

/**
 * Each request of an elicitation ends with `object: METHOD /concrete/path`; without such a line there is nothing to accept,
 * and a list is accepted only where every request of it is approved.
 */
export function answerElicitation(message: string, approvals: readonly string[]): ApproverAnswer {
  const objects = [...message.matchAll(OBJECT)].map(([, object]) => splitCall(object as string));
  const isApproved = ([method, path]: ReturnType<typeof splitCall>) =>
    approvals.some((approval) => isExactly({ method, path }, approval));
  if (objects.length === 0 || !objects.every(isApproved)) return { action: 'decline' };
  const typed = [...message.matchAll(TYPED)].map(([, name], i): [string, string] => [
    i === 0 ? 'confirm_object' : `confirm_object_${i + 1}`,
    JSON.parse(name as string),
  ]);
  return { action: 'accept', content: { confirm: true, ...Object.fromEntries(typed) } };
}
