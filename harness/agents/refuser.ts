/** Refuses everything. It may solve only scenarios in which a stated refusal is right. */
import type { Agent } from './mcp/agent.ts';

export default {
  id: 'refuser',
  about: 'always refuses; must solve only what may be refused',
  role: 'control',
  seesSteps: false,
  solve: async () => ({ refused: 'this agent does nothing that it is asked to do' }),
} satisfies Agent;
