/** Assembles the router from a configuration: catalog, search, dispatch, tools, protocol, transport. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { PrincipalAccess } from './access/access-policy.ts';
import { followCatalog } from './catalog-reload.ts';
import type { Config } from './config/config.ts';
import { version } from './config/package-version.ts';
import type { ServedConsole } from './console/serve-console.ts';
import { LazyDispatch } from './dispatch/lazy-dispatch.ts';
import { linkOf } from './dispatch/open-approvals.ts';
import { type CallParts, type DispatchEvents, openCallParts } from './dispatch/open-call-parts.ts';
import { Egress } from './egress/egress.ts';
import { Drain } from './http/drain.ts';
import { buildHttp, listen } from './http/server.ts';
import { SESSION_LIMITS } from './http/sessions.ts';
import { loadForCalls } from './lazy-import.ts';
import type { OAuthCallers } from './oauth/oauth-callers.ts';
import type { ScopeDemand } from './oauth/scope-demand.ts';
import { type Observers, observersOf } from './observers.ts';
import type { Principals } from './principals/principals.ts';
import { type ListedTools, STDIO_PAGE_BYTES } from './protocol/listed-tools.ts';
import { protocolFactory } from './protocol/protocol.ts';
import type { Finder } from './search/find.ts';
import {
  CurrentCatalog,
  isConfigured,
  openServedCatalog,
  type ServedCatalog,
  searchedCatalog,
} from './served-catalog.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { disabledSnapshot, type StateNow } from './telemetry/metrics.ts';
import { NO_TRACER, type Tracer } from './telemetry/tracer.ts';
import type { PublicTool } from './tools/public/public-tool.ts';
import { instructionsFor, isListed } from './tools/public/surface.ts';

export interface Router {
  /** The protocol server for both transports. */
  factory: McpServerFactory;
  /** The public surface of this mode, chosen by hand below. */
  tools: readonly PublicTool[];
  /** These tools as `tools/list` answers them. */
  listed: ListedTools;
  instructions: string;
  finder: Finder;
  catalog: ServedCatalog['catalog'];
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
  /** Loads what the first calls need and learns the secrets of every account: soon after the start, because it takes a while. */
  prepareForCalls: () => Promise<void>;
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

export interface RouterOptions {
  /** Reads the settings again, so that platforms which a user adds or removes are served without a restart. */
  reread?: () => Config;
  /** How often it looks for them. */
  lookEveryMs?: number;
}

export async function openRouter(
  given: Config,
  logger: Logger = createLogger(given.logLevel),
  { reread, lookEveryMs }: RouterOptions = {},
): Promise<Router> {
  const startedMs = performance.now();
  // A copy: what belongs to the user's platforms follows them.
  const config: Config = { ...given, access: { ...given.access } };
  const { catalog, built } = await openServedCatalog(config, logger);
  if (built)
    logger.info('catalog.built', { tools: catalog.summary.tools, quarantined: catalog.summary.quarantined.length });
  const redis = linkOf(config, logger);
  const first = searchedCatalog(config, catalog, redis);
  const observers = observersOf(config, () => dispatch.waits());
  const tracer = await tracerOf(config, logger);
  const parts = openCallParts(config, logger, eventsOf(observers, tracer), redis);
  const { confirmations, credentials } = parts;
  const dispatch = new LazyDispatch(parts);
  const overStdio = config.transport === 'stdio';
  const current = new CurrentCatalog({ config, credentials, dispatch, redis, settled: observers.settled }, first, {
    pageBytes: overStdio ? STDIO_PAGE_BYTES : undefined,
    canChange: config.mode === 'direct' && reread !== undefined,
  });
  const { listed } = current;
  const forget = reread && followCatalog({ config, reread, current, logger, everyMs: lookEveryMs });
  const instructions = instructionsFor(config);
  const callers = await callersOf(config, current, logger);
  const factory = protocolFactory({
    version,
    instructions,
    tools: listed,
    unlisted: (name) => current.served.unlisted(name),
    confirmations,
    logger,
    listedFor: callers.listedFor,
    tracer,
    anonymous: overStdio ? 'local' : 'anonymous',
  });
  const close = () => {
    forget?.();
    parts.close();
    current.served.catalog.close();
  };
  const serveConsole = () => consoleOf(parts, observers, () => current.served.finder);
  return {
    factory,
    listed,
    get tools() {
      return current.served.tools;
    },
    instructions,
    get finder() {
      return current.served.finder;
    },
    get catalog() {
      return current.served.catalog;
    },
    ready: parts.ready,
    serveHttp: () =>
      serveHttp(config, { factory, listed, ...callers, parts, observers, serveConsole, startedMs, logger }),
    serveConsole,
    sendTraces: (mostMs) => tracer.send(mostMs),
    sendAudit: async (mostMs) => parts.approvals.audit?.sendRest(mostMs),
    idle: (mostMs) => current.inFlight.none(mostMs),
    prepareForCalls: async () => {
      loadForCalls();
      credentials.readSecrets();
      current.served.finder.prepare();
      await current.load();
    },
    close,
    [Symbol.dispose]: close,
  };
}

/** What happens beside the calls of a router. */
function eventsOf({ answers, settled, consoleAt }: Observers, tracer: Tracer): DispatchEvents {
  const linkTo = (id: string) => consoleAt.url && `${consoleAt.url}/approvals/${id}`;
  return { ...answers, ...(settled ? { onCompleted: settled } : {}), linkTo, tracer };
}

/** Who may call, and what of the tools each of them sees; the whole list where all callers are alike. */
async function callersOf(config: Config, current: CurrentCatalog, logger: Logger) {
  const principals = await principalsOf(config, logger);
  const { oauth, scopes } = await oauthOf(config, { principals, current, logger });
  const isShared = principals === undefined && oauth === undefined;
  const listedFor = isShared
    ? undefined
    : (name: string, access: PrincipalAccess) => isListed(config, current.served.catalog, name, access);
  return { principals, oauth, scopes, listedFor };
}

/** Loads no package where nothing is traced. Throws CONFIG_INVALID where the packages are not installed. */
async function tracerOf({ tracesUrl: url }: Config, logger: Logger): Promise<Tracer> {
  if (url === undefined) return NO_TRACER;
  const { openOtlpTracer } = await import('./telemetry/otlp-tracer.ts');
  return openOtlpTracer({ url, version, logger });
}

/** The console of this configuration; undefined where there is none. Loaded only here, so that a router without one starts as fast. */
async function consoleOf(
  { config, approvals, credentials, logger }: CallParts,
  { calls, consoleAt }: Observers,
  finder: () => Finder,
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
  listed: ListedTools;
  principals: Principals | undefined;
  oauth: OAuthCallers | undefined;
  scopes: ScopeDemand | undefined;
  parts: CallParts;
  observers: Observers;
  serveConsole: Router['serveConsole'];
  /** Of the process's monotonic clock, when the router was opened. */
  startedMs: number;
  logger: Logger;
}

async function serveHttp(
  config: Config,
  {
    factory,
    listed,
    principals,
    oauth,
    scopes,
    parts,
    observers: { metrics },
    serveConsole,
    startedMs,
    logger,
  }: ServedParts,
): Promise<Served> {
  await parts.ready();
  const drain = new Drain();
  const app = buildHttp({
    drain,
    binding: config.http,
    principals,
    oauth,
    credentials: () => parts.credentials.readiness(config.platforms),
    ...(config.metrics.route
      ? {
          metrics: async ({ size }) =>
            metrics?.snapshot(await stateNow(parts, config.stateless ? undefined : size)) ??
            disabledSnapshot((performance.now() - startedMs) / 1000),
        }
      : {}),
    mcp: { factory, listed, stateless: config.stateless, limits: SESSION_LIMITS, logger },
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

async function stateNow({ approvals: { service, audit }, link }: CallParts, sessions?: number): Promise<StateNow> {
  // A store that does not answer leaves the other metrics as they are.
  const pending = await service?.pending().then(
    ({ length }) => length,
    () => null,
  );
  return { pending, sessions, redisUp: link?.up, auditExports: audit?.exportStates() };
}

async function principalsOf(config: Config, logger: Logger): Promise<Principals | undefined> {
  if (config.principalsPath === undefined) return undefined;
  const { Principals } = await import('./principals/principals.ts');
  return new Principals(config.principalsPath, config, logger);
}

interface OAuthParts {
  principals: Principals | undefined;
  current: CurrentCatalog;
  logger: Logger;
}

/** Throws CONFIG_INVALID for an unknown scope of the settings. */
async function oauthOf(
  config: Config,
  { principals, current, logger }: OAuthParts,
): Promise<{ oauth: OAuthCallers | undefined; scopes: ScopeDemand | undefined }> {
  const { oauth: settings, egress: listed, network } = config;
  if (settings === undefined) return { oauth: undefined, scopes: undefined };
  const [{ OAuthCallers }, { ScopeDemand }] = await Promise.all([
    import('./oauth/oauth-callers.ts'),
    import('./oauth/scope-demand.ts'),
  ]);
  return {
    oauth: new OAuthCallers({ config, settings, egress: new Egress({ listed, network }), principals, logger }),
    scopes: new ScopeDemand({ config, toolNamed: (name) => current.served.catalog.tool(name) }),
  };
}
