/** Environment, `.env` and platform files → one frozen configuration, or a precise refusal to start. */
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NetworkSettings } from '../egress/dispatcher.ts';
import { specialAddress } from '../egress/special-addresses.ts';
import { RouterError } from '../errors.ts';
import { type AccessSettings, readAccess } from './access-settings.ts';
import { type ApprovalSettings, readApprovals } from './approval-settings.ts';
import { type AuditExportSettings, readAudit } from './audit-settings.ts';
import { Environment, invalid, type RawEnvironment, unlisted } from './environment.ts';
import { homeFolder } from './home-folder.ts';
import { type KnowledgeSettings, readKnowledge } from './knowledge-settings.ts';
import { checkBinding, type HttpBinding } from './listen-address.ts';
import { readNetwork } from './network-settings.ts';
import { type OAuthSettings, readOAuth } from './oauth-settings.ts';
import { authsOf, type PlatformDefinition, readPlatformFiles, readUserPlatforms } from './platform-file.ts';
import { PlatformSnapshot, readShippedPlatforms } from './platform-snapshot.ts';
import { type RedisAddress, readRedis } from './redis-address.ts';
import { readTracesUrl } from './traces-settings.ts';
import { ALWAYS_ON, LOCAL_TOOLSETS, PRODUCTS, TOOLSETS, VARIABLES } from './variables.ts';
import { readWriteSettings, type WriteSettings } from './write-settings.ts';

export type RouterMode = 'minimal' | 'default' | 'direct';

export interface Config {
  root: string;
  /** Where the user's own platforms live. */
  configDir: string;
  catalogDir: string;
  transport: 'stdio' | 'streamable-http';
  http: HttpBinding;
  stateless: boolean;
  /** File of the principals; undefined where everybody who may call may call alike. */
  principalsPath: string | undefined;
  /** The authorization server whose tokens are accepted; undefined where there is none. */
  oauth: OAuthSettings | undefined;
  /** Router processes behind one address. */
  replicas: number;
  /** State that must survive a restart and that replicas must share. */
  stateDir: string;
  /** A key file that the operator keeps; undefined for one made in the state folder. */
  signingKeysPath: string | undefined;
  /** What replicas share instead of files; undefined where none is configured. */
  redis: RedisAddress | undefined;
  knowledge: KnowledgeSettings;
  mode: RouterMode;
  /** Every platform this build has, and those that are served. */
  known: readonly PlatformDefinition[];
  platforms: readonly PlatformDefinition[];
  /** Toolsets of local tools that are served; they have no platform file. */
  localToolsets: readonly string[];
  /** Optional products that were asked for. */
  products: 'all' | readonly string[];
  access: AccessSettings;
  confirmation: 'elicit' | 'token';
  /** Longest message of one question to the person, in characters. */
  approvalMaxCharacters: number;
  approvals: ApprovalSettings;
  /** When writes may be sent, and how many in an hour. */
  writes: WriteSettings;
  /** May a migration run be taken back? The gate of its target must be open as well. */
  rollbackWrites: boolean;
  credentialsPath: string;
  /** Folder of files that calls may send; undefined where none is named. */
  uploadDir: string | undefined;
  /** Origins that may be connected to; undefined where the accounts decide alone. */
  egress: readonly string[] | undefined;
  /** Endpoint of traces; undefined where none are made. */
  tracesUrl: string | undefined;
  /** Proxy and certificate authority of connections to platforms. */
  network: NetworkSettings;
  /** Environment values that override fields of the credentials file, by section and field. */
  credentialOverrides: Readonly<Record<string, Readonly<Record<string, string>>>>;
  tokenCacheDir: string;
  ratePerSecond: number;
  callTimeoutMs: number;
  response: { maxItems: number; maxBytes: number; batchMaxBytes: number; cursorTtlSeconds: number };
  /** Whether calls are counted, and whether `/metrics` exists. */
  metrics: { collect: boolean; route: boolean };
  /** Where every call leaves a line; undefined where the operator wants none. */
  auditLog: string | undefined;
  /** Where its lines go beside the file. */
  auditExport: AuditExportSettings;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** Things an operator should know that do not prevent the start. */
  warnings: readonly string[];
}

export interface ConfigSources {
  env: RawEnvironment;
  cwd?: string;
  /** The package root: platform files, documents and `var/` live under it. */
  root?: string;
  /** Leaves no trace on the disk, for whoever only looks. */
  lookOnly?: boolean;
}

export const packageRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export function loadConfig({ env, cwd = process.cwd(), root = packageRoot, lookOnly = false }: ConfigSources): Config {
  const environment = new Environment(env, cwd);
  const folder = join(root, 'server', 'platforms');
  const shipped = lookOnly
    ? readPlatformFiles(folder)
    : readShippedPlatforms(folder, join(root, 'var', 'platforms.json'));
  const configDir = environment.path('SVC_MCP_CONFIG_DIR');
  const ownSnapshot = lookOnly ? undefined : new PlatformSnapshot(join(configDir, 'platforms.json'));
  const user = readUserPlatforms(join(configDir, 'platforms'), reservedNames(shipped), ownSnapshot?.read);
  ownSnapshot?.keep();
  const known = [...shipped, ...user.platforms];
  // Tools of user documents never go into a catalog that other users share.
  const ownCatalog = user.platforms.length > 0 ? join(configDir, 'catalog') : sharedCatalog(root);
  const transport = environment.choice<Config['transport']>('MCP_TRANSPORT');
  const http = checkBinding(environment, transport);
  const access = { ...readAccess(environment, known), ...(http.open ? { openBinding: true } : {}) };
  const redis = readRedis(environment);
  const approvals = readApprovals(environment, configDir);
  return Object.freeze({
    root,
    configDir,
    catalogDir: environment.path('SVC_MCP_CATALOG_DIR', ownCatalog),
    transport,
    http,
    stateless: environment.flag('SVC_MCP_STATELESS') || environment.number('SVC_MCP_REPLICAS') > 1,
    principalsPath: environment.optionalPath('SVC_MCP_PRINCIPALS_PATH'),
    oauth: readOAuth(environment, { transport, ...http }),
    replicas: environment.number('SVC_MCP_REPLICAS'),
    stateDir: environment.path('SVC_MCP_STATE_DIR'),
    signingKeysPath: environment.optionalPath('SVC_MCP_SIGNING_KEYS_PATH'),
    redis,
    knowledge: readKnowledge(environment, redis),
    mode: environment.choice<RouterMode>('SVC_MCP_ROUTER_MODE'),
    known,
    platforms: selectPlatforms(environment, known),
    localToolsets: selectLocalToolsets(environment),
    products: productList('SVC_MCP_PRODUCTS', environment.list('SVC_MCP_PRODUCTS')),
    access,
    confirmation: environment.choice<Config['confirmation']>('SVC_MCP_CONFIRMATION'),
    approvalMaxCharacters: environment.number('SVC_MCP_APPROVAL_MAX_CHARACTERS'),
    approvals,
    writes: readWriteSettings(environment, known, approvals),
    rollbackWrites: environment.flag('SVC_MCP_LEGACY_ROLLBACK_WRITES'),
    credentialsPath: environment.path('CREDS_PATH'),
    uploadDir: environment.optionalPath('SVC_MCP_UPLOAD_DIR'),
    egress: readEgress(environment),
    tracesUrl: readTracesUrl(environment, readEgress(environment)),
    network: readNetwork(environment),
    credentialOverrides: readCredentialOverrides(environment, known),
    tokenCacheDir: environment.path('TOKEN_CACHE_DIR'),
    ratePerSecond: environment.number('SVC_MCP_RATE_PER_SECOND'),
    callTimeoutMs: environment.number('SVC_MCP_CALL_TIMEOUT_SECONDS') * 1000,
    response: {
      maxItems: environment.number('SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS'),
      maxBytes: environment.number('SVC_MCP_ROUTER_RESPONSE_MAX_BYTES'),
      batchMaxBytes: environment.number('SVC_MCP_ROUTER_BATCH_RESPONSE_MAX_BYTES'),
      cursorTtlSeconds: environment.number('SVC_MCP_ROUTER_CURSOR_TTL_SECONDS'),
    },
    metrics: { collect: environment.flag('SVC_MCP_METRICS'), route: environment.flag('SVC_MCP_METRICS_HTTP') },
    ...readAudit(environment, readEgress(environment)),
    logLevel: environment.choice<Config['logLevel']>('SVC_MCP_LOG_LEVEL'),
    warnings: [...user.problems, ...environment.dotEnvProblems, ...unknownVariables(environment, known)],
  });
}

/**
 * The next version replaces an installed package, and another user may own its folder. So derived files are outside of
 * it.
 */
export function sharedCatalog(root: string): string {
  const installed = root.split(sep).includes('node_modules');
  return installed ? join(homeFolder(), '.cache', 'svc-mcp', 'catalog') : join(root, 'var', 'catalog');
}

/** Names that a user's own platform cannot have, because they mean something already. */
export function reservedNames(shipped: readonly Pick<PlatformDefinition, 'id'>[]): Set<string> {
  return new Set([...shipped.map(({ id }) => id), ...TOOLSETS, ...PRODUCTS, ...ALWAYS_ON, 'all', 'local', 'target']);
}

/** Served platforms: the toolsets asked for, the products on top, and whatever a user added. */
export function selectPlatforms(environment: Environment, known: readonly PlatformDefinition[]): PlatformDefinition[] {
  const wanted = new Set(known.filter(({ kind }) => kind === 'user').map(({ id }) => id));
  for (const [variable, kind, names] of [
    ['SVC_MCP_TOOLSETS', 'toolset', TOOLSETS],
    ['SVC_MCP_PRODUCTS', 'product', PRODUCTS],
  ] as const) {
    const here = known.filter((platform) => platform.kind === kind).map(({ id }) => id);
    for (const name of environment.list(variable)) {
      if (name !== 'all') checkPlatformName(environment, variable, name, names, here);
      for (const id of name === 'all' ? here : [name]) wanted.add(id);
    }
  }
  return known.filter((platform) => wanted.has(platform.id));
}

/** Ids of the optional products that are served. A catalog of the default build holds none of their write tools. */
export const servedProducts = ({ platforms }: Pick<Config, 'platforms'>): string[] =>
  platforms.filter(({ kind }) => kind === 'product').map(({ id }) => id);

/** A name of the default may be one that this build does not have; one that somebody set may not. */
function checkPlatformName(
  environment: Environment,
  variable: 'SVC_MCP_TOOLSETS' | 'SVC_MCP_PRODUCTS',
  name: string,
  names: readonly string[],
  here: readonly string[],
): void {
  if (!names.includes(name)) throw unlisted(variable, ['all', ...names], name);
  const local = (LOCAL_TOOLSETS as readonly string[]).includes(name);
  if (!local && !here.includes(name) && environment.set(variable) !== undefined)
    throw invalid(variable, `a list of what this build has (${here.join(', ') || 'none'})`, name);
}

/** `all`, or products by name; a name that is no product's is refused with the list of those there are. */
export function productList(setting: string, names: readonly string[]): 'all' | readonly string[] {
  const asked = names.map((name) => name.trim()).filter((name) => name !== '');
  for (const name of asked)
    if (name !== 'all' && !(PRODUCTS as readonly string[]).includes(name))
      throw unlisted(setting, ['all', ...PRODUCTS], name);
  return asked.includes('all') ? 'all' : [...new Set(asked)].sort();
}

/** Origins as the operator lists them, each http or https with nothing behind host and port. */
export function readEgress(environment: Environment): string[] | undefined {
  const name = 'SVC_MCP_EGRESS';
  const listed = environment.list(name).map((entry) => {
    const url = URL.canParse(entry) ? new URL(entry) : undefined;
    const plain = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
    // An entry of another form may hold a password, so it is not repeated.
    if (!plain) throw new RouterError('CONFIG_INVALID', `${name} should be a list of origins like https://host[:port]`);
    if (specialAddress(url.hostname) !== undefined) throw invalid(name, 'a list of origins of platforms', url.origin);
    return url.origin;
  });
  return listed.length === 0 ? undefined : listed;
}

function selectLocalToolsets(environment: Environment): string[] {
  const asked = environment.list('SVC_MCP_TOOLSETS');
  return [...ALWAYS_ON, ...LOCAL_TOOLSETS.filter((name) => asked.includes(name) || asked.includes('all'))];
}

/** The second account, to which a migration writes; no platform file speaks of it. */
export const TARGET_ACCOUNT = {
  section: 'target',
  variables: {
    base_url: 'TARGET_BASE_URL',
    client_id: 'TARGET_CLIENT_ID',
    client_secret: 'TARGET_CLIENT_SECRET',
    workspace_id: 'TARGET_GLP_WORKSPACE',
  },
} as const;

function readCredentialOverrides(
  environment: Environment,
  known: readonly PlatformDefinition[],
): Config['credentialOverrides'] {
  const overrides: Record<string, Record<string, string>> = {};
  for (const { section, variables, own = {} } of [...known.flatMap(authsOf), { ...TARGET_ACCOUNT, own: {} }]) {
    for (const [field, variable] of Object.entries<string>(variables)) {
      const ownVariable = (own as Record<string, string>)[field];
      const value = (ownVariable && environment.set(ownVariable)) ?? environment.set(variable);
      if (value === undefined) continue;
      overrides[section] ??= {};
      (overrides[section] as Record<string, string>)[field] = value;
    }
  }
  return overrides;
}

/** A misspelt gate or setting silently does nothing, so every unknown name in our own namespace is reported. */
function unknownVariables(environment: Environment, known: readonly PlatformDefinition[]): string[] {
  const names = new Set<string>(Object.keys(VARIABLES));
  for (const platform of known) if (platform.gate) names.add(platform.gate.variable);
  const ignored = environment.ignoredFiles;
  return [
    ...environment
      .names()
      .filter((name) => name.startsWith('SVC_MCP_') && !names.has(name) && !ignored.includes(name))
      .map((name) => `${name} is not a variable of this router and has no effect`),
    ...ignored.map((name) => `${name} is not read: only secrets come as files`),
  ];
}
