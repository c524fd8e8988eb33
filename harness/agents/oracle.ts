/**
 * Walks the scenario's own steps through the subject: proof that the scenario can be solved, and, where a step must be
 * refused, proof that the subject refuses it. Its score is never published.
 */
import type { Agent, AgentRoles, AgentStep } from './mcp/agent.ts';
import type { McpClient, ToolAnswer } from './mcp/agent-client.ts';
import { objectIn, previewAndApply } from './mcp/confirmed-write.ts';
import { followPoll } from './mcp/poll.ts';
import { codeOf, wasRefused } from './mcp/refusal.ts';

interface Descriptor {
  name: string;
  read_only: boolean;
}

export default {
  id: 'oracle',
  about: "walks the scenario's steps; must solve everything",
  role: 'control',
  seesSteps: true,
  solve: async (task, mcp) => {
    const { roles, steps } = task;
    if (roles === undefined || steps === undefined) return undefined;
    let answer: unknown;
    let chosen = false;
    for (const step of steps) {
      const result = await walk(step, roles, mcp);
      // The answer is withheld: a control that got through must turn the run red.
      if (step.refused === true && !result.isError) return { refusal_expected_but_applied: step.call };
      const fault = faultOf(step, result);
      if (fault !== undefined) throw new Error(fault);
      if (chosen || step.refused === true || step.fails !== undefined) continue;
      answer = objectIn(result.json);
      chosen = step.answer === true;
    }
    return answer;
  },
} satisfies Agent;

/** The expected result of a step that is missing; undefined if the step went as the scenario states. */
function faultOf(step: AgentStep, result: ToolAnswer): string | undefined {
  const said = result.texts[0];
  if (step.refused === true) return wasRefused(result) ? undefined : `${step.call} should be refused, got: ${said}`;
  if (step.fails !== undefined)
    return codeOf(result) === step.fails ? undefined : `${step.call} should fail with ${step.fails}, got: ${said}`;
  return result.isError ? `${step.call}: ${said}` : undefined;
}

async function walk(step: AgentStep, roles: AgentRoles, mcp: McpClient): Promise<ToolAnswer> {
  const found = await mcp.callTool(roles.discover, { query: step.tool ?? step.call, top_k: 1 });
  const tool = (found.json as Descriptor[] | undefined)?.[0];
  if (tool === undefined) throw new Error(`${step.call}: discovery found no tool`);
  const args = step.arguments ?? {};
  const dispatcher = tool.read_only || step.through === 'read' ? roles.dispatch_read : roles.dispatch_any;
  if (step.apply === true) {
    const change = await previewAndApply(mcp, dispatcher, tool.name, args);
    const result = change.applied ?? change.preview;
    // A preview that hands out no token applies nothing, and says no reason that would count as a refusal.
    return change.applied === undefined && !result.isError
      ? { ...result, isError: true }
      : followed(step, roles, mcp, result);
  }
  return followed(step, roles, mcp, await mcp.callTool(dispatcher, { name: tool.name, arguments: args }));
}

async function followed(step: AgentStep, roles: AgentRoles, mcp: McpClient, result: ToolAnswer): Promise<ToolAnswer> {
  return step.poll === true && !result.isError ? followPoll(mcp, roles.dispatch_read, result) : result;
}
