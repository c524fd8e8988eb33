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
  id?: string | null;
  type?: string | null;
  /** Some endpoints send the arguments as the object that they stand for. */
  function?: { name?: string | null; arguments?: string | object | null };
}

interface Delta {
  [provider: string]: unknown;
  role?: string;
  /** A text, or parts of one. */
  content?: string | { type?: string; text?: string }[] | null;
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
  const calls: PlacedCall[] = [];
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
  const tool_calls = calls.toSorted((a, b) => a.index - b.index).map(({ call }) => call);
  const message: AssistantMessage = {
    ...others,
    role: 'assistant',
    // Streams begin with an empty text where a whole answer has none.
    content: content === '' ? null : content,
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  return { model, system_fingerprint: fingerprint, seed, message, finish_reason: finish, usage };
}

/** Finish reason → what ended an answer before the model had given it; the last two are names that some endpoints have for the first. */
const CUT_BY: Record<string, string> = {
  length: 'cut off at the length limit of the endpoint or of the request',
  content_filter: 'withheld or cut off by the content filter of the endpoint',
  max_tokens: 'cut off at the length limit of the endpoint or of the request',
  model_length: 'cut off at the length limit of the endpoint or of the request',
};

/** Why this is no whole answer, as a sentence, or undefined. Neither its text nor its calls are what the model meant. */
export function cutOff({ finish_reason, usage }: Completion): string | undefined {
  const by = Object.hasOwn(CUT_BY, finish_reason) ? CUT_BY[finish_reason] : undefined;
  if (by === undefined) return undefined;
  const after = usage === null ? '' : `, after ${usage.completion_tokens} tokens`;
  return `the answer of the model was ${by} (finish_reason ${finish_reason}${after})`;
}

function joined(before: string | null, said: Delta['content']): string | null {
  const text = Array.isArray(said)
    ? said.map(({ type = 'text', text = '' }) => (type === 'text' ? text : '')).join('')
    : said;
  return typeof text === 'string' ? (before ?? '') + text : before;
}

interface PlacedCall {
  index: number;
  call: ToolCall;
}

/** The name and id of a call come with its first piece, its arguments with any. */
function addCalls(calls: PlacedCall[], pieces: NonNullable<Delta['tool_calls']>): void {
  for (const [position, piece] of pieces.entries()) {
    const { index = position, id, type: _type, function: said, ...rest } = piece;
    const call = callOf(calls, index, piece);
    // Later pieces may repeat the id as null or as an empty text.
    if (id) call.id ||= id;
    call.function.name += said?.name ?? '';
    const args = said?.arguments ?? '';
    call.function.arguments += typeof args === 'string' ? args : JSON.stringify(args);
    addFields(call, rest);
  }
}

/** The call that a piece belongs to. Some endpoints give all calls the index 0: one that has a name and an id of its own is another. */
function callOf(calls: PlacedCall[], index: number, { id, function: said }: CallPiece): ToolCall {
  const known = calls.findLast((one) => one.index === index)?.call;
  const isOther = known !== undefined && Boolean(id) && Boolean(said?.name) && known.id !== '' && known.id !== id;
  if (known !== undefined && !isOther) return known;
  const call: ToolCall = { id: '', type: 'function', function: { name: '', arguments: '' } };
  calls.push({ index, call });
  return call;
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
