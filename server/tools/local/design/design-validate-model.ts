/** design_validate_model: what keeps a diagram model from being drawn, and what only looks wrong. */
import type { Static } from '../../../config/schema.ts';
import { DiagramModel } from '../../../diagram/model.ts';
import type { LocalTool } from '../registry.ts';

export default {
  name: 'design_validate_model',
  backend: 'design',
  toolset: 'design',
  capability: 'read',
  line: 'Validate a network diagram model: unknown ends of links, doubled ids, unknown roles, lonely nodes.',
  more: 'Errors keep it from being exported, warnings do not. Nothing is drawn.',
  input: DiagramModel,
  search: { aliases: ['check a diagram', 'diagram model', 'topology model'], questions: [] },
  open: () => async (model: Static<typeof DiagramModel>) => {
    const { checkModel } = await import('../../../diagram/check-model.ts');
    const findings = checkModel(model);
    return {
      valid: findings.every(({ severity }) => severity !== 'error'),
      nodes: model.nodes.length,
      links: model.links?.length ?? 0,
      groups: model.groups?.length ?? 0,
      findings,
    };
  },
} satisfies LocalTool<Static<typeof DiagramModel>>;
