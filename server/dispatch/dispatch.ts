/**
 * The only door to a platform. A call passes admission (access, then validation), preview or confirmation, send and
 * shape, in this order; whatever stops it becomes a refusal, and nothing is sent that did not pass them all.
 */
import { randomUUID } from 'node:crypto';
import { issueGrant } from '../access/grant.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';
import { RouterError } from '../errors.ts';
import type { OutboundClient, PlatformResponse } from '../outbound/client.ts';
import { nothingSpent, type Spent } from '../outbound/spent.ts';
import type { Collected } from '../outbound/stream.ts';
import { visible } from '../telemetry/invisible.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { SettledCall } from '../telemetry/metrics.ts';
import { redact } from '../telemetry/redact.ts';
import { Admission, type LocalRuns } from './admission.ts';
import { answerLocal, answerOf, answerOfLarge } from './answer.ts';
import { Approvals, type Intent, intentOf } from './approvals.ts';
import { auditedEnd, auditedIntent } from './audited.ts';
import {
  type AdmittedCall,
  type Approval,
  type Call,
  type LocalCall,
  type Result,
  type Stream,
  WholeResult,
} from './call.ts';
import type { Question } from './confirmation.ts';
import { contractOf, type ExecutionContract } from './contract.ts';
import type { Cursors } from './cursor.ts';
import { type Refused, refuse, refuseError, type Settled, subjectOf } from './envelope.ts';
import { LargeAnswers } from './large-answers.ts';
import type { ObjectSources } from './object-read.ts';
import { PLAN_TOKEN_SECONDS, type PlanTokens } from './plan-token.ts';
import { readImpact, shownRequest } from './preview.ts';
import { encodeBody } from './request.ts';
import { answerSettlement, imageOf, isUnclear, settle, type Unclear } from './settle.ts';
import { sourcesIn, untrustedFrom } from './untrusted.ts';
import { Validators } from './validate.ts';
import { tellWaits } from './waits.ts';

export interface DispatchOptions {
  config: Pick<Config, 'access' | 'platforms' | 'known' | 'localToolsets' | 'confirmation' | 'response'>;
  catalog: Catalog;
  outbound: OutboundClient;
  local: LocalRuns;
  plans: PlanTokens;
  cursors: Cursors;
  logger: Logger;
  /** Shared where several of them serve one catalog. */
  validators?: Validators;
  /** Where every call leaves a line, if the operator wants that. */
  audit?: AuditLog;
  /** Told of every call that came to its end. */
  settled?: (call: SettledCall) => void;
}

/** Part of a call's time that a write leaves for finding out what became of it. */
const READ_BACK_SHARE = 0.25;
const IMAGES_KEPT = 1_000;

export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #validators: Validators;
  readonly #admission: Admission;
  readonly #approvals: Approvals;
  readonly #large: LargeAnswers;
  /** What previews saw, by plan token: it only sharpens the answer to a write nobody answered for. */
  readonly #images = new Map<string, string>();

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#validators = options.validators ?? new Validators((name) => options.catalog.schema(name));
    this.#admission = new Admission(options.config, options.catalog, this.#validators, options.local);
    this.#large = new LargeAnswers(options.logger);
    this.#approvals = new Approvals(options, (tool) => this.#admission.decide(tool));
  }

  async invoke(asked: Call): Promise<Result> {
    const { catalog, logger, settled } = this.#options;
    const spent = nothingSpent();
    const call: Call = { ...asked, id: randomUUID(), spent, waiting: tellWaits(asked) };
    const started = performance.now();
    const found = catalog.tool(call.name);
    const { tool = found, result } = await this.#settle(call, found);
    const ms = performance.now() - started;
    const outcome = result.kind === 'ask' ? 'asked' : result.outcome;
    const { id, request, name } = call;
    const named = { request, call: id, tool: name.slice(0, 100) };
    logger.debug('dispatch.settled', { ...named, outcome, ms: Math.round(ms), ...spent });
    // A question to the person is half a call: it is counted when its answer settles it.
    if (result.kind === 'ask') return result;
    settled?.(settledCall(tool, result, ms));
    this.#recordEnd(call, tool, result, ms);
    const shown = { ...result, ...metaOf(spent, sourcesOf(tool, result, spent)) };
    if (shown.kind === 'done' || tool === undefined || tool.local || !isGated(tool)) return shown;
    // Whatever stopped a write, its answer says what stands between it and its effect.
    const contract = this.#contract(tool, isApply(call) ? 'execution_requested' : 'preview');
    return { ...shown, refusal: { ...shown.refusal, execution_contract: contract } };
  }

  /** A call that came to its end has done so whether or not it is on record; the next write is then refused. */
  #recordEnd(call: Call, tool: Tool | undefined, result: Settled, ms: number): void {
    try {
      this.#options.audit?.record(auditedEnd(call, tool, result, ms));
    } catch (error) {
      this.#options.logger.error('audit.unwritable', errorFields(error));
    }
  }

  /** The result, and the tool as the arguments make it. */
  async #settle(call: Call, found: Tool | undefined): Promise<{ tool?: Tool; result: Result }> {
    let tool = found;
    try {
      const admitted = this.#admission.admit(call, found);
      if ('kind' in admitted) return { result: admitted };
      tool = admitted.tool;
      return { tool, result: await ('run' in admitted ? this.#runLocal(admitted) : this.#run(admitted)) };
    } catch (error) {
      if (!(error instanceof RouterError))
        this.#options.logger.error('dispatch.failed', { tool: call.name.slice(0, 100), ...errorFields(error) });
      const result = refuseError(error, { tool: call.name, platform: tool?.platform ?? null });
      return { ...(tool ? { tool } : {}), result };
    }
  }

  #remember(planToken: string, image: string): void {
    this.#images.set(planToken, image);
    if (this.#images.size > IMAGES_KEPT) this.#images.delete(this.#images.keys().next().value as string);
  }

  get #sources(): ObjectSources {
    const { catalog, outbound } = this.#options;
    return { catalog, outbound, validators: this.#validators };
  }

  /** The schema of a tool, to be shown; nothing is compiled for it. */
  schema(tool: Tool): JsonSchema {
    return this.#options.catalog.schema(tool.name);
  }

  #run(admitted: AdmittedCall): Promise<Result> {
    const { capability } = admitted.tool;
    if (capability === 'read') return this.#read(admitted);
    if (capability === 'diagnostic') return this.#diagnose(admitted);
    return admitted.controls.dry_run === false ? this.#apply(admitted) : this.#preview(admitted);
  }

  async #read(admitted: AdmittedCall): Promise<Result> {
    const from = this.#startOf(admitted);
    return typeof from === 'number' ? this.#answer(admitted, await this.#send(admitted), from) : from;
  }

  /** No platform is called, so neither budget nor grant is touched. */
  async #runLocal(admitted: LocalCall): Promise<Result> {
    const from = this.#startOf(admitted);
    if (typeof from !== 'number') return from;
    const { call, tool, values, run } = admitted;
    const sources = new Set<string>();
    const value = await run(values, {
      call,
      approval: this.#approvalOf(admitted),
      invoke: async (inner) => {
        const result = await this.invoke(inner);
        for (const source of sourcesIn(result)) sources.add(source);
        return result;
      },
      questionOf: (inner) => this.#questionBefore(inner),
      collect: (stream) => {
        sources.add(`platform:${stream.platform}`);
        return this.#collect(call, stream);
      },
    });
    const result =
      value instanceof WholeResult
        ? value.result
        : answerLocal({ tool, values, principal: call.principal, from, options: this.#options }, value);
    return result.kind === 'ask' || sources.size === 0 ? result : { ...result, meta: untrustedFrom([...sources]) };
  }

  async #collect(call: Call, { platform: id, ...stream }: Stream): Promise<Collected> {
    const { config, outbound, logger } = this.#options;
    const platform = config.platforms.find((served) => served.id === id);
    if (platform === undefined) throw new RouterError('PLATFORM_NOT_CONFIGURED', `${id} is not served here`);
    const { signal, spent } = call;
    const asked = { ...stream, platform, ...(signal ? { signal } : {}), ...(spent ? { spent } : {}) };
    const { events, ...end } = await outbound.collect(asked);
    return { events: JSON.parse(logger.secrets.scrub(JSON.stringify(visible(redact(events))))), ...end };
  }

  async #questionBefore(call: Call): Promise<Question | undefined> {
    const admitted = this.#admission.admit(call, this.#options.catalog.tool(call.name));
    if ('kind' in admitted || 'run' in admitted || admitted.controls.dry_run !== false) return undefined;
    const asks = isGated(admitted.tool) && this.#options.config.confirmation === 'elicit' && call.person.reachable;
    const intent = intentOf(admitted);
    if (!asks || 'kind' in (await this.#approvals.check(intent))) return undefined;
    return this.#approvals.question(intent);
  }

  /** Where a read goes on when it brings a cursor. */
  #startOf({ call, tool, values }: Pick<AdmittedCall, 'call' | 'tool' | 'values'>): number | Refused {
    if (call.cursor === undefined) return 0;
    const read = this.#options.cursors.read(call.cursor, {
      tool: tool.name,
      arguments: values,
      principal: call.principal,
    });
    return 'reason' in read
      ? refuse('CURSOR_INVALID', subjectOf(tool), `the cursor was refused: ${read.reason}`)
      : read.offset;
  }

  async #diagnose(admitted: AdmittedCall): Promise<Result> {
    // Diagnostics run at once, but a caller who says dry_run means it.
    if (admitted.controls.dry_run === true) {
      const result = {
        status: 'dry_run',
        request: shownRequest(admitted),
        object: admitted.request.object,
        next_action: 'call again without dry_run to run it',
      };
      return { kind: 'done', result, outcome: 'success' };
    }
    return this.#answer(admitted, await this.#send(admitted), 0);
  }

  async #preview(admitted: AdmittedCall): Promise<Result> {
    let before: string | undefined;
    const impact = await readImpact(admitted, this.#sources, (object) => {
      before = imageOf(object);
    });
    const plan_token = this.#approvals.issue(intentOf(admitted));
    if (before !== undefined) this.#remember(plan_token, before);
    const result = {
      status: 'dry_run',
      request: shownRequest(admitted),
      object: admitted.request.object,
      ...(impact ? { impact } : {}),
      plan_token,
      expires_in_seconds: PLAN_TOKEN_SECONDS,
      execution_contract: this.#contract(admitted.tool, 'preview'),
    };
    return { kind: 'done', result, outcome: 'success' };
  }

  async #apply(admitted: AdmittedCall): Promise<Result> {
    return (await this.#approve(intentOf(admitted))) ?? this.#sendOnce(admitted);
  }

  /** Where nobody can say what became of a write, the object is read back in what time is left. */
  async #sendOnce(admitted: AdmittedCall): Promise<Settled> {
    const contract = this.#contract(admitted.tool, 'execution_requested');
    const { timeoutMs } = this.#options.outbound;
    const before = this.#images.get(String(admitted.controls.plan_token));
    const until = performance.now() + timeoutMs;
    let unclear: Unclear;
    try {
      const response = await this.#send(admitted, until - timeoutMs * READ_BACK_SHARE);
      const answer = await this.#answer(admitted, response, 0, contract);
      if (answer.kind === 'done' || !isUnclear(response.status)) return answer;
      unclear = {
        reason: answer.refusal.message,
        data: answer.refusal['data'],
        platform_message: answer.refusal['platform_message'],
      };
    } catch (error) {
      if (!(error instanceof RouterError && error.code === 'OUTCOME_UNKNOWN')) throw error;
      unclear = { reason: String(error.details['reason']) };
    }
    return answerSettlement(admitted, unclear, await settle(admitted, this.#sources, before, until), contract);
  }

  #approvalOf({ call, tool, controls }: LocalCall): Approval {
    const approvals = this.#approvals;
    return {
      controls,
      preview: (subject) => approvals.issue({ call, tool, subject }),
      take: async (subject, { message, object }) => {
        const intent = { call, tool, controls, subject, object, message: () => message };
        const stopped = await this.#approve(intent);
        return stopped && new WholeResult(stopped);
      },
    };
  }

  /** Nothing once token and person agree, the intent is on record and the token spent; else how the call ends. */
  async #approve(intent: Intent): Promise<Exclude<Result, { kind: 'done' }> | undefined> {
    const { call, tool } = intent;
    const checked = await this.#approvals.check(intent);
    if ('kind' in checked) return checked;
    const confirmed = await this.#approvals.confirm(intent);
    if (confirmed !== 'yes') return confirmed;
    if (call.signal?.aborted)
      return refuse('CANCELLED', subjectOf(tool), `${tool.name} was not sent: the call was cancelled`);
    // What cannot be recorded is refused here.
    this.#options.audit?.record(auditedIntent(call, tool));
    return this.#approvals.spend(tool, checked);
  }

  /** `until` ends it, as a time of `performance.now()`. */
  #send({ call, tool, platform, request }: AdmittedCall, until?: number): Promise<PlatformResponse> {
    const plain = tool.capability === 'read' && (tool.method === 'GET' || tool.method === 'HEAD');
    const { method, path, query, headers, body } = request;
    return this.#options.outbound.send({
      platform,
      capability: tool.capability,
      method,
      path,
      query,
      headers,
      ...(body === undefined || !tool.body
        ? {}
        : { body: { text: encodeBody(body, tool.body.contentType), contentType: tool.body.contentType } }),
      ...(call.signal ? { signal: call.signal } : {}),
      ...(call.spent ? { spent: call.spent } : {}),
      ...(call.waiting ? { waiting: call.waiting } : {}),
      ...(until === undefined ? {} : { until }),
      ...(plain ? {} : { grant: issueGrant({ platform: platform.id, capability: tool.capability, method, path }) }),
    });
  }

  #answer(
    { call: { principal }, tool, values }: AdmittedCall,
    response: PlatformResponse,
    from: number,
    contract?: ExecutionContract,
  ): Settled | Promise<Settled> {
    const source = { tool, values, principal, response, from, options: this.#options };
    const asked = { ...source, ...(contract ? { contract } : {}) };
    return response.large ? answerOfLarge(asked, response.large, this.#large) : answerOf(asked);
  }

  #contract(tool: Tool, state: 'preview' | 'execution_requested'): ExecutionContract {
    return contractOf(tool, this.#admission.decide(tool), this.#options.config.confirmation, state);
  }
}

const isGated = ({ capability }: Tool) => capability === 'write' || capability === 'destructive';
const isApply = ({ arguments: args }: Call) => args['dry_run'] === false || args['dry_run'] === 'false';

/** Told where there is something to tell: whose text it is, a wait, or more than the one request that a call is. */
function metaOf(
  { requests, rateWaitMs, retryWaitMs }: Spent,
  sources: readonly string[],
): { meta?: Record<string, unknown> } {
  const meta: Record<string, unknown> = sources.length > 0 ? untrustedFrom(sources) : {};
  if (requests > 1 || rateWaitMs > 0 || retryWaitMs > 0)
    meta['svc-mcp/spent'] = {
      requests,
      rate_wait_ms: Math.round(rateWaitMs),
      retry_wait_ms: Math.round(retryWaitMs),
    };
  return Object.keys(meta).length > 0 ? { meta } : {};
}

/** Where text of an answer comes from that is not the router's own: whatever came back from the platforms of this call. */
function sourcesOf(tool: Tool | undefined, result: Settled, { requests }: Spent): string[] {
  const own = tool && !tool.local && requests > 0 ? [`platform:${tool.platform}`] : [];
  return [...new Set([...sourcesIn(result), ...own])];
}

/** A name that is no tool is the caller's text, so it never becomes a label. */
const UNKNOWN = '_unknown_';

function settledCall(tool: Tool | undefined, settled: Settled, ms: number): SettledCall {
  const bounds =
    settled.kind === 'done' ? (settled.result as { _response_bounds?: { truncated?: unknown } } | null) : null;
  return {
    tool: tool?.name ?? UNKNOWN,
    backend: tool?.backend ?? UNKNOWN,
    outcome: settled.outcome,
    capability: tool?.capability ?? null,
    ms,
    truncated: bounds?._response_bounds?.truncated === true,
  };
}
