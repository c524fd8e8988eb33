/** What the pages of the console say when something did not work: what it was, and what to do. */
import { ANSWER_PROBLEMS } from '../approvals/answer-problems.ts';
import { RouterError } from '../errors.ts';
import type { Problem } from './pages/problem-page.ts';

export const GONE: Problem = { title: 'Not found', what: ANSWER_PROBLEMS.gone.what, todo: ANSWER_PROBLEMS.gone.todo };
export const NO_CALL: Problem = {
  title: 'Not found',
  what: 'This process keeps no call of this id.',
  todo: 'Look for it on the page of calls, or in the audit log.',
};
export const FORM_OLD: Problem = {
  title: 'The form was too old',
  what: 'This form does not belong to your session. Nothing was approved, declined or changed.',
  todo: 'Open the page again and answer there.',
};
export const WRONG_PASSWORD: Problem = {
  title: 'The password is wrong',
  what: 'A yes needs your password once more, and this was not it. Nothing was approved or resumed.',
  todo: 'Open the page again and type it there.',
};
export const SESSION_OVER: Problem = {
  title: 'Signed out',
  what: 'Your session is over. Nothing was approved, declined or changed.',
  todo: 'Sign in, open the approval again, and answer there.',
};

/** Of an error that a request ended with; one of ours says its remedy. */
export function problemOf(error: Error, status: number): Problem {
  const title = 'That did not work';
  if (error instanceof RouterError)
    return { title, what: `${error.message}. Nothing was sent.`, todo: `What helps: ${error.remedy}.` };
  return status < 500
    ? { title, what: 'The console cannot read this request. Nothing was sent.', todo: 'Open the page again.' }
    : { title, what: 'The console failed. Nothing was sent.', todo: 'Look at the log of the router.' };
}
