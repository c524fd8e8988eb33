/** Does nothing. A scenario it passes measures nothing. */
import type { Agent } from './mcp/agent.ts';

export default {
  id: 'noop',
  about: 'does nothing; must solve no scenario that expects a call',
  role: 'control',
  seesSteps: false,
  solve: async () => undefined,
} satisfies Agent;
