/** Answers that mean "no": the gate, the plan or the person stood in the way, and nothing was sent. */
import type { ToolAnswer } from './agent-client.ts';

/** Codes of the error table (docs/errors.md); any other error is a fault, and a fault proves no control. */
export const REFUSALS: ReadonlySet<string> = new Set([
  'blocked',
  'confirmation_required',
  'confirmation_unavailable',
  'declined',
  'cancelled',
]);

export function codeOf({ json }: Pick<ToolAnswer, 'json'>): string | undefined {
  const code = (json as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

export const wasRefused = (answer: ToolAnswer): boolean => answer.isError && REFUSALS.has(codeOf(answer) ?? '');
