/** Questions at the terminal that several parts of the setup ask. */
import { setTimeout } from 'node:timers/promises';
import { isPlaceholder } from '../config/placeholder.ts';
import { VARIABLES } from '../config/variables.ts';
import { isCancel, log, password, text } from '../terminal-questions.ts';

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

/**
 * A secret is typed without echo; empty for none. A text of several lines is asked for again: its first line would be the secret, and
 * what follows would answer the next questions, which show what they get.
 */
export async function hidden(message: string): Promise<string> {
  for (;;) {
    const typed = new TypedKeys();
    const value = await answered(password({ message: `${message} (not shown)`, mask: '' })).finally(() => typed.stop());
    if (!(await typed.hasMoreThanALine())) return value ?? '';
    log.warn('That was a text of several lines. A secret is one line; nothing of it was kept.');
  }
}

const REST_MS = 100;

/** What a terminal sends while a question is open, and the rest of a long paste, which comes in several pieces. */
class TypedKeys {
  #text = '';
  readonly #take = (piece: Buffer) => {
    this.#text += piece.toString();
  };

  constructor() {
    process.stdin.on('data', this.#take);
  }

  stop(): void {
    process.stdin.off('data', this.#take);
  }

  /** Reads without echo what is still on its way. */
  async hasMoreThanALine(): Promise<boolean> {
    process.stdin.setRawMode(true).on('data', this.#take).resume();
    await setTimeout(REST_MS);
    this.stop();
    process.stdin.pause().setRawMode(false);
    return /[\r\n][^\r\n]/.test(this.#text);
  }
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
