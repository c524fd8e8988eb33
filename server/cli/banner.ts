/** The startup banner: address, number of tools, and permitted writes (specification 1.4). */
import { gateState } from '../access/access-policy.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/listen-address.ts';
import { ALWAYS_ON } from '../config/variables.ts';

export interface Started {
  version: string;
  /** `http://<host>:<port>/mcp`; undefined over stdio. */
  url: string | undefined;
  /** Of the operator console; undefined where there is none. */
  consoleUrl?: string | undefined;
  /** Backend tools in the catalog. */
  tools: number;
}

/** The fields, in the order of the specification. No value of them is a secret. */
export function bannerFields(config: Config, url: string): Record<string, string> {
  const { access, http, metrics, localToolsets } = config;
  const always = (ALWAYS_ON as readonly string[]).filter((name) => localToolsets.includes(name));
  const of = (kind: string) => config.platforms.filter((platform) => platform.kind === kind).map(({ id }) => id);
  const health = ['livez', 'healthz', 'readyz'].map((route) => String(new URL(`/${route}`, url)));
  return {
    endpoint: url,
    health: health.join(' '),
    mode: config.mode,
    toolsets: [...of('toolset'), ...localToolsets.filter((name) => !always.includes(name))].join(', ') || 'none',
    'always on': always.join(', '),
    products: of('product').join(', ') || 'none',
    ...(of('user').length > 0 ? { 'own platforms': of('user').join(', ') } : {}),
    profile: `${access.profile}${access.readonly ? ', read-only by SVC_MCP_READONLY' : ''}`,
    'optional access': access.productAccess,
    'open gates': openGates(config),
    confirmation: confirmationOf(config),
    bearer: http.bearerToken === undefined ? 'disabled' : 'enabled',
    metrics: `collection ${onOff(metrics.collect)}, route ${onOff(metrics.route)}`,
    audit: config.auditLog ?? 'off',
    stop: 'Ctrl-C, or SIGTERM',
  };
}

function confirmationOf({ confirmation, approvals }: Config): string {
  if (confirmation === 'token') return 'plan token only';
  const person = 'the person (elicitation)';
  if (approvals.mode === 'client') return person;
  const two = approvals.mode === 'two-for-destructive' ? '; two operators for each destructive request' : '';
  return `${person}, or an operator where the client cannot ask${two}`;
}

/** On stdio one line is enough: a host shows it only when something is wrong. */
export function bannerText(config: Config, { version, url, consoleUrl, tools }: Started): string {
  const head = `MCP Tool Router ${version}, ${tools} backend tools in its catalog`;
  if (url === undefined)
    return `${head}, on stdio; ${config.mode} mode; access ${config.access.profile}; open gates: ${openGates(config)}${consoleUrl === undefined ? '' : `; console ${consoleUrl}`}\n`;
  const fields = Object.entries(bannerFields(config, url));
  const lines = fields.map(([name, value]) => `  ${name.padEnd(16)} ${value}`);
  if (consoleUrl !== undefined) lines.push(`  ${'console'.padEnd(16)} ${consoleUrl}`);
  if (!isLoopback(config.http.host))
    lines.push(
      `  WARNING: ${config.http.host} is not loopback; ${config.http.open ? 'without a bearer token every write gate stays shut: set MCP_HTTP_BEARER_TOKEN to open one, and put TLS in front of it' : 'put TLS in front of it'}`,
    );
  return `${[head, ...lines].join('\n')}\n`;
}

const onOff = (flag: boolean) => (flag ? 'on' : 'off');

function openGates({ access, platforms }: Config): string {
  const open = platforms.filter((platform) => gateState(access, platform).state === 'enabled');
  return open.map(({ id }) => id).join(', ') || 'none';
}
