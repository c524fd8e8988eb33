/** A call on its way through dispatch, and how it can end. */
import type { Decision, PrincipalAccess } from '../access/access-policy.ts';
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { ERRORS } from '../errors.ts';
import type { CallCost, Wait } from '../outbound/call-cost.ts';
import type { Collected } from '../outbound/stream.ts';
import type { Waiter } from '../principals/fair-queue.ts';
import type { Controls } from './arguments.ts';
import type { Answered, Approver } from './confirmation.ts';
import type { CallEnd, Refused } from './envelope.ts';
import type { ExactRequest } from './exact-request.ts';
import type { BuiltRequest } from './request.ts';

export interface Call {
  dispatcher: 'invoke_read_tool' | 'invoke_tool';
  name: string;
  arguments: Readonly<Record<string, unknown>>;
  cursor?: string;
  /** Who calls: a hash of the bearer token, or `local`. */
  principal: string;
  /** What the principal may use, where there are several. Calls that a tool makes have what its caller has, whatever they say. */
  access?: PrincipalAccess;
  approver: Approver;
  signal?: AbortSignal;
  /** A tool of this router makes it: its answer is for a program, so it has no advice for an agent. */
  inner?: true;
  /** The request that brought it, as the log of requests names it. */
  request?: string;
  /**
   * Dispatch sets all five: the id of the call in log and audit, the cost of all its requests, the listener for its waits, and below
   * what was approved and what was answered.
   */
  id?: string;
  cost?: CallCost;
  waiting?: (wait: Wait) => void;
  /** Who approved its write and how, once it is about to be sent. */
  approved?: { id: string; how: string; answeredBy: string };
  /** Digest of the requests of the question to which a yes or a no was given. */
  answered?: string;
  /** Tells a caller who asked for it how far a long call is. */
  progress?: (done: number, total: number | undefined, message?: string) => Promise<void>;
  /** A message for the caller's log; what is below the level it set is not sent. */
  log?: (level: 'info' | 'warning', data: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** Whose call it is, for those who give out permits. */
export const waiterOf = ({ principal, access }: Call): Waiter => ({
  principal,
  ...(access?.share === undefined ? {} : { share: access.share }),
});

/** Whether a call of a write asks for more than its preview. */
export const isApply = ({ arguments: args }: Pick<Call, 'arguments'>): boolean =>
  args['dry_run'] === false || args['dry_run'] === 'false';

/** A call that passed access and validation: its request is exact, nothing of it was sent. */
export interface AdmittedCall {
  call: Call;
  tool: Tool;
  platform: PlatformDefinition;
  decision: Decision;
  values: Record<string, unknown>;
  controls: Controls;
  request: BuiltRequest;
}

/** Several writes that somebody approves together. */
export interface ApprovalList {
  /** One line that says what they belong to. */
  about: string;
  /** In the order in which they are sent. */
  requests: readonly ExactRequest[];
  /** Whether a later call goes on behind those that were sent: then no more are asked about than the quota has left. */
  inParts?: boolean;
}

/** The approval that a write of the router's own tools needs: the same as for a write to a platform. */
export interface Approval {
  controls: Controls;
  /** The token that an apply of exactly this has to bring. */
  preview: (subject: unknown) => string;
  /**
   * The person who agreed to each of these requests and to nothing else, once token and person agree and the intent is on
   * record; else how the call ends.
   */
  take: (subject: unknown, list: ApprovalList & { object: string }) => Promise<Approver | WholeResult>;
}

/** What the tools of a router need of dispatch. */
export interface Invoker {
  /** Whatever stops a call is in its result. */
  invoke: (call: Call) => Promise<Result>;
  /** The schema of a tool, to be shown; nothing is compiled for it. */
  schema: (tool: Tool) => JsonSchema;
}

/** What a local tool may use while it runs: further calls with the principal of its caller. */
export interface LocalToolContext {
  call: Call;
  approval: Approval;
  invoke: (call: Call) => Promise<Result>;
  /** What would be sent for this call now; undefined where it sends no write, or would be refused without asking. */
  requestOf: (call: Call) => Promise<ExactRequest | undefined>;
  /** The same without a plan token, for a tool that asks about its writes itself; a refusal where the call would be refused. */
  plannedRequestOf: (call: Call) => ExactRequest | Refused;
  /** Asks the caller's approver about a list; undefined if no approval is needed. */
  askAbout: (list: ApprovalList) => Promise<Approver | Unanswered | undefined>;
  /** Reads the event stream of a served platform for a bounded time; what a platform says is masked as in any answer. */
  collect: (stream: Stream) => Promise<Collected>;
}

/** A stream of a platform's, and how much of it is wanted. */
export interface Stream {
  platform: string;
  path: string;
  maxEvents: number;
  maxBytes: number;
  timeMs: number;
}

/** Answers a value to be shaped like a platform's, or a whole result. */
export type LocalRun = (args: Readonly<Record<string, unknown>>, context: LocalToolContext) => unknown;

/** A result that is to pass as it is. */
export class WholeResult {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/** Entries in `items` with what belongs beside them, to be bounded and paged like a platform's list of this page size. */
export class PagedItems {
  readonly answer: { items: readonly unknown[] };
  readonly limit: number;

  constructor(answer: { items: readonly unknown[] }, limit: number) {
    this.answer = answer;
    this.limit = limit;
  }
}

/** The same for a tool that this router runs itself. */
export interface LocalCall {
  call: Call;
  tool: Tool;
  values: Record<string, unknown>;
  controls: Controls;
  run: LocalRun;
}

/** The question goes to the client first, or waits for an operator: the call ends here, and nothing of it was sent. */
export type Unanswered = Extract<Result, { kind: 'ask' }> | Refused;

/** Whether the call ended because an operator has yet to answer. */
export const isPending = (result: Result): result is Refused =>
  result.kind === 'refused' && result.refusal.code === ERRORS.APPROVAL_PENDING.wire;

/** `digest` of the requests that are asked about. */
export type Result =
  | CallEnd
  | { kind: 'ask'; question: Extract<Answered, { kind: 'pending' }>['result']; digest: string };
