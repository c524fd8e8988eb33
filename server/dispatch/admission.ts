/** The first steps of every call: is there such a tool, may it be called this way, are the arguments right. */
import { type Decision, decideFor, NO_ACCESS } from '../access/access-policy.ts';
import { isCredential } from '../catalog/operation-security.ts';
import type { Tool } from '../catalog/tool.ts';
import type { Catalog } from '../catalog/tool-catalog.ts';
import type { Config } from '../config/config.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { takeApart } from './arguments.ts';
import { withDefaultBody } from './default-body.ts';
import type { AdmittedCall, Call, LocalCall, LocalRun } from './dispatch-call.ts';
import { type Refused, refuse, type Subject } from './envelope.ts';
import { asCalled } from './escalate.ts';
import { type ArgumentProblem, refuseArgument } from './invalid-argument.ts';
import { maskedIn } from './masked-value.ts';
import { stricterAt } from './reached-operation.ts';
import { type BuiltRequest, buildRequest, keyOfPair } from './request.ts';
import { suggest } from './suggest.ts';
import type { Validators } from './validate.ts';

export type AdmissionConfig = Pick<Config, 'access' | 'platforms' | 'known' | 'localToolsets'> &
  Partial<Pick<Config, 'uploadDir' | 'principalsPath' | 'oauth'>>;

/** Tools that this router runs itself, by name. */
export type LocalRuns = ReadonlyMap<string, LocalRun>;

export class Admission {
  readonly #config: AdmissionConfig;
  readonly #catalog: Catalog;
  readonly #validators: Validators;
  readonly #local: LocalRuns;

  constructor(config: AdmissionConfig, catalog: Catalog, validators: Validators, local: LocalRuns) {
    this.#config = config;
    this.#catalog = catalog;
    this.#validators = validators;
    this.#local = local;
  }

  /** Access comes before validation: a caller who may not call a tool needs no lesson in its arguments. */
  admit(call: Call, tool: Tool | undefined): AdmittedCall | LocalCall | Refused {
    const subject: Subject = { tool: call.name, platform: tool?.platform ?? null };
    const platform = tool && this.#config.platforms.find(({ id }) => id === tool.platform);
    const run = tool?.local ? this.#local.get(tool.name) : undefined;
    if (!tool || !(platform || run)) return this.#unknown(call, subject);
    const closed = this.#closed(call, tool, subject);
    if (closed) return closed;
    const schema = this.#validators.schema(tool);
    const apart = takeApart(call.arguments, schema);
    if ('pointer' in apart) return refuseArgument(subject, apart);
    const taken = { ...apart, values: withDefaultBody(tool, apart.values, schema) };
    const [first, ...others] = this.#validators.problems(tool, taken.values);
    if (first) return refuseArgument(subject, first, others);
    if (run) return { call, tool, ...taken, run };
    if (!platform) return this.#unknown(call, subject);
    const called = asCalled(tool, taken.values);
    const raised = called === tool ? undefined : this.#closed(call, called, subject);
    if (raised) return raised;
    const values = { ...taken.values, ...apart.digits };
    const built = buildRequest(called, values, this.#config.uploadDir);
    if (!built.ok) return refuseArgument(subject, built);
    const problem = this.#notItsOwn(called, { ...built.request, values }, platform, call);
    if (problem) return refuseArgument(subject, problem);
    const { controls } = apart;
    const decision = this.decide(called, call);
    return { call, tool: called, platform, decision, values, controls, request: built.request };
  }

  /** Why this dispatcher, or anybody, may not call a tool of this class now. */
  #closed(call: Call, tool: Tool, subject: Subject): Refused | undefined {
    const { dispatcher } = call;
    const decision = this.decide(tool, call);
    if (!decision.visible && decideFor(this.#config, tool.platform, tool.capability).visible)
      return notForPrincipal(tool, subject);
    if (dispatcher === 'invoke_read_tool' && tool.capability !== 'read')
      return wrongDispatcher(tool, decision, subject);
    if (decision.missingScope !== undefined) return scopeMissing(tool, decision.missingScope, subject);
    return decision.allowed ? undefined : gateClosed(tool, decision, subject);
  }

  /** What a value made of the request that is not the caller's: the path of another operation, a credential, or the mask of a secret. */
  #notItsOwn(
    tool: Tool,
    built: BuiltRequest & Pick<AdmittedCall, 'values'>,
    platform: PlatformDefinition,
    call: Call,
  ): ArgumentProblem | undefined {
    const other = stricterAt(tool, built.path, this.#catalog, built.values);
    if (other) return this.#pathOfAnother(other, built, call);
    const credential = credentialIn(built, platform);
    if (credential !== undefined) return notTheCallers(credential);
    return tool.capability === 'read' ? undefined : maskedIn(built.values);
  }

  #pathOfAnother(other: Tool, { path }: BuiltRequest, call: Call): ArgumentProblem {
    const name = this.decide(other, call).visible ? other.name : 'another operation';
    const expected = `should not make the path of ${name}, which is ${other.capability}: only that tool calls it`;
    return { pointer: '', expected, got: JSON.stringify(path) };
  }

  /** A router with principals decides nothing in favour of a call that none of them made. */
  decide(tool: Tool, { access }: Pick<Call, 'access'>): Decision {
    const { principalsPath, oauth } = this.#config;
    const everybodyIsProven = principalsPath !== undefined || oauth !== undefined;
    const principal = access ?? (everybodyIsProven ? NO_ACCESS : undefined);
    return decideFor(this.#config, tool.platform, tool.capability, principal);
  }

  #unknown(call: Call, subject: Subject): Refused {
    const { name } = call;
    const served = new Set([...this.#config.platforms.map(({ id }) => id), ...this.#config.localToolsets]);
    const off = this.#config.known.find(({ id }) => name.startsWith(`${id}_`) && !served.has(id));
    if (off)
      return refuse(
        'PLATFORM_NOT_CONFIGURED',
        { ...subject, platform: off.id },
        `the ${off.id} platform is not enabled on this router`,
      );
    const mayShow = (tool: Tool) => served.has(tool.platform) && this.decide(tool, call).visible;
    const near = suggest(name, this.#catalog.names(), (other) => {
      const found = this.#catalog.tool(other);
      return found !== undefined && mayShow(found);
    });
    const meant = this.#describedBy(name).filter(mayShow);
    const suggestions = [...new Set([...meant.map((tool) => tool.name), ...near])].slice(0, SUGGESTIONS);
    const message = `there is no tool ${JSON.stringify(name.slice(0, 100))}`;
    return refuse('UNKNOWN_TOOL', subject, message, suggestions.length > 0 ? { suggestions } : {});
  }

  /** Tools by their operationId, by `METHOD /path`, or by a path that can be read. */
  #describedBy(text: string): Tool[] {
    if (text.length > LONGEST_DESCRIBED) return [];
    const ids = this.#catalog.exactly(text.startsWith('/') ? `GET ${text}` : text);
    return ids.map((id) => this.#catalog.toolAt(id));
  }
}

/** Names of other tools in a refusal. */
const SUGGESTIONS = 3;
/** A longer text is no operationId and no path. */
const LONGEST_DESCRIBED = 300;

/** An object that is exploded gives the query and the cookies names of its own, and servers differ in which of two they take. */
function credentialIn({ query, headers }: BuiltRequest, platform: PlatformDefinition): string | undefined {
  const named = (where: string, pairs: readonly string[]) =>
    pairs.map(keyOfPair).find((name) => isCredential(platform, where, name));
  return named('query', query.split('&')) ?? named('cookie', (headers['cookie'] ?? '').split('; '));
}

const notTheCallers = (name: string): ArgumentProblem => ({
  pointer: '',
  expected: 'should name no parameter that holds a credential of this router',
  got: JSON.stringify(name.slice(0, 60)),
});

function notForPrincipal(tool: Tool, subject: Subject): Refused {
  const message = `${tool.name} is a ${tool.capability} tool of ${tool.platform}, which this principal may not use. Nothing was sent.`;
  return refuse('PRINCIPAL_FORBIDDEN', subject, message, { capability: tool.capability });
}

/** Over HTTP most such calls end before dispatch, with a challenge. This is the answer to those whose tool is known only here. */
function scopeMissing(tool: Tool, scope: string, subject: Subject): Refused {
  const message = `${tool.name} is a ${tool.capability} tool of ${tool.platform}, and the access token lacks the scope ${scope}. Nothing was sent.`;
  return refuse('SCOPE_MISSING', subject, message, { capability: tool.capability, scope });
}

function wrongDispatcher(tool: Tool, decision: Decision, subject: Subject): Refused {
  const way =
    decision.allowed || decision.missingScope !== undefined
      ? 'call it through invoke_tool'
      : 'and its write gate is closed, so invoke_tool refuses it too';
  const message = `${tool.name} is a ${tool.capability} tool and invoke_read_tool runs read tools only: ${way}`;
  return refuse('WRONG_DISPATCHER', subject, message, { capability: tool.capability, hint: way });
}

function gateClosed(tool: Tool, { gate }: Decision, subject: Subject): Refused {
  const variable = gate?.env_var ?? 'its gate variable';
  const why = {
    READONLY: 'SVC_MCP_READONLY is on',
    ACCESS_PROFILE: 'the access profile is safe-read-only',
    open_binding: 'the router listens beyond loopback without a bearer token (MCP_HTTP_BEARER_TOKEN)',
    platform_override: `${variable} is off`,
    platform_default: `${variable} is not set, and it is off by default`,
    PRODUCT_ACCESS: 'SVC_MCP_PRODUCT_ACCESS is read-only',
    no_gate: 'this platform has no write gate, so no setting opens its writes',
    inner_calls: 'each call inside it has its own',
    principal: 'it is not one of the gates of this principal',
  }[gate?.source ?? 'no_gate'];
  const message = `${tool.name} is a ${tool.capability} tool and its write gate is closed: ${why}. Nothing was sent.`;
  return refuse('WRITE_GATE_CLOSED', subject, message, { capability: tool.capability, gate });
}
