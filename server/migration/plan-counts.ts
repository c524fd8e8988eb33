/** The class under which an object is counted and shown, the same in the page, the command and the preview of a plan. */
import { type BrokenRule, brokenRules, type FaultOf, isInline, type TargetContext } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { refOf } from './candidate.ts';
import { type Class, isAutomatic, type Target } from './classification.ts';
import type { Plan, PlannedCandidate } from './plan.ts';

/** Rules that no choice of site, group or device function can satisfy; those about the choice itself come with the run. */
function refusals(candidate: PlannedCandidate, target: Target, faultOf?: FaultOf): BrokenRule[] {
  const context: TargetContext = {
    target,
    scope_id: 'a-site',
    scope_name: 'a-group',
    persona: candidate.object_type === 'wlan' ? 'CAMPUS_AP' : 'MOBILITY_GW',
    cluster_name: 'a-cluster',
    cluster_scope_id: 'a-site',
  };
  return brokenRules(adapterOf(candidate, target), candidate, context, faultOf);
}

/** The rule under which an object stands that needs another one, which no run writes: it would wait without an end. */
export const DEPENDENCY_RULE = 'dependency-refused';

/** By `type:identifier`. */
export type Refusals = ReadonlyMap<string, readonly BrokenRule[]>;

/** Why objects that their class lets be written are never written, by `type:identifier`; `faultOf` knows the documents of the target. */
export function refusalsIn({ candidates }: Plan, target: Target, faultOf?: FaultOf): Refusals {
  const refused = new Map<string, BrokenRule[]>();
  const unwritten = new Set<string>();
  // In apply order: what an object needs stands before it.
  for (const candidate of candidates[target]) {
    if (isAutomatic(candidate.classification)) {
      const adapter = adapterOf(candidate, target);
      const waits = candidate.dependencies
        .filter((ref) => unwritten.has(ref) && !isInline(adapter, ref))
        .map(
          (ref): BrokenRule => ({
            rule: DEPENDENCY_RULE,
            refusal: 'blocker',
            message: `it needs ${ref}, which is not written`,
          }),
        );
      const why = [...refusals(candidate, target, faultOf), ...waits];
      if (why.length === 0) continue;
      refused.set(refOf(candidate), why);
    }
    unwritten.add(refOf(candidate));
  }
  return refused;
}

/** The class depends on the family. An object that is refused is manual whatever its class. */
export const shownClass = ({ classification }: PlannedCandidate, refused: readonly BrokenRule[] = []): Class =>
  refused.length > 0 ? 'manual' : classification;

/** Objects of a plan by class at one target. */
export function countsOf(plan: Plan, target: Target, refused = refusalsIn(plan, target)): Record<Class, number> {
  const counts = { exact: 0, conditional: 0, manual: 0, unsupported: 0 };
  for (const candidate of plan.candidates[target]) counts[shownClass(candidate, refused.get(refOf(candidate)))]++;
  return counts;
}
