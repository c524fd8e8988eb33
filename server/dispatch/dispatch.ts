/**
 * The only door to a platform. A call passes admission (access, then validation), preview or confirmation, send and
 * shape, in this order; whatever stops it becomes a refusal, and nothing is sent that did not pass them all.
 */
import { randomUUID } from 'node:crypto';
import { isGated } from '../access/access-policy.ts';
import type { WriteSwitch } from '../approvals/write-switch.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { CallRecord } from '../audit/audit-record.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { Config } from '../config/config.ts';
import { RouterError } from '../errors.ts';
import { type CallCost, noCallCost } from '../outbound/call-cost.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { PlatformResponse } from '../outbound/platform-response.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { CompletedCall } from '../telemetry/metrics.ts';
import { NO_TRACER, type Tracer } from '../telemetry/tracer.ts';
import { Admission, type LocalRuns } from './admission.ts';
import { Approvals } from './approvals.ts';
import { auditedEnd, auditedQuestion } from './audit-entry.ts';
import { collectedStream } from './collected-stream.ts';
import { completedCall, metaOf, sourcesOf } from './completed-call.ts';
import { contractOf, type ExecutionContract, isDecision, type Stage } from './contract.ts';
import type { Cursors } from './cursor.ts';
import {
  type AdmittedCall,
  type Call,
  isApply,
  isPending,
  type LocalCall,
  type Result,
  WholeResult,
} from './dispatch-call.ts';
import { emptyFilters, withoutFlags } from './empty-list.ts';
import { type CallEnd, type Refused, refuseError } from './envelope.ts';
import type { ExactRequest, RequestDigests } from './exact-request.ts';
import { LargeAnswers } from './large-answers.ts';
import { type AskedList, askAboutList } from './list-question.ts';
import { LocalApproval } from './local-approval.ts';
import { withList, withNextStep } from './next-step.ts';
import type { OperatorApprovals } from './operator-approval.ts';
import type { PlanTokens } from './plan-token.ts';
import { PlatformWrites, sendGranted } from './platform-write.ts';
import { PrincipalCalls } from './principal-calls.ts';
import { startOf } from './read-start.ts';
import { shownRequest } from './shown-request.ts';
import { answerLocal, answerOf, answerOfLarge, withNothingHidden } from './tool-answer.ts';
import { UnfilteredLists } from './unfiltered-list.ts';
import { sourcesIn, untrustedFrom } from './untrusted.ts';
import { Validators } from './validate.ts';
import { reportWaits, withoutFailures } from './wait-progress.ts';
import type { WriteQuota } from './write-quota.ts';
import type { WriteWindows } from './write-windows.ts';

export interface DispatchOptions {
  config: Pick<
    Config,
    'access' | 'platforms' | 'known' | 'localToolsets' | 'confirmation' | 'approvalMaxCharacters' | 'response'
  > &
    Partial<Pick<Config, 'uploadDir' | 'principalsPath'>>;
  catalog: Catalog;
  outbound: OutboundClient;
  local: LocalRuns;
  plans: PlanTokens;
  digests: RequestDigests;
  cursors: Cursors;
  operators?: OperatorApprovals;
  writes?: Pick<WriteSwitch, 'mustAllow'>;
  /** Calls in flight of each principal; shared where one catalog follows another. */
  inFlight?: PrincipalCalls;
  /** When writes may be sent; without them at any time. */
  windows?: WriteWindows;
  quota?: WriteQuota;
  logger: Logger;
  /** Shared where several of them serve one catalog. */
  validators?: Validators;
  /** Where every call leaves a line, if the operator wants that. */
  audit?: AuditLog;
  /** Told of every call that came to its end. */
  onCompleted?: (call: CompletedCall) => void;
  tracer?: Tracer;
}

export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #validators: Validators;
  readonly #admission: Admission;
  readonly #approvals: Approvals;
  readonly #writes: PlatformWrites;
  readonly #large: LargeAnswers;
  readonly #unfiltered: UnfilteredLists;
  readonly #inFlight: PrincipalCalls;

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#inFlight = options.inFlight ?? new PrincipalCalls();
    this.#validators = options.validators ?? new Validators((name) => options.catalog.schema(name));
    this.#admission = new Admission(options.config, options.catalog, this.#validators, options.local);
    this.#large = new LargeAnswers(options.logger);
    this.#approvals = new Approvals(options, (tool, call) => this.#admission.decide(tool, call));
    const { catalog, outbound, audit, tracer, quota } = options;
    this.#unfiltered = new UnfilteredLists(options, { catalog, validators: this.#validators, outbound });
    this.#writes = new PlatformWrites({
      approvals: this.#approvals,
      sources: { catalog, outbound, validators: this.#validators },
      ...(audit ? { audit } : {}),
      ...(quota ? { quota } : {}),
      ...(tracer ? { tracer } : {}),
      contract: (admitted, stage) => this.#contract(admitted, stage),
      answer: (admitted, response, contract) => this.#answer(admitted, response, 0, contract),
    });
  }

  async invoke(asked: Call): Promise<Result> {
    const found = this.#options.catalog.tool(asked.name);
    const attributes = {
      'svc_mcp.operation': found?.name ?? 'unknown',
      'svc_mcp.platform': found?.platform,
      'svc_mcp.capability': found?.capability,
      'svc_mcp.request': asked.request,
    };
    const { tracer = NO_TRACER } = this.#options;
    return tracer.span(`dispatch ${found?.name ?? 'unknown'}`, { attributes }, async (span) => {
      const result = await this.#inFlight.within(asked, () => this.#invoke(asked, found));
      const outcome = result.kind === 'ask' ? 'asked' : result.outcome;
      span.set({ 'svc_mcp.outcome': outcome });
      if (result.kind === 'refused') span.fail();
      return result;
    });
  }

  async #invoke(asked: Call, found: Tool | undefined): Promise<Result> {
    const { logger, onCompleted } = this.#options;
    const cost: CallCost = { ...noCallCost(), ...(onCompleted ? { sent: [] } : {}) };
    const call: Call = { ...asked, ...withoutFailures(asked), id: randomUUID(), cost, waiting: reportWaits(asked) };
    const started = performance.now();
    const { tool = found, result } = await this.#settle(call, found);
    const ms = performance.now() - started;
    const outcome = result.kind === 'ask' ? 'asked' : result.outcome;
    const { id, request, name } = call;
    const named = { request, call: id, tool: name.slice(0, 100) };
    logger.debug('dispatch.settled', { ...named, outcome, ms: Math.round(ms), ...cost, sent: undefined });
    // A question to the person is half a call: it is counted when its answer settles it.
    if (result.kind === 'ask') {
      this.#record(auditedQuestion(call, tool, result.digest));
      return result;
    }
    onCompleted?.({ ...completedCall(tool, result, ms, call), principal: call.principal });
    this.#record(auditedEnd(call, tool, result, ms));
    const shown = { ...result, ...metaOf(cost, sourcesOf(tool, result, cost)) };
    if (
      shown.kind === 'done' ||
      tool === undefined ||
      tool.local ||
      !isGated(tool.capability) ||
      !isDecision(shown.outcome)
    )
      return shown;
    // Gate, plan or person stopped a write: its answer says what stands between it and its effect.
    const contract = this.#contract(
      { tool, call },
      {
        kind: 'refusal',
        outcome: shown.outcome,
        applying: isApply(call),
        pending: isPending(result),
        reason: shown.refusal.reason,
      },
    );
    return { ...shown, refusal: { ...shown.refusal, contract } };
  }

  /** What happened has happened whether or not it is on record; the next write is then refused. */
  #record(record: CallRecord): void {
    try {
      this.#options.audit?.record(record);
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

  #run(admitted: AdmittedCall): Promise<Result> {
    const { capability } = admitted.tool;
    if (capability === 'read') return this.#read(admitted);
    if (capability === 'diagnostic') return this.#diagnose(admitted);
    return admitted.controls.dry_run === false ? this.#writes.apply(admitted) : this.#writes.preview(admitted);
  }

  async #read(admitted: AdmittedCall): Promise<Result> {
    const from = startOf(admitted, this.#options.cursors);
    if (typeof from !== 'number') return from;
    const end = await this.#answer(admitted, await this.#send(admitted), from);
    if (admitted.call.inner === true) return end;
    if (end.kind === 'refused') return withList(end, admitted, this.#options.catalog);
    const listed = withoutFlags(end);
    const filters = emptyFilters(listed, admitted.tool);
    return filters.length === 0
      ? withNextStep(listed, admitted, this.#options.catalog)
      : this.#unfiltered.of(listed, admitted, filters);
  }

  /** No platform is called, so neither budget nor grant is touched. */
  async #runLocal(admitted: LocalCall): Promise<Result> {
    const from = startOf(admitted, this.#options.cursors);
    if (typeof from !== 'number') return from;
    const { call, tool, values, run } = admitted;
    const sources = new Set<string>();
    const asCaller = (inner: Call): Call => ({ ...inner, principal: call.principal, ...accessOf(call) });
    const approval = new LocalApproval(admitted, this.#approvals, this.#options);
    const value = await run(values, {
      call,
      approval: approval.ofRun,
      invoke: async (inner) => {
        const result = await this.invoke({ ...asCaller(inner), inner: true });
        for (const source of sourcesIn(result)) sources.add(source);
        return result;
      },
      requestOf: (inner) => this.#requestOf(asCaller(inner)),
      plannedRequestOf: (inner) => this.plannedRequestOf(asCaller(inner)),
      askAbout: (list) => approval.askAbout(list),
      collect: (stream) => {
        sources.add(`platform:${stream.platform}`);
        return collectedStream(call, stream, this.#options);
      },
    });
    const result =
      value instanceof WholeResult
        ? value.result
        : answerLocal({ tool, values, principal: call.principal, from, options: this.#options }, value);
    if (result.kind === 'ask') return result;
    const told = tool.platform === DOCUMENTS ? result : withNothingHidden(result);
    return sources.size === 0 ? told : { ...told, meta: untrustedFrom([...sources]) };
  }

  async #requestOf(call: Call): Promise<ExactRequest | undefined> {
    const admitted = this.#admission.admit(call, this.#options.catalog.tool(call.name));
    if (
      'kind' in admitted ||
      'run' in admitted ||
      admitted.controls.dry_run !== false ||
      !isGated(admitted.tool.capability)
    )
      return undefined;
    try {
      const asked = await this.#writes.intentToApply(admitted);
      if ('kind' in asked) return undefined;
      await this.#options.quota?.mustHaveLeft(call, admitted.platform.id);
      return asked.intent.requests[0];
    } catch (error) {
      // It gets its refusal when it is made; the other calls go on.
      if (error instanceof RouterError) return undefined;
      throw error;
    }
  }

  /** What would be sent for a write without its plan token, for a list that a person approves; or why it would be refused. */
  plannedRequestOf(call: Call): ExactRequest | Refused {
    const admitted = this.#admission.admit(call, this.#options.catalog.tool(call.name));
    if ('kind' in admitted) return admitted;
    if ('run' in admitted) throw new RouterError('INTERNAL', `${call.name} sends no request of its own`);
    return this.#writes.exact(admitted);
  }

  /** Whether a person at a terminal agrees to a list. */
  askAboutList(list: AskedList): Promise<boolean> {
    return askAboutList(list, this.#options);
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

  #send(admitted: AdmittedCall): Promise<PlatformResponse> {
    return sendGranted(this.#options.outbound, admitted);
  }

  #answer(
    { call: { principal }, tool, values }: AdmittedCall,
    response: PlatformResponse,
    from: number,
    contract?: ExecutionContract,
  ): CallEnd | Promise<CallEnd> {
    const source = { tool, values, principal, response, from, options: this.#options };
    const asked = { ...source, ...(contract ? { contract } : {}) };
    return response.large ? answerOfLarge(asked, response.large, this.#large) : answerOf(asked);
  }

  #contract({ tool, call }: Pick<AdmittedCall, 'tool' | 'call'>, stage: Stage): ExecutionContract {
    const { operators, config, windows } = this.#options;
    const outsideWindow = windows?.requiresApproval(tool.platform) === true;
    const isTold =
      (stage.kind === 'preview' && stage.byOperator) || (stage.kind === 'refusal' && stage.pending === true);
    const byOperator =
      isTold || outsideWindow || call.approver.how === 'operator' || operators?.needs([{ tool }]) === true;
    const by = operators && byOperator ? 'operator' : outsideWindow ? 'elicit' : config.confirmation;
    return contractOf(
      tool,
      this.#admission.decide(tool, call),
      { by, askable: call.approver.reachable, outsideWindow: outsideWindow && config.confirmation === 'token' },
      stage,
    );
  }
}

/** A tool's own calls carry exactly what its caller may use, never what they say of themselves. */
const accessOf = ({ access }: Call): Pick<Call, 'access'> => (access === undefined ? {} : { access });

/** Toolset of the texts of documents: nobody approves these, and a script may need what is invisible in it. */
const DOCUMENTS = 'rag';
