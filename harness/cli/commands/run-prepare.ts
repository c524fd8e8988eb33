/** Second stage of `run`: what must hold, and what must be known, before a server is started. */
import { resolve } from 'node:path';
import { assertFixtures } from '../../execution/campaign.ts';
import { type Baseline, readBaseline } from '../../grading/baseline.ts';
import { type Grader, loadGrader } from '../../grading/grader.ts';
import type { Gates } from '../../recording/recording.ts';
import { FEWEST_RUNS } from '../../reporting/publication.ts';
import { measureDirectListing } from '../../sandbox/direct-listing.ts';
import { checkCitations } from '../../scenario/citation.ts';
import { NO_BASELINE, type RunOptions } from './run-options.ts';
import type { PlannedRuns } from './run-plan.ts';

export interface Prepared {
  /** Folder the subject is started in. */
  subjectRoot: string;
  platforms: string[];
  directListingTokens: Partial<Record<Gates, number>> | undefined;
  baseline: Baseline | undefined;
  grader: Grader;
  caveats: string[];
}

/** Throws where a fixture or a cited line is not there. */
export async function prepareRuns(planned: PlannedRuns, options: RunOptions, root: string): Promise<Prepared> {
  const { subject, scenarios } = planned;
  const baseline = options.baseline === NO_BASELINE ? undefined : await readBaseline(resolve(root, options.baseline));
  await assertFixtures(root, scenarios);
  const { unchecked } = await checkCitations(root, scenarios);
  // All of the folder's, whatever was selected: what else could be found is part of the world that is measured.
  const platforms = [...new Set(planned.all.flatMap((s) => [s.platform, ...(s.also ?? [])]))].sort();
  const subjectRoot = resolve(root, options.subjectRoot ?? '.');
  const listing = { root, subject, cwd: subjectRoot, platforms };
  const measured = options.directListing === true ? await measureDirectListing(listing) : undefined;
  const blessed = baseline?.subject === subject.name ? baseline.directListingTokens : undefined;
  return {
    subjectRoot,
    platforms,
    directListingTokens: measured ?? blessed,
    baseline,
    grader: await loadGrader(),
    caveats: [...(unchecked === undefined ? [] : [unchecked]), ...fewModelRuns(planned)],
  };
}

/** Warns where a language model plays a scenario less often than the specification asks for (1.7); empty otherwise. */
export function fewModelRuns({ plan: { runs }, agents }: Pick<PlannedRuns, 'plan' | 'agents'>): string[] {
  const asking = agents.filter(({ asksModel }) => asksModel === true).map(({ id }) => id);
  if (asking.length === 0 || runs >= FEWEST_RUNS) return [];
  return [
    `${asking.join(', ')} should play each scenario at least ${FEWEST_RUNS} times, got --runs ${runs}: its figures are no result`,
  ];
}
