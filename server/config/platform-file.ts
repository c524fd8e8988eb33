/** How the router reaches and guards one platform: `server/platforms/<id>.yaml`, read and checked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { RouterError, systemCodeOf } from '../errors.ts';
import { yaml } from '../lazy-import.ts';
import { type Static, Type } from './schema.ts';
import { firstProblem, schemaCheck } from './schema-check.ts';

const Capability = Type.Enum(['read', 'diagnostic', 'write', 'destructive']);

/** Strategies that present one credential, each the same on every call. */
export const SINGLE_STRATEGIES = [
  'oauth2-client-credentials',
  'oauth2-refresh-token',
  'bearer-token',
  'api-key',
  'api-key-query',
  'api-key-cookie',
  'basic',
  'digest',
  'login-token',
  'session',
  'none',
] as const;

/** `declared`: each call presents what the `security` of its operation asks for. */
export const STRATEGIES = [...SINGLE_STRATEGIES, 'declared'] as const;

export type SingleStrategy = (typeof SINGLE_STRATEGIES)[number];
export type Strategy = (typeof STRATEGIES)[number];

/** Fields that an account needs beside its base URL. */
export const CREDENTIAL_FIELDS: Readonly<Record<Strategy, readonly CredentialField[]>> = {
  'oauth2-client-credentials': ['client_id', 'client_secret'],
  'oauth2-refresh-token': ['client_id', 'refresh_token'],
  'bearer-token': ['api_token'],
  'api-key': ['api_token'],
  'api-key-query': ['api_token'],
  'api-key-cookie': ['api_token'],
  basic: ['username', 'password'],
  digest: ['username', 'password'],
  'login-token': ['username', 'password'],
  session: ['username', 'password'],
  none: [],
  declared: [],
};
export type CredentialField = 'client_id' | 'client_secret' | 'refresh_token' | 'api_token' | 'username' | 'password';

/** Fields that a strategy uses where the account has them. */
export const OPTIONAL_FIELDS: Readonly<Partial<Record<Strategy, readonly CredentialField[]>>> = {
  // A public client has no secret (RFC 6749, 2.1).
  'oauth2-refresh-token': ['client_secret'],
};

/** Keys of `auth` that a strategy needs; one that another strategy alone uses is a mistake in the file. */
const AUTH_KEYS: Readonly<Record<Strategy, readonly AuthKey[]>> = {
  'oauth2-client-credentials': ['token_path'],
  'oauth2-refresh-token': ['token_path'],
  'bearer-token': [],
  'api-key': ['header'],
  'api-key-query': ['parameter'],
  'api-key-cookie': ['parameter'],
  basic: [],
  digest: [],
  'login-token': ['login_path', 'header'],
  session: ['login_path', 'header', 'session_parameter', 'answer'],
  none: [],
  declared: ['schemes'],
};
type AuthKey = 'token_path' | 'login_path' | 'header' | 'parameter' | 'session_parameter' | 'answer' | 'schemes';

export const HEADER_NAME = '^[A-Za-z][A-Za-z0-9._-]{0,60}$';
const HeaderName = Type.String({ pattern: HEADER_NAME });

/** Keys that a platform's `auth` shares with each way of a declared scheme. */
const ofOneCredential = {
  /** For OAuth2: below the base URL, or a whole URL. */
  token_path: Type.Optional(Type.String({ pattern: '^(/|https?://)' })),
  /** In a user's file: the token URL of its document. Used only on the origin of the base URL that the operator named. */
  stated_token_url: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** In a user's file, for oauth2-refresh-token: where its document says that a person signs in. The setup offers it. */
  stated_authorization_url: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** The same: the OpenID configuration that its document states. */
  stated_openid_url: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** The same: scopes of all operations, which the setup asks for at a sign-in. */
  sign_in_scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }))),
  /** For api-key and login-token the header that carries the token, for session the one against forged requests. */
  header: Type.Optional(HeaderName),
  /** For api-key: what stands before the token, with its blank. */
  prefix: Type.Optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,29} ?$' })),
  /** For api-key-query and api-key-cookie: name of the query parameter or cookie that carries the key. */
  parameter: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Section of the credentials file. */
  section: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
  /** Environment variables that override a field of that section; SVC_<ID>_<FIELD> for each unless named here. */
  variables: Type.Record(Type.String(), Type.String({ pattern: '^[A-Z][A-Z0-9_]+$' })),
};

/** A security scheme of a user's documents, and the ways in which the router can present it. */
const DeclaredScheme = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
    /** Its key in `components.securitySchemes`, and the documents that declare it so. */
    name: Type.String({ minLength: 1 }),
    documents: Type.Array(Type.String()),
    /** Type and place as the document says: `apiKey in query`. */
    about: Type.String({ minLength: 1 }),
    /** The first of them for which the account has credentials is used; none where `unsendable` says why. */
    ways: Type.Array(
      Type.Object(
        {
          strategy: Type.Enum(SINGLE_STRATEGIES),
          /** Section whose `base_url` the calls go to. */
          base_section: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
          ...ofOneCredential,
        },
        { additionalProperties: false },
      ),
    ),
    unsendable: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const PlatformFile = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9]{1,20}$' }),
    title: Type.String({ minLength: 1 }),
    /**
     * toolset: on by default; product: asked for by SVC_MCP_PRODUCTS and covered by SVC_MCP_PRODUCT_ACCESS; user: added by
     * svc-mcp-catalog, served as long as its file is there.
     */
    kind: Type.Enum(['toolset', 'product', 'user']),
    /** Words by which people mean this platform in a question. */
    words: Type.Array(Type.String()),
    /** Words that make it likelier that this platform is meant, without naming it: `old controller`. */
    hints: Type.Optional(Type.Array(Type.String())),
    /** Where the OpenAPI documents are: a file or a folder, relative to the package. */
    documents: Type.String({ minLength: 1 }),
    /** Backend name shown for the tools of a document; the first matching prefix wins. */
    backends: Type.Record(Type.String(), Type.String()),
    /**
     * Base URL when neither a variable nor the credentials file names one. In a user's file: the one the operator
     * named.
     */
    base_url: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** In a user's file: the server that its documents state. It serves calls that carry no credential, and nothing else. */
    stated_base_url: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** Origins beside the base URL's that the operator named when adding a platform, as --token-url does. */
    named_origins: Type.Optional(Type.Array(Type.String({ pattern: '^https?://[^/]+$' }))),
    /** Regions of the platform, which the setup lists. */
    regions: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ minLength: 1 }), base_url: Type.String({ pattern: '^https?://' }) },
          { additionalProperties: false },
        ),
      ),
    ),
    auth: Type.Object(
      {
        strategy: Type.Enum(STRATEGIES),
        ...ofOneCredential,
        /** For declared: the schemes that the operations name. */
        schemes: Type.Optional(Type.Array(DeclaredScheme)),
        /** Set on a way of a scheme only: the section with its base URL. */
        base_section: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_]*$' })),
        /** For login-token and session: where name and password are sent. */
        login_path: Type.Optional(Type.String({ pattern: '^(/|https?://)' })),
        /** For session: query parameter that carries the session id. */
        session_parameter: Type.Optional(Type.String({ minLength: 1 })),
        /** For session: where the answer of the login holds both values, as dotted paths. */
        answer: Type.Optional(
          Type.Object(
            { session: Type.String({ minLength: 1 }), csrf: Type.String({ minLength: 1 }) },
            { additionalProperties: false },
          ),
        ),
        /** Header that names the account's workspace on every call. */
        workspace_header: Type.Optional(HeaderName),
        /** Where an account shares its variables with another: those that are this account's alone, and win. */
        own: Type.Optional(Type.Record(Type.String(), Type.String({ pattern: '^[A-Z][A-Z0-9_]+$' }))),
      },
      { additionalProperties: false },
    ),
    /** Write gate; null for a platform that has no writes. `default` is used when nothing else decides. */
    gate: Type.Union([
      Type.Object(
        {
          variable: Type.String({ pattern: '^SVC_MCP_[A-Z0-9_]+_WRITES$' }),
          default: Type.Enum(['off', 'product-access']),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
    rate: Type.Object({ burst: Type.Integer({ minimum: 1, maximum: 100 }) }, { additionalProperties: false }),
    /** Capability by hand where method and words are wrong, keyed `METHOD /path`; each says why. */
    overrides: Type.Record(
      Type.String({ pattern: '^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /' }),
      Type.Object(
        {
          capability: Capability,
          why: Type.String({ minLength: 10 }),
          /**
           * Digest of the operation that a person looked at. In a user's platform a class is lowered only with it, and only
           * as long as the operation is the same.
           */
          operation_digest: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export type PlatformDefinition = Static<typeof PlatformFile>;
export type DeclaredScheme = Static<typeof DeclaredScheme>;

/** Credentials of a platform: its own, and for declared schemes those of every way. */
export const authsOf = ({ auth }: Pick<PlatformDefinition, 'auth'>): PlatformDefinition['auth'][] => [
  auth,
  ...(auth.schemes ?? []).flatMap(({ ways }) => ways),
];

const check = schemaCheck(PlatformFile);

/** The file with the rules that a platform file is read by. */
export const platformReader = import.meta.filename;

/** Paths of the platform files of a folder, sorted by id. */
export function platformFiles(folder: string): string[] {
  if (!existsSync(folder)) throw new RouterError('PLATFORM_FILE_INVALID', `no platform folder at ${folder}`);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name));
}

/** Every platform of a folder, sorted by id. */
export const readPlatformFiles = (folder: string): PlatformDefinition[] => platformFiles(folder).map(readPlatformFile);

export interface UserPlatforms {
  platforms: PlatformDefinition[];
  /** Files that could not be used. They take nobody else down. */
  problems: string[];
}

/** Platforms that the user added; their documents lie beside their files. */
export function readUserPlatforms(
  folder: string,
  taken: ReadonlySet<string>,
  read: (path: string) => PlatformDefinition = readPlatformFile,
): UserPlatforms {
  const found: UserPlatforms = { platforms: [], problems: [] };
  if (!existsSync(folder)) return found;
  for (const name of readdirSync(folder).sort()) {
    if (!/^[^.].*\.yaml$/.test(name)) continue;
    const path = join(folder, name);
    try {
      const platform = read(path);
      if (taken.has(platform.id))
        throw new RouterError('PLATFORM_FILE_INVALID', `${path}: ${platform.id} is a platform of this router`);
      if (platform.kind !== 'user')
        throw new RouterError('PLATFORM_FILE_INVALID', `${path}: \`/kind\` should be user, got ${platform.kind}`);
      found.platforms.push({ ...platform, documents: resolve(dirname(path), platform.documents) });
    } catch (error) {
      found.problems.push(`${reasonOf(error, path)}: the platform is left out`);
    }
  }
  return found;
}

/** Throws an error that is ours. */
function reasonOf(error: unknown, path: string): string {
  if (error instanceof RouterError) return error.message;
  const code = systemCodeOf(error);
  if (code === undefined) throw error;
  return `${path} cannot be read (${code})`;
}

export const readPlatformFile = (path: string): PlatformDefinition => platformIn(readFileSync(path, 'utf8'), path);

/** The platform that a file with this text would be. Throws PLATFORM_FILE_INVALID. */
export function platformIn(text: string, path: string): PlatformDefinition {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  const broken = document.errors[0];
  if (broken)
    throw new RouterError(
      'PLATFORM_FILE_INVALID',
      `${path}:${broken.linePos?.[0].line ?? 1}: not YAML (${broken.code})`,
    );
  const value: unknown = withVariables(followed(() => document.toJS({ maxAliasCount: 100 }) as unknown, path));
  if (!check(value)) {
    const problem = firstProblem(check);
    throw new RouterError(
      'PLATFORM_FILE_INVALID',
      `${path}: \`${problem.pointer || '/'}\` ${problem.expected}, got ${problem.got}`,
    );
  }
  const wrong = (pointer: string, what: string) =>
    new RouterError('PLATFORM_FILE_INVALID', `${path}: \`${pointer}\` ${what}`);
  if (value.id !== basename(path, '.yaml'))
    throw wrong('/id', `should equal the file name, got ${JSON.stringify(value.id)}`);
  const { strategy } = value.auth;
  const needed = AUTH_KEYS[strategy];
  for (const key of [...new Set(Object.values(AUTH_KEYS).flat())]) {
    if (needed.includes(key) === (value.auth[key] !== undefined)) continue;
    if (key === 'token_path' && needed.includes(key) && value.auth.stated_token_url !== undefined) continue;
    const users = STRATEGIES.filter((name) => AUTH_KEYS[name].includes(key));
    throw wrong(`/auth/${key}`, `should be there for ${users.join(', ')}, and only then`);
  }
  return value;
}

/** An alias of nothing, or of very much, is only found when the value is made. */
function followed(make: () => unknown, path: string): unknown {
  try {
    return make();
  } catch (cause) {
    throw new RouterError('PLATFORM_FILE_INVALID', `${path}: holds an alias that cannot be followed`, { cause });
  }
}

/** Fills in the variables that a file leaves to the rule: one for the base URL and for each field its strategy needs. */
function withVariables(value: unknown): unknown {
  const file = value as { id?: unknown; auth?: { strategy?: unknown; variables?: unknown } } | null;
  const fields = CREDENTIAL_FIELDS[file?.auth?.strategy as Strategy];
  if (fields === undefined || file?.auth?.variables !== undefined) return value;
  return { ...file, auth: { ...file?.auth, variables: derivedVariables(String(file?.id), fields) } };
}

export function derivedVariables(id: string, fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    ['base_url', ...fields].map((field) => [field, `SVC_${id.toUpperCase()}_${field.toUpperCase()}`]),
  );
}
