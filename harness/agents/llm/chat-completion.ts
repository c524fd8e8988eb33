/** One answer of a chat completions endpoint, whole or put together from the pieces of a stream. */

/** Fields that the standard does not name are kept: some endpoints refuse a conversation that comes back without them. */
export interface ToolCall {
  [provider: string]: unknown;
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface AssistantMessage {
  /** Such as `reasoning_content`. */
  [provider: string]: unknown;
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

interface CallPiece {
  [provider: string]: unknown;
  index?: number;
  id?: string;
  type?: string;
  function?: { name?: string; arguments?: string };
}

interface Delta {
  [provider: string]: unknown;
  role?: string;
  content?: string | null;
  tool_calls?: CallPiece[] | null;
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
  const others: Record<string, unknown> = {};
  for (const piece of pieces as Iterable<Wire>) {
    model = piece.model ?? model;
    fingerprint = piece.system_fingerprint ?? fingerprint;
    if (typeof piece.seed === 'number') seed = piece.seed;
    usage = usageOf(piece.usage) ?? usage;
    const choice = piece.choices?.[0];
    finish = choice?.finish_reason ?? finish;
    const part = choice?.message ?? choice?.delta;
    if (part === undefined) continue;
    const { role: _role, content: said, tool_calls: called, ...rest } = part;
    content = joined(content, said);
    addCalls(calls, called ?? []);
    addFields(others, rest);
  }
  if (finish === undefined) return undefined;
  const tool_calls = calls.filter((call) => call !== undefined);
  const message: AssistantMessage = {
    ...others,
    role: 'assistant',
    // Streams begin with an empty text where a whole answer has none.
    content: content === '' ? null : content,
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  return { model, system_fingerprint: fingerprint, seed, message, finish_reason: finish, usage };
}

const joined = (before: string | null, said: unknown): string | null =>
  typeof said === 'string' ? (before ?? '') + said : before;

/** The name and id of a call come with its first piece, its arguments with any. */
function addCalls(calls: ToolCall[], pieces: NonNullable<Delta['tool_calls']>): void {
  for (const [position, piece] of pieces.entries()) {
    const index = piece.index ?? position;
    calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } };
    const call = calls[index];
    if (piece.id !== undefined) call.id = piece.id;
    call.function.name += piece.function?.name ?? '';
    call.function.arguments += piece.function?.arguments ?? '';
    const { index: _index, id: _id, type: _type, function: _function, ...rest } = piece;
    addFields(call, rest);
  }
}

/** In a stream texts and lists come in parts. What is null or empty says nothing, and some endpoints refuse to read it. */
function addFields(all: Record<string, unknown>, part: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(part)) {
    const before = all[name];
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    if (typeof before === 'string' && typeof value === 'string') all[name] = before + value;
    else if (Array.isArray(before) && Array.isArray(value)) all[name] = [...before, ...value];
    else all[name] = value;
  }
}

function usageOf(usage: Partial<Usage> | null | undefined): Usage | undefined {
  const { prompt_tokens, completion_tokens } = usage ?? {};
  if (typeof prompt_tokens !== 'number' || typeof completion_tokens !== 'number') return undefined;
  return { prompt_tokens, completion_tokens, total_tokens: usage?.total_tokens ?? prompt_tokens + completion_tokens };
}
