/**
 * The only door to a platform. A call passes admission (access, then validation), preview or confirmation, send and
 * shape, in this order; whatever stops it becomes a refusal, and nothing is sent that did not pass them all.
 */
import { issueGrant } from '../access/grant.ts';
import type { Catalog } from '../catalog/store.ts';
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';
import { RouterError } from '../errors.ts';
import type { OutboundClient, PlatformResponse } from '../outbound/client.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { SettledCall } from '../telemetry/metrics.ts';
import { Admission, type LocalRuns } from './admission.ts';
import { answerLocal, answerOf } from './answer.ts';
import type { AdmittedCall, Call, LocalCall, Result } from './call.ts';
import type { Question } from './confirmation.ts';
import { contractOf, type ExecutionContract } from './contract.ts';
import type { Cursors } from './cursor.ts';
import { type Refused, refuse, refuseError, type Settled, type Subject } from './envelope.ts';
import { PLAN_TOKEN_SECONDS, type Plan, type PlanCheck, type PlanTokens } from './plan-token.ts';
import { questionFor, readImpact, shownRequest } from './preview.ts';
import { encodeBody } from './request.ts';
import { Validators } from './validate.ts';

export interface DispatchOptions {
  config: Pick<Config, 'access' | 'platforms' | 'known' | 'localToolsets' | 'confirmation' | 'response'>;
  catalog: Catalog;
  outbound: OutboundClient;
  local: LocalRuns;
  plans: PlanTokens;
  cursors: Cursors;
  logger: Logger;
  /** Told of every call that came to its end. */
  settled?: (call: SettledCall) => void;
}

export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #validators: Validators;
  readonly #admission: Admission;

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#validators = new Validators((name) => options.catalog.schema(name));
    this.#admission = new Admission(options.config, options.catalog, this.#validators, options.local);
  }

  async invoke(call: Call): Promise<Result> {
    const { catalog, logger, settled } = this.#options;
    const tool = catalog.tool(call.name);
    const started = performance.now();
    const result = await this.#settle(call, tool);
    const ms = performance.now() - started;
    const outcome = result.kind === 'ask' ? 'asked' : result.outcome;
    logger.debug('dispatch.settled', { tool: call.name.slice(0, 100), outcome, ms: Math.round(ms) });
    // A question to the person is half a call: it is counted when its answer settles it.
    if (result.kind !== 'ask') settled?.(settledCall(tool, result, ms));
    return result;
  }

  async #settle(call: Call, tool: Tool | undefined): Promise<Result> {
    try {
      const admitted = this.#admission.admit(call, tool);
      if ('kind' in admitted) return admitted;
      return await ('run' in admitted ? this.#runLocal(admitted) : this.#run(admitted));
    } catch (error) {
      if (!(error instanceof RouterError))
        this.#options.logger.error('dispatch.failed', { tool: call.name.slice(0, 100), ...errorFields(error) });
      const gated = tool && (tool.capability === 'write' || tool.capability === 'destructive');
      const subject: Subject = { tool: call.name, platform: tool?.platform ?? null };
      return refuseError(
        error,
        subject,
        gated ? { execution_contract: this.#contract(tool, 'execution_requested') } : {},
      );
    }
  }

  /** The schema of a tool, for a descriptor that asked for it. */
  schema(tool: Tool): JsonSchema {
    return this.#validators.schema(tool);
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
    const { tool, values, run } = admitted;
    return answerLocal({ tool, values, from, options: this.#options }, await run(values));
  }

  /** Where a read goes on when it brings a cursor. */
  #startOf({ call, tool, values }: Pick<AdmittedCall, 'call' | 'tool' | 'values'>): number | Refused {
    if (call.cursor === undefined) return 0;
    const read = this.#options.cursors.read(call.cursor, tool.name, values);
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
    const { catalog, outbound, plans } = this.#options;
    const impact = await readImpact(admitted, { catalog, outbound, validators: this.#validators });
    const result = {
      status: 'dry_run',
      request: shownRequest(admitted),
      object: admitted.request.object,
      ...(impact ? { impact } : {}),
      plan_token: plans.issue(this.#planOf(admitted)),
      expires_in_seconds: PLAN_TOKEN_SECONDS,
      execution_contract: this.#contract(admitted.tool, 'preview'),
    };
    return { kind: 'done', result, outcome: 'success' };
  }

  async #apply(admitted: AdmittedCall): Promise<Result> {
    const { call, tool } = admitted;
    const contract = this.#contract(tool, 'execution_requested');
    const more = { execution_contract: contract };
    const checked = await this.#checkPlan(admitted, more);
    if ('kind' in checked) return checked;
    const confirmed = await this.#confirm(admitted, more);
    if (confirmed !== 'yes') return confirmed;
    if (call.signal?.aborted)
      return refuse('CANCELLED', subjectOf(tool), `${tool.name} was not sent: the call was cancelled`, more);
    // Spent before it is sent: whatever happens on the way, this preview is never applied again.
    if (!(await this.#options.plans.spend(checked)))
      return refuse(
        'PLAN_TOKEN_REFUSED',
        subjectOf(tool),
        'the plan token was refused: it was already used. Nothing was sent.',
        more,
      );
    return this.#answer(admitted, await this.#send(admitted), 0, contract);
  }

  async #checkPlan(
    admitted: AdmittedCall,
    more: Record<string, unknown>,
  ): Promise<(PlanCheck & { ok: true }) | Refused> {
    const { tool, controls } = admitted;
    const missing = [controls.confirm !== true && 'confirm: true', !controls.plan_token && 'plan_token'].filter(
      Boolean,
    );
    if (missing.length > 0) {
      return refuse(
        'CONFIRMATION_REQUIRED',
        subjectOf(tool),
        `applying ${tool.name} needs ${missing.join(' and ')}. Nothing was sent.`,
        more,
      );
    }
    const checked = await this.#options.plans.check(controls.plan_token as string, this.#planOf(admitted));
    return checked.ok
      ? checked
      : refuse(
          'PLAN_TOKEN_REFUSED',
          subjectOf(tool),
          `the plan token was refused: ${checked.reason}. Nothing was sent.`,
          more,
        );
  }

  /** The person's yes; or, where the operator chose so, the token alone with the object named for what destroys. */
  async #confirm(
    admitted: AdmittedCall,
    more: Record<string, unknown>,
  ): Promise<'yes' | Exclude<Result, { kind: 'done' }>> {
    const { call, tool, controls, request } = admitted;
    const subject = subjectOf(tool);
    if (this.#options.config.confirmation === 'token') {
      if (tool.capability !== 'destructive' || controls.confirm_object === request.object) return 'yes';
      return refuse(
        'CONFIRMATION_REQUIRED',
        subject,
        `applying ${tool.name} needs confirm_object equal to the object its preview named. Nothing was sent.`,
        more,
      );
    }
    if (!call.person.reachable) {
      return refuse(
        'CONFIRMATION_UNAVAILABLE',
        subject,
        `${tool.name} needs a person's confirmation and this connection cannot ask for one. Nothing was sent.`,
        more,
      );
    }
    const asked = await call.person.ask([this.#questionOf(admitted)]);
    if (asked.is === 'pending') return { kind: 'ask', question: asked.result };
    const [answer] = asked.answers;
    if (answer?.is === 'yes') return 'yes';
    return refuse(
      answer?.is === 'cancelled' ? 'CANCELLED' : 'DECLINED',
      subject,
      `${tool.name} was not sent: ${answer?.why ?? 'nobody answered'}`,
      more,
    );
  }

  #questionOf(admitted: AdmittedCall): Question {
    return { message: questionFor(admitted), subject: [this.#planOf(admitted), admitted.controls.plan_token] };
  }

  #send({ call, tool, platform, request }: AdmittedCall): Promise<PlatformResponse> {
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
      ...(plain ? {} : { grant: issueGrant({ platform: platform.id, capability: tool.capability, method, path }) }),
    });
  }

  #answer(
    { tool, values }: AdmittedCall,
    response: PlatformResponse,
    from: number,
    contract?: ExecutionContract,
  ): Settled {
    return answerOf({ tool, values, response, from, options: this.#options, ...(contract ? { contract } : {}) });
  }

  #planOf({ call, tool, decision, values, request }: AdmittedCall): Plan {
    const { config, catalog } = this.#options;
    return {
      tool: tool.name,
      arguments: [values, request.method, request.path, request.query],
      principal: call.principal,
      access: [config.access.profile, decision.gate, config.confirmation],
      catalog: catalog.digest,
    };
  }

  #contract(tool: Tool, state: 'preview' | 'execution_requested'): ExecutionContract {
    return contractOf(tool, this.#admission.decide(tool), this.#options.config.confirmation, state);
  }
}

function subjectOf(tool: Tool): Subject {
  return { tool: tool.name, platform: tool.platform };
}

/** A name that is no tool is the caller's text, so it never becomes a label. */
const UNKNOWN = '_unknown_';

function settledCall(tool: Tool | undefined, settled: Settled, ms: number): SettledCall {
  const bounds =
    settled.kind === 'done' ? (settled.result as { _response_bounds?: { truncated?: unknown } } | null) : null;
  return {
    tool: tool?.name ?? UNKNOWN,
    backend: tool?.platform ?? UNKNOWN,
    outcome: settled.outcome,
    capability: tool?.capability ?? null,
    ms,
    truncated: bounds?._response_bounds?.truncated === true,
  };
}
