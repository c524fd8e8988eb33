/** An exam: a box of tools, and questions whose right answers are known. */
import type { Capability } from '../../access/access.ts';
import type { Toolbox } from './toolbox.ts';

export type Part = 'dev' | 'published';

export interface Query {
  id: string;
  text: string;
  /** Every group must be served; within a group each tool alone is right. */
  gold: string[][];
  part: Part;
  platform: string;
  wording: string;
  style: string;
  /** What is asked for; where a set does not say, what its right answer does. */
  capability: Capability;
}

export interface Exam {
  id: string;
  box: Toolbox;
  queries: Query[];
}
