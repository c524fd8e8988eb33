/** The preview of a run, candidate by candidate. It calls no platform and has a placeholder for every secret. */
import {
  type BrokenRule,
  brokenRules,
  isInline,
  placeholdersOf,
  SCHEMA_RULE,
  type TargetContext,
} from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { refOf } from './candidate.ts';
import { isAutomatic } from './classification.ts';
import type { PlannedCandidate } from './plan.ts';
import { DEPENDENCY_RULE } from './plan-counts.ts';
import type { WlanSecurity } from './security.ts';

export interface OperationPreview {
  candidate: string;
  object_type: string;
  identifier: string;
  classification: string;
  dependencies: readonly string[];
  inline_dependencies: readonly string[];
  /** What the export does not hold and an apply looks for at the target before it writes; left out where there is none. */
  preconditions?: readonly string[];
  apply_order: number;
  status: 'would-apply' | 'unsupported' | 'blocked';
  conflict: 'not-checked';
  dry_run_only: boolean;
  /** Why it is shown and never written. */
  dry_run_only_reason?: string;
  /** Of a network; presence only, never the secret. */
  security?: Pick<WlanSecurity, 'mode' | 'ambiguous' | 'passphrase_present' | 'psk_hexkey_present'>;
  required_secret_names: readonly string[];
  operations: {
    what: string;
    tool: string;
    arguments: unknown;
    /** In place of it where the object exists and conflict_policy is update. */
    update: string | null;
    read_back: string;
    rollback: string | null;
  }[];
  rollback_supported: boolean;
  blockers: { rule: string; refusal: string; message: string }[];
  /** Fields of the source without a place at the target. */
  unsupported_fields: readonly string[];
  /** Fields of the source that are left out because they equal an assumed default of the controller. */
  assumed_defaults: readonly string[];
  /** The other warnings, as code and field. */
  warnings: readonly string[];
}

/** How an apply makes sure that a second one changes nothing. */
export const IDEMPOTENCY =
  'each object is read first and written only where it is absent or conflict_policy says update';

/** `refused`: why the plan says that it is never written; of these, what no rule of its adapter says is shown as well. */
export function previewOf(
  candidate: PlannedCandidate,
  context: TargetContext,
  refused: readonly BrokenRule[] = [],
): OperationPreview {
  const adapter = adapterOf(candidate, context.target);
  const others = refused.filter(({ rule }) => rule === DEPENDENCY_RULE || rule === SCHEMA_RULE);
  const blockers = [...brokenRules(adapter, candidate, context), ...others];
  const final = blockers.some(({ refusal }) => refusal === 'error' || refusal === 'compatibility');
  const automatic = isAutomatic(candidate.classification);
  const { security } = candidate.payload;
  // Of what is shown only, the operations are shown; of what is refused there are none.
  const steps = final || !automatic ? [] : adapter.stepsOf(candidate, context, placeholdersOf(adapter, candidate));
  const preconditions = new Set(steps.flatMap(({ needs = [] }) => needs.map(({ ref }) => ref)));
  const inline = candidate.dependencies.filter((ref) => isInline(adapter, ref));
  return {
    candidate: refOf(candidate),
    object_type: candidate.object_type,
    identifier: candidate.identifier,
    classification: candidate.classification,
    dependencies: candidate.dependencies.filter((ref) => !inline.includes(ref)),
    inline_dependencies: inline,
    ...(preconditions.size > 0 ? { preconditions: [...preconditions] } : {}),
    apply_order: candidate.apply_order,
    status: final || !automatic ? 'unsupported' : blockers.length > 0 ? 'blocked' : 'would-apply',
    conflict: 'not-checked',
    dry_run_only: candidate.dry_run_only,
    ...(candidate.dry_run_only ? { dry_run_only_reason: candidate.note } : {}),
    ...(security ? { security: shownSecurity(security) } : {}),
    required_secret_names: adapter.secretsOf(candidate),
    operations: steps.map(({ what, create, update, read, undo }) => ({
      what,
      tool: create.tool,
      arguments: create.arguments,
      update: update?.tool ?? null,
      read_back: read.tool,
      rollback: undo?.tool ?? null,
    })),
    rollback_supported: steps.length > 0 && steps.every(({ undo }) => undo !== undefined),
    blockers: [...blockers, ...(automatic || final ? [] : [manualBlocker(candidate)])],
    unsupported_fields: Object.keys(candidate.unsupported_fields),
    assumed_defaults: candidate.warnings.flatMap(({ code, field = '' }) => (code === 'assumed_default' ? [field] : [])),
    warnings: candidate.warnings
      .filter(({ code }) => code !== 'unmapped_field' && code !== 'assumed_default')
      .map(({ code, field }) => (field === undefined ? code : `${code} ${field}`)),
  };
}

const shownSecurity = ({ mode, ambiguous, passphrase_present, psk_hexkey_present }: WlanSecurity) => ({
  mode,
  ambiguous,
  passphrase_present,
  psk_hexkey_present,
});

const manualBlocker = ({ classification, note }: PlannedCandidate) => ({
  rule: 'classification',
  refusal: 'error',
  message: `${classification}: ${note}`,
});
