/** From the arguments of a migration to its plan, its target and what was chosen: shared by preview and create. */
import type { LocalToolContext } from '../dispatch/dispatch-call.ts';
import { RouterError } from '../errors.ts';
import type { TargetContext } from './adapters/adapter.ts';
import { refOf } from './candidate.ts';
import { dispatchPort } from './dispatch-port.ts';
import { RUN_LIMITS } from './migration-run.ts';
import { type Plan, type PlannedCandidate, planOf } from './plan.ts';
import { readExport } from './read-export.ts';
import { exportFromPlatform } from './read-platform.ts';
import type { RunRequest } from './run-fields.ts';

export async function planFrom(request: RunRequest, context: LocalToolContext): Promise<Plan> {
  if ((request.export === undefined) === (request.config_path === undefined))
    throw new RouterError('MIGRATION_EXPORT_INVALID', 'either export or config_path should be given');
  if (request.export !== undefined) return readablePlan(request.export);
  const { value, unread } = await exportFromPlatform(dispatchPort(context), request.config_path ?? '');
  const [first] = unread;
  // Half an export would become half a migration without anybody noticing.
  if (first)
    throw new RouterError('MIGRATION_EXPORT_INVALID', `${unread.length} sections cannot be read: ${first.message}`, {
      details: { sections: unread.map(({ pointer }) => pointer) },
    });
  return readablePlan(value);
}

function readablePlan(value: unknown): Plan {
  const source = readExport(value);
  const broken = source.warnings.find(({ code }) => code === 'export_unreadable');
  if (broken) throw new RouterError('MIGRATION_EXPORT_INVALID', broken.message);
  return planOf(source);
}

export function contextFrom(request: RunRequest, references: Readonly<Record<string, string>> = {}): TargetContext {
  const { target_type, scope_id, scope_name, persona, cluster_name, cluster_scope_id } = request;
  return {
    target: target_type,
    ...(scope_id === undefined ? {} : { scope_id }),
    ...(scope_name === undefined ? {} : { scope_name }),
    ...(persona === undefined ? {} : { persona }),
    ...(cluster_name === undefined ? {} : { cluster_name }),
    ...(cluster_scope_id === undefined ? {} : { cluster_scope_id }),
    ...(Object.keys(references).length === 0 ? {} : { external_object_references: references }),
  };
}

/** The chosen candidates in apply order; a name that is in no plan is refused. */
export function chosenFrom(plan: Plan, request: RunRequest): readonly PlannedCandidate[] {
  const all = plan.candidates[request.target_type];
  const wanted = request.selected_candidates && new Set(request.selected_candidates);
  const chosen = wanted ? all.filter((candidate) => wanted.has(refOf(candidate))) : all;
  const unknown = [...(wanted ?? [])].filter((ref) => !all.some((candidate) => refOf(candidate) === ref));
  if (unknown.length > 0)
    throw new RouterError(
      'ARGUMENTS_INVALID',
      `the plan has no candidate ${JSON.stringify(unknown[0]?.slice(0, 100))}`,
      {
        details: { pointer: '/selected_candidates' },
      },
    );
  if (chosen.length > RUN_LIMITS.candidates)
    throw new RouterError(
      'MIGRATION_RUN_TOO_LARGE',
      `a run takes ${RUN_LIMITS.candidates} candidates, the selection has ${chosen.length}`,
    );
  return chosen;
}
