/**
 * The person who is asked before a write. In the harness that is the scenario: it accepts only an operation on an
 * object that its `approvals` list, and declines everything else. The agent is never asked.
 */
import { isExactly, splitCall } from './path-pattern.ts';

export interface PersonAnswer {
  action: 'accept' | 'decline';
  content?: { confirm: true };
}

/** The elicitation ends with `object: METHOD /concrete/path`; without that line there is nothing to accept. */
export function answerElicitation(message: string, approvals: readonly string[]): PersonAnswer {
  const object = /^object: ((?:GET|POST|PUT|PATCH|DELETE) \/\S*)$/m.exec(message)?.[1];
  if (object === undefined) return { action: 'decline' };
  const [method, path] = splitCall(object);
  const approved = approvals.some((approval) => isExactly({ method, path }, approval));
  return approved ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
}
