/** What of a router belongs to one catalog: search, dispatch and the listed tools. When the catalog changes, another takes its place. */
import { decideFor, type PrincipalAccess } from './access/access-policy.ts';
import type { EnsuredCatalog } from './catalog/ensure.ts';
import { inputsOf } from './catalog/inputs.ts';
import { openLatest, openUnchanged } from './catalog/store.ts';
import type { Tool } from './catalog/tool.ts';
import type { Catalog } from './catalog/tool-catalog.ts';
import { type Config, servedProducts } from './config/config.ts';
import type { CredentialsStore } from './config/credentials.ts';
import type { LocalRuns } from './dispatch/admission.ts';
import type { Invoker } from './dispatch/dispatch-call.ts';
import type { LazyDispatch } from './dispatch/lazy-dispatch.ts';
import type { linkOf } from './dispatch/open-approvals.ts';
import { RouterError } from './errors.ts';
import { ListedTools } from './protocol/listed-tools.ts';
import type { Finder } from './search/find.ts';
import { SEARCH_INDEX_FILE } from './search/index-file.ts';
import { openFinder } from './search/open-finder.ts';
import { SPEC_INDEX_FILE } from './spec-index/spec-index-file.ts';
import { errorFields, type Logger } from './telemetry/logger.ts';
import type { CompletedCall } from './telemetry/metrics.ts';
import { declarationFiles } from './tools/local/declaration-files.ts';
import type { Choice } from './tools/local/registry.ts';
import { counted } from './tools/public/counted-tool.ts';
import type { AnswerSources } from './tools/public/find-answer.ts';
import { findTool } from './tools/public/find-tool.ts';
import { InFlightCalls } from './tools/public/in-flight-calls.ts';
import { invokeReadTool } from './tools/public/invoke-read-tool.ts';
import { invokeTool } from './tools/public/invoke-tool.ts';
import { PUBLIC_NAMES } from './tools/public/public-names.ts';
import type { PublicTool } from './tools/public/public-tool.ts';
import { refusedByName, served, surface } from './tools/public/surface.ts';

/** A catalog with its search and the local tools over it. */
export interface SearchedCatalog {
  catalog: Catalog;
  finder: Finder;
  /** Loaded when it is first asked for. */
  local: () => Promise<LocalRuns>;
}

export interface ServedCatalog {
  catalog: Catalog;
  finder: Finder;
  /** The public surface of the router's mode. */
  tools: readonly PublicTool[];
  /** A tool that is not listed and yet has an answer. */
  unlisted: (name: string) => PublicTool | undefined;
  inFlight: InFlightCalls;
  local: SearchedCatalog['local'];
}

/** What a whole catalog has beside it. */
const BESIDE = [{ file: SEARCH_INDEX_FILE }, { file: SPEC_INDEX_FILE }];

/**
 * The catalog that a router serves. If a changed input does not build, the previous catalog stays in use, with an
 * error in the log, so that one fault does not take every platform down.
 */
export async function openServedCatalog(config: Config, logger: Logger): Promise<EnsuredCatalog> {
  try {
    const unchanged = openUnchangedCatalog(config);
    if (unchanged !== undefined) return { catalog: unchanged, built: false };
    const { openCatalog } = await import('./open-catalog.ts');
    return openCatalog(config, undefined, () => logger.info('catalog.building', { folder: config.catalogDir }));
  } catch (error) {
    const previous = error instanceof RouterError ? openLatest(config.catalogDir, BESIDE) : undefined;
    if (previous === undefined) throw error;
    logger.error('catalog.build_failed', { ...errorFields(error), serving: 'the catalog that was built before' });
    return { catalog: previous, built: false };
  }
}

/** What builds a catalog, and what compares it word for word, is a quarter of the router: loaded only where it is needed. */
function openUnchangedCatalog(config: Config): Catalog | undefined {
  const tools = { files: declarationFiles(), declared: () => [] };
  const { stamps } = inputsOf({ ...config, local: tools, reserved: PUBLIC_NAMES });
  return openUnchanged(config.catalogDir, stamps, BESIDE);
}

export function searchedCatalog(config: Config, catalog: Catalog, redis: ReturnType<typeof linkOf>): SearchedCatalog {
  const visible = (tool: Tool, access?: PrincipalAccess) => {
    const decision = decideFor(config, tool.platform, tool.capability, access);
    return decision.visible && decision.missingScope === undefined;
  };
  const finder = openFinder(config, catalog);
  const choose = (hint: string, most: number, access?: PrincipalAccess) =>
    chosen(config, finder, { hint, most, access });
  let local: Promise<LocalRuns> | undefined;
  const open = () =>
    import('./tools/local/registry.ts').then(({ openLocalTools }) =>
      openLocalTools({ config, catalog, redis, visible, choose }, config.localToolsets),
    );
  return { catalog, finder, local: () => (local ??= open()) };
}

export interface ServingParts {
  config: Config;
  credentials: CredentialsStore;
  dispatch: LazyDispatch;
  redis: ReturnType<typeof linkOf>;
  /** Told of every search that came to its end. */
  settled: ((call: CompletedCall) => void) | undefined;
}

/** How long a call of a catalog that was replaced may still need it. */
const LONGEST_CALL_MS = 10 * 60_000;

/** The catalog that is served now. */
export class CurrentCatalog {
  readonly #parts: ServingParts;
  readonly listed: ListedTools;
  /** Of every catalog that was served. */
  readonly inFlight = new InFlightCalls();
  #served: ServedCatalog;

  constructor(
    parts: ServingParts,
    first: SearchedCatalog,
    list: { pageBytes: number | undefined; canChange: boolean },
  ) {
    this.#parts = parts;
    this.#served = this.#serve(first);
    this.listed = new ListedTools(this.#served.tools, list.pageBytes, list.canChange);
  }

  get served(): ServedCatalog {
    return this.#served;
  }

  /** Resolves when a call would wait for nothing but itself. */
  async load(): Promise<void> {
    await Promise.all([this.#parts.dispatch.load(), this.#served.local()]);
  }

  /** The settings are those of its platforms by then. Calls in flight end with the catalog that they began with. */
  replace(catalog: Catalog): void {
    const { config, credentials, redis } = this.#parts;
    credentials.override(config.credentialOverrides);
    const searched = searchedCatalog(config, catalog, redis);
    const before = this.#served;
    this.#served = this.#serve(searched);
    this.listed.replace(this.#served.tools);
    void before.inFlight.none(LONGEST_CALL_MS).then(() => before.catalog.close());
  }

  #serve(searched: SearchedCatalog): ServedCatalog {
    const dispatch = this.#parts.dispatch.over(searched.catalog, searched.local);
    const served = servedCatalog(this.#parts, searched, dispatch);
    return { ...served, tools: served.tools.map((tool) => this.inFlight.watched(tool)) };
  }
}

function servedCatalog(
  { config, credentials, settled }: ServingParts,
  { catalog, finder, local }: SearchedCatalog,
  dispatch: Invoker,
): ServedCatalog {
  const find = counted(findTool(answerSources(config, catalog, finder, credentials), config.platforms), settled);
  const inFlight = new InFlightCalls();
  const tools = surface(config, catalog, dispatch, [find, invokeReadTool(dispatch), invokeTool(dispatch)]).map((tool) =>
    inFlight.watched(tool),
  );
  const unlisted = (name: string) => (config.mode === 'direct' ? refusedByName(dispatch, catalog, name) : undefined);
  return { catalog, finder, tools, unlisted, inFlight, local };
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
export function isConfigured(config: Config, credentials: CredentialsStore, id: string): boolean {
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
