/** A platform of the user's own: `<config>/platforms/<name>.yaml` and its documents beside it, there as a whole or not. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, scalarText } from '../catalog/platform-document.ts';
import { CREDENTIAL_FIELDS, derivedVariables, type PlatformDefinition } from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { yaml } from '../lazy-import.ts';
import type { TakenIn } from './import-document.ts';

/** Logins that a document can declare. OpenAPI has no scheme for logins with name and password. */
export const STRATEGIES = ['oauth2-client-credentials', 'bearer-token', 'api-key', 'none'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export interface ImportOptions {
  name: string;
  baseUrl?: string;
  auth?: Strategy;
  /** Header of an API key. */
  header?: string;
  tokenUrl?: string;
  title?: string;
}

const BURST = 2;

/** What the platform file will say: the user's options first, then what the documents state. */
export function definePlatform(options: ImportOptions, { documents, baseUrl: stated }: TakenIn): PlatformDefinition {
  const { name, baseUrl } = options;
  const schemes = documents.flatMap(({ content }) => securitySchemes(content));
  const auth = authOf(options, schemes, stated);
  const info = documents[0]?.content['info'];
  const title =
    options.title ??
    (isObject(info) && typeof info['title'] === 'string' ? info['title'].replace(/\s+/g, ' ').trim().slice(0, 60) : '');
  return {
    id: name,
    title: title || name,
    kind: 'user',
    words: [name],
    documents: name,
    backends: {},
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(baseUrl !== undefined || stated === undefined ? {} : { stated_base_url: stated }),
    ...(options.tokenUrl && URL.canParse(options.tokenUrl)
      ? { named_origins: [new URL(options.tokenUrl).origin] }
      : {}),
    auth: {
      ...auth,
      section: name,
      variables: derivedVariables(name, CREDENTIAL_FIELDS[auth.strategy]),
    },
    gate: { variable: `SVC_MCP_${name.toUpperCase()}_WRITES`, default: 'off' },
    rate: { burst: BURST },
    overrides: {},
  };
}

function authOf(
  options: ImportOptions,
  schemes: readonly JsonObject[],
  statedBase: string | undefined,
): Pick<PlatformDefinition['auth'], 'strategy' | 'token_path' | 'stated_token_url' | 'header'> {
  const find = (type: string, more: (scheme: JsonObject) => boolean = () => true) =>
    schemes.find((scheme) => scheme['type'] === type && more(scheme));
  const oauth2 = find('oauth2', ({ flows }) => isObject(flows) && isObject(flows['clientCredentials']));
  const bearer = find('http', ({ scheme }) => scalarText(scheme).toLowerCase() === 'bearer');
  const apiKey = find('apiKey', (scheme) => scheme['in'] === 'header');
  const likely = [
    { strategy: 'oauth2-client-credentials', by: options.tokenUrl || oauth2 },
    { strategy: 'bearer-token', by: bearer },
    { strategy: 'api-key', by: options.header || apiKey },
  ] as const;
  const strategy = options.auth ?? likely.find(({ by }) => by)?.strategy ?? 'none';
  if (strategy === 'api-key')
    return {
      strategy,
      header: options.header ?? (typeof apiKey?.['name'] === 'string' ? apiKey['name'] : 'X-API-Key'),
    };
  if (strategy !== 'oauth2-client-credentials') return { strategy };
  return { strategy, ...tokenEndpoint(options, statedTokenUrl(oauth2), statedBase) };
}

function statedTokenUrl(oauth2: JsonObject | undefined): string {
  const flows = isObject(oauth2?.['flows']) ? oauth2['flows'] : {};
  const flow = isObject(flows['clientCredentials']) ? flows['clientCredentials'] : {};
  return textOf(flow['tokenUrl']);
}

/**
 * The operator decides where the client secret goes: by --token-url, or by --base-url if the document's token URL has
 * the same origin. Otherwise the platform file keeps the document's URL, and each login compares it with the account's
 * base URL, so that a URL elsewhere gets no credential.
 */
function tokenEndpoint(
  options: ImportOptions,
  stated: string,
  statedBase: string | undefined,
): Pick<PlatformDefinition['auth'], 'token_path' | 'stated_token_url'> {
  if (options.tokenUrl !== undefined) return { token_path: options.tokenUrl };
  // Below the base URL, wherever that is.
  if (stated.startsWith('/') && !stated.startsWith('//')) return { token_path: stated };
  const base = options.baseUrl ?? statedBase;
  if (isWebUrl(stated)) {
    const named = options.baseUrl !== undefined && foreignTokenUrl(stated, base) === undefined;
    return named ? { token_path: stated } : { stated_token_url: stated };
  }
  throw new RouterError(
    'USAGE',
    `--token-url should say where tokens are given; ${stated === '' ? 'the document does not' : `the document's ${JSON.stringify(stated)} is no path and no http or https URL`}`,
    {
      remedy:
        'add --token-url /path or --token-url https://…; with a token that you already have, add --auth bearer-token',
    },
  );
}

const isWebUrl = (url: string): boolean => /^https?:\/\//.test(url) && URL.canParse(url);

/** The token URL of a document where it is on another origin than the base URL; undefined where it is not. */
export function foreignTokenUrl(stated: string | undefined, base: string | undefined): string | undefined {
  if (stated === undefined) return undefined;
  return base !== undefined && URL.canParse(base) && new URL(stated).origin === new URL(base).origin
    ? undefined
    : stated;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function securitySchemes(content: JsonObject): JsonObject[] {
  const components = isObject(content['components']) ? content['components'] : {};
  return Object.values(isObject(components['securitySchemes']) ? components['securitySchemes'] : {}).filter(isObject);
}

/** Writes documents and file; the file comes last and in one move, so a router never sees one without the other. */
export function writeUserPlatform(configDir: string, platform: PlatformDefinition, { documents }: TakenIn): string {
  const folder = join(configDir, 'platforms');
  const home = `${platform.id}-${randomUUID().slice(0, 8)}`;
  mkdirSync(join(folder, home), { recursive: true, mode: 0o700 });
  for (const { id, content } of documents) {
    const info = isObject(content['info']) ? content['info'] : {};
    writeFileSync(
      join(folder, home, `${id}.json`),
      JSON.stringify({ ...content, info: { ...info, 'x-svc-document': id } }),
    );
  }
  const file = join(folder, `${platform.id}.yaml`);
  writeAtomically(
    file,
    `# Written by svc-mcp-catalog add. Credentials do not belong here.\n${yaml().stringify({ ...platform, documents: home })}`,
  );
  removeHomes(folder, platform.id, home);
  return file;
}

export function removeUserPlatform(configDir: string, name: string): void {
  const folder = join(configDir, 'platforms');
  const file = join(folder, `${name}.yaml`);
  if (!existsSync(file)) {
    const known = existsSync(folder)
      ? readdirSync(folder)
          .filter((entry) => /^[^.].*\.yaml$/.test(entry))
          .map((entry) => entry.slice(0, -5))
      : [];
    throw new RouterError(
      'USAGE',
      `NAME should be a platform that was added (${known.join(', ') || 'there is none'}), got ${JSON.stringify(name)}`,
    );
  }
  rmSync(file);
  removeHomes(folder, name, '');
}

function removeHomes(folder: string, name: string, keep: string): void {
  for (const entry of readdirSync(folder))
    if (entry !== keep && new RegExp(`^${name}-[0-9a-f]{8}$`).test(entry))
      rmSync(join(folder, entry), { recursive: true, force: true });
}
