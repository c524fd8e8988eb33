/** What a person decides during the setup, and what follows from it for the router's settings. */
import type { AccessProfile } from '../config/access-settings.ts';
import type { RouterMode } from '../config/config.ts';
import type { EnvValues } from '../config/env-template.ts';
import { CREDENTIAL_FIELDS, OPTIONAL_FIELDS, type PlatformDefinition } from '../config/platform-file.ts';
import { LAYOUT, secretFileOf } from '../config/setup-layout.ts';
import { SECRET_FIELDS } from '../config/stray-secrets.ts';
import { PRODUCTS, TOOLSETS } from '../config/variables.ts';
import { RouterError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { type ApprovalAnswers, checkApprovals } from './approval-answers.ts';
import type { BindingAnswers } from './binding-answers.ts';

export interface Answers extends ApprovalAnswers, BindingAnswers {
  docker: boolean;
  toolsets: readonly string[];
  products: readonly string[];
  profile: AccessProfile;
  productAccess: 'read-only' | 'read-write';
  /** Platforms whose gate is open, under the profile `custom`. */
  writes: readonly string[];
  /** Platforms whose gate `.env` closes. Access to all products does not open them. */
  closed: readonly string[];
  mode: RouterMode;
  port: number;
  ragBackend: 'embedded' | 'redis';
  ragImage: 'small' | 'ingestion';
  /** Fields of the accounts that are no secret, by section. */
  accounts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Secrets by section and field; they go into files of their own and nowhere else. */
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Values by section and field. */
export type AccountValues = Record<string, Record<string, string>>;

export function setValue(values: AccountValues, section: string, field: string, value: string): void {
  values[section] = { ...values[section], [field]: value };
}

export const PROFILES: readonly AccessProfile[] = ['safe-read-only', 'custom', 'full-read-write'];
export const MODES: readonly RouterMode[] = ['minimal', 'default', 'direct'];

/** The platforms that the answers ask for, those served by default first, then those that the operator added. */
export function servedBy(answers: Pick<Answers, 'toolsets' | 'products'>, platforms: readonly PlatformDefinition[]) {
  const { toolsets, products } = answers;
  const asked = (names: readonly string[], id: string) => names.includes('all') || names.includes(id);
  return [
    ...platforms.filter(({ id, kind }) => kind === 'toolset' && asked(toolsets, id)),
    ...platforms.filter(({ id, kind }) => kind === 'product' && asked(products, id)),
    ...platforms.filter(({ kind }) => kind === 'user'),
  ];
}

/**
 * The accounts of a platform, each with one strategy: the platform itself, or, where its documents declare schemes, its
 * address and every way of every scheme.
 */
export function accountsOf(platform: PlatformDefinition): PlatformDefinition[] {
  const { schemes, ...auth } = platform.auth;
  if (auth.strategy !== 'declared') return [platform];
  const ways = (schemes ?? []).flatMap((scheme) => scheme.ways);
  return [{ ...auth, strategy: 'none' as const }, ...ways].map((one) => ({ ...platform, auth: one }));
}

/** Fields that an account can be given: what its strategy needs, and what its platform sends along. */
export function fieldsOf({ auth, kind }: PlatformDefinition): string[] {
  const workspace = auth.variables['workspace_id'] === undefined ? [] : ['workspace_id'];
  const oauth = kind === 'user' && auth.strategy.startsWith('oauth2-');
  return [
    // A way of a scheme has the address of its platform.
    ...(auth.base_section === undefined ? ['base_url'] : []),
    ...CREDENTIAL_FIELDS[auth.strategy],
    ...(OPTIONAL_FIELDS[auth.strategy] ?? []),
    ...(oauth ? ['token_url'] : []),
    ...(oauth && auth.strategy === 'oauth2-refresh-token' ? ['authorization_url'] : []),
    ...workspace,
  ];
}

/** The variable of a field: the account's own where it shares the other with another account. */
export function variableOf({ auth }: PlatformDefinition, field: string): string {
  return auth.own?.[field] ?? auth.variables[field] ?? '';
}

/** Names in lists that are none of this router. Throws `USAGE`. */
export function checkNames(
  { toolsets = [], products = [], writes = [] }: Partial<Answers>,
  platforms: readonly PlatformDefinition[],
): void {
  const known = (flag: string, values: readonly string[], names: readonly string[]) => {
    for (const value of values)
      if (!names.includes(value))
        throw new RouterError(
          'USAGE',
          `${flag} should be a list of ${names.join(', ')}, got ${JSON.stringify(value)}${didYouMean(value, names)}`,
        );
  };
  known('--toolsets', toolsets, ['all', ...TOOLSETS]);
  known('--products', products, ['all', ...PRODUCTS]);
  const gated = platforms.filter(({ gate }) => gate !== null).map(({ id }) => id);
  known('--writes', writes, gated);
}

/** Values that are no setting of this router or contradict each other are refused before anything is written, and so are given accounts that nobody would use. */
export function checkAnswers(
  answers: Answers,
  platforms: readonly PlatformDefinition[],
  { accounts = {}, secrets = {} }: Partial<Answers> = {},
): void {
  checkNames(answers, platforms);
  const contradiction = (setting: string) =>
    new RouterError('CONFIG_CONTRADICTION', `--access-profile ${answers.profile} contradicts ${setting}`);
  if (answers.profile === 'safe-read-only' && answers.productAccess === 'read-write')
    throw contradiction('--product-access read-write');
  if (answers.profile !== 'custom' && answers.writes.length > 0)
    throw contradiction(`--writes ${answers.writes.join(',')}`);
  checkApprovals(answers);
  const served = servedBy(answers, platforms).map(({ id }) => id);
  const idle = answers.writes.filter((id) => !served.includes(id));
  if (idle.length > 0)
    throw new RouterError('USAGE', `--writes ${idle.join(',')} names what --toolsets and --products do not serve`);
  const sections = servedBy(answers, platforms)
    .flatMap(accountsOf)
    .map(({ auth }) => auth.section);
  for (const [flag, values] of Object.entries({ '--account': accounts, '--secret-file': secrets }))
    for (const section of Object.keys(values))
      if (!sections.includes(section))
        throw new RouterError('USAGE', `${flag} ${section}.… is of what --toolsets and --products do not serve`);
}

/** Settings for `.env`: how the router is to be, and the names of secret files where it runs without a container. */
export function envValues(
  answers: Answers,
  platforms: readonly PlatformDefinition[],
  secretFiles: readonly { variable: string; path: string }[],
): EnvValues {
  const { profile, docker } = answers;
  const productAccess = profile === 'full-read-write' ? 'read-write' : answers.productAccess;
  return {
    SVC_MCP_ROUTER_MODE: answers.mode,
    SVC_MCP_TOOLSETS: namesOf(answers.toolsets),
    // Of a container, nothing would mean the products of the overlay.
    SVC_MCP_PRODUCTS: docker ? namesOf(answers.products) : answers.products.join(','),
    SVC_MCP_ACCESS_PROFILE: profile,
    SVC_MCP_PRODUCT_ACCESS: productAccess,
    ...Object.fromEntries(
      platforms.flatMap((platform) =>
        platform.gate ? [[platform.gate.variable, isOpen(platform, answers, platforms) ? '1' : '0']] : [],
      ),
    ),
    ...(docker && answers.ragBackend === 'redis' ? { SVC_MCP_RAG_BACKEND: 'redis' } : {}),
    ...(docker ? {} : Object.fromEntries(secretFiles.map(({ variable, path }) => [`${variable}_FILE`, path]))),
  };
}

/** Nothing would mean the default. */
export const namesOf = (platforms: readonly string[]): string => platforms.join(',') || 'none';

function isOpen(platform: PlatformDefinition, answers: Answers, platforms: readonly PlatformDefinition[]): boolean {
  if (answers.profile !== 'custom') return answers.profile === 'full-read-write';
  if (answers.writes.includes(platform.id)) return true;
  const served = servedBy(answers, platforms).includes(platform);
  if (answers.closed.includes(platform.id)) return false;
  return platform.kind === 'product' && served && answers.productAccess === 'read-write';
}

/** Served platforms whose gate these answers leave open, whichever of them says so. */
export function openUnder(answers: Answers, platforms: readonly PlatformDefinition[]): string[] {
  return gatedUnder(answers, platforms)
    .filter((platform) => isOpen(platform, answers, platforms))
    .map(({ id }) => id);
}

/** The same with open what was chosen and nothing else: access to all products ends with the first that is left closed. */
export function withWrites(
  answers: Answers,
  writes: readonly string[],
  platforms: readonly PlatformDefinition[],
): Answers {
  const closed = gatedUnder(answers, platforms).some(({ id, kind }) => kind === 'product' && !writes.includes(id));
  return { ...answers, writes, productAccess: closed ? 'read-only' : answers.productAccess };
}

/** Served platforms that have a gate. */
export function gatedUnder(answers: Answers, platforms: readonly PlatformDefinition[]): PlatformDefinition[] {
  return servedBy(answers, platforms).filter(({ gate }) => gate !== null);
}

/** Each secret that the answers hold, with its file and its variable. */
export function secretFilesOf(answers: Pick<Answers, 'secrets'>, served: readonly PlatformDefinition[]) {
  const all = served.flatMap(accountsOf).flatMap((platform) =>
    fieldsOf(platform)
      .filter((field) => SECRET_FIELDS.includes(field))
      .map((field) => ({
        section: platform.auth.section,
        field,
        variable: variableOf(platform, field),
        path: secretFileOf(platform.auth.section, field),
        value: answers.secrets[platform.auth.section]?.[field],
      })),
  );
  // Two ways of a scheme share a field.
  return [...new Map(all.map((secret) => [secret.path, secret])).values()];
}

export const BEARER = { variable: 'MCP_HTTP_BEARER_TOKEN', path: LAYOUT.bearer } as const;
