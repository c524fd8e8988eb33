/**
 * Lets a language model solve the intent: it reads the subject's instructions and tool list, calls tools, and ends with
 * one JSON value. The model is whatever the endpoint serves; this file knows no tool, no scenario and no key.
 */
import { type ChatMessage, openChat } from './llm/chat.ts';
import { type Completion, cutOff, type ToolCall } from './llm/chat-completion.ts';
import { type Functions, functionsOf } from './llm/functions.ts';
import { argumentsIn, jsonIn } from './llm/json-in.ts';
import { systemPrompt } from './llm/system-prompt.ts';
import type { Agent } from './mcp/agent.ts';
import { CallLimitReached, type McpClient } from './mcp/agent-client.ts';

export default {
  id: 'llm',
  about: 'asks a language model behind any compatible endpoint; recorded, and replayed without one',
  role: 'contestant',
  seesSteps: false,
  asksModel: true,
  solve: async ({ intent, answer, limits, model }, mcp) => {
    if (model === undefined) return undefined;
    const functions = functionsOf(await mcp.listTools());
    const chat = await openChat(model, { limitMs: limits.timeoutMs });
    const messages: ChatMessage[] = [
      { role: 'system', content: systemPrompt(model.prompt, answer, mcp.instructions) },
      { role: 'user', content: intent },
    ];
    for (;;) {
      const asked = await chat.ask(messages, functions.list);
      if (asked.kind === 'spent') return give(`limit reached: ${asked.limit}`);
      assertWhole(asked.completion);
      const { message } = asked.completion;
      messages.push(message as ChatMessage);
      // Prose is an answer too: the facts may stand in it.
      if (message.tool_calls === undefined) return jsonIn(message.content ?? '') ?? (message.content || undefined);
      for (const call of message.tool_calls) {
        const content = await carryOut(call, functions, mcp);
        if (content === undefined) return give('limit reached: tool calls');
        messages.push({ role: 'tool', tool_call_id: call.id, content });
      }
    }
  },
} satisfies Agent;

/** Throws otherwise: the harness then tells the cause of a run that ended, and grades no part of an answer. */
function assertWhole(completion: Completion): void {
  const cut = cutOff(completion);
  if (cut !== undefined) throw new Error(cut);
}

/** No answer, and the reason where the recording keeps it. */
function give(reason: string): undefined {
  process.stderr.write(`${reason}\n`);
}

/** The result of a call as the model gets it; undefined when no more calls are allowed. */
async function carryOut(call: ToolCall, functions: Functions, mcp: McpClient): Promise<string | undefined> {
  const tool = functions.toolOf(call.function.name);
  if (tool === undefined) return `there is no tool ${call.function.name}`;
  const args = argumentsIn(call.function.arguments);
  if (args === undefined) return 'the arguments should be one JSON object';
  try {
    return (await mcp.callTool(tool, args)).texts.join('\n');
  } catch (error) {
    if (error instanceof CallLimitReached) return undefined;
    return `the call failed: ${(error as Error).message}`;
  }
}
