/** Where the HTTP surface may listen. Loopback unless the operator named who may call; a wrong form refuses the start. */
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
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];
const LOOPBACK_NAMES = ['127.0.0.1:*', 'localhost:*', '[::1]:*', '127.0.0.1', 'localhost', '[::1]'];
const HOST_ENTRY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(\d{1,5}|\*))?$/i;
const ORIGIN_ENTRY = /^(https?:\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(\d{1,5}|\*))?$/i;

/** Whether only this machine can reach a bind address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host.toLowerCase());
}

export function checkBinding(environment: Environment, transport: 'stdio' | 'streamable-http'): HttpBinding {
  const host = environment.set('MCP_HOST') ?? '127.0.0.1';
  const bearerToken = environment.set('MCP_HTTP_BEARER_TOKEN');
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
  const allowedHosts = entries(environment, 'MCP_ALLOWED_HOSTS', HOST_ENTRY);
  const allowedOrigins = entries(environment, 'MCP_ALLOWED_ORIGINS', ORIGIN_ENTRY);
  const protection = environment.flag('MCP_DNS_REBINDING_PROTECTION');
  const insecure = environment.flag('SVC_MCP_ALLOW_INSECURE_HTTP_BINDING');
  if (transport === 'streamable-http') {
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
  return {
    host,
    port: environment.number('MCP_PORT'),
    checkNames: protection,
    allowedHosts: allowedHosts.length > 0 ? allowedHosts : LOOPBACK_NAMES,
    allowedOrigins: allowedOrigins.length > 0 ? allowedOrigins : LOOPBACK_NAMES,
    ...(bearerToken === undefined ? {} : { bearerToken }),
  };
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
