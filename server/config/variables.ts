/**
 * The one list of environment variables. Parsing, the documentation table, the `.env` template and the doctor are all
 * derived from or checked against it. Gate and credential variables come from the platform files on top of these.
 */

export type VariableKind =
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'flag' }
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'number'; min: number; max: number }
  /** With `none`, that word alone is an empty list: nothing means the default, here and in compose. */
  | { kind: 'list'; none?: true }
  | { kind: 'text' }
  | { kind: 'path' };

export interface Variable {
  kind: VariableKind;
  /** As an operator would write it; undefined = nothing set. */
  default?: string;
  about: string;
  secret?: true;
}

const flag = { kind: 'flag' } as const;

export const VARIABLES = {
  MCP_TRANSPORT: {
    kind: { kind: 'choice', values: ['stdio', 'streamable-http'] },
    default: 'stdio',
    about: 'How clients connect. Over stdio no HTTP route exists.',
  },
  MCP_HOST: {
    kind: { kind: 'text' },
    default: '127.0.0.1',
    about:
      'Address to bind. An address other than loopback needs both allow-lists and a bearer token. Without a token, allow-lists of loopback names alone are accepted, and all write gates stay closed.',
  },
  MCP_PORT: { kind: { kind: 'integer', min: 0, max: 65535 }, default: '8010', about: 'HTTP port; 0 picks a free one.' },
  MCP_ALLOWED_HOSTS: { kind: { kind: 'list' }, about: 'Host header values to accept: host, host:port or host:*.' },
  MCP_ALLOWED_ORIGINS: {
    kind: { kind: 'list' },
    about: 'Origin values to accept: [scheme://]host, host:port or host:*.',
  },
  MCP_DNS_REBINDING_PROTECTION: { kind: flag, default: '1', about: 'Check Host and Origin against the allow-lists.' },
  SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: {
    kind: flag,
    default: '0',
    about: 'Second switch that is needed to turn MCP_DNS_REBINDING_PROTECTION off.',
  },
  MCP_HTTP_BEARER_TOKEN: {
    kind: { kind: 'text' },
    secret: true,
    about: 'Bearer token of every route except the health routes; at least 24 characters of ASCII, without blanks.',
  },
  SVC_MCP_PRINCIPALS_PATH: {
    kind: { kind: 'path' },
    about:
      'File of the principals that may call, each with bearers of its own and a part of the settings, mode 0600; default: none. svc-mcp-principal writes it.',
  },
  SVC_MCP_OAUTH_ISSUER: {
    kind: { kind: 'text' },
    about:
      'Issuer of the OAuth 2.1 authorization server whose access tokens are accepted, exactly as in `iss`; default: none. Not together with MCP_HTTP_BEARER_TOKEN.',
  },
  SVC_MCP_OAUTH_RESOURCE: {
    kind: { kind: 'text' },
    about:
      'URL under which clients reach the MCP endpoint, the resource of RFC 8707; default: the address that is bound, on loopback with a fixed port.',
  },
  SVC_MCP_OAUTH_AUDIENCE: {
    kind: { kind: 'text' },
    about: 'Audience that a token has to name; default: SVC_MCP_OAUTH_RESOURCE.',
  },
  SVC_MCP_OAUTH_JWKS_URL: {
    kind: { kind: 'text' },
    about: 'Address of the signing keys; default: the one that the metadata of the issuer names.',
  },
  SVC_MCP_OAUTH_CLOCK_SKEW_SECONDS: {
    kind: { kind: 'integer', min: 0, max: 300 },
    default: '60',
    about: 'Seconds by which the clock of the issuer may differ.',
  },
  SVC_MCP_OAUTH_SCOPES: {
    kind: { kind: 'list' },
    default: 'mcp:read,mcp:diagnostic',
    about: 'Scopes that an unauthenticated client is told to ask for first.',
  },
  SVC_MCP_OAUTH_UNLISTED: {
    kind: { kind: 'choice', values: ['scopes', 'refuse'] },
    default: 'scopes',
    about: 'A subject that matches no principal of SVC_MCP_PRINCIPALS_PATH has what its scopes give, or is refused.',
  },
  SVC_MCP_STATELESS: {
    kind: flag,
    default: '0',
    about: 'Keep no sessions. Then 2025-11-25 clients cannot confirm by elicitation.',
  },
  SVC_MCP_REPLICAS: {
    kind: { kind: 'integer', min: 1, max: 64 },
    default: '1',
    about: 'Router processes behind one address; above 1 means no sessions.',
  },
  SVC_MCP_METRICS: { kind: flag, default: '0', about: 'Count calls, outcomes and times in this process.' },
  SVC_MCP_METRICS_HTTP: {
    kind: flag,
    default: '0',
    about: 'Serve /metrics (Prometheus text, JSON with ?format=json), behind the bearer token and the allow-lists.',
  },
  SVC_MCP_ROUTER_MODE: {
    kind: { kind: 'choice', values: ['minimal', 'default', 'direct'] },
    default: 'minimal',
    about:
      'How many tools a client sees: three; these, batches, planning and the most frequent reads; or every enabled one.',
  },
  SVC_MCP_TOOLSETS: {
    kind: { kind: 'list', none: true },
    default: 'mgmt,workspace,rag',
    about: 'Backend families to serve; all, or none.',
  },
  SVC_MCP_PRODUCTS: {
    kind: { kind: 'list', none: true },
    default: '',
    about: 'Optional products to serve as well; all, or none.',
  },
  SVC_MCP_ACCESS_PROFILE: {
    kind: { kind: 'choice', values: ['safe-read-only', 'custom', 'full-read-write'] },
    default: 'custom',
    about: 'How write gates resolve.',
  },
  SVC_MCP_PRODUCT_ACCESS: {
    kind: { kind: 'choice', values: ['read-only', 'read-write'] },
    default: 'read-only',
    about: 'Gate of every optional product that has no value of its own.',
  },
  SVC_MCP_READONLY: {
    kind: flag,
    default: '0',
    about: 'Kill switch: the router sends no write, whatever the gates are.',
  },
  SVC_MCP_LEGACY_ROLLBACK_WRITES: {
    kind: flag,
    default: '0',
    about: 'Permits the rollback of a migration run, in addition to the gate of its target.',
  },
  SVC_MCP_CONFIRMATION: {
    kind: { kind: 'choice', values: ['elicit', 'token'] },
    default: 'elicit',
    about: 'Who confirms a write: the approver by elicitation, or (weaker) the plan token alone.',
  },
  SVC_MCP_APPROVAL_MAX_CHARACTERS: {
    kind: { kind: 'number', min: 1_000, max: 2_000_000 },
    default: '8000',
    about:
      'Longest message of one question to the approver, in characters; a request that does not fit is refused, never cut.',
  },
  SVC_MCP_APPROVALS: {
    kind: { kind: 'choice', values: ['client', 'operator', 'two-for-destructive'] },
    default: 'client',
    about:
      'Who approves a write where the client of the agent cannot ask: nobody; a named operator in the console or with svc-mcp-approvals; or two of them for each destructive request. With SVC_MCP_CONSOLE_PORT, client means operator.',
  },
  SVC_MCP_APPROVAL_MINUTES: {
    kind: { kind: 'integer', min: 1, max: 1440 },
    default: '15',
    about: 'How long an operator may take to approve a write, in minutes.',
  },
  SVC_MCP_WRITES_PER_HOUR: {
    kind: { kind: 'integer', min: 0, max: 1000 },
    default: '0',
    about: 'Writes that each principal may send to one platform in a clock hour; 0 for no limit.',
  },
  SVC_MCP_WRITE_WINDOWS: {
    kind: { kind: 'list' },
    about:
      'Maintenance windows, as Sat-Sun 22:00-04:00, or mgmt: Tue 02:00-05:00 for one platform, which then has no others; default: writes may be sent at any time.',
  },
  SVC_MCP_WRITE_WINDOWS_ZONE: {
    kind: { kind: 'text' },
    default: 'UTC',
    about: 'IANA time zone of those windows, such as Europe/Zurich.',
  },
  SVC_MCP_WRITES_OUTSIDE_WINDOWS: {
    kind: { kind: 'choice', values: ['refuse', 'ask'] },
    default: 'refuse',
    about:
      'Outside of them a write is refused; or an operator has to approve it, and where there is none the person at the client, also with SVC_MCP_CONFIRMATION=token.',
  },
  SVC_MCP_OPERATORS_PATH: {
    kind: { kind: 'path' },
    about:
      'File of the operators and their hashed passwords, mode 0600; default: operators.json in SVC_MCP_CONFIG_DIR. svc-mcp-approvals operator-add writes it.',
  },
  SVC_MCP_CONSOLE_PORT: {
    kind: { kind: 'text' },
    default: 'off',
    about: 'Port of the operator console, 0 to 65535 (0 picks a free one); off for none.',
  },
  SVC_MCP_CONSOLE_HOST: {
    kind: { kind: 'text' },
    default: '127.0.0.1',
    about: 'Address that the console binds. One beyond loopback needs SVC_MCP_CONSOLE_URL with https://.',
  },
  SVC_MCP_CONSOLE_URL: {
    kind: { kind: 'text' },
    about: 'Address under which operators open the console, as https://host[:port]; default: the one it listens at.',
  },
  SVC_MCP_CONSOLE_OIDC_ISSUER: {
    kind: { kind: 'text' },
    about:
      'Issuer of the OpenID provider where operators may sign in, https://…; default: passwords alone. Needs SVC_MCP_CONSOLE_URL with https://.',
  },
  SVC_MCP_CONSOLE_OIDC_CLIENT_ID: {
    kind: { kind: 'text' },
    about: 'Client of the console at that provider.',
  },
  SVC_MCP_CONSOLE_OIDC_CLIENT_SECRET_PATH: {
    kind: { kind: 'path' },
    about: 'Secret file with the secret of that client; default: a public client, with PKCE alone.',
  },
  SVC_MCP_APPROVAL_WEBHOOK: {
    kind: { kind: 'text' },
    about: 'Address that is told when an approval waits for an operator, https://…; default: none is.',
  },
  SVC_MCP_APPROVAL_WEBHOOK_KEY_PATH: {
    kind: { kind: 'path' },
    about: 'Secret file with the key that signs what is told there, at least 32 characters.',
  },
  SVC_MCP_TRACES_URL: {
    kind: { kind: 'text' },
    about:
      'Address that traces are sent to over OTLP/HTTP, such as http://127.0.0.1:4318/v1/traces (experimental); default: none are made.',
  },
  CREDS_PATH: { kind: { kind: 'path' }, default: 'config/credentials.yaml', about: 'Credentials file.' },
  SVC_MCP_EGRESS: {
    kind: { kind: 'list' },
    about:
      'Origins that the router may connect to, as https://host[:port]; default: base_url and token_url of each account, and OLLAMA_URL.',
  },
  TOKEN_CACHE_DIR: {
    kind: { kind: 'path' },
    default: '~/.cache/svc-mcp',
    about: 'Folder of cached platform tokens, mode 0600.',
  },
  SVC_MCP_CONFIG_DIR: {
    kind: { kind: 'path' },
    default: '~/.config/svc-mcp',
    about: 'Folder of the platforms that svc-mcp-catalog add added.',
  },
  SVC_MCP_CATALOG_DIR: {
    kind: { kind: 'path' },
    about:
      'Folder of the built catalog; default var/catalog of the checkout, ~/.cache/svc-mcp/catalog of an installed package, beside the platforms you added if there are any.',
  },
  SVC_MCP_STATE_DIR: {
    kind: { kind: 'path' },
    default: '~/.local/state/svc-mcp',
    about: 'Folder of state that survives restarts and that replicas share: signing keys, consumed plan tokens.',
  },
  SVC_MCP_SIGNING_KEYS_PATH: {
    kind: { kind: 'path' },
    about:
      'Secret file with one or two lines of 64 hex digits, the current key and the one before it; default: a file made in SVC_MCP_STATE_DIR.',
  },
  SVC_MCP_REDIS_URL: {
    kind: { kind: 'text' },
    about:
      'Redis that replicas share: redis://[user@]host[:port][/db], or rediss://. Default: files in SVC_MCP_STATE_DIR, and each replica its share of the rate budget.',
  },
  SVC_MCP_REDIS_PASSWORD_PATH: {
    kind: { kind: 'path' },
    about: 'Secret file with the password of that Redis. The router reads it at every connection.',
  },
  SVC_MCP_RAG_BACKEND: {
    kind: { kind: 'choice', values: ['embedded', 'redis'] },
    default: 'embedded',
    about: 'Store of the vectors of documents: the corpus file, or the Redis of SVC_MCP_REDIS_URL (8 or newer).',
  },
  OLLAMA_URL: {
    kind: { kind: 'text' },
    about:
      'Ollama that makes vectors of documents and questions: http://host[:port]. Default: none, and only words find a document.',
  },
  SVC_MCP_RAG_EMBED_MODEL: {
    kind: { kind: 'text' },
    default: 'nomic-embed-text',
    about: 'Model that Ollama makes vectors with; after a change documents are ingested again.',
  },
  HTTPS_PROXY: {
    kind: { kind: 'text' },
    about:
      'Proxy for https connections to platforms: http[s]://[user:password@]host[:port], also as https_proxy. SVC_MCP_EGRESS still decides which platforms are reached. Default: that of HTTP_PROXY.',
  },
  HTTP_PROXY: { kind: { kind: 'text' }, about: 'The same for http connections, also as http_proxy. Default: none.' },
  NO_PROXY: {
    kind: { kind: 'list' },
    about: 'Hosts that are reached without the proxy: host, host:port, .domain, or * for all. This machine always is.',
  },
  SVC_MCP_CA_PATH: {
    kind: { kind: 'path' },
    about: 'Certificates in PEM that are trusted for platforms and the proxy, beside those of Node.',
  },
  SVC_MCP_UPLOAD_DIR: {
    kind: { kind: 'path' },
    about:
      'Folder of files that calls may send to platforms, each named by its path below it. Default: none, and a call that sends a file is refused.',
  },
  SVC_MCP_RATE_PER_SECOND: {
    kind: { kind: 'number', min: 0, max: 10_000 },
    default: '8',
    about: 'Platform calls per second and account, over all replicas; 0 = no budget.',
  },
  SVC_MCP_CALL_TIMEOUT_SECONDS: {
    kind: { kind: 'number', min: 0.05, max: 600 },
    default: '45',
    about: 'Total time for one call, retries included.',
  },
  SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS: {
    kind: { kind: 'integer', min: 1, max: 200 },
    default: '200',
    about: 'Most items in one answer.',
  },
  SVC_MCP_ROUTER_RESPONSE_MAX_BYTES: {
    kind: { kind: 'integer', min: 1024, max: 10_000_000 },
    default: '200000',
    about: 'Most bytes in one answer.',
  },
  SVC_MCP_ROUTER_BATCH_RESPONSE_MAX_BYTES: {
    kind: { kind: 'integer', min: 4096, max: 10_000_000 },
    default: '300000',
    about: 'Most bytes in the answer of a batch.',
  },
  SVC_MCP_ROUTER_CURSOR_TTL_SECONDS: {
    kind: { kind: 'integer', min: 30, max: 3600 },
    default: '900',
    about: 'Life of a paging cursor.',
  },
  SVC_MCP_AUDIT_LOG: {
    kind: { kind: 'text' },
    default: '0',
    about:
      'Audit log of every call: 1 for tool-audit.jsonl in SVC_MCP_STATE_DIR, or a path. When it is on, the router refuses a write that it cannot record.',
  },
  SVC_MCP_AUDIT_SYSLOG: {
    kind: { kind: 'text' },
    about:
      'Syslog receiver that gets each line of the audit log too: udp://host:port, tcp://host:port or tls://host:port; default: none.',
  },
  SVC_MCP_AUDIT_OTLP_URL: {
    kind: { kind: 'text' },
    about:
      'Address that the lines of the audit log are sent to over OTLP/HTTP, such as http://127.0.0.1:4318/v1/logs; default: none.',
  },
  SVC_MCP_LOG_LEVEL: {
    kind: { kind: 'choice', values: ['silent', 'error', 'warn', 'info', 'debug'] },
    default: 'info',
    about: 'Least level of log lines on stderr.',
  },
  SVC_MCP_DOTENV: {
    kind: flag,
    default: '1',
    about: 'Read .env of the working folder. Set it in the environment of the process; in .env it has no effect.',
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;

/** Names a toolset or product list may hold; the platform files say which of them this build has. */
export const TOOLSETS = ['mgmt', 'workspace', 'rag'] as const;
/** Made of local tools, have no platform file, and are served whatever was asked for. */
export const ALWAYS_ON = [
  'router',
  'migration',
  'design',
  'interop',
  'catalog',
  'site-health',
  'workspace-core',
] as const;
/** Those among the toolsets that are made of local tools as well. */
export const LOCAL_TOOLSETS = ['rag'] as const satisfies readonly (typeof TOOLSETS)[number][];
export const PRODUCTS = ['nac', 'cloudwlan', 'sdwan', 'legacy', 'fabric', 'sse', 'sensors', 'analytics'] as const;
