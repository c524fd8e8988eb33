/** How connections to platforms are made: through a company's proxy, and with its certificate authority. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NetworkSettings, ProxySettings } from '../egress/dispatcher.ts';
import { RouterError } from '../errors.ts';
import type { Environment } from './environment.ts';

export function readNetwork(environment: Environment): NetworkSettings {
  const proxy = readProxy(environment);
  const ca = readAuthorities(environment);
  return { ...(proxy ? { proxy } : {}), ...(ca ? { ca } : {}) };
}

/** The names of other programs, in capitals or not. */
const setting = (environment: Environment, name: string): string | undefined =>
  environment.set(name) ?? environment.set(name.toLowerCase());

function readProxy(environment: Environment): ProxySettings | undefined {
  const [https, http] = ['HTTPS_PROXY', 'HTTP_PROXY'].map((name) => proxyUrl(name, setting(environment, name)));
  if (https === undefined && http === undefined) return undefined;
  return { https: https ?? '', http: http ?? '', direct: setting(environment, 'NO_PROXY') ?? '' };
}

/** The URL may hold a password, so a wrong one is not repeated. */
function proxyUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && /^\/?$/.test(url.pathname) && !/[?#]/.test(text)) return url.href;
  throw new RouterError('CONFIG_INVALID', `${name} should be http[s]://[user:password@]host[:port], got another form`);
}

function readAuthorities(environment: Environment): string | undefined {
  if (environment.set('SVC_MCP_CA_PATH') === undefined) return undefined;
  const path = environment.path('SVC_MCP_CA_PATH');
  try {
    const text = readFileSync(path, 'utf8');
    // It reads the first certificate of the file; the runtime passes over what it cannot use.
    new X509Certificate(text);
    return text;
  } catch (cause) {
    throw new RouterError('CONFIG_INVALID', `SVC_MCP_CA_PATH should be a file of certificates in PEM, got ${path}`, {
      cause,
    });
  }
}
