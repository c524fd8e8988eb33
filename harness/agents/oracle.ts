/**
 * Walks the scenario's own steps through the subject: proof that the scenario can be solved, and, where a step must be
 * refused, proof that the subject refuses it. Its score is never published.
 */
import type { Agent } from './mcp/agent.ts';
import { walkSteps } from './oracle/walk-steps.ts';

export default {
  id: 'oracle',
  about: "walks the scenario's steps; must solve everything",
  role: 'control',
  seesSteps: true,
  solve: walkSteps,
} satisfies Agent;
