/** Why an answer of an operator did not count, and what to do: the same words in the console and in the terminal. */
import type { AnswerProblem } from './approval-service.ts';

export const ANSWER_PROBLEMS: Readonly<Record<AnswerProblem, { what: string; todo: string }>> = {
  gone: {
    what: 'There is no approval of this id. It may have been used or forgotten.',
    todo: 'Look at the list of approvals; ask whoever runs the agent to call again.',
  },
  expired: {
    what: 'This approval expired before it was answered.',
    todo: 'The agent has to preview the change again, and asks again then.',
  },
  decided: {
    what: 'This approval was answered, used or withdrawn before your answer came.',
    todo: 'Look at its page to see how it ended.',
  },
  changed: {
    what: 'The requests are not those that you were shown.',
    todo: 'Open the approval again and look at the requests before you answer.',
  },
  'own request': {
    what: 'An agent of yours asked for this. Who asks never approves.',
    todo: 'Another operator has to approve it; you may decline it.',
  },
  'same operator': {
    what: 'You have agreed already. This needs two different operators.',
    todo: 'Another operator has to agree as well; you may decline it.',
  },
  'object not named': {
    what: 'The name of what the request destroys was not typed, or is another one.',
    todo: 'Type each name exactly as the request shows it.',
  },
};
