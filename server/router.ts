/** Assembles the router from a configuration: catalog, search, dispatch, tools, protocol, transport. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { decideFor, type PrincipalAccess } from './access/access-policy.ts';
import type { Tool } from './catalog/tool.ts';
import type { Catalog } from './catalog/tool-catalog.ts';
import { type Config, servedProducts } from './config/config.ts';
import type { CredentialsStore } from './config/credentials.ts';
import type { ServedConsole } from './console/serve-console.ts';
import type { Dispatch } from './dispatch/dispatch.ts';
import { linkOf } from './dispatch/open-approvals.ts';
import { type DispatchEvents, type OpenDispatch, openDispatch } from './dispatch/open-dispatch.ts';
import { Egress } from './egress/egress.ts';
import { Drain } from './http/drain.ts';
import { buildHttp, listen } from './http/server.ts';
import { SESSION_LIMITS } from './http/sessions.ts';
import { OAuthCallers } from './oauth/oauth-callers.ts';
import { ScopeDemand } from './oauth/scope-demand.ts';
import { openFinder, openServedCatalog, version } from './open-catalog.ts';
import { Principals } from './principals/principals.ts';
import { STDIO_PAGE_BYTES } from './protocol/listed-tools.ts';
import { protocolFactory } from './protocol/protocol.ts';
import type { Finder } from './search/find.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { type CompletedCall, disabledSnapshot, Metrics, type RateWaits } from './telemetry/metrics.ts';
import { openOtlpTracer } from './telemetry/otlp-tracer.ts';
import { RecentCalls } from './telemetry/recent-calls.ts';
import { NO_TRACER, type Tracer } from './telemetry/tracer.ts';
import { type Choice, openLocalTools } from './tools/local/registry.ts';
import { counted } from './tools/public/counted-tool.ts';
import type { AnswerSources } from './tools/public/find-answer.ts';
import { findTool } from './tools/public/find-tool.ts';
import { InFlightCalls } from './tools/public/in-flight-calls.ts';
import { invokeReadTool } from './tools/public/invoke-read-tool.ts';
import { invokeTool } from './tools/public/invoke-tool.ts';
import type { PublicTool } from './tools/public/public-tool.ts';
import { publishedTool } from './tools/public/published-tool.ts';
import { wrappers } from './tools/public/wrappers.ts';

export interface Router {
  /** The protocol server for both transports. */
  factory: McpServerFactory;
  /** The public surface of this mode, chosen by hand below. */
  tools: readonly PublicTool[];
  instructions: string;
  finder: Finder;
  catalog: Catalog;
  /** To be awaited before the first call: what routers share is reached, or its loss is known. */
  ready: () => Promise<void>;
  /** Serves HTTP until closed, and the console where there is one; answers the address a client uses. */
  serveHttp: () => Promise<Served>;
  /** Serves the console alone, beside stdio; undefined where there is none. Throws PORT_IN_USE or ADDRESS_UNAVAILABLE. */
  serveConsole: () => Promise<ServedConsole | undefined>;
  /** Resolves when no call is in flight, at the latest after `mostMs`. */
  idle: (mostMs: number) => Promise<void>;
  /** Sends the spans of the calls so far, for at most this time. */
  sendTraces: (mostMs: number) => Promise<void>;
  /** Learns the secrets of every account; soon after the start, because reading the file takes a while. */
  readSecrets: () => void;
  close: () => void;
  [Symbol.dispose]: () => void;
}

export interface Served {
  url: string;
  /** Of the operator console; undefined where there is none. */
  consoleUrl: string | undefined;
  /**
   * Accepts no new calls, waits for in-flight calls for at most this time, and returns the number of unanswered ones.
   */
  drain: (mostMs: number) => Promise<number>;
  /** Cuts whatever is still open. */
  close: () => Promise<void>;
}

export function openRouter(config: Config, logger: Logger = createLogger(config.logLevel)): Router {
  const startedMs = performance.now();
  const { catalog, built } = openServedCatalog(config, logger);
  if (built)
    logger.info('catalog.built', { tools: catalog.summary.tools, quarantined: catalog.summary.quarantined.length });
  const visible = (tool: Tool, access?: PrincipalAccess) => {
    const decision = decideFor(config, tool.platform, tool.capability, access);
    return decision.visible && decision.missingScope === undefined;
  };
  const choose = (hint: string, most: number, access?: PrincipalAccess) =>
    chosen(config, finder, { hint, most, access });
  const redis = linkOf(config, logger);
  const local = openLocalTools({ config, catalog, redis, visible, choose }, config.localToolsets);
  const observers = observersOf(config, () => opened.waits());
  const { settled, consoleAt } = observers;
  const linkTo = (id: string) => consoleAt.url && `${consoleAt.url}/approvals/${id}`;
  const onCompleted = settled ? { onCompleted: settled } : {};
  const tracer = tracerOf(config, logger);
  const events = { ...observers.answers, ...onCompleted, linkTo, tracer };
  const opened = openDispatch(config, catalog, logger, local, events, redis);
  const { dispatch, confirmations, credentials, ready } = opened;
  const finder = openFinder(config, catalog);
  const find = counted(findTool(answerSources(config, catalog, finder, credentials), config.platforms), settled);
  const inFlight = new InFlightCalls();
  const tools = surface(config, catalog, dispatch, [find, invokeReadTool(dispatch), invokeTool(dispatch)]).map((tool) =>
    inFlight.watched(tool),
  );
  const unlisted = (name: string) => (config.mode === 'direct' ? refusedByName(dispatch, catalog, name) : undefined);
  const instructions = instructionsFor(config);
  const principals =
    config.principalsPath === undefined ? undefined : new Principals(config.principalsPath, config, logger);
  const oauth = oauthOf(config, principals, logger);
  const isShared = principals === undefined && oauth === undefined;
  const listedFor = isShared
    ? undefined
    : (name: string, access: PrincipalAccess) => isListed(config, catalog, name, access);
  const scopes = oauth && new ScopeDemand({ config, toolNamed: (name) => catalog.tool(name) });
  const shown = { version, instructions, tools, unlisted, confirmations, logger, listedFor, tracer };
  const factory = protocolFactory({ ...shown, ...(config.transport === 'stdio' ? OVER_STDIO : OVER_HTTP) });
  const close = () => {
    opened.close();
    catalog.close();
  };
  const serveConsole = () => consoleOf(config, opened, observers, finder, logger);
  return {
    factory,
    tools,
    instructions,
    finder,
    catalog,
    ready,
    serveHttp: () =>
      serveHttp(config, { factory, principals, oauth, scopes, opened, observers, serveConsole, startedMs, logger }),
    serveConsole,
    sendTraces: (mostMs) => tracer.send(mostMs),
    idle: (mostMs) => inFlight.none(mostMs),
    readSecrets: () => credentials.readSecrets(),
    close,
    [Symbol.dispose]: close,
  };
}

/** Loads nothing where nothing is traced. Throws CONFIG_INVALID where the packages are not installed. */
const tracerOf = ({ tracesUrl: url }: Config, logger: Logger): Tracer =>
  url === undefined ? NO_TRACER : openOtlpTracer({ url, version, logger });

const OVER_STDIO = { anonymous: 'local', listPageBytes: STDIO_PAGE_BYTES };
const OVER_HTTP = { anonymous: 'anonymous' };

/** What looks at the calls of a router, and where its console is once it listens. */
interface Observers {
  metrics: Metrics | undefined;
  calls: RecentCalls;
  settled: ((call: CompletedCall) => void) | undefined;
  answers: Pick<DispatchEvents, 'onAnswer'>;
  consoleAt: { url: string | undefined };
}

function observersOf(config: Config, waits: () => RateWaits): Observers {
  const { console, mode } = config.approvals;
  const metrics = config.metrics.collect
    ? new Metrics({
        waits,
        approvals: mode !== 'client',
        principals: config.principalsPath !== undefined || config.oauth !== undefined,
      })
    : undefined;
  const calls = new RecentCalls();
  const both = (call: CompletedCall) => {
    metrics?.record(call);
    calls.record(call);
  };
  return {
    metrics,
    calls,
    settled: console ? both : metrics && ((call) => metrics.record(call)),
    answers: metrics ? { onAnswer: (state, ms) => metrics.recordAnswer(state, ms) } : {},
    consoleAt: { url: console?.url },
  };
}

/** The console of this configuration; undefined where there is none. Loaded only here, so that a router without one starts as fast. */
async function consoleOf(
  config: Config,
  { approvals, credentials }: OpenDispatch,
  { calls, consoleAt }: Observers,
  finder: Finder,
  logger: Logger,
): Promise<ServedConsole | undefined> {
  if (config.approvals.console === undefined) return undefined;
  const { openConsole } = await import('./open-console.ts');
  const configured = (platform: string) => isConfigured(config, credentials, platform);
  const served = await openConsole({ config, approvals, finder, configured, calls, logger });
  consoleAt.url = served.url;
  return served;
}

interface ServedParts {
  factory: McpServerFactory;
  principals: Principals | undefined;
  oauth: OAuthCallers | undefined;
  scopes: ScopeDemand | undefined;
  opened: OpenDispatch;
  observers: Observers;
  serveConsole: Router['serveConsole'];
  /** Of the process's monotonic clock, when the router was opened. */
  startedMs: number;
  logger: Logger;
}

async function serveHttp(
  config: Config,
  { factory, principals, oauth, scopes, opened, observers: { metrics }, serveConsole, startedMs, logger }: ServedParts,
): Promise<Served> {
  await opened.ready();
  const drain = new Drain();
  const { service } = opened.approvals;
  // A store that does not answer leaves the other metrics as they are.
  const pending = service && (async () => (await service.pending().catch(() => [])).length);
  const app = buildHttp({
    drain,
    binding: config.http,
    principals,
    oauth,
    credentials: () => opened.credentials.readiness(config.platforms),
    ...(config.metrics.route
      ? {
          metrics: async () =>
            metrics?.snapshot(await pending?.()) ?? disabledSnapshot((performance.now() - startedMs) / 1000),
        }
      : {}),
    mcp: { factory, stateless: config.stateless, limits: SESSION_LIMITS, logger },
    scopes,
    logger,
  });
  const { host, port } = await listen(app, config.http);
  let operatorConsole: ServedConsole | undefined;
  try {
    operatorConsole = await serveConsole();
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`,
    consoleUrl: operatorConsole?.url,
    drain: (mostMs) => drain.begin(mostMs),
    close: async () => {
      await operatorConsole?.close();
      await app.close();
    },
  };
}

/** Throws CONFIG_INVALID for an unknown scope of the settings. */
function oauthOf(config: Config, principals: Principals | undefined, logger: Logger): OAuthCallers | undefined {
  const { oauth: settings, egress: listed, network } = config;
  if (settings === undefined) return undefined;
  return new OAuthCallers({ config, settings, egress: new Egress({ listed, network }), principals, logger });
}

/** Platforms and local toolsets of this router. */
const served = (config: Config): ReadonlySet<string> =>
  new Set([...config.platforms.map(({ id }) => id), ...config.localToolsets]);

const answerSources = (
  config: Config,
  catalog: Catalog,
  finder: Finder,
  credentials: CredentialsStore,
): AnswerSources => ({
  finder,
  catalog,
  schemaOf: ({ name }) => catalog.schema(name),
  visible: ({ platform, capability }, access) =>
    served(config).has(platform) && decideFor(config, platform, capability, access).visible,
  configured: (platform) => isConfigured(config, credentials, platform),
  withoutWrites: catalog.summary.scope.complete ? [] : servedProducts(config),
});

/** Whether the account of a platform is complete. A local toolset needs none. */
function isConfigured(config: Config, credentials: CredentialsStore, id: string): boolean {
  const platform = config.platforms.find((known) => known.id === id);
  if (platform === undefined) return true;
  const isComplete = (auth: (typeof platform)['auth']): boolean => {
    try {
      credentials.account({ ...platform, auth });
      return true;
    } catch {
      return false;
    }
  };
  // Of declared schemes one is enough: which of them a call needs depends on its operation.
  const ways = (platform.auth.schemes ?? []).flatMap((scheme) => scheme.ways);
  return isComplete(platform.auth) && (ways.length === 0 || ways.some(isComplete));
}

/** What a client of each mode sees. */
function surface(
  config: Config,
  catalog: Catalog,
  dispatch: Dispatch,
  three: readonly PublicTool[],
): readonly PublicTool[] {
  const here = served(config);
  const callable = (name: string): Tool | undefined => {
    const tool = catalog.tool(name);
    if (tool === undefined || !here.has(tool.platform)) return undefined;
    const { visible, allowed } = decideFor(config, tool.platform, tool.capability);
    return visible && allowed ? tool : undefined;
  };
  const publish = (names: readonly string[]) =>
    names
      .map(callable)
      .filter((tool) => tool !== undefined)
      .map((tool) => publishedTool(dispatch, tool, config.confirmation));
  if (config.mode === 'minimal') return three;
  // A catalog of an earlier version may hold an operation of one of these names; the router's own tools keep them.
  const ours = new Set(three.map(({ definition }) => definition.name));
  if (config.mode === 'direct') return [...three, ...publish(catalog.names().filter((name) => !ours.has(name)))];
  return [
    ...three,
    ...publish(['invoke_read_tool_batch', 'invoke_tools_batch', 'plan_tool_workflow']),
    ...wrappers(dispatch, callable),
  ];
}

/** The router's own tools are for everybody; what they reach is decided call by call. */
function isListed(config: Config, catalog: Catalog, name: string, access: PrincipalAccess): boolean {
  const tool = catalog.tool(name);
  if (tool === undefined) return true;
  const { visible, allowed, missingScope } = decideFor(config, tool.platform, tool.capability, access);
  // A client that sees what a scope would open can ask for the scope.
  return visible && (allowed || missingScope !== undefined);
}

/** In direct mode the list may leave out a tool because of its gate. A call of it by name gets that reason. */
function refusedByName(dispatch: Dispatch, catalog: Catalog, name: string): PublicTool | undefined {
  const tool = catalog.tool(name);
  return tool && publishedTool(dispatch, tool, 'elicit');
}

interface Choosing {
  hint: string;
  most: number;
  access: PrincipalAccess | undefined;
}

function chosen(config: Config, finder: Finder, { hint, most, access }: Choosing): Choice[] {
  const own = access === undefined ? {} : { access };
  return finder.find({ query: hint, topK: most, ...own }).hits.map(({ tool, score }) => ({
    name: tool.name,
    score,
    capability: tool.capability,
    params: tool.params,
    open: decideFor(config, tool.platform, tool.capability, access).allowed,
  }));
}

/** What a model reads once per connection. Every sentence changes what it does next. */
export function instructionsFor(config: Config): string {
  const writes =
    config.access.readonly || config.access.openBinding || config.access.profile === 'safe-read-only'
      ? 'This router is read-only. '
      : '';
  return (
    'Reach thousands of network-platform operations through three tools. 1) find_tool with the task in plain words (object and action). ' +
    '2) Reads: invoke_read_tool with the name and arguments. 3) Diagnostics and changes: invoke_tool. ' +
    `${writes}A change is previewed first (dry_run defaults to true); show the preview, then apply it with dry_run: false, confirm: true and its plan_token. ` +
    'Names and ids come from list tools: never guess them. A started job answers with `poll`: call that tool until it ends. ' +
    'A refusal has isError and a code; read its hint and do not retry unchanged.'
  );
}
