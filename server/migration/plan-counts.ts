/** The class under which an object is counted and shown, the same in the page, the command and the preview of a plan. */
import { brokenRules, type TargetContext } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { type Class, isAutomatic, type Target } from './classification.ts';
import type { Plan, PlannedCandidate } from './plan.ts';

/** Rules that no choice of site, group or device function can satisfy; those about the choice itself come with the run. */
export function refusals(candidate: PlannedCandidate, target: Target): string[] {
  if (!isAutomatic(candidate.classification)) return [];
  const context: TargetContext = {
    target,
    scope_id: 'a-site',
    scope_name: 'a-group',
    persona: candidate.object_type === 'wlan' ? 'CAMPUS_AP' : 'MOBILITY_GW',
    cluster_name: 'a-cluster',
    cluster_scope_id: 'a-site',
  };
  return brokenRules(adapterOf(candidate, target), candidate, context).map(({ message }) => message);
}

/** The class depends on the family. An object that a rule refuses is manual whatever its class. */
export const shownClass = ({ classification }: PlannedCandidate, refused: readonly string[]): Class =>
  refused.length > 0 ? 'manual' : classification;

/** Objects of a plan by class at one target. */
export function countsOf(plan: Plan, target: Target): Record<Class, number> {
  const counts = { exact: 0, conditional: 0, manual: 0, unsupported: 0 };
  for (const candidate of plan.candidates[target]) counts[shownClass(candidate, refusals(candidate, target))]++;
  return counts;
}
