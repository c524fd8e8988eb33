/** Questions at the terminal that several parts of the setup ask. */

import { isPlaceholder } from '../config/placeholder.ts';
import { VARIABLES } from '../config/variables.ts';
import { isCancel, password, text } from '../terminal-questions.ts';

/** The person ended the setup; nothing has been written. */
export class Cancelled extends Error {}

export async function line(
  message: string,
  before: string,
  problem: (value: string) => string | undefined = () => undefined,
): Promise<string> {
  const value = await answered(
    text({ message, defaultValue: before, placeholder: before, validate: (typed) => problem(typed?.trim() || before) }),
  );
  return (value ?? '').trim();
}

export async function answered<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  if (isCancel(answer)) throw new Cancelled('cancelled');
  return answer as Exclude<T, symbol>;
}

/** A secret is typed without echo; empty for none. */
export async function hidden(message: string): Promise<string> {
  return (await answered(password({ message: `${message} (not shown)`, mask: '' }))) ?? '';
}

export function urlProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const fine = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!fine) return 'an http or https address without user, query or fragment';
  return isPlaceholder(value) ? 'your own address, not an example' : undefined;
}

export function portProblem(value: string): string | undefined {
  const { min, max } = VARIABLES.MCP_PORT.kind;
  return /^\d+$/.test(value) && Number(value) >= Math.max(1, min) && Number(value) <= max
    ? undefined
    : `a whole number from 1 to ${max}`;
}
