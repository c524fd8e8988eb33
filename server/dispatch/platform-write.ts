/**
 * A write to a platform, from its preview to its end. Nothing is sent before the plan token, the person and the target all
 * say the same thing, and all three are looked at again at the moment of sending.
 */
import { issueGrant } from '../access/grant.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Tool } from '../catalog/tool.ts';
import { RouterError } from '../errors.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { PlatformResponse } from '../outbound/platform-response.ts';
import type { PlatformRequest } from '../outbound/wire-request.ts';
import { NO_TRACER, type Tracer } from '../telemetry/tracer.ts';
import { type Approvals, type Intent, stale, type Valid } from './approvals.ts';
import { auditedIntent } from './audit-entry.ts';
import type { ExecutionContract, Stage } from './contract.ts';
import { type AdmittedCall, type Result, waiterOf } from './dispatch-call.ts';
import { type CallEnd, type Refused, refuse, subjectOf } from './envelope.ts';
import { type ExactRequest, PRECONDITION } from './exact-request.ts';
import { madeObject } from './next-step.ts';
import { type ObjectSources, type ReadBack, readBackOf } from './object-read.ts';
import { answerReadBack, mayHaveWritten, resolveOutcome, type UnknownOutcome } from './outcome-resolution.ts';
import { changesOf, type PreviewRead, readPreview } from './preview-read.ts';
import { wantsOf } from './request.ts';
import { previewNotes, shownRequest } from './shown-request.ts';
import { targetDigest } from './target-image.ts';
import { withNothingHidden } from './tool-answer.ts';
import type { WriteQuota } from './write-quota.ts';
import { readTarget, showsWritten, type TargetRead } from './write-target.ts';

export interface PlatformWriteOptions {
  approvals: Approvals;
  sources: ObjectSources & { outbound: OutboundClient };
  audit?: AuditLog;
  quota?: WriteQuota;
  tracer?: Tracer;
  contract: (admitted: AdmittedCall, stage: Stage) => ExecutionContract;
  answer: (
    admitted: AdmittedCall,
    response: PlatformResponse,
    contract: ExecutionContract,
  ) => CallEnd | Promise<CallEnd>;
}

/** Part of a call's time that a write leaves for finding out what became of it. */
const READ_BACK_SHARE = 0.25;
/** Previews whose target is remembered, so that the question needs no further read of it, and the longest target in JSON. */
const MOST_PREVIEWS = 200;
const LONGEST_TARGET = 65_536;

/** How a write ends before it is sent. */
type Stopped = Exclude<Result, { kind: 'done' }>;

export class PlatformWrites {
  readonly #options: PlatformWriteOptions;
  readonly #tracer: Tracer;
  /** By plan token. A replica that did not make the preview reads the target again. */
  readonly #previews = new Map<string, PreviewRead>();

  constructor(options: PlatformWriteOptions) {
    this.#options = options;
    this.#tracer = options.tracer ?? NO_TRACER;
  }

  /** Shows the exact request and what it changes, and issues the plan token that its apply has to bring. */
  async preview(admitted: AdmittedCall): Promise<CallEnd> {
    const { approvals, contract, quota } = this.#options;
    // A preview that cannot be applied teaches an agent to keep trying.
    await approvals.mustAllowWrites(admitted.tool);
    await quota?.mustHaveLeft(admitted.call, admitted.platform.id);
    const preview = await this.#read(admitted);
    if ('kind' in preview) return preview;
    const { read, ...seen } = preview;
    const intent = this.#intentOf(admitted, preview);
    const refused = admitted.call.approver.reachable ? approvals.refuseTooLarge(intent) : undefined;
    if (refused) return refused;
    const plan_token = approvals.issue(intent, this.#digestOf(admitted, read));
    this.#remember(plan_token, preview);
    const result = {
      status: 'dry_run',
      request: shownRequest(admitted),
      object: admitted.request.object,
      ...seen,
      plan_token,
      expires_in_seconds: approvals.tokenSeconds,
      contract: contract(admitted, { kind: 'preview', byOperator: approvals.asksOperators(intent) }),
    };
    return withNothingHidden({ kind: 'done', result, outcome: 'success' });
  }

  /** Asks the person, looks at everything once more, and sends the request once. */
  async apply(admitted: AdmittedCall): Promise<Result> {
    const { approvals, audit, quota } = this.#options;
    const { call, tool, platform } = admitted;
    const asked = await this.intentToApply(admitted);
    if ('kind' in asked) return asked;
    await quota?.mustHaveLeft(call, platform.id);
    const record = await this.#tracer.span('approval', {}, async (span) => {
      const answered = await approvals.confirm(asked.intent);
      span.set({
        'svc_mcp.answer': 'kind' in answered ? (answered.kind === 'ask' ? 'asked' : answered.outcome) : 'yes',
      });
      return answered;
    });
    if ('kind' in record) return record;
    const ready = await this.#readyToSend(admitted, asked.valid);
    if ('stopped' in ready) return ready.stopped;
    // `record` refuses the write if the log cannot take the line.
    call.approved = record;
    audit?.record(auditedIntent(call, tool, record));
    const stopped = await approvals.consume(tool, asked.valid);
    return stopped ?? this.#sendOnce(admitted, asked.intent, ready.target);
  }

  /** The target as it is now, before anybody is asked. */
  #read(admitted: AdmittedCall): ReturnType<typeof readPreview> {
    return this.#tracer.span('preview read', {}, () => readPreview(admitted, this.#options.sources));
  }

  /** The intent of a call that brings a valid plan token for an unchanged target; else how the call ends. */
  async intentToApply(admitted: AdmittedCall): Promise<{ intent: Intent; valid: Valid } | Refused> {
    const { approvals } = this.#options;
    const valid = await approvals.check(this.#plannedOf(admitted));
    if ('kind' in valid) return valid;
    const known = this.#previews.get(String(admitted.controls.plan_token));
    const preview = known ?? (await this.#read(admitted));
    if ('kind' in preview) return targetChanged(admitted, { kind: 'missing' });
    if (!valid.isTarget(this.#digestOf(admitted, preview.read))) return targetChanged(admitted, preview.read);
    return { intent: { ...this.#intentOf(admitted, preview), notAfter: valid.expiresAt }, valid };
  }

  /** The request as it would be sent now, for a list that somebody approves as a whole. */
  exact(admitted: AdmittedCall, preview?: PreviewRead): ExactRequest {
    const { tool, platform, request } = admitted;
    const { method, path, query, headers, payload, object } = request;
    const described = this.#options.sources.outbound.describe({
      platform,
      method,
      path,
      query,
      headers,
      ...(payload ? { body: payload } : {}),
      ...wantsOf(tool),
    });
    const tag = preview && preconditionOf(admitted, preview.read);
    const precondition = {
      name: PRECONDITION,
      value: { shown: 'ETag of the target as it is read before the sending' },
    };
    return {
      tool,
      described: tag === undefined ? described : { ...described, headers: [...described.headers, precondition] },
      ...(payload ? { payload } : {}),
      path,
      object,
      notes: preview ? this.#notesOf(admitted, preview) : [],
    };
  }

  /** For the person: the change with the values as they are sent. */
  #notesOf(admitted: AdmittedCall, { read, target, impact }: PreviewRead): string[] {
    const changes = changesOf(admitted, this.#options.sources, read, 'person');
    const { consequences } = impact ?? {};
    return previewNotes({
      ...(target ? { target } : {}),
      impact: { ...changes, ...(consequences ? { consequences } : {}) },
    });
  }

  #remember(planToken: string, preview: PreviewRead): void {
    const { read } = preview;
    if (read.kind === 'found' && JSON.stringify(read.object).length > LONGEST_TARGET) return;
    this.#previews.set(planToken, preview);
    if (this.#previews.size > MOST_PREVIEWS) this.#previews.delete(this.#previews.keys().next().value as string);
  }

  #plannedOf(
    admitted: AdmittedCall,
  ): Pick<Intent, 'call' | 'tool' | 'controls' | 'subject' | 'holdsFiles' | 'account'> {
    const { call, tool, controls, values, platform, request } = admitted;
    const { method, path, query, headers, payload } = request;
    // A file is named by the arguments and bound by its content: another content is another request.
    const files = request.files === undefined ? [] : [request.files];
    const subject = [values, method, path, query, headers, payload?.contentType, payload?.text, ...files];
    return {
      call,
      tool,
      controls,
      subject,
      holdsFiles: request.files !== undefined,
      account: this.#options.sources.outbound.accountOf(platform, tool.security),
    };
  }

  #intentOf(admitted: AdmittedCall, preview: PreviewRead): Intent {
    const { object } = admitted.request;
    return { ...this.#plannedOf(admitted), object, requests: [this.exact(admitted, preview)] };
  }

  #digestOf({ tool, request }: AdmittedCall, target: TargetRead): string | undefined {
    if (target.kind === 'none' || target.kind === 'unknown') return undefined;
    const { catalog } = this.#options.sources;
    return targetDigest(tool, target, request.body, catalog);
  }

  /** The person may have thought for minutes: account and target are looked at again, and the caller may be gone. */
  async #readyToSend(admitted: AdmittedCall, valid: Valid): Promise<{ target: TargetRead } | { stopped: Stopped }> {
    const { approvals, sources } = this.#options;
    const { call, tool } = admitted;
    const again = await approvals.check(this.#plannedOf(admitted));
    if ('kind' in again) return { stopped: again };
    const target: TargetRead = valid.readTarget ? await readTarget(admitted, sources) : { kind: 'none' };
    if (!valid.isTarget(this.#digestOf(admitted, target))) return { stopped: targetChanged(admitted, target) };
    if (call.signal?.aborted)
      return { stopped: refuse('CANCELLED', subjectOf(tool), `${tool.name} was not sent: the call was cancelled`) };
    return { target };
  }

  /** Only the answer tells what is left to do: whether there is anything to poll, and the key of a new object. */
  #withContract(end: CallEnd, admitted: AdmittedCall, readBack: ReadBack | undefined): CallEnd {
    const { contract, sources } = this.#options;
    if (end.kind === 'refused')
      return { ...end, refusal: { ...end.refusal, contract: contract(admitted, { kind: 'rejected' }) } };
    const polled = 'poll' in (end.result as object);
    const made = polled ? undefined : madeObject(end, admitted, sources.catalog);
    if (made === undefined && polled === (admitted.tool.poll !== undefined)) return end;
    const applied = contract(admitted, { kind: 'applied', readBack: made ?? readBack, polled });
    return { ...end, result: { ...(end.result as object), contract: applied } };
  }

  /** Sends the request. If the outcome is unknown, it reads the object back in the remaining time. */
  async #sendOnce(admitted: AdmittedCall, { account }: Intent, target: TargetRead): Promise<CallEnd> {
    const { sources, answer, quota } = this.#options;
    const { call, platform } = admitted;
    const readBack = readBackOf(admitted, sources.catalog);
    const contractOf = (polled: boolean) => this.#options.contract(admitted, { kind: 'applied', readBack, polled });
    const { timeoutMs } = sources.outbound;
    const tag = preconditionOf(admitted, target);
    const until = performance.now() + timeoutMs;
    let unknown: UnknownOutcome;
    try {
      // A write that ends while it waits takes no slot of the hour.
      const more = { ...(tag ? { tag } : {}), beforeSending: async () => quota?.take(call, platform.id) };
      const request = { ...admitted, until: until - timeoutMs * READ_BACK_SHARE, ...more };
      const response = await sendGranted(sources.outbound, { ...request, account: account?.identity });
      if (tag !== undefined && response.status === 412) return changedAtSending(admitted);
      const settled = await answer(admitted, response, contractOf(admitted.tool.poll !== undefined));
      if (settled.kind === 'done' || !mayHaveWritten(response.status))
        return this.#withContract(waiting(settled, admitted.tool), admitted, readBack);
      const { message, data, platform_message } = settled.refusal as Refused['refusal'];
      unknown = { reason: message, data, platform_message };
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      if (error.code !== 'OUTCOME_UNKNOWN') throw withTokenUsed(error);
      unknown = { reason: String(error.details['reason']) };
    }
    return answerReadBack(admitted, unknown, await resolveOutcome(admitted, sources, target, until), contractOf(false));
  }
}

/** Nothing was sent, and the same call again is refused all the same. */
function withTokenUsed(error: RouterError): RouterError {
  const { code, message, details, remedy } = error;
  const used = `${remedy}; begin with a new preview, because the plan_token is used up`;
  return /\bpreview\b/.test(remedy) ? error : new RouterError(code, message, { cause: error, details, remedy: used });
}

/** A change that waits is not told as done. */
function waiting(end: CallEnd, { commit }: Tool): CallEnd {
  if (end.kind !== 'done' || commit === undefined) return end;
  const { text: _, ...rest } = end;
  const in_effect = `not yet: only after ${commit}, which takes everything that waits`;
  return { ...rest, result: { ...(end.result as object), in_effect } };
}

function targetChanged({ tool }: AdmittedCall, target: Pick<TargetRead, 'kind'>): Refused {
  const reason =
    target.kind === 'unknown' || target.kind === 'none'
      ? 'the target could not be read again'
      : 'the target changed since the preview';
  return stale(tool, 'target', reason);
}

/** The platform found it out by the tag: the request went out, and was not carried out. */
function changedAtSending({ tool }: AdmittedCall): Refused {
  const message = `the plan is stale: ${tool.platform} answered 412, because the target changed as the request came. Nothing was changed.`;
  const hint = 'preview again with dry_run: true, look at what changed, and use the new plan_token';
  return refuse('PLAN_STALE', subjectOf(tool), message, { changed: 'target', hint });
}

/** Some servers mark the tag of an answer that they compressed, and take the mark for another state of the object at a write. */
const OF_COMPRESSED = /-(?:gzip|br|deflate|zstd)"$/;

/** The tag of the very object that is written, where the platform gives a strong one (RFC 9110 §13.1.1). */
function preconditionOf({ tool, request }: AdmittedCall, target: TargetRead): string | undefined {
  if (target.kind !== 'found' || !showsWritten(tool) || PRECONDITION in request.headers) return undefined;
  return target.etag?.startsWith('"') && !OF_COMPRESSED.test(target.etag) ? target.etag : undefined;
}

interface Granted extends AdmittedCall {
  /** End of the send, as a time of `performance.now()`. */
  until?: number;
  /** Identity of the account that was approved; the one of now where nobody had to approve. */
  account?: string | undefined;
  /** Sent as `If-Match`. */
  tag?: string;
  beforeSending?: PlatformRequest['beforeSending'];
}

/** Sends an admitted call; anything but a plain read goes with a grant for exactly this request and account. */
export function sendGranted(outbound: OutboundClient, granted: Granted): Promise<PlatformResponse> {
  const { call, tool, platform, request, until, tag, beforeSending } = granted;
  const plain = tool.capability === 'read' && (tool.method === 'GET' || tool.method === 'HEAD');
  const { method, path, query, headers, payload } = request;
  const account = plain ? undefined : (granted.account ?? outbound.accountOf(platform, tool.security).identity);
  return outbound.send({
    platform,
    capability: tool.capability,
    method,
    path,
    query,
    headers: tag === undefined ? headers : { ...headers, [PRECONDITION]: tag },
    ...(payload ? { body: payload } : {}),
    ...wantsOf(tool),
    ...(call.signal ? { signal: call.signal } : {}),
    waiter: waiterOf(call),
    ...(call.cost ? { cost: call.cost } : {}),
    ...(call.waiting ? { waiting: call.waiting } : {}),
    ...(until === undefined ? {} : { until }),
    ...(beforeSending ? { beforeSending } : {}),
    ...(account === undefined
      ? {}
      : { account, grant: issueGrant({ platform: platform.id, capability: tool.capability, method, path, account }) }),
  });
}
