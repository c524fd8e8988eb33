/** A model that knows a few stories by heart: it plays its moves in order, each from what the last tool call gave. */
import type { Completion } from '../../agents/llm/chat-completion.ts';
import type { ChatRequest } from './stub-endpoint.ts';

type Json = Record<string, unknown>;

export interface Turn {
  /** Groups of the story's pattern in the intent. */
  said: Record<string, string>;
  /** Last tool result, as JSON where it is JSON. */
  result: unknown;
}

export type Move = (turn: Turn) => { call: string; arguments: Json } | { answer: unknown };

export interface Script {
  intent: RegExp;
  moves: Move[];
}

export function playScripts(scripts: readonly Script[]): (request: ChatRequest) => Completion {
  return (request) => {
    const said = String(request.messages.find((message) => message.role === 'user')?.content);
    const turns = request.messages.filter((message) => message.role === 'assistant').length;
    const script = scripts.find(({ intent }) => intent.test(said));
    const move = script?.moves[turns];
    if (script === undefined || move === undefined) return completion(request, 'null');
    const last = request.messages.at(-1);
    const result = last?.role === 'tool' ? jsonOr(String(last.content)) : undefined;
    const next = move({ said: { ...script.intent.exec(said)?.groups }, result });
    if ('answer' in next) return completion(request, JSON.stringify(next.answer));
    return completion(request, null, { id: `call_${turns + 1}`, name: next.call, arguments: next.arguments });
  };
}

function completion(
  request: ChatRequest,
  content: string | null,
  call?: { id: string; name: string; arguments: Json },
): Completion {
  const tool_calls = call && [
    {
      id: call.id,
      type: 'function' as const,
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    },
  ];
  const prompt_tokens = Math.ceil(JSON.stringify(request.messages).length / 4);
  const completion_tokens = 20;
  return {
    model: `${request.model}-2026-01-01`,
    system_fingerprint: 'fp_stub',
    seed: request.seed ?? null,
    message: { role: 'assistant', content, ...(tool_calls === undefined ? {} : { tool_calls }) },
    finish_reason: tool_calls === undefined ? 'stop' : 'tool_calls',
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
