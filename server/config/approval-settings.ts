/** Who approves writes beside the person at the agent's client, and where operators do it. */
import { join } from 'node:path';
import { RouterError } from '../errors.ts';
import { type Environment, invalid } from './environment.ts';
import { isLoopback } from './listen-address.ts';

export interface ConsoleBinding {
  host: string;
  port: number;
  /** Origin under which operators open it; undefined for the address it listens at. */
  url: string | undefined;
  /** Where operators may sign in; undefined for passwords alone. */
  oidc?: OidcSettings;
}

/** The console as a client of an OpenID provider. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecretPath: string | undefined;
}

export interface ApprovalSettings {
  /** `client`: the person at the agent's client alone. Else operators answer where the client cannot. */
  mode: 'client' | 'operator' | 'two-for-destructive';
  /** Life of an approval in milliseconds. */
  lifeMs: number;
  /** File of the operators with their hashed passwords. */
  operatorsPath: string;
  /** Undefined where there is no console. */
  console: ConsoleBinding | undefined;
  /** Who is told that an approval waits. */
  webhook: WebhookSettings | undefined;
}

export interface WebhookSettings {
  url: string;
  keyPath: string;
}

/** Throws CONFIG_INVALID, CONFIG_CONTRADICTION or UNSAFE_HTTP_BINDING. */
export function readApprovals(environment: Environment, configDir: string): ApprovalSettings {
  const asked = environment.choice<ApprovalSettings['mode']>('SVC_MCP_APPROVALS');
  const tokenAlone = environment.choice('SVC_MCP_CONFIRMATION') === 'token';
  if (tokenAlone && asked !== 'client')
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      `SVC_MCP_CONFIRMATION=token contradicts SVC_MCP_APPROVALS=${asked}: with the token alone nobody is asked`,
    );
  const console = readConsole(environment);
  return {
    mode: asked === 'client' && console !== undefined && !tokenAlone ? 'operator' : asked,
    lifeMs: environment.number('SVC_MCP_APPROVAL_MINUTES') * 60_000,
    operatorsPath: environment.path('SVC_MCP_OPERATORS_PATH', join(configDir, 'operators.json')),
    console,
    webhook: readWebhook(environment),
  };
}

function readConsole(environment: Environment): ConsoleBinding | undefined {
  const port = portOf(environment.text('SVC_MCP_CONSOLE_PORT'));
  if (port === undefined) return undefined;
  const host = environment.text('SVC_MCP_CONSOLE_HOST');
  const url = originOf(environment.set('SVC_MCP_CONSOLE_URL'));
  const remedy = 'put a proxy with a certificate in front, and set SVC_MCP_CONSOLE_URL to its https:// address';
  if (!isLoopback(host) && !url?.startsWith('https://'))
    throw new RouterError(
      'UNSAFE_HTTP_BINDING',
      `SVC_MCP_CONSOLE_HOST=${host} is not loopback, so SVC_MCP_CONSOLE_URL should be set to an https:// address, got ${url ?? 'nothing'}`,
      { remedy },
    );
  const oidc = readOidc(environment, url);
  return { host, port, url, ...(oidc ? { oidc } : {}) };
}

const OIDC = 'SVC_MCP_CONSOLE_OIDC';

/** Over https alone: a yes over plain http needs a password, and who signs in elsewhere has none here. */
function readOidc(environment: Environment, url: string | undefined): OidcSettings | undefined {
  const [issuer, clientId] = [environment.set(`${OIDC}_ISSUER`), environment.set(`${OIDC}_CLIENT_ID`)];
  const secret = `${OIDC}_CLIENT_SECRET_PATH` as const;
  const isSecret = environment.set(secret) !== undefined;
  if (issuer === undefined && clientId === undefined && !isSecret) return undefined;
  if (issuer === undefined || clientId === undefined)
    throw new RouterError('CONFIG_INVALID', `${OIDC}_ISSUER and ${OIDC}_CLIENT_ID should be set together, got one`);
  if (!isIssuer(issuer))
    throw new RouterError(
      'CONFIG_INVALID',
      `${OIDC}_ISSUER should be an https:// address without a password, a query or a fragment, got another form`,
    );
  if (!url?.startsWith('https://'))
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      `${OIDC}_ISSUER needs SVC_MCP_CONSOLE_URL with https://, got ${url ?? 'nothing'}`,
      { remedy: 'put a proxy with a certificate in front, and set SVC_MCP_CONSOLE_URL to its https:// address' },
    );
  return { issuer, clientId, clientSecretPath: isSecret ? environment.path(secret) : undefined };
}

/** OpenID Connect Discovery 1.0, section 2; plain http on this machine alone. */
function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || `${url.search}${url.hash}${url.username}${url.password}` !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')));
}

function readWebhook(environment: Environment): WebhookSettings | undefined {
  const [name, keyName] = ['SVC_MCP_APPROVAL_WEBHOOK', 'SVC_MCP_APPROVAL_WEBHOOK_KEY_PATH'] as const;
  const text = environment.set(name);
  const isKeyed = environment.set(keyName) !== undefined;
  if (text === undefined && !isKeyed) return undefined;
  if (text === undefined || !isKeyed)
    throw new RouterError('CONFIG_INVALID', `${name} and ${keyName} should be set together, got one of them`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url !== undefined && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  const fits = url?.protocol === 'https:' || (url?.protocol === 'http:' && local);
  // An address of another form may hold a password, so it is not repeated.
  if (!fits || url.username !== '' || url.password !== '')
    throw new RouterError(
      'CONFIG_INVALID',
      `${name} should be an https:// address without a password, got another form`,
    );
  return { url: url.href, keyPath: environment.path(keyName) };
}

function portOf(text: string): number | undefined {
  if (text === 'off') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw invalid('SVC_MCP_CONSOLE_PORT', 'off, or a whole number from 0 to 65535', text);
  return port;
}

function originOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!plain) throw invalid('SVC_MCP_CONSOLE_URL', 'an origin like https://host[:port]', text);
  if (url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, '')))
    throw invalid('SVC_MCP_CONSOLE_URL', 'an https:// address beyond loopback', text);
  return url.origin;
}
