/** How hard a question set is: part of every figure it gives. */
import { contentStems } from './content-words.ts';
import { type Query, rightNames } from './question-set.ts';

export interface Difficulty {
  /** Share of questions that share no content word with the name of a right tool. */
  strangeWords: number;
  /** Share of ticket-style texts of twelve or more words. */
  tickets: number;
  /** What plain BM25 reaches. */
  plainR1: number;
}

const GOALS: Readonly<Record<keyof Difficulty, readonly [least: number, most: number]>> = {
  strangeWords: [0.35, 1],
  tickets: [0.2, 1],
  plainR1: [0.3, 0.6],
};
const TICKET_WORDS = 12;

export function difficultyOf(queries: readonly Query[], plainR1: number): Difficulty {
  const share = (is: (query: Query) => boolean) => queries.filter(is).length / Math.max(1, queries.length);
  return { strangeWords: share(isStrange), tickets: share(isTicket), plainR1 };
}

/** The questions that are hard enough, and those that are not. */
export function withinGoals(difficulty: Difficulty): Record<keyof Difficulty, boolean> {
  const entries = Object.entries(GOALS) as [keyof Difficulty, readonly [number, number]][];
  return Object.fromEntries(
    entries.map(([name, [least, most]]) => [name, difficulty[name] >= least && difficulty[name] <= most]),
  ) as Record<keyof Difficulty, boolean>;
}

export function isStrange(query: Query): boolean {
  const asked = contentStems(query.text);
  return rightNames(query).every((name) => contentStems(name.replaceAll('_', ' ')).isDisjointFrom(asked));
}

const isTicket = ({ text, style }: Query) => style === 'ticket' && text.trim().split(/\s+/).length >= TICKET_WORDS;
