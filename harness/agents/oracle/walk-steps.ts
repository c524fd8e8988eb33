/** Carries out the steps of a scenario through the subject, one after the other. */
import type { AgentRoles, AgentStep, AgentTask } from '../mcp/agent.ts';
import type { McpClient, ToolAnswer } from '../mcp/agent-client.ts';
import { applyWith, previewAndApply } from '../mcp/confirmed-write.ts';
import { followPoll } from '../mcp/poll.ts';
import { codeOf, wasRefused } from '../mcp/refusal.ts';
import { readFacts } from './step-facts.ts';

interface Descriptor {
  name: string;
  read_only: boolean;
}

/** Walks the steps and reads each fact where the step says it stands. */
export async function walkSteps(task: AgentTask, mcp: McpClient): Promise<unknown> {
  const { roles, steps } = task;
  if (roles === undefined || steps === undefined) return undefined;
  const facts: Record<string, unknown> = {};
  const tokens: Tokens = {};
  for (const step of steps) {
    const result = await walk(step, roles, mcp, tokens);
    if (step.attempt === true) continue;
    // The answer is withheld: a control that got through must turn the run red.
    if (step.refused === true && !result.isError) return { refusal_expected_but_applied: step.call };
    const fault = faultOf(step, result);
    if (fault !== undefined) throw new Error(fault);
    if (step.facts !== undefined) Object.assign(facts, await readFacts(step, result, roles, mcp));
  }
  return Object.keys(facts).length === 0 ? undefined : facts;
}

/** The expected result of a step that is missing; undefined if the step went as the scenario states. */
function faultOf(step: AgentStep, result: ToolAnswer): string | undefined {
  const said = result.texts[0];
  if (step.refused === true) return wasRefused(result) ? undefined : `${step.call} should be refused, got: ${said}`;
  if (step.fails !== undefined)
    return codeOf(result) === step.fails ? undefined : `${step.call} should fail with ${step.fails}, got: ${said}`;
  return result.isError ? `${step.call}: ${said}` : undefined;
}

interface StepResult extends ToolAnswer {
  /** The tool that was called, so that a list can be read on. */
  tool?: string;
}

/** Plan tokens that a later step may bring again. */
interface Tokens {
  kept?: string;
  used?: string;
}

async function walk(step: AgentStep, roles: AgentRoles, mcp: McpClient, tokens: Tokens): Promise<StepResult> {
  const found = await mcp.callTool(roles.discover, { query: step.tool ?? step.call, top_k: 1 });
  const tool = (found.json as Descriptor[] | undefined)?.[0];
  if (tool === undefined) throw new Error(`${step.call}: discovery found no tool`);
  const args = step.arguments ?? {};
  const dispatcher = tool.read_only || step.through === 'read' ? roles.dispatch_read : roles.dispatch_any;
  if (step.token !== undefined) return withToken(step, step.token, { dispatcher, name: tool.name }, mcp, tokens);
  if (step.apply === true) {
    const change = await previewAndApply(mcp, dispatcher, tool.name, args);
    if (change.token !== undefined) tokens.used = change.token;
    const result = change.applied ?? change.preview;
    // A preview that hands out no token applies nothing, and says no reason that would count as a refusal.
    return change.applied === undefined && !result.isError
      ? { ...result, isError: true }
      : followed(step, roles, mcp, result);
  }
  const called = await mcp.callTool(dispatcher, { name: tool.name, arguments: args });
  return { ...(await followed(step, roles, mcp, called)), tool: tool.name };
}

async function withToken(
  step: AgentStep,
  which: NonNullable<AgentStep['token']>,
  { dispatcher, name }: { dispatcher: string; name: string },
  mcp: McpClient,
  tokens: Tokens,
): Promise<StepResult> {
  const args = step.arguments ?? {};
  if (which === 'keep') {
    const preview = await mcp.callTool(dispatcher, { name, arguments: { ...args, dry_run: true } });
    const token = (preview.json as { plan_token?: unknown } | undefined)?.plan_token;
    if (typeof token !== 'string') throw new Error(`${step.call}: a preview should hand out a plan token`);
    tokens.kept = token;
    return preview;
  }
  const token = tokens[which];
  if (token === undefined) throw new Error(`${step.call}: no plan token was ${which} before`);
  return applyWith(token, mcp, dispatcher, name, args);
}

async function followed(step: AgentStep, roles: AgentRoles, mcp: McpClient, result: ToolAnswer): Promise<ToolAnswer> {
  return step.poll === true && !result.isError ? followPoll(mcp, roles.dispatch_read, result) : result;
}
