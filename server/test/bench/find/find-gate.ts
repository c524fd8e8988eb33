/**
 * The gate of the published part, counted question by question so that it is exact. A goal is the figure to reach.
 * `find-baseline.ts` has the figures reached so far; a change fails if it lowers one of them.
 */
import type { Attack } from './attacks.ts';
import { BASELINE } from './find-baseline.ts';
import { type FigureName, PER_SCORE } from './find-figures.ts';
import type { Score } from './retrieval-score.ts';

interface Goal {
  name: string;
  figure: FigureName;
  /** Only questions in this wording. */
  wording?: string;
  least?: number;
  most?: number;
}

const GOALS: readonly Goal[] = [
  { name: 'R@1', figure: 'r1', least: 0.8 },
  { name: 'R@5, explicit', figure: 'r5', wording: 'explicit', least: 0.96 },
  { name: 'all right tools in ten, explicit', figure: 'all10', wording: 'explicit', least: 0.93 },
  { name: 'R@5, fuzzy', figure: 'r5', wording: 'fuzzy', least: 0.88 },
  { name: 'more dangerous than asked', figure: 'escalation', most: 0.02 },
  { name: 'a write on top for a reading', figure: 'writeForRead', most: 0.02 },
];
const ATTACKS = 'look-alike attacks';
const ATTACKS_MOST = 0.02;

export interface Verdict {
  name: string;
  count: number;
  of: number;
  /** Count that the goal asks for, or allows. */
  goal: number;
  reached: boolean;
  /** Count that was reached before, where the goal is not. */
  bound: number;
  kind: 'least' | 'most';
  passed: boolean;
}

export function judge(
  scores: readonly Score[],
  attacks: readonly Attack[],
  baseline: Readonly<Record<string, number>> = BASELINE,
): Verdict[] {
  const published = scores.filter(({ query }) => query.part === 'published');
  const verdicts = GOALS.map(({ name, figure, wording, least, most }) => {
    const values = published
      .filter(({ query }) => wording === undefined || query.wording === wording)
      .map((score) => PER_SCORE[figure](score))
      .filter((value) => value !== undefined);
    const count = values.reduce((sum, value) => sum + value, 0);
    const kind = least === undefined ? 'most' : 'least';
    return verdict(name, count, values.length, kind, least ?? most ?? 0, baseline[name]);
  });
  const own = attacks.filter(({ part }) => part === 'published');
  const won = own.filter(({ succeeded }) => succeeded).length;
  return [...verdicts, verdict(ATTACKS, won, own.length, 'most', ATTACKS_MOST, baseline[ATTACKS])];
}

function verdict(
  name: string,
  count: number,
  of: number,
  kind: Verdict['kind'],
  share: number,
  baseline: number | undefined,
): Verdict {
  // 0.07 × 100 is a little above 7 for a computer: a bound must not move by that.
  const exact = Number((share * of).toFixed(6));
  const goal = kind === 'least' ? Math.ceil(exact) : Math.floor(exact);
  const bound = baseline === undefined ? goal : kind === 'least' ? Math.min(goal, baseline) : Math.max(goal, baseline);
  // Nothing asked is nothing proved.
  const meets = (asked: number) => of > 0 && (kind === 'least' ? count >= asked : count <= asked);
  return { name, count, of, goal, reached: meets(goal), bound, kind, passed: meets(bound) };
}
