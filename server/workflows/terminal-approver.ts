/** Questions to the operator at the terminal: approval of exact requests, and secrets typed without echo. */
import { readFileSync } from 'node:fs';
import type { Answered, Approver } from '../dispatch/confirmation.ts';
import type { Question } from '../dispatch/question.ts';
import { RouterError } from '../errors.ts';

/**
 * The approver at the terminal. It prints each list of requests in full with its digest before it asks. A request that
 * is in no approved list is printed and asked about by itself.
 */
export class TerminalApprover implements Approver {
  readonly reachable = true;
  readonly how = 'terminal';
  readonly #approved: string[] = [];
  readonly #yes: boolean;
  readonly #print: (text: string) => void;

  /** `yes` is the operator's `--yes`: everything is printed and nothing is asked. */
  constructor(yes: boolean, print: (text: string) => void = (text) => process.stderr.write(text)) {
    this.#yes = yes;
    this.#print = print;
  }

  /** True once the person agreed to all of them. `single` are their digests one by one. */
  async approve(question: Question, single: readonly string[]): Promise<boolean> {
    const agreed = await this.#agreed(question);
    if (agreed) this.#approved.push(...single);
    return agreed;
  }

  async ask(question: Question): Promise<Answered> {
    const at = this.#approved.indexOf(question.digest);
    if (at >= 0) this.#approved.splice(at, 1);
    const agreed = at >= 0 || (await this.#agreed(question));
    return { kind: 'answered', answer: agreed ? { kind: 'yes' } : { kind: 'declined', why: 'the person declined' } };
  }

  async #agreed({ parts }: Question): Promise<boolean> {
    for (const { message } of parts) this.#print(`${message}\n\n`);
    if (this.#yes) return true;
    if (!process.stdin.isTTY)
      throw new RouterError('USAGE', 'There is no terminal to ask for approval; nothing was sent', {
        remedy: 'look at --dry-run, then add --yes',
      });
    const { confirm, isCancel, text } = await import('../terminal-questions.ts');
    const answer = await confirm({ message: 'Send exactly this?', initialValue: false });
    if (isCancel(answer) || !answer) return false;
    for (const object of parts.flatMap(({ objects }) => objects)) {
      const typed = await text({ message: 'Type the name after confirm_object' });
      if (isCancel(typed) || typed.trim() !== object.trim()) return false;
    }
    return true;
  }
}

/** One secret per name, also for one that is asked for twice: lines of a file or of stdin in their order, else typed. */
export async function secretsFor(
  askedFor: readonly string[],
  from: { file?: string; stdin?: boolean },
): Promise<Map<string, string>> {
  const names = [...new Set(askedFor)];
  if (names.length === 0) return new Map();
  if (from.file !== undefined || from.stdin === true) return fromLines(names, linesOf(from.file));
  if (!process.stdin.isTTY)
    throw new RouterError('USAGE', `${names.length} passphrases are needed, and there is no terminal to ask for them`, {
      remedy: 'give them by --passphrase-file or --passphrase-stdin, one line each',
    });
  const { isCancel, password } = await import('../terminal-questions.ts');
  const typed = new Map<string, string>();
  for (const name of names) {
    const answer = await password({ message: `Passphrase of ${name}` });
    if (isCancel(answer)) throw new RouterError('USAGE', 'the operator ended the command; nothing was sent');
    typed.set(name, answer);
  }
  return typed;
}

function linesOf(file: string | undefined): string[] {
  try {
    return readFileSync(file ?? 0, 'utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
  } catch (cause) {
    throw new RouterError('USAGE', `${file ?? 'stdin'} should hold the passphrases and cannot be read`, { cause });
  }
}

function fromLines(names: readonly string[], lines: readonly string[]): Map<string, string> {
  if (lines.length !== names.length)
    throw new RouterError(
      'USAGE',
      `passphrases of ${names.length} networks are needed, one line each and in this order: ${names.join(', ')}; got ${lines.length} lines`,
    );
  return new Map(names.map((name, at) => [name, lines[at] as string]));
}
