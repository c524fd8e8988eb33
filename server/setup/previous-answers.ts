/** The answers of an earlier setup. They are the defaults of the next one, so that running it again changes nothing. */
import { parseDotEnv } from '../config/dot-env.ts';
import type { EnvValues } from '../config/env-template.ts';
import { flagOf, platformList } from '../config/environment.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { SECRET_FIELDS } from '../config/stray-secrets.ts';
import { VARIABLES } from '../config/variables.ts';
import { yaml } from '../lazy-import.ts';
import { accountsDocument } from './accounts-document.ts';
import { type Answers, MODES, PROFILES } from './answers.ts';
import { earlierApprovals } from './approval-answers.ts';
import { earlierBinding } from './binding-answers.ts';
import { isForeign, readPrivate } from './private-file.ts';

export function earlierAnswers(directory: string, docker: boolean, platforms: readonly PlatformDefinition[]): Answers {
  const { values: env } = parseDotEnv(readPrivate(directory, LAYOUT.env) ?? '', LAYOUT.env);
  const profile =
    PROFILES.find((name) => name === env['SVC_MCP_ACCESS_PROFILE']) ?? VARIABLES.SVC_MCP_ACCESS_PROFILE.default;
  const custom = profile === 'custom';
  const overlay = docker ? earlierOverlay(directory) : undefined;
  return {
    docker,
    toolsets: platformsIn(env, 'SVC_MCP_TOOLSETS'),
    products: platformsIn(env, 'SVC_MCP_PRODUCTS'),
    profile,
    productAccess: custom && env['SVC_MCP_PRODUCT_ACCESS'] === 'read-write' ? 'read-write' : 'read-only',
    writes: custom ? gatedBy(true, env, platforms) : [],
    closed: gatedBy(false, env, platforms),
    mode: MODES.find((name) => name === env['SVC_MCP_ROUTER_MODE']) ?? VARIABLES.SVC_MCP_ROUTER_MODE.default,
    port: earlierPort(directory, overlay?.port ?? env['MCP_PORT']),
    ...earlierApprovals(env, overlay?.consolePort),
    ...earlierBinding(overlay?.address ?? env['MCP_HOST'], overlay?.hosts ?? env['MCP_ALLOWED_HOSTS']),
    ragBackend: env['SVC_MCP_RAG_BACKEND'] === 'redis' ? 'redis' : 'embedded',
    ragImage: overlay?.extras?.includes('ingestion') ? 'ingestion' : 'small',
    accounts: earlierAccounts(directory, docker),
    secrets: {},
  };
}

const platformsIn = (env: EnvValues, name: 'SVC_MCP_TOOLSETS' | 'SVC_MCP_PRODUCTS') =>
  platformList(env[name] ?? VARIABLES[name].default);

/** Platforms whose gate is set to this. */
const gatedBy = (flag: boolean, env: EnvValues, platforms: readonly PlatformDefinition[]) =>
  platforms.filter(({ gate }) => gate && flagOf(env[gate.variable]?.trim() ?? '') === flag).map(({ id }) => id);

/**
 * The earlier answers, and on top those that are given now. A profile chosen now starts with closed gates, whatever an earlier
 * one had open; a list of them is the whole of it. Access to all products that is given now is for the closed ones as well.
 */
export function withGiven(earlier: Answers, given: Partial<Answers>): Answers {
  const accounts = { ...earlier.accounts };
  for (const [section, fields] of Object.entries(given.accounts ?? {}))
    accounts[section] = { ...accounts[section], ...fields };
  const keepsProfile = given.profile === undefined || given.profile === 'custom';
  return {
    ...earlier,
    ...(keepsProfile ? {} : { writes: [] }),
    ...(keepsProfile && given.writes === undefined ? {} : { productAccess: 'read-only' as const }),
    ...(given.productAccess === undefined ? {} : { closed: [] }),
    ...given,
    accounts,
  };
}

/** Answers that only the overlay has: the published address, the names of the router, and the image. */
function earlierOverlay(directory: string) {
  const document = yaml().parseDocument(readPrivate(directory, LAYOUT.overlay) ?? '');
  if (document.errors.length > 0) return undefined;
  const textAt = (...path: (string | number)[]) => {
    const value: unknown = document.getIn(['services', 'mcp-router', ...path]);
    return typeof value === 'string' ? value : undefined;
  };
  const [, address, port] = /^\[?([^\]]+?)\]?:(\d+):\d+$/.exec(textAt('ports', 0) ?? '') ?? [];
  const hosts = textAt('environment', 'MCP_ALLOWED_HOSTS');
  const consolePort = /:(\d+)$/.exec(textAt('environment', 'SVC_MCP_CONSOLE_URL') ?? '')?.[1];
  return { address, port, hosts, consolePort, extras: textAt('build', 'args', 'INSTALL_EXTRAS')?.split(',') };
}

function earlierPort(directory: string, text: string | undefined): number {
  const named = Number(text ?? clientPort(directory) ?? VARIABLES.MCP_PORT.default);
  return Number.isInteger(named) && named > 0 && named < 65_536 ? named : Number(VARIABLES.MCP_PORT.default);
}

function clientPort(directory: string): string | undefined {
  return /"url": "http:\/\/[^"]+:(\d+)\/mcp"/.exec(readPrivate(directory, LAYOUT.clients.http) ?? '')?.[1];
}

function earlierAccounts(directory: string, docker: boolean): Answers['accounts'] {
  const path = docker ? LAYOUT.containerCredentials : LAYOUT.credentials;
  if (isForeign(directory, path)) return {};
  const document = accountsDocument(readPrivate(directory, path) ?? '', path);
  const value = (document.toJS({ maxAliasCount: 10 }) ?? {}) as Record<string, Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(value).map(([section, fields]) => [
      section,
      Object.fromEntries(
        Object.entries(fields ?? {}).flatMap(([field, entry]) =>
          typeof entry === 'string' && !SECRET_FIELDS.includes(field) ? [[field, entry]] : [],
        ),
      ),
    ]),
  );
}
