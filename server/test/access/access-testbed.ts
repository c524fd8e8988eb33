/**
 * The router's own parts under one setting, without a wire: dispatch, outbound client, find and list over the whole catalog,
 * and in place of the platforms a `fetch` that answers everything and keeps count.
 */
import { join } from 'node:path';
import type { PrincipalAccess } from '../../access/access-policy.ts';
import { type Grant, issueGrant, spendGrant } from '../../access/grant.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { Catalog } from '../../catalog/tool-catalog.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { CredentialsStore } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { Cursors } from '../../dispatch/cursor.ts';
import { Dispatch } from '../../dispatch/dispatch.ts';
import type { Result } from '../../dispatch/dispatch-call.ts';
import { RequestDigests } from '../../dispatch/exact-request.ts';
import { fixedKeys } from '../../dispatch/keyring.ts';
import { PLAN_TOKEN_SECONDS, type Plan, PlanTokens } from '../../dispatch/plan-token.ts';
import { buildRequest } from '../../dispatch/request.ts';
import { MemorySingleUse } from '../../dispatch/single-use.ts';
import type { Validators } from '../../dispatch/validate.ts';
import { RouterError } from '../../errors.ts';
import { OutboundClient } from '../../outbound/client.ts';
import { Logins } from '../../outbound/logins.ts';
import { TokenCache } from '../../outbound/token-cache.ts';
import { openRouter } from '../../router.ts';
import type { Finder } from '../../search/find.ts';
import { openFinder } from '../../search/open-finder.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { openLocalTools } from '../../tools/local/registry.ts';
import type { PublicTool } from '../../tools/public/public-tool.ts';
import { isListed } from '../../tools/public/surface.ts';
import { approver, nobody } from '../support/approvers.ts';
import { demoAccount } from '../support/child-process.ts';
import type { Cell } from './access-reference.ts';
import { STATES, type State, type TokenSource } from './access-states.ts';
import type { SubjectTool } from './subject-tool.ts';
import { TABLE_PRINCIPALS } from './table-principals.ts';
import { type Setting, variablesOf } from './table-settings.ts';

export interface Upstream {
  method: string;
  platform: string;
}

/** Requests that are no login, since last asked. */
export class CountedNetwork {
  #seen: Upstream[] = [];

  constructor(platforms: readonly PlatformDefinition[]) {
    const logins = new Set(
      platforms.map(({ id, auth }) => `/${id}.test${auth.token_path ?? auth.login_path ?? ' none'}`),
    );
    const login = {
      access_token: 't',
      token: 't',
      expires_in: 7200,
      token_type: 'Bearer',
      session_id: 's',
      csrf_token: 'c',
    };
    globalThis.fetch = async (input, init) => {
      const url = new URL(String(input));
      const isLogin = logins.has(`/${url.hostname}${url.pathname}`);
      if (!isLogin) this.#seen.push({ method: init?.method ?? 'GET', platform: url.hostname.split('.')[0] as string });
      return new Response(isLogin ? JSON.stringify(login) : '{}', { headers: { 'content-type': 'application/json' } });
    };
  }

  take(): Upstream[] {
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }
}

export function configOf(setting: Setting, folder: string, more: Record<string, string> = {}): Config {
  const platforms = ['NAC', 'CLOUDWLAN', 'SDWAN', 'LEGACY', 'FABRIC', 'SSE', 'SENSORS', 'ANALYTICS', 'WORKSPACE'];
  const accounts = platforms.flatMap((id) => [
    [`SVC_${id}_BASE_URL`, `http://${id.toLowerCase()}.test`],
    ...['CLIENT_ID', 'CLIENT_SECRET', 'API_TOKEN', 'USERNAME', 'PASSWORD'].map((field) => [
      `SVC_${id}_${field}`,
      `demo-${field.toLowerCase()}`,
    ]),
  ]);
  return loadConfig({
    env: {
      SVC_MCP_DOTENV: '0',
      ...Object.fromEntries(accounts),
      ...demoAccount('http://mgmt.test'),
      SOURCE_GLP_WORKSPACE: 'demo',
      SVC_MCP_PRODUCTS: 'all',
      SVC_MCP_TOOLSETS: 'all',
      SVC_MCP_RATE_PER_SECOND: '0',
      SVC_MCP_LOG_LEVEL: 'silent',
      CREDS_PATH: join(folder, 'none.yaml'),
      TOKEN_CACHE_DIR: join(folder, 'tokens'),
      SVC_MCP_STATE_DIR: join(folder, 'state'),
      SVC_MCP_CONFIG_DIR: join(folder, 'user'),
      ...variablesOf(setting),
      ...more,
    },
    cwd: folder,
  });
}

/** Plan tokens that remember the plan of the last preview, so that tokens of other plans can be made beside it. */
class RememberingPlans extends PlanTokens {
  last: Plan | undefined;

  override issue(plan: Plan, target?: string): string {
    this.last = plan;
    return super.issue(plan, target);
  }
}

export interface TestbedParts {
  folder: string;
  catalog: Catalog;
  /** The catalog with an index of next to nothing: ranking has no say in what may be shown, exact names are found anyway. */
  findable: Catalog;
  validators: Validators;
}

export class Testbed {
  readonly config: Config;
  readonly #access: PrincipalAccess | undefined;
  readonly dispatch: Dispatch;
  readonly finder: Finder;
  readonly #catalog: Catalog;
  readonly #outbound: OutboundClient;
  readonly #plans: RememberingPlans;
  readonly #expired: PlanTokens;

  constructor(setting: Setting, { folder, catalog, findable, validators }: TestbedParts) {
    this.config = configOf(setting, folder);
    this.#access = setting.principal && TABLE_PRINCIPALS[setting.principal];
    const { config } = this;
    this.#catalog = catalog;
    const logger = createLogger('silent');
    const keys = fixedKeys(new Uint8Array(32).fill(7));
    const used = new MemorySingleUse();
    this.#plans = new RememberingPlans(keys, used);
    this.#expired = new PlanTokens(keys, used, () => Date.now() - (PLAN_TOKEN_SECONDS + 1) * 1000);
    this.#outbound = new OutboundClient({
      access: config.access,
      credentials: new CredentialsStore(config.credentialsPath, config.credentialOverrides),
      logins: new Logins({ cache: new TokenCache(config.tokenCacheDir, () => undefined), secrets: logger.secrets }),
      ratePerSecond: 0,
      timeoutMs: 30_000,
      logger,
    });
    const local = openLocalTools({ config, catalog, visible: () => true, choose: () => [] }, config.localToolsets);
    this.dispatch = new Dispatch({
      config,
      catalog,
      outbound: this.#outbound,
      local,
      plans: this.#plans,
      digests: new RequestDigests(keys),
      cursors: new Cursors(keys, 900),
      logger,
      validators,
    });
    this.finder = openFinder(config, findable);
  }

  /** The tools that a client of direct mode sees, by name. */
  async listed(): Promise<Map<string, PublicTool['definition']>> {
    using router = await openRouter({ ...this.config, mode: 'direct' }, createLogger('silent'));
    const shown = ({ definition }: PublicTool) =>
      this.#access === undefined || isListed(this.config, this.#catalog, definition.name, this.#access);
    return new Map(router.tools.filter(shown).map(({ definition }) => [definition.name, definition]));
  }

  /** How find_tool shows a tool to the caller; undefined where it does not. */
  found(name: string): { gate?: 'closed' } | undefined {
    const own = this.#access === undefined ? {} : { access: this.#access };
    const hit = this.finder.find({ query: name, topK: 10, ...own }).hits.find(({ tool }) => tool.name === name);
    return hit && this.finder.describe(hit.tool, this.#access);
  }

  /** Calls with the controls, token and person of a state, in a batch or alone. */
  async call(
    tool: SubjectTool,
    dispatcher: Cell['dispatcher'],
    state: State,
    preview: Preview | undefined,
  ): Promise<Result> {
    const token = await this.#tokenOf(state.token, preview?.plan);
    const args = {
      ...tool.args,
      ...state.controls,
      ...(token === undefined ? {} : { plan_token: token }),
      ...(state.named && preview ? { confirm_object: preview.object } : {}),
    };
    const who = state.answer === 'nobody' ? nobody : approver(state.answer);
    const inBatch = dispatcher === 'invoke_read_tool_batch' || dispatcher === 'invoke_tools_batch';
    return this.dispatch.invoke({
      dispatcher:
        dispatcher === 'invoke_read_tool' || dispatcher === 'invoke_read_tool_batch'
          ? 'invoke_read_tool'
          : 'invoke_tool',
      name: inBatch ? dispatcher : tool.name,
      arguments: inBatch ? { calls: [{ name: tool.name, arguments: args }] } : args,
      principal: 'local',
      ...(this.#access === undefined ? {} : { access: this.#access }),
      approver: who,
    });
  }

  /** The plan of a tool's dry run, and the object it names; nothing where the dry run is refused. */
  async preview(tool: SubjectTool): Promise<Preview | undefined> {
    this.#plans.last = undefined;
    const result = await this.call(tool, 'invoke_tool', STATES[0] as State, undefined);
    const plan = this.#plans.last as Plan | undefined;
    if (result.kind !== 'done' || plan === undefined) return undefined;
    return { plan, object: (result.result as { object: string }).object };
  }

  async #tokenOf(source: TokenSource, plan: Plan | undefined): Promise<string | undefined> {
    if (source === 'none') return undefined;
    if (source === 'invented' || plan === undefined) return 'bG9va3Mgc2lnbmVk.bm90IHNpZ25lZA';
    if (source === 'expired') return this.#expired.issue(plan);
    const token = this.#plans.issue(typeof source === 'function' ? source(plan) : plan);
    if (source !== 'used') return token;
    const checked = await this.#plans.check(token, plan);
    if (!checked.ok || !(await this.#plans.consume(checked))) throw new Error('a fresh token should be spendable');
    return token;
  }

  /** A request straight to the outbound client, as if dispatch had been got around. */
  async send(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    capability: Cell['capability'],
    grant: GrantState,
  ): Promise<'sent' | 'blocked'> {
    const platform = this.config.platforms.find(({ id }) => id === tool.platform);
    const built = buildRequest(tool, args);
    if (!platform || !built.ok) throw new Error(`${tool.name} should have a request`);
    const { method, path, query, headers } = built.request;
    const account = this.#outbound.accountOf(platform).identity;
    const own = { platform: platform.id, capability, method, path, account };
    try {
      await this.#outbound.send({ platform, capability, method, path, query, headers, ...grantOf(grant, own) });
      return 'sent';
    } catch (error) {
      if (error instanceof RouterError && error.code === 'GRANT_MISSING') return 'blocked';
      throw error;
    }
  }
}

export interface Preview {
  plan: Plan;
  object: string;
}

export const GRANT_STATES = [
  'its own grant',
  'no grant',
  'a grant that was used',
  'a grant for another path',
  'a grant for another class',
  'a grant made by hand',
] as const;
type GrantState = (typeof GRANT_STATES)[number];

function grantOf(state: GrantState, own: Grant): { grant?: Grant } {
  switch (state) {
    case 'its own grant':
      return { grant: issueGrant(own) };
    case 'no grant':
      return {};
    case 'a grant that was used': {
      const grant = issueGrant(own);
      spendGrant(grant, own);
      return { grant };
    }
    case 'a grant for another path':
      return { grant: issueGrant({ ...own, path: `${own.path}/more` }) };
    case 'a grant for another class':
      return { grant: issueGrant({ ...own, capability: own.capability === 'write' ? 'destructive' : 'write' }) };
    case 'a grant made by hand':
      return { grant: own };
  }
}
