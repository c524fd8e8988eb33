/** The target of a run, reached through dispatch: each write is previewed, bound by its own plan token, recorded and sent once. */

import type { Answered, Approver } from '../dispatch/confirmation.ts';
import type { Call, LocalToolContext, Result } from '../dispatch/dispatch-call.ts';
import { KnownSecrets, SHORTEST_KNOWN } from '../telemetry/known-secrets.ts';
import { MASK } from '../telemetry/redact.ts';
import type { FaultOf, ToolCall } from './adapters/adapter.ts';
import { type LastingOf, listIn, type ReadAnswer, type TargetPort, type WriteAnswer } from './target-port.ts';

/** A list is read on to its end in pages of this many items. */
const PAGE = 200;
const MOST_PAGES = 50;
const LONGEST_MESSAGE = 300;
/** Upstream failures after which a write may have happened. */
const MAY_HAVE_WRITTEN = new Set(['outcome_unknown', 'upstream_error', 'timeout']);

/** In whose name calls are made, and how. */
type Caller = Pick<LocalToolContext, 'invoke'> & { call: Pick<Call, 'principal' | 'signal'> };

const notAsked: Answered = {
  kind: 'answered',
  answer: { kind: 'declined', why: 'nobody was asked about this request' },
};
/** Approves nothing: every write is refused. */
const NOBODY: Approver = { reachable: false, how: 'list', ask: async () => notAsked };

export interface PortOptions {
  /** Masked in whatever the platform says. */
  secrets?: readonly string[];
  /** Throws when no write may be sent any more. */
  mayWrite?: () => void;
  /** Who agreed to the writes; each call is still checked, bound and recorded by itself. */
  approver?: Approver;
  faultOf?: FaultOf;
  lastingOf?: LastingOf;
}

export function dispatchPort(
  context: Caller,
  { secrets = [], mayWrite = () => {}, approver = NOBODY, faultOf = () => undefined, lastingOf }: PortOptions = {},
): TargetPort {
  const scrub = scrubberOf(secrets);
  const told = (text: string) => scrub(text).slice(0, LONGEST_MESSAGE);
  return {
    read: async (call) => (call.tool.includes('_list_') ? readList(call, context, told) : readOne(call, context, told)),
    write: (call) => write(call, context, told, { mayWrite, approver }),
    faultOf,
    ...(lastingOf ? { lastingOf } : {}),
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

async function readOne(call: ToolCall, context: Caller, told: (text: string) => string): Promise<ReadAnswer> {
  const result = await context.invoke(inner(context, 'invoke_read_tool', call));
  if (result.kind === 'done') return { kind: 'found', value: result.result };
  if (result.kind === 'ask') return { kind: 'unknown', message: 'the read asked a question' };
  const { status, code } = result.refusal;
  // A platform's 404 means absent. An unknown tool does not.
  return status === 404 && code === 'not_found'
    ? { kind: 'absent' }
    : { kind: 'unknown', message: told(messageOf(result)) };
}

async function readList(call: ToolCall, context: Caller, told: (text: string) => string): Promise<ReadAnswer> {
  const items: unknown[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const from = items.length + firstOf(call.tool);
    const args = { ...call.arguments, limit: PAGE, ...(page === 0 ? {} : { offset: from }) };
    const answer = await readOne({ tool: call.tool, arguments: args }, context, told);
    if (answer.kind !== 'found') return answer;
    const more = isEmptyEnvelope(answer.value) ? { items: [], isCut: false } : listIn(answer.value);
    if (!more) return { kind: 'unknown', message: 'the answer is no list' };
    items.push(...more.items);
    // Nothing comes behind an item that is larger than an answer may be.
    if (!more.isCut || more.items.length === 0)
      return { kind: 'found', value: { items, _pagination: { truncated: more.isCut } } };
  }
  return { kind: 'found', value: { items, _pagination: { truncated: true } } };
}

/** A controller may leave an empty list out of its answer: `{"_data": {}}`. */
function isEmptyEnvelope(value: unknown): boolean {
  const isEmpty = (inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.keys(inner).length === 0;
  return isEmpty(value) || (typeof value === 'object' && value !== null && Object.values(value).every(isEmpty));
}

/** The legacy controller counts its items from one, everybody else from zero. */
const firstOf = (tool: string): number => (tool.startsWith('legacy_') ? 1 : 0);

async function write(
  call: ToolCall,
  context: Caller,
  told: (text: string) => string,
  { mayWrite, approver }: Required<Pick<PortOptions, 'mayWrite' | 'approver'>>,
): Promise<WriteAnswer> {
  const previewed = await context.invoke({ ...writeCall(context, call, { dry_run: true }), approver });
  if (previewed.kind !== 'done') return { kind: 'refused', message: told(messageOf(previewed)) };
  const { plan_token, object } = previewed.result as { plan_token?: unknown; object?: unknown };
  const controls = { dry_run: false, confirm: true, plan_token, confirm_object: object };
  mayWrite();
  const result = await context.invoke({ ...writeCall(context, call, controls), approver });
  if (result.kind === 'done') return { kind: 'done', result: result.result };
  const message = told(messageOf(result));
  const mayHaveWritten = result.kind === 'refused' && MAY_HAVE_WRITTEN.has(result.refusal.code);
  return mayHaveWritten ? { kind: 'outcome_unknown', message } : { kind: 'refused', message };
}

/** The call of a write as the router's own tools make it, to show its request and to send it. */
export const writeCall = (
  context: Pick<Caller, 'call'>,
  call: ToolCall,
  controls: Record<string, unknown> = {},
): Call => inner(context, 'invoke_tool', call, controls);

function inner(
  { call }: Pick<Caller, 'call'>,
  dispatcher: Call['dispatcher'],
  { tool, arguments: args }: ToolCall,
  controls: Record<string, unknown> = {},
): Call {
  return {
    dispatcher,
    name: tool,
    arguments: { ...args, ...controls },
    principal: call.principal,
    approver: NOBODY,
    ...(call.signal ? { signal: call.signal } : {}),
  };
}

/** A run keeps one text: what the platform said is quoted in it under the name of its field, so that it ends where it ends. */
function messageOf(result: Exclude<Result, { kind: 'done' }>): string {
  if (result.kind === 'ask') return 'the call asked a question';
  const { message, platform_message: said } = result.refusal;
  return typeof said === 'string' ? `${message}; platform_message: ${JSON.stringify(said)}` : message;
}
