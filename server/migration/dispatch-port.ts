/** The target of a run, reached through dispatch: each write is previewed, bound by its own plan token, recorded and sent once. */
import type { Call, During, Result } from '../dispatch/call.ts';
import { KnownSecrets, SHORTEST_KNOWN } from '../telemetry/known-secrets.ts';
import { MASK } from '../telemetry/redact.ts';
import type { ToolCall } from './adapters/adapter.ts';
import type { ReadAnswer, TargetPort, WriteAnswer } from './target-port.ts';

/** A list is read on to its end in pages of this many items. */
const PAGE = 200;
const MOST_PAGES = 50;
const LONGEST_MESSAGE = 300;
/** Upstream failures after which a write may have happened. */
const UNCLEAR = new Set(['outcome_unknown', 'upstream_error', 'timeout']);

/** In whose name calls are made, and how. */
type Caller = Pick<During, 'invoke'> & { call: Pick<Call, 'principal' | 'signal'> };

/** The person agreed to the whole run; each call is still checked, bound and recorded by itself. `mayWrite` throws when no write may be sent any more. */
export function dispatchPort(
  during: Caller,
  secrets: readonly string[] = [],
  mayWrite: () => void = () => {},
): TargetPort {
  const scrub = scrubberOf(secrets);
  const told = (text: string) => scrub(text).slice(0, LONGEST_MESSAGE);
  return {
    read: async (call) => (call.tool.includes('_list_') ? readList(call, during, told) : readOne(call, during, told)),
    write: (call) => write(call, during, told, mayWrite),
  };
}

/** A platform may say a secret back in any spelling, and in part. */
function scrubberOf(secrets: readonly string[]): (text: string) => string {
  const known = new KnownSecrets();
  known.learnIssued(...secrets);
  // Too short to be looked for in parts or spellings.
  const short = secrets.filter(({ length }) => length > 0 && length < SHORTEST_KNOWN);
  return (text) => short.reduce((clean, secret) => clean.replaceAll(secret, MASK), known.scrub(text));
}

async function readOne(call: ToolCall, during: Caller, told: (text: string) => string): Promise<ReadAnswer> {
  const result = await during.invoke(inner(during, 'invoke_read_tool', call));
  if (result.kind === 'done') return { is: 'found', value: result.result };
  if (result.kind === 'ask') return { is: 'unknown', message: 'the read asked a question' };
  const { status, code } = result.refusal;
  // Not found is an answer of the platform; an unknown tool is none.
  return status === 404 && code === 'not_found'
    ? { is: 'absent' }
    : { is: 'unknown', message: told(messageOf(result)) };
}

async function readList(call: ToolCall, during: Caller, told: (text: string) => string): Promise<ReadAnswer> {
  const items: unknown[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const from = items.length + firstOf(call.tool);
    const args = { ...call.arguments, limit: PAGE, ...(page === 0 ? {} : { offset: from }) };
    const answer = await readOne({ tool: call.tool, arguments: args }, during, told);
    if (answer.is !== 'found') return answer;
    const { items: more, _pagination } = answer.value as { items?: unknown[]; _pagination?: { truncated?: boolean } };
    items.push(...(more ?? []));
    if (_pagination?.truncated !== true || !more || more.length === 0)
      return { is: 'found', value: { items, _pagination: { truncated: _pagination?.truncated === true } } };
  }
  return { is: 'found', value: { items, _pagination: { truncated: true } } };
}

/** The legacy controller counts its items from one, everybody else from zero. */
const firstOf = (tool: string): number => (tool.startsWith('legacy_') ? 1 : 0);

async function write(
  call: ToolCall,
  during: Caller,
  told: (text: string) => string,
  mayWrite: () => void,
): Promise<WriteAnswer> {
  const previewed = await during.invoke(inner(during, 'invoke_tool', call, { dry_run: true }));
  if (previewed.kind !== 'done') return { is: 'refused', message: told(messageOf(previewed)) };
  const { plan_token, object } = previewed.result as { plan_token?: unknown; object?: unknown };
  const controls = { dry_run: false, confirm: true, plan_token, confirm_object: object };
  mayWrite();
  const result = await during.invoke(inner(during, 'invoke_tool', call, controls));
  if (result.kind === 'done') return { is: 'done', result: result.result };
  const message = told(messageOf(result));
  const unclear = result.kind === 'refused' && UNCLEAR.has(result.refusal.code);
  return unclear ? { is: 'unclear', message } : { is: 'refused', message };
}

function inner(
  { call }: Caller,
  dispatcher: Call['dispatcher'],
  { tool, arguments: args }: ToolCall,
  controls: Record<string, unknown> = {},
): Call {
  return {
    dispatcher,
    name: tool,
    arguments: { ...args, ...controls },
    principal: call.principal,
    // The person agreed to the run of which this call is a part.
    person: {
      reachable: true,
      ask: async (questions) => ({ is: 'answered', answers: questions.map(() => ({ is: 'yes' as const })) }),
    },
    ...(call.signal ? { signal: call.signal } : {}),
  };
}

/** A run keeps one text: what the platform said is quoted in it under the name of its field, so that it ends where it ends. */
function messageOf(result: Exclude<Result, { kind: 'done' }>): string {
  if (result.kind === 'ask') return 'the call asked a question';
  const { message, platform_message: said } = result.refusal;
  return typeof said === 'string' ? `${message}; platform_message: ${JSON.stringify(said)}` : message;
}
