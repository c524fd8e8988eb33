/** legacy_preview_migration_run: what a migration would write, without keeping anything or calling the target. */
import { type Static, Type } from '../../../config/schema.ts';
import { RUN_FIELDS } from '../../../migration/run-fields.ts';
import { SHOWN_ENTRIES } from '../../../migration/shown-run.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    ...RUN_FIELDS,
    external_object_references: Type.Optional(
      Type.Record(Type.String({ maxLength: 600 }), Type.String({ minLength: 1, maxLength: 256 }), {
        maxProperties: 100,
        description: 'What exists at the target already, by type:identifier',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 50' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  },
  { additionalProperties: false },
);

export default {
  name: 'legacy_preview_migration_run',
  backend: 'migration',
  toolset: 'migration',
  capability: 'read',
  line: 'Preview the migration of a legacy controller: what would be written at the target, and what stands in its way.',
  more: 'Reads an export, or the controller itself by config_path; nothing is kept and the target is not called. Secrets are shown as a placeholder.',
  input: Input,
  search: {
    aliases: ['migration plan', 'controller migration', 'move controller configuration'],
    questions: ['which networks of the old controller can be migrated', 'plan a migration from the legacy controller'],
  },
  open:
    ({ catalog }) =>
    async (args: Static<typeof Input>, localContext) => {
      const { faultsBy } = await import('../../../migration/call-faults.ts');
      const { planDigest } = await import('../../../migration/plan.ts');
      const { countsOf, refusalsIn } = await import('../../../migration/plan-counts.ts');
      const { refOf } = await import('../../../migration/candidate.ts');
      const { IDEMPOTENCY, previewOf } = await import('../../../migration/preview.ts');
      const { chosenFrom, contextFrom, planFrom } = await import('../../../migration/run-request.ts');
      const plan = await planFrom(args, localContext);
      const context = contextFrom(args, args.external_object_references as Record<string, string> | undefined);
      const chosen = chosenFrom(plan, args);
      const { limit = SHOWN_ENTRIES, offset = 0 } = args;
      const window = chosen.slice(offset, offset + limit);
      const refused = refusalsIn(plan, args.target_type, faultsBy(catalog));
      return {
        config_path: plan.config_path,
        plan_digest: planDigest(plan),
        target_type: args.target_type,
        classification_counts: countsOf(plan, args.target_type, refused),
        source_object_counts: plan.source_object_counts,
        external_object_references: args.external_object_references ? 'supplied' : 'not supplied',
        write_gate_required: 'SVC_MCP_MGMT_WRITES',
        idempotency: IDEMPOTENCY,
        total: chosen.length,
        offset,
        previews: window.map((candidate) => previewOf(candidate, context, refused.get(refOf(candidate)))),
        plan_warnings: plan.warnings.length,
        // Those of the shown candidates are counted there; these belong to the export itself.
        export_warnings: plan.warnings.filter(({ object }) => object === undefined).slice(0, SHOWN_ENTRIES),
        secrets_persisted: false,
      };
    },
} satisfies LocalTool<Static<typeof Input>>;
