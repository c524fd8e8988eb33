/**
 * Where the HTTP surface may listen: loopback, or beyond it with both allow-lists and a bearer token. Without a token only the
 * quick look of a container is served (both lists name loopback alone), and then no write gate opens.
 */
import { RouterError } from '../errors.ts';
import { type Environment, invalid } from './environment.ts';

export interface HttpBinding {
  host: string;
  port: number;
  /** False only when an operator switched Host and Origin checks off, twice. */
  checkNames: boolean;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  bearerToken?: string;
  /** Bound beyond loopback without a bearer token: whoever reaches the address can call, so every write gate stays shut. */
  open: boolean;
}

/** Characters of a bearer token: 24 of base64 hold 144 bits. */
export const SHORTEST_BEARER = 24;

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const LOOPBACK_NAMES = ['127.0.0.1:*', 'localhost:*', '[::1]:*', '127.0.0.1', 'localhost', '[::1]'];
const HOST_ENTRY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(\d{1,5}|\*))?$/i;
const ORIGIN_ENTRY = /^(https?:\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(\d{1,5}|\*))?$/i;

/** Whether only this machine can reach a bind address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host.toLowerCase());
}

/**
 * Throws UNSAFE_HTTP_BINDING. `bearerToken`: for whoever reads secret files apart from the environment.
 * Source: specification, sections 1.5.7, 5.1 to 5.4 and 7.
 */
export function checkBinding(
  environment: Environment,
  transport: 'stdio' | 'streamable-http',
  bearerToken = environment.set('MCP_HTTP_BEARER_TOKEN'),
): HttpBinding {
  const host = environment.set('MCP_HOST') ?? '127.0.0.1';
  checkBearerToken(environment, transport, bearerToken);
  const allowedHosts = entries(environment, 'MCP_ALLOWED_HOSTS', HOST_ENTRY);
  const allowedOrigins = entries(environment, 'MCP_ALLOWED_ORIGINS', ORIGIN_ENTRY);
  const protection = environment.flag('MCP_DNS_REBINDING_PROTECTION');
  const insecure = environment.flag('SVC_MCP_ALLOW_INSECURE_HTTP_BINDING');
  const proven =
    bearerToken !== undefined ||
    hasPrincipals(environment, transport) ||
    environment.set('SVC_MCP_OAUTH_ISSUER') !== undefined;
  const open = transport === 'streamable-http' && !isLoopback(host) && !proven;
  if (transport === 'streamable-http') {
    checkNameLists({ host, protection, insecure, allowedHosts, allowedOrigins });
    if (open) checkQuickLook({ host, protection, allowedHosts, allowedOrigins });
  }
  return {
    host,
    port: environment.number('MCP_PORT'),
    checkNames: protection,
    allowedHosts: allowedHosts.length > 0 ? allowedHosts : LOOPBACK_NAMES,
    allowedOrigins: allowedOrigins.length > 0 ? allowedOrigins : LOOPBACK_NAMES,
    ...(bearerToken === undefined ? {} : { bearerToken }),
    open,
  };
}

/** Principals prove themselves by a bearer each, so they take the place of the one bearer. */
function hasPrincipals(environment: Environment, transport: 'stdio' | 'streamable-http'): boolean {
  const isSet = environment.set('SVC_MCP_PRINCIPALS_PATH') !== undefined;
  if (isSet && transport !== 'streamable-http')
    throw new RouterError(
      'UNSAFE_HTTP_BINDING',
      `SVC_MCP_PRINCIPALS_PATH is set, but MCP_TRANSPORT=${transport} has no HTTP on which principals could call`,
      { remedy: 'set MCP_TRANSPORT=streamable-http, or remove SVC_MCP_PRINCIPALS_PATH' },
    );
  return isSet;
}

function checkBearerToken(
  environment: Environment,
  transport: 'stdio' | 'streamable-http',
  bearerToken: string | undefined,
): void {
  if (environment.isEmpty('MCP_HTTP_BEARER_TOKEN') && transport === 'streamable-http') {
    // Somebody meant to protect the router; starting it open would be the opposite.
    throw invalid('MCP_HTTP_BEARER_TOKEN', 'a token, or not set at all', '');
  }
  if (bearerToken !== undefined && transport !== 'streamable-http') {
    throw new RouterError(
      'UNSAFE_HTTP_BINDING',
      `MCP_HTTP_BEARER_TOKEN is set, but MCP_TRANSPORT=${transport} has no HTTP to protect`,
      {
        remedy: 'set MCP_TRANSPORT=streamable-http, or remove the token',
      },
    );
  }
  const problem = bearerToken === undefined ? undefined : bearerProblem(bearerToken);
  if (problem !== undefined)
    throw new RouterError('UNSAFE_HTTP_BINDING', `MCP_HTTP_BEARER_TOKEN ${problem}`, {
      remedy: 'replace it by 64 hex digits: openssl rand -hex 32',
    });
}

/** Names the length and nothing of the token. One that no Authorization header can carry would lock everybody out. */
export function bearerProblem(token: string): string | undefined {
  if (token.length < SHORTEST_BEARER) return `should have at least ${SHORTEST_BEARER} characters, got ${token.length}`;
  return /^[\x21-\x7e]+$/.test(token) ? undefined : 'should be ASCII without blanks, got other characters';
}

/** The settings that protect an HTTP listener against requests with a foreign Host or Origin. */
interface NameLists {
  host: string;
  protection: boolean;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

function checkNameLists({
  host,
  protection,
  insecure,
  allowedHosts,
  allowedOrigins,
}: NameLists & { insecure: boolean }): void {
  if (!protection && !insecure) {
    throw new RouterError(
      'UNSAFE_HTTP_BINDING',
      'MCP_DNS_REBINDING_PROTECTION is off, which lets any web page call this router',
      {
        remedy: 'leave it on, or state the intent with SVC_MCP_ALLOW_INSECURE_HTTP_BINDING=1',
      },
    );
  }
  if (protection && !isLoopback(host) && (allowedHosts.length === 0 || allowedOrigins.length === 0)) {
    throw new RouterError(
      'UNSAFE_HTTP_BINDING',
      `MCP_HOST=${host} is not loopback (${LOOPBACK.join(', ')}), so both MCP_ALLOWED_HOSTS and MCP_ALLOWED_ORIGINS should be set; ` +
        `missing: ${[allowedHosts.length === 0 && 'MCP_ALLOWED_HOSTS', allowedOrigins.length === 0 && 'MCP_ALLOWED_ORIGINS'].filter(Boolean).join(', ')}`,
    );
  }
}

/** Beyond loopback without a token: only for callers that name this machine. */
function checkQuickLook({ host, protection, allowedHosts, allowedOrigins }: NameLists): void {
  if (!(protection && [...allowedHosts, ...allowedOrigins].every(namesLoopback)))
    throw new RouterError(
      'UNSAFE_HTTP_BINDING',
      `MCP_HOST=${host} is not loopback (${LOOPBACK.join(', ')}), so MCP_HTTP_BEARER_TOKEN should be set, got nothing`,
      {
        remedy:
          'set MCP_HTTP_BEARER_TOKEN or MCP_HTTP_BEARER_TOKEN_FILE (openssl rand -hex 32); a read-only quick look works without one while both allow-lists name loopback only',
      },
    );
}

/** True for an allow-list entry that only a client on this machine can send, with any scheme and port. */
function namesLoopback(entry: string): boolean {
  const host = /^(?:https?:\/\/)?(\[[^\]]*\]|[^:]*)(?::|$)/.exec(entry)?.[1] ?? '';
  return isLoopback(host.replace(/^\[|\]$/g, ''));
}

function entries(environment: Environment, name: 'MCP_ALLOWED_HOSTS' | 'MCP_ALLOWED_ORIGINS', form: RegExp): string[] {
  return environment.list(name).map((entry) => {
    if (form.test(entry)) return entry.toLowerCase();
    throw new RouterError(
      'UNSAFE_HTTP_BINDING',
      `${name} should hold entries like host, host:port or host:*, got ${JSON.stringify(entry)}`,
      {
        remedy: 'name each host; a wildcard may stand for the port only, as in <host>:*',
      },
    );
  });
}
