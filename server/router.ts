/** Assembles the router from a configuration: catalog, search, dispatch, tools, protocol, transport. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { decideFor, type PrincipalAccess } from './access/access-policy.ts';
import type { Tool } from './catalog/tool.ts';
import type { Catalog } from './catalog/tool-catalog.ts';
import { type Config, servedProducts } from './config/config.ts';
import type { CredentialsStore } from './config/credentials.ts';
import type { ServedConsole } from './console/serve-console.ts';
import { linkOf } from './dispatch/open-approvals.ts';
import { type OpenDispatch, openDispatch } from './dispatch/open-dispatch.ts';
import { Egress } from './egress/egress.ts';
import { Drain } from './http/drain.ts';
import { buildHttp, listen } from './http/server.ts';
import { SESSION_LIMITS } from './http/sessions.ts';
import { OAuthCallers } from './oauth/oauth-callers.ts';
import { ScopeDemand } from './oauth/scope-demand.ts';
import { type Observers, observersOf } from './observers.ts';
import { openFinder, openServedCatalog, version } from './open-catalog.ts';
import { Principals } from './principals/principals.ts';
import { STDIO_PAGE_BYTES } from './protocol/listed-tools.ts';
import { protocolFactory } from './protocol/protocol.ts';
import type { Finder } from './search/find.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { disabledSnapshot } from './telemetry/metrics.ts';
import { openOtlpTracer } from './telemetry/otlp-tracer.ts';
import { NO_TRACER, type Tracer } from './telemetry/tracer.ts';
import { type Choice, openLocalTools } from './tools/local/registry.ts';
import { counted } from './tools/public/counted-tool.ts';
import type { AnswerSources } from './tools/public/find-answer.ts';
import { findTool } from './tools/public/find-tool.ts';
import { InFlightCalls } from './tools/public/in-flight-calls.ts';
import { invokeReadTool } from './tools/public/invoke-read-tool.ts';
import { invokeTool } from './tools/public/invoke-tool.ts';
import type { PublicTool } from './tools/public/public-tool.ts';
import { instructionsFor, isListed, refusedByName, served, surface } from './tools/public/surface.ts';

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
  /** Sends the audit lines that wait for another system, for at most this time, and none after that. */
  sendAudit: (mostMs: number) => Promise<void>;
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
    sendAudit: async (mostMs) => opened.approvals.audit?.sendRest(mostMs),
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
