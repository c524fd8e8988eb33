/** The MCP server object for both protocol eras: which tools a client sees, and how an answer goes on the wire. */
import {
  type CallToolRequest,
  type CallToolResult,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { PrincipalAccess } from '../access/access-policy.ts';
import type { ConfirmationService, Era } from '../dispatch/confirmation.ts';
import { refuse } from '../dispatch/envelope.ts';
import { OpenQuestions } from '../dispatch/open-questions.ts';
import { PLAN_TOKEN_SECONDS } from '../dispatch/plan-token.ts';
import type { KnownSecrets } from '../telemetry/known-secrets.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import { redact } from '../telemetry/redact.ts';
import type { SpanOptions, Tracer } from '../telemetry/tracer.ts';
import { answerFor, type Caller, type PublicTool, type ToolAnswer } from '../tools/public/public-tool.ts';
import { askedCalls, refusedUnanswered } from './asked-calls.ts';
import { type JsonProblem, jsonProblem } from './json-limits.ts';
import { ListedTools } from './listed-tools.ts';

export interface ProtocolOptions {
  version: string;
  instructions: string;
  /** A `ListedTools` where they can change while clients are connected: each then gets `tools.listChanged`. */
  tools: readonly PublicTool[] | ListedTools;
  /** A tool that is not listed and yet has an answer, such as why it is not. */
  unlisted?: (name: string) => PublicTool | undefined;
  /** Asks the person, and checks the state that an answer brings back. */
  confirmations: Pick<ConfirmationService, 'approverOf'> & {
    verifier: (era: Era) => (state: string, ctx: ServerContext) => unknown;
  };
  /** Whether this principal's `tools/list` has a tool; without it each list is the whole one. */
  listedFor?: ((name: string, access: PrincipalAccess) => boolean) | undefined;
  /** Principal of a connection that carries no bearer token. */
  anonymous: string;
  logger: Logger;
  tracer?: Tracer;
  /** Adds to each server object what no tool is. */
  extend?: (server: Server) => void;
}

/** The person may think for almost as long as the plan token lives: the call that goes on after that is still a valid one. */
const ASK_TIMEOUT_MS = (PLAN_TOKEN_SECONDS - 5) * 1000;

export function protocolFactory(options: ProtocolOptions): McpServerFactory {
  const { tools, confirmations, logger } = options;
  const changes = tools instanceof ListedTools && tools.canChange;
  const listed = tools instanceof ListedTools ? tools : new ListedTools(tools);
  const toolNamed = (name: string) => {
    const tool = listed.named(name) ?? options.unlisted?.(name);
    if (tool) return tool;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${name.slice(0, 100)}. Backend tools are called by name through invoke_read_tool or invoke_tool.`,
    );
  };
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const questions = new OpenQuestions();
  return ({ era }) => {
    const server = new Server(
      { name: 'svc-mcp-router', title: 'MCP Tool Router', version: options.version },
      {
        capabilities: { tools: changes ? { listChanged: true } : {}, logging: {} },
        instructions: options.instructions,
        jsonSchemaValidator,
        requestState: { verify: confirmations.verifier(era) },
        inputRequired: { roundTimeoutMs: ASK_TIMEOUT_MS, maxRounds: 2 },
        cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: options.listedFor ? 'private' : 'public' } },
      },
    );
    const asked = askedCalls(server, questions);
    server.onerror = (error) => logger.debug('protocol.error', { era, ...errorFields(error) });
    server.setRequestHandler('tools/list', ({ params }, ctx) => {
      const { listedFor } = options;
      const access = accessOf(ctx).access;
      const page = listed.page(params?.cursor);
      if (listedFor === undefined || access === undefined) return { ...page };
      return { ...page, tools: page.tools.filter(({ name }) => listedFor(name, access)) };
    });
    const call = async (request: CallToolRequest, ctx: ServerContext) => {
      const { name, arguments: args = {} } = request.params;
      const tool = toolNamed(name);
      const problem = jsonProblem(args);
      if (problem !== undefined) return resultOf(refusedJson(name, problem));
      const unanswered = asked.endOf(ctx.mcpReq.id);
      if (unanswered !== undefined)
        return server.projectCallToolResult(
          scrubbed(resultOf(refusedUnanswered(name, unanswered)), logger.secrets),
          undefined,
        );
      const caller = callerOf(ctx, era, options, server.getClientCapabilities());
      const answer = await tool.run(args, caller);
      if (answer.kind !== 'ask')
        return server.projectCallToolResult(scrubbed(resultOf(answer), logger.secrets), undefined);
      if (era === 'legacy') asked.begins(ctx.mcpReq.id, caller.principal);
      return answer.question;
    };
    server.setRequestHandler('tools/call', (request, ctx) => {
      const { tracer } = options;
      if (!tracer?.traces) return call(request, ctx);
      // The router's own tools and those of direct mode; a name that is none may be anything.
      const tool = listed.named(request.params.name) ? request.params.name : 'unknown';
      const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool, 'svc_mcp.era': era };
      const span = { kind: 'server' as const, attributes, parent: parentOf(ctx) };
      return tracer.span(`tools/call ${tool}`, span, () => call(request, ctx));
    });
    options.extend?.(server);
    return server;
  };
}

function callerOf(
  ctx: ServerContext,
  era: Era,
  { confirmations, anonymous }: ProtocolOptions,
  capabilities: ReturnType<Server['getClientCapabilities']>,
): Caller {
  return {
    principal: ctx.http?.authInfo?.clientId || anonymous,
    ...requestOf(ctx),
    ...accessOf(ctx),
    approver: confirmations.approverOf(ctx, era, capabilities),
    signal: ctx.mcpReq.signal,
    progress: progressOf(ctx),
    log: logOf(ctx, era),
    context: ctx,
  };
}

/** Who sends a log message. */
const LOGGER = 'svc-mcp-router';

/** Where nothing is kept between requests, the level that an earlier one set is not known: then nothing is said. */
function logOf({ http, sessionId, mcpReq }: ServerContext, era: Era): Caller['log'] {
  if (era === 'legacy' && http !== undefined && sessionId === undefined) return async () => {};
  return (level, data) => mcpReq.log(level, redact(data), LOGGER);
}

/** The span of the caller: as its message says, else as its HTTP request does. */
function parentOf({ http, mcpReq }: ServerContext): NonNullable<SpanOptions['parent']> {
  const given = (key: string) => {
    const value = mcpReq._meta?.[key];
    return typeof value === 'string' ? value : undefined;
  };
  const traceparent = given(TRACEPARENT_META_KEY);
  if (traceparent !== undefined) return { traceparent, tracestate: given(TRACESTATE_META_KEY) };
  const header = (name: string) => http?.req?.headers.get(name) ?? undefined;
  return { traceparent: header('traceparent'), tracestate: header('tracestate') };
}

/** What the guard found out about the caller of this very request. */
function accessOf({ http }: ServerContext): Pick<Caller, 'access'> {
  const access = http?.authInfo?.extra?.['access'] as PrincipalAccess | undefined;
  return access === undefined ? {} : { access };
}

function requestOf({ http }: ServerContext): Pick<Caller, 'request'> {
  const request = http?.authInfo?.extra?.['request'];
  return typeof request === 'string' ? { request } : {};
}

function progressOf({ mcpReq }: ServerContext): Caller['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return async () => {};
  return (progress, total, message) =>
    mcpReq.notify({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    });
}

function refusedJson(tool: string, { pointer, expected, got }: JsonProblem) {
  const message = `\`${pointer || '/'}\` should be ${expected}, got ${got}`;
  const refused = refuse('ARGUMENTS_INVALID', { tool, platform: null }, message, { pointer, expected, got });
  return answerFor(refused) as Exclude<ToolAnswer, { kind: 'ask' }>;
}

/** Most texts are JSON, and stay so. */
function scrubbed({ content, ...rest }: CallToolResult, secrets: KnownSecrets): CallToolResult {
  const parts = content.map((part) =>
    part.type === 'text' ? { ...part, text: secrets.scrubJson(part.text) } : secrets.scrubTexts(part),
  );
  return { content: parts, ...secrets.scrubTexts(rest) };
}

function resultOf(answer: Exclude<ToolAnswer, { kind: 'ask' }>): CallToolResult {
  if (answer.kind === 'content') return answer.result;
  return {
    content: [
      ...answer.texts.map((text) => ({ type: 'text' as const, text })),
      ...(answer.blob ? [{ type: 'resource' as const, resource: answer.blob }] : []),
    ],
    ...(answer.isError ? { isError: true } : {}),
    ...(answer.meta ? { _meta: answer.meta } : {}),
  };
}
