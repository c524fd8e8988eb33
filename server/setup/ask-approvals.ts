/** Asks who approves writes for clients that cannot ask a person, and for the first operator, whose password is typed unseen. */
import { operatorProblem } from '../approvals/operators.ts';
import { password as hiddenText, select } from '../terminal-questions.ts';
import type { Answers } from './answers.ts';
import { APPROVERS } from './approval-answers.ts';
import { answered, line, portProblem } from './prompts.ts';

export interface AskingApprovals {
  given: Partial<Answers>;
  /** Whether an operator is there already. */
  hasOperators: boolean;
}

const HINTS = {
  client: 'nobody: such a client cannot write',
  operator: 'a named operator, in a console on this machine or a terminal',
  'two-for-destructive': 'the same, and two of them for what destroys',
};

export async function askApprovals(answers: Answers, { given, hasOperators }: AskingApprovals): Promise<Answers> {
  const approvals = given.approvals ?? (await askMode(answers.approvals));
  if (approvals === 'client') return { ...answers, approvals };
  const problem = (typed: string) =>
    portProblem(typed) ?? (Number(typed) === answers.port ? 'another port than the HTTP port' : undefined);
  const consolePort =
    given.consolePort ?? Number(await line('Port of the console', String(answers.consolePort), problem));
  const asks = given.operator === undefined && !hasOperators && !answers.docker;
  const operator = asks ? await askOperator() : given.operator;
  return { ...answers, approvals, consolePort, operator };
}

async function askMode(before: Answers['approvals']): Promise<Answers['approvals']> {
  const options = APPROVERS.map((value) => ({ value, label: value, hint: HINTS[value] }));
  const message = 'Who approves a write where the client of the agent cannot ask a person?';
  return answered(select({ message, options, initialValue: before })) as Promise<Answers['approvals']>;
}

/** Undefined where somebody wants to do it later. */
async function askOperator(): Promise<Answers['operator']> {
  const nameProblem = (name: string) => (name === '' ? undefined : operatorProblem({ name }));
  const name = await line('Name of the first operator (empty: later)', '', nameProblem);
  if (name === '') return undefined;
  const typed = await answered(
    hiddenText({
      message: `Password of ${name} (not shown)`,
      mask: '',
      validate: (text) => operatorProblem({ password: text ?? '' }),
    }),
  );
  await answered(
    hiddenText({
      message: 'The same password once more (not shown)',
      mask: '',
      validate: (again) => (again === typed ? undefined : 'not the same'),
    }),
  );
  return { name, password: typed };
}
