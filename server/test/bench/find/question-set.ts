/** A question set: a box of tools, and questions whose right answers are known. */
import type { Capability } from '../../../access/access-policy.ts';
import type { Toolbox } from './tool-corpus.ts';

export type Part = 'dev' | 'published';

export interface Query {
  id: string;
  text: string;
  /** Every group must be served; within a group each tool alone is right. */
  gold: string[][];
  /** Further tools that readers judged to do or answer what is asked, or one of the things asked. */
  judged?: string[];
  part: Part;
  platform: string;
  wording: string;
  style: string;
  /** The requested action; if a set does not state it, that of its right answer. */
  capability: Capability;
}

/** As its writer meant it, who had one answer in mind. */
export function asWritten({ judged: _, ...query }: Query): Query {
  return query;
}

export const rightNames = ({ gold, judged = [] }: Pick<Query, 'gold' | 'judged'>): string[] => [
  ...gold.flat(),
  ...judged,
];

export interface QuestionSet {
  id: string;
  box: Toolbox;
  queries: Query[];
}
