/**
 * The only door to a platform. A call passes access, validation, preview or confirmation, send and shape, in this
 * order; whatever stops it becomes a refusal, and nothing is sent that did not pass them all.
 */
import { type Capability, type Decision, decide } from '../access/access.ts';
import { issueGrant } from '../access/grant.ts';
import type { Catalog } from '../catalog/store.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Config } from '../config/config.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import type { OutboundClient, PlatformResponse } from '../outbound/client.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import { redact, redactText } from '../telemetry/redact.ts';
import { answerOf } from './answer.ts';
import { type Controls, takeApart } from './arguments.ts';
import type { Answer, Person } from './confirmation.ts';
import { contractOf, type ExecutionContract } from './contract.ts';
import type { Cursors } from './cursor.ts';
import { refuse, refuseError, type Settled, type Subject } from './envelope.ts';
import { type Impact, impactOf } from './impact.ts';
import { PLAN_TOKEN_SECONDS, type Plan, type PlanTokens } from './plan-token.ts';
import { type BuiltRequest, buildRequest, encodeBody } from './request.ts';
import { suggest } from './suggest.ts';
import { Validators } from './validate.ts';

export type Dispatcher = 'invoke_read_tool' | 'invoke_tool';

export interface Call {
  dispatcher: Dispatcher;
  name: string;
  arguments: Readonly<Record<string, unknown>>;
  cursor?: string;
  /** Who calls: a hash of the bearer token, or `local`. */
  principal: string;
  person: Person;
  signal?: AbortSignal;
}

export type Result = Settled | { kind: 'ask'; question: Extract<Answer, { is: 'pending' }>['result'] };

export interface DispatchOptions {
  config: Pick<Config, 'access' | 'platforms' | 'known' | 'confirmation' | 'response'>;
  catalog: Catalog;
  outbound: OutboundClient;
  plans: PlanTokens;
  cursors: Cursors;
  logger: Logger;
}

/** A call that passed access and validation. */
interface Ready {
  call: Call;
  tool: Tool;
  platform: PlatformDefinition;
  decision: Decision;
  values: Record<string, unknown>;
  controls: Controls;
  request: BuiltRequest;
}

export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #validators: Validators;

  constructor(options: DispatchOptions) {
    this.#options = options;
    this.#validators = new Validators((name) => options.catalog.schema(name));
  }

  async invoke(call: Call): Promise<Result> {
    const tool = this.#options.catalog.tool(call.name);
    const subject: Subject = { tool: call.name, platform: tool?.platform ?? null };
    try {
      const ready = this.#prepare(call, tool);
      if (!('request' in ready)) return ready;
      if (ready.tool.capability === 'read') return await this.#read(ready);
      if (ready.tool.capability === 'diagnostic') return await this.#diagnose(ready);
      return await this.#write(ready);
    } catch (error) {
      if (!(error instanceof RouterError))
        this.#options.logger.error('dispatch.failed', { tool: call.name, ...errorFields(error) });
      return refuseError(error, subject, tool ? this.#contractOnFailure(tool) : {});
    }
  }

  /** The schema of a tool, for a descriptor that asked for it. */
  schema(tool: Tool) {
    return this.#validators.schema(tool);
  }

  #prepare(call: Call, tool: Tool | undefined): Ready | (Settled & { kind: 'refused' }) {
    const subject: Subject = { tool: call.name, platform: tool?.platform ?? null };
    const platform = tool && this.#options.config.platforms.find(({ id }) => id === tool.platform);
    if (!tool || !platform) return this.#unknown(call.name, subject);
    const decision = decide(this.#options.config.access, platform, tool.capability);
    if (call.dispatcher === 'invoke_read_tool' && tool.capability !== 'read') {
      const way = decision.allowed
        ? 'call it through invoke_tool'
        : 'and its write gate is closed, so invoke_tool refuses it too';
      return refuse(
        'WRONG_DISPATCHER',
        subject,
        `${tool.name} is a ${tool.capability} tool and invoke_read_tool runs read tools only: ${way}`,
        {
          capability: tool.capability,
          hint: way,
        },
      );
    }
    if (!decision.allowed) return this.#gateClosed(tool, decision, subject);
    const taken = takeApart(call.arguments, this.#validators.schema(tool));
    if ('pointer' in taken)
      return refuse('ARGUMENTS_INVALID', subject, `\`${taken.pointer}\` ${taken.expected}, got ${taken.got}`, {
        problems: [taken],
      });
    const problems = this.#validators.problems(tool, taken.values);
    const first = problems[0];
    if (first) {
      const message = `\`${first.pointer || '/'}\` ${first.expected}, got ${first.got}`;
      return refuse('ARGUMENTS_INVALID', subject, message, {
        pointer: first.pointer,
        expected: first.expected,
        got: first.got,
        schema: first.schema,
        problems: problems.slice(1),
      });
    }
    const built = buildRequest(tool, taken.values);
    if (!built.ok)
      return refuse('ARGUMENTS_INVALID', subject, `\`${built.pointer}\` ${built.expected}, got ${built.got}`, built);
    return { call, tool, platform, decision, ...taken, request: built.request };
  }

  #unknown(name: string, subject: Subject): Settled & { kind: 'refused' } {
    const { config, catalog } = this.#options;
    const off = config.known.find(
      ({ id }) => name.startsWith(`${id}_`) && !config.platforms.some((platform) => platform.id === id),
    );
    if (off)
      return refuse(
        'PLATFORM_NOT_CONFIGURED',
        { ...subject, platform: off.id },
        `the ${off.id} platform is not enabled on this router`,
      );
    const served = new Set(config.platforms.map(({ id }) => id));
    const suggestions = suggest(name, catalog.names(), (other) => {
      const found = catalog.tool(other);
      if (!found || !served.has(found.platform)) return false;
      return this.#decide(found).visible;
    });
    const hint = suggestions.length > 0 ? { suggestions } : {};
    return refuse('UNKNOWN_TOOL', subject, `there is no tool ${JSON.stringify(name.slice(0, 100))}`, hint);
  }

  #decide(tool: Tool): Decision {
    const platform = this.#options.config.known.find(({ id }) => id === tool.platform);
    return platform
      ? decide(this.#options.config.access, platform, tool.capability)
      : { visible: false, allowed: false };
  }

  #gateClosed(tool: Tool, { gate }: Decision, subject: Subject): Settled & { kind: 'refused' } {
    const variable = gate?.env_var ?? 'no gate variable';
    const why = {
      READONLY: 'SVC_MCP_READONLY is on',
      ACCESS_PROFILE: 'the access profile is safe-read-only',
      platform_override: `${variable} is off`,
      platform_default: `${variable} is not set, and it is off by default`,
      PRODUCT_ACCESS: 'SVC_MCP_PRODUCT_ACCESS is read-only',
      no_gate: 'this platform has no write gate',
    }[gate?.source ?? 'no_gate'];
    return refuse(
      'WRITE_GATE_CLOSED',
      subject,
      `${tool.name} is a ${tool.capability} tool and its write gate is closed: ${why}. Nothing was sent.`,
      {
        capability: tool.capability,
        gate,
      },
    );
  }

  async #read(ready: Ready): Promise<Result> {
    const { call, tool, values } = ready;
    const subject = { tool: tool.name, platform: tool.platform };
    let from = 0;
    if (call.cursor !== undefined) {
      const read = this.#options.cursors.read(call.cursor, tool.name, values);
      if ('reason' in read) return refuse('CURSOR_INVALID', subject, `the cursor was refused: ${read.reason}`);
      from = read.offset;
    }
    const response = await this.#send(ready, undefined);
    return this.#settle(answerOf({ ...ready, response, from, options: this.#options }), ready);
  }

  async #diagnose(ready: Ready): Promise<Result> {
    // Diagnostics run at once, but a caller who says dry_run means it.
    if (ready.controls.dry_run === true) {
      const result = {
        status: 'dry_run',
        request: this.#shown(ready),
        object: ready.request.object,
        next_action: 'call again without dry_run to run it',
      };
      return { kind: 'done', result, outcome: 'success' };
    }
    const response = await this.#send(ready, 'diagnostic');
    return this.#settle(answerOf({ ...ready, response, from: 0, options: this.#options }), ready);
  }

  async #write(ready: Ready): Promise<Result> {
    const plan = this.#planOf(ready);
    if (ready.controls.dry_run !== false) return this.#preview(ready, plan);
    const { call, tool, controls, request } = ready;
    const subject = { tool: tool.name, platform: tool.platform };
    const contract = () => ({ execution_contract: this.#contract(ready, 'execution_requested') });
    const missing = [controls.confirm !== true && 'confirm: true', !controls.plan_token && 'plan_token'].filter(
      Boolean,
    );
    if (missing.length > 0) {
      return refuse(
        'CONFIRMATION_REQUIRED',
        subject,
        `applying ${tool.name} needs ${missing.join(' and ')}. Nothing was sent.`,
        contract(),
      );
    }
    const checked = this.#options.plans.check(controls.plan_token as string, plan);
    if (!checked.ok)
      return refuse(
        'PLAN_TOKEN_REFUSED',
        subject,
        `the plan token was refused: ${checked.reason}. Nothing was sent.`,
        contract(),
      );
    if (this.#options.config.confirmation === 'token') {
      if (tool.capability === 'destructive' && controls.confirm_object !== request.object) {
        return refuse(
          'CONFIRMATION_REQUIRED',
          subject,
          `applying ${tool.name} needs confirm_object equal to the object its preview named. Nothing was sent.`,
          contract(),
        );
      }
    } else {
      if (!call.person.reachable) {
        return refuse(
          'CONFIRMATION_UNAVAILABLE',
          subject,
          `${tool.name} needs a person's confirmation and this connection cannot ask for one. Nothing was sent.`,
          contract(),
        );
      }
      const answer = await call.person.ask(this.#questionFor(ready), [plan, controls.plan_token]);
      if (answer.is === 'pending') return { kind: 'ask', question: answer.result };
      if (answer.is !== 'yes') {
        const code = answer.is === 'declined' ? 'DECLINED' : 'CANCELLED';
        return refuse(code, subject, `${tool.name} was not sent: ${answer.why}`, contract());
      }
    }
    if (call.signal?.aborted)
      return refuse('CANCELLED', subject, `${tool.name} was not sent: the call was cancelled`, contract());
    // Spent before it is sent: whatever happens on the way, this preview is never applied again.
    if (!this.#options.plans.spend(checked.id, checked.expiresAt)) {
      return refuse(
        'PLAN_TOKEN_REFUSED',
        subject,
        'the plan token was refused: it was already used. Nothing was sent.',
        contract(),
      );
    }
    const response = await this.#send(ready, tool.capability as Capability);
    return this.#settle(
      answerOf({
        ...ready,
        response,
        from: 0,
        options: this.#options,
        contract: this.#contract(ready, 'execution_requested'),
      }),
      ready,
    );
  }

  async #preview(ready: Ready, plan: Plan): Promise<Result> {
    const impact = await this.#impact(ready);
    const result = {
      status: 'dry_run',
      request: this.#shown(ready),
      object: ready.request.object,
      ...(impact ? { impact } : {}),
      plan_token: this.#options.plans.issue(plan),
      expires_in_seconds: PLAN_TOKEN_SECONDS,
      execution_contract: this.#contract(ready, 'preview'),
    };
    return { kind: 'done', result, outcome: 'success' };
  }

  /** One read of the object, when the document offers it. A preview never fails for want of a comparison. */
  async #impact({ call, tool, platform, values, request }: Ready): Promise<Impact | undefined> {
    const reader = tool.reader ? this.#options.catalog.tool(tool.reader) : undefined;
    if (!reader)
      return tool.method === 'POST' && request.body !== undefined
        ? impactOf(tool, 'the request alone', undefined, request.body)
        : undefined;
    const readable = Object.fromEntries(
      reader.parameters
        .filter(({ argument }) => values[argument] !== undefined)
        .map(({ argument }) => [argument, values[argument]]),
    );
    if (this.#validators.problems(reader, readable).length > 0) return undefined;
    const read = buildRequest(reader, readable);
    if (!read.ok) return undefined;
    try {
      const { status, body } = await this.#options.outbound.send({
        platform,
        capability: 'read',
        method: 'GET',
        path: read.request.path,
        query: read.request.query,
        headers: read.request.headers,
        ...(call.signal ? { signal: call.signal } : {}),
      });
      const source = `GET ${read.request.path}`;
      if (status === 404) return impactOf(tool, source, undefined, request.body);
      if (status >= 200 && status < 300) return impactOf(tool, source, body, request.body);
      return { source, warning: `unknown: the platform answered ${status}` };
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      // Missing credentials or an unreachable platform would stop the apply as well: say so now.
      if (error.code !== 'UPSTREAM_TIMEOUT' && error.code !== 'UPSTREAM_TOO_LARGE') throw error;
      return { source: `GET ${read.request.path}`, warning: `unknown: ${redactText(error.message)}` };
    }
  }

  #send({ call, tool, platform, request }: Ready, capability: Capability | undefined): Promise<PlatformResponse> {
    const plain = tool.method === 'GET' || tool.method === 'HEAD';
    const granted = capability ?? tool.capability;
    return this.#options.outbound.send({
      platform,
      capability: tool.capability,
      method: tool.method,
      path: request.path,
      query: request.query,
      headers: request.headers,
      ...(request.body === undefined || !tool.body
        ? {}
        : { body: { text: encodeBody(request.body, tool.body.contentType), contentType: tool.body.contentType } }),
      ...(call.signal ? { signal: call.signal } : {}),
      ...(plain && tool.capability === 'read'
        ? {}
        : {
            grant: issueGrant({ platform: platform.id, capability: granted, method: tool.method, path: request.path }),
          }),
    });
  }

  #settle(settled: Settled, ready: Ready): Settled {
    this.#options.logger.debug('dispatch.settled', { tool: ready.tool.name, outcome: settled.outcome });
    return settled;
  }

  #planOf({ call, tool, decision, values, request }: Ready): Plan {
    return {
      tool: tool.name,
      arguments: [values, request.method, request.path, request.query],
      principal: call.principal,
      access: [this.#options.config.access.profile, decision.gate, this.#options.config.confirmation],
      catalog: this.#options.catalog.digest,
    };
  }

  /** What a person or a log may see of a request. */
  #shown({ tool, request }: Ready): Record<string, unknown> {
    return {
      method: request.method,
      path: request.path,
      ...(request.query ? { query: request.query } : {}),
      ...(request.body === undefined ? {} : { body: redact(request.body, new Set(tool.secrets)) }),
    };
  }

  /** The last two lines are fixed, so that a program standing in for the person need not read prose. */
  #questionFor(ready: Ready): string {
    const { tool, request } = ready;
    const shown = this.#shown(ready);
    const body = shown['body'] === undefined ? '' : `\nBody: ${JSON.stringify(shown['body']).slice(0, 1_000)}`;
    const query = request.query ? `\nQuery: ${redactText(request.query).slice(0, 300)}` : '';
    return (
      `Send this ${tool.capability} request to ${tool.platform}? ${tool.line}\nOn: ${request.object}${query}${body}\n` +
      `object: ${request.method} ${request.path}\noperation: ${tool.method} ${tool.path}`
    );
  }

  #contract({ tool, decision }: Ready, state: 'preview' | 'execution_requested'): ExecutionContract {
    return contractOf(tool, decision, this.#options.config.confirmation, state);
  }

  #contractOnFailure(tool: Tool): Record<string, unknown> {
    const decision = this.#decide(tool);
    return decision.gate
      ? { execution_contract: contractOf(tool, decision, this.#options.config.confirmation, 'execution_requested') }
      : {};
  }
}
