/** Marks → the figures that systems of this kind are compared by. Shares are from 0 to 1. */
import type { Score } from './retrieval-score.ts';

export interface Figures {
  queries: number;
  r1: number;
  r5: number;
  r10: number;
  all10: number;
  ndcg10: number;
  mrr: number;
  /** Of all questions. */
  escalation: number;
  /** Of the questions that ask for a reading. */
  writeForRead: number;
  tokens?: number;
  bytes?: number;
}

/** What a single mark adds to a figure; undefined where the figure is not about such a question. */
export const PER_SCORE = {
  r1: ({ rank }) => Number(rank === 1),
  r5: ({ rank }) => Number(rank > 0 && rank <= 5),
  r10: ({ rank }) => Number(rank > 0),
  all10: ({ all }) => Number(all),
  ndcg10: ({ ndcg }) => ndcg,
  mrr: ({ rank }) => (rank > 0 ? 1 / rank : 0),
  escalation: ({ escalates }) => Number(escalates),
  writeForRead: ({ query, writesForRead }) => (query.capability === 'read' ? Number(writesForRead) : undefined),
} satisfies Record<string, (mark: Score) => number | undefined>;

export type FigureName = keyof typeof PER_SCORE;

export const LABELS: Readonly<Record<FigureName, string>> = {
  r1: 'R@1',
  r5: 'R@5',
  r10: 'R@10',
  all10: 'all@10',
  ndcg10: 'nDCG@10',
  mrr: 'MRR',
  escalation: 'danger',
  writeForRead: 'w-for-r',
};
export const FIGURE_NAMES = Object.keys(LABELS) as FigureName[];

export function figuresOf(marks: readonly Score[]): Figures {
  const mean = (pick: (mark: Score) => number | undefined) => {
    const values = marks.map(pick).filter((value) => value !== undefined);
    return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const shares = Object.fromEntries(Object.entries(PER_SCORE).map(([name, pick]) => [name, mean(pick)]));
  return {
    queries: marks.length,
    ...(shares as Record<FigureName, number>),
    ...(marks.some(({ tokens }) => tokens !== undefined)
      ? { tokens: mean(({ tokens }) => tokens), bytes: mean(({ bytes }) => bytes) }
      : {}),
  };
}

/** The same for every value of one trait, most questions first. */
export function figuresBy(marks: readonly Score[], trait: (mark: Score) => string): Record<string, Figures> {
  const groups = Map.groupBy(marks, trait);
  const sorted = [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  return Object.fromEntries(sorted.map(([value, own]) => [value, figuresOf(own)]));
}
