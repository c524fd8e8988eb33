/** The password of an operator: from a private file, typed without echo, or the first line of stdin. */
import { readFileSync } from 'node:fs';
import { RouterError } from '../errors.ts';

export async function readPassword(question: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return firstLine(textOf(file));
  if (!process.stdin.isTTY) return firstLine(textOf(0));
  const { isCancel, password } = await import('../terminal-questions.ts');
  const typed = await password({ message: question, mask: '' });
  if (isCancel(typed)) throw new RouterError('USAGE', 'no password was given');
  return typed;
}

function textOf(file: string | 0): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new RouterError('USAGE', `${file === 0 ? 'stdin' : file} should hold the password and could not be read`, {
      cause,
    });
  }
}

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').replace(/\r$/, '');
