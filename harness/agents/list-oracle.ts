/** Walks the scenario's steps by their last routes: facts are read from lists where lists show them. */
import type { Agent } from './mcp/agent.ts';
import { walkSteps } from './oracle/walk-steps.ts';

export default {
  id: 'list-oracle',
  about: 'walks the steps by lists where single reads have an equal; must solve everything',
  role: 'control',
  seesSteps: true,
  route: 'last',
  solve: walkSteps,
} satisfies Agent;
