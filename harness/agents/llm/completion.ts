/** One answer of a chat completions endpoint, whole or put together from the pieces of a stream. */

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface AssistantMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: ToolCall[];
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export interface Completion {
  model: string;
  system_fingerprint: string | null;
  /** What the endpoint says it used, where it says so. */
  seed: number | null;
  message: AssistantMessage;
  finish_reason: string;
  /** null when the endpoint did not count. */
  usage: Usage | null;
}

interface Delta {
  content?: string | null;
  tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[] | null;
}

/** As endpoints send it: `message` in a whole answer, `delta` in each piece of a stream. */
interface Wire {
  model?: string;
  system_fingerprint?: string | null;
  seed?: unknown;
  choices?: { message?: Delta; delta?: Delta; finish_reason?: string | null }[];
  usage?: Partial<Usage> | null;
}

/** undefined when no finish reason came: the answer was cut off. */
export function completionOf(pieces: Iterable<unknown>): Completion | undefined {
  let model = '';
  let fingerprint: string | null = null;
  let seed: number | null = null;
  let finish: string | undefined;
  let usage: Usage | null = null;
  let content: string | null = null;
  const calls: ToolCall[] = [];
  for (const piece of pieces as Iterable<Wire>) {
    model = piece.model ?? model;
    fingerprint = piece.system_fingerprint ?? fingerprint;
    if (typeof piece.seed === 'number') seed = piece.seed;
    usage = usageOf(piece.usage) ?? usage;
    const choice = piece.choices?.[0];
    finish = choice?.finish_reason ?? finish;
    const part = choice?.message ?? choice?.delta;
    if (typeof part?.content === 'string') content = (content ?? '') + part.content;
    addCalls(calls, part?.tool_calls ?? []);
  }
  if (finish === undefined) return undefined;
  const tool_calls = calls.filter((call) => call !== undefined);
  const message: AssistantMessage = {
    role: 'assistant',
    // Streams begin with an empty text where a whole answer has none.
    content: content === '' ? null : content,
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  return { model, system_fingerprint: fingerprint, seed, message, finish_reason: finish, usage };
}

/** The name and id of a call come with its first piece, its arguments with any. */
function addCalls(calls: ToolCall[], pieces: NonNullable<Delta['tool_calls']>): void {
  for (const [position, piece] of pieces.entries()) {
    const index = piece.index ?? position;
    calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } };
    const call = calls[index];
    if (piece.id !== undefined) call.id = piece.id;
    call.function.name += piece.function?.name ?? '';
    call.function.arguments += piece.function?.arguments ?? '';
  }
}

function usageOf(usage: Partial<Usage> | null | undefined): Usage | undefined {
  const { prompt_tokens, completion_tokens } = usage ?? {};
  if (typeof prompt_tokens !== 'number' || typeof completion_tokens !== 'number') return undefined;
  return { prompt_tokens, completion_tokens, total_tokens: usage?.total_tokens ?? prompt_tokens + completion_tokens };
}
