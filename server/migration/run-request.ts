/** The arguments that say what is to be migrated where: shared by preview and create. */

import { type Static, Type } from '../config/schema.ts';
import type { During } from '../dispatch/call.ts';
import { RouterError } from '../errors.ts';
import type { TargetContext } from './adapters/adapter.ts';
import { refOf } from './candidate.ts';
import { dispatchPort } from './dispatch-port.ts';
import { type Plan, type PlannedCandidate, planOf } from './plan.ts';
import { readExport } from './read-export.ts';
import { exportFromPlatform } from './read-platform.ts';
import { RUN_LIMITS } from './run.ts';

const Name = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }));

export const RUN_FIELDS = {
  export: Type.Optional(Type.Object({}, { description: 'The exported configuration' })),
  config_path: Name('In place of export: node of the legacy controller to read, such as /md/site'),
  target_type: Type.Enum(['classic', 'new'], { description: 'Generation that is written to' }),
  scope_id: Name('New generation: scope that receives the objects'),
  scope_name: Name('Classic: the group, named by the operator'),
  persona: Name('New generation: device function, such as CAMPUS_AP'),
  cluster_name: Name('Tunnelled networks: the gateway cluster'),
  cluster_scope_id: Name('Tunnelled networks: scope of the gateway cluster'),
  conflict_policy: Type.Optional(
    Type.Enum(['fail', 'skip-existing', 'update'], {
      description: 'What to do with an object that exists; default fail',
    }),
  ),
  selected_candidates: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 600 }), {
      maxItems: RUN_LIMITS.candidates,
      description: 'Only these, as type:identifier',
    }),
  ),
};

const Fields = Type.Object(RUN_FIELDS);
export type RunRequest = Static<typeof Fields>;

export async function planFrom(request: RunRequest, during: During): Promise<Plan> {
  if ((request.export === undefined) === (request.config_path === undefined))
    throw new RouterError('MIGRATION_EXPORT_INVALID', 'either export or config_path should be given');
  if (request.export !== undefined) return readablePlan(request.export);
  const { value, unread } = await exportFromPlatform(dispatchPort(during), request.config_path ?? '');
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
