/**
 * The model-free agent on a copy of the subject whose discovery returns the tools that share a word with the question in random
 * order. What it loses is what the ranking is worth; where it loses little, the scenarios do not measure discovery.
 */
import type { Grade } from '../grading/grade.ts';
import { loadScenarios } from '../scenario/scenario.ts';
import { loadMutants, patchedCopy } from '../subject/mutant.ts';
import { play, type SabotageOptions } from './sabotage.ts';

/** Points of 100 that must be lost at the least. */
export const LEAST_LOSS = 40;
const MUTANT = 'random-ranking';
/** A right refusal needs no tool, so adversarial scenarios say little about ranking. */
const NOT_PLAIN = 'adversarial';

export interface RankingLoss {
  scenarios: number;
  solved: number;
  solvedAtRandom: number;
  /** Percentage points. */
  lost: number;
}

/** Plays every plain scenario, or those of some suites, on the intact subject and on the copy. */
export async function compareRanking(
  options: Omit<SabotageOptions, 'mutants'> & { suites?: readonly string[] | undefined },
): Promise<RankingLoss> {
  const scenarios = (await loadScenarios(options.root)).filter(
    ({ suite }) => suite !== NOT_PLAIN && (options.suites?.includes(suite) ?? true),
  );
  const mutant = (await loadMutants()).find(({ name }) => name === MUTANT)!;
  const intact = await play({ ...options, mutants: [] }, scenarios, ['retrieval']);
  await using copy = await patchedCopy(options.root, mutant);
  const shuffled = await play({ ...options, mutants: [], subjectRoot: copy.root }, scenarios, ['retrieval']);
  return lossOf(intact, shuffled);
}

/** Both over the same scenarios. */
export function lossOf(intact: readonly Grade[], shuffled: readonly Grade[]): RankingLoss {
  const solvedIn = (grades: readonly Grade[]) => grades.filter(({ status }) => status === 'passed').length;
  const [solved, solvedAtRandom] = [solvedIn(intact), solvedIn(shuffled)];
  const lost = intact.length === 0 ? 0 : Math.round((1_000 * (solved - solvedAtRandom)) / intact.length) / 10;
  return { scenarios: intact.length, solved, solvedAtRandom, lost };
}
