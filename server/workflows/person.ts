/** What a command asks the person who started it: a yes, and secrets that are typed without echo. */
import { readFileSync } from 'node:fs';
import { RouterError } from '../errors.ts';

/** `--yes` or a typed yes; without a terminal there is nobody to ask. */
export async function agreed(question: string, given: boolean): Promise<boolean> {
  if (given) return true;
  if (!process.stdin.isTTY)
    throw new RouterError('USAGE', `${question} Nobody can be asked here, nothing was sent`, {
      remedy: 'look at --dry-run, then add --yes',
    });
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false });
  return !isCancel(answer) && answer;
}

/** One secret per name: lines of a file or of stdin in their order, else typed. */
export async function secretsFor(
  names: readonly string[],
  from: { file?: string; stdin?: boolean },
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  if (from.file !== undefined || from.stdin === true) return fromLines(names, linesOf(from.file));
  if (!process.stdin.isTTY)
    throw new RouterError('USAGE', `${names.length} passphrases are needed, and nobody can be asked for them here`, {
      remedy: 'give them by --passphrase-file or --passphrase-stdin, one line each',
    });
  const { isCancel, password } = await import('@clack/prompts');
  const typed = new Map<string, string>();
  for (const name of names) {
    const answer = await password({ message: `Passphrase of ${name}` });
    if (isCancel(answer)) throw new RouterError('USAGE', 'the command was ended by the person; nothing was sent');
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
      `${names.length} passphrases are needed, one line each and in this order: ${names.join(', ')}; got ${lines.length}`,
    );
  return new Map(names.map((name, at) => [name, lines[at] as string]));
}
