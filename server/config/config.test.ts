import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { gateState } from '../access/access-policy.ts';
import { exitCodeOf, RouterError } from '../errors.ts';
import { type Config, loadConfig, productList } from './config.ts';
import { VARIABLES } from './variables.ts';

const cwd = mkdtempSync(join(tmpdir(), 'svc-mcp-config-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const caFile = join(cwd, 'ca.pem');
const certificate = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=ca', '-keyout', join(cwd, 'key.pem')];
execFileSync('openssl', ['req', ...certificate, '-out', caFile], { stdio: 'ignore' });

const load = (env: Record<string, string> = {}): Config =>
  loadConfig({ env: { SVC_MCP_CONFIG_DIR: join(cwd, 'user'), ...env }, cwd });
const refusal = (env: Record<string, string>): RouterError => {
  try {
    load(env);
  } catch (error) {
    if (error instanceof RouterError) return error;
    throw error;
  }
  throw new Error(`expected a refusal of ${JSON.stringify(env)}`);
};

test('without any variable the safest working configuration applies', () => {
  const config = load();
  expect(config).toMatchObject({
    transport: 'stdio',
    mode: 'minimal',
    stateless: false,
    confirmation: 'elicit',
    ratePerSecond: 8,
    callTimeoutMs: 45_000,
    access: { profile: 'custom', readonly: false, productAccess: 'read-only', gates: {} },
    http: { host: '127.0.0.1', port: 8010, checkNames: true },
    credentialsPath: join(cwd, 'config/credentials.yaml'),
    response: { maxItems: 200, maxBytes: 200_000, batchMaxBytes: 300_000, cursorTtlSeconds: 900 },
  });
  expect(config.platforms.map(({ id }) => id)).toEqual(['mgmt', 'workspace']);
  expect(Object.isFrozen(config)).toBe(true);
});

const OIDC = {
  SVC_MCP_CONSOLE_PORT: '0',
  SVC_MCP_CONSOLE_URL: 'https://ops.example',
  SVC_MCP_CONSOLE_OIDC_ISSUER: 'https://id.example/realms/ops',
  SVC_MCP_CONSOLE_OIDC_CLIENT_ID: 'console',
};

test('the audit log is off, at its own place, or where it is said to be', () => {
  const at = (value: string) => load({ SVC_MCP_AUDIT_LOG: value, SVC_MCP_STATE_DIR: 'state' }).auditLog;
  expect([load().auditLog, at('off'), at('1'), at('logs/a.jsonl')]).toEqual([
    undefined,
    undefined,
    join(cwd, 'state/tool-audit.jsonl'),
    join(cwd, 'logs/a.jsonl'),
  ]);
});

test.each([
  [{ SVC_MCP_CONFIRMATION: 'token', SVC_MCP_APPROVALS: 'operator' }, 'CONFIG_CONTRADICTION'],
  [{ SVC_MCP_CONSOLE_PORT: '0', SVC_MCP_CONSOLE_HOST: '0.0.0.0' }, 'UNSAFE_HTTP_BINDING'],
  [
    { SVC_MCP_CONSOLE_PORT: '0', SVC_MCP_CONSOLE_HOST: '0.0.0.0', SVC_MCP_CONSOLE_URL: 'http://ops.example' },
    'CONFIG_INVALID',
  ],
  [{ SVC_MCP_CONSOLE_PORT: '0', SVC_MCP_CONSOLE_URL: 'https://ops.example/console' }, 'CONFIG_INVALID'],
  [{ ...OIDC, SVC_MCP_CONSOLE_URL: 'http://localhost:8020' }, 'CONFIG_CONTRADICTION'],
  [{ ...OIDC, SVC_MCP_CONSOLE_OIDC_ISSUER: '' }, 'CONFIG_INVALID'],
  [{ ...OIDC, SVC_MCP_CONSOLE_OIDC_ISSUER: 'http://id.example' }, 'CONFIG_INVALID'],
  [{ ...OIDC, SVC_MCP_CONSOLE_OIDC_ISSUER: 'https://id.example?tenant=1' }, 'CONFIG_INVALID'],
  [{ SVC_MCP_CONSOLE_PORT: '65536' }, 'CONFIG_INVALID'],
  [{ SVC_MCP_CONSOLE_PORT: 'on' }, 'CONFIG_INVALID'],
])('approvals that make no sense, or a console open to a network, refuse the start: %j', (env, code) => {
  expect(() => load(env)).toThrowError(expect.objectContaining({ code }));
});

test('without its settings nobody but the client is asked, and there is no console', () => {
  expect(load().approvals).toMatchObject({ mode: 'client', console: undefined });
  const tokenAlone = load({ SVC_MCP_CONFIRMATION: 'token', SVC_MCP_CONSOLE_PORT: '0' });
  expect(tokenAlone.approvals.mode).toBe('client');
});

describe('each variable takes a good value', () => {
  const http = { MCP_TRANSPORT: 'streamable-http' };
  const oauth = { ...http, SVC_MCP_OAUTH_ISSUER: 'https://id.example' };
  const cases: Record<keyof typeof VARIABLES, [Record<string, string>, (config: Config) => unknown, unknown]> = {
    MCP_TRANSPORT: [http, (c) => c.transport, 'streamable-http'],
    MCP_HOST: [{ MCP_HOST: 'localhost' }, (c) => c.http.host, 'localhost'],
    MCP_PORT: [{ MCP_PORT: '0' }, (c) => c.http.port, 0],
    MCP_ALLOWED_HOSTS: [
      { MCP_ALLOWED_HOSTS: 'Router.example:*, 10.0.0.1:8010' },
      (c) => c.http.allowedHosts,
      ['router.example:*', '10.0.0.1:8010'],
    ],
    MCP_ALLOWED_ORIGINS: [
      { MCP_ALLOWED_ORIGINS: 'https://ops.example' },
      (c) => c.http.allowedOrigins,
      ['https://ops.example'],
    ],
    MCP_DNS_REBINDING_PROTECTION: [
      { MCP_DNS_REBINDING_PROTECTION: 'off', SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: '1', ...http },
      (c) => c.http.checkNames,
      false,
    ],
    SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: [
      { SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: 'on' },
      (c) => c.http.checkNames,
      true,
    ],
    MCP_HTTP_BEARER_TOKEN: [
      { MCP_HTTP_BEARER_TOKEN: 'abc-defg-hijk-lmno-pqrs-t', ...http },
      (c) => c.http.bearerToken,
      'abc-defg-hijk-lmno-pqrs-t',
    ],
    SVC_MCP_PRINCIPALS_PATH: [
      { ...http, SVC_MCP_PRINCIPALS_PATH: '/p/principals.yaml' },
      (c) => c.principalsPath,
      '/p/principals.yaml',
    ],
    SVC_MCP_OAUTH_ISSUER: [{ ...oauth }, (c) => c.oauth?.issuer, 'https://id.example'],
    SVC_MCP_OAUTH_RESOURCE: [
      { ...oauth, SVC_MCP_OAUTH_RESOURCE: 'https://router.example/mcp' },
      (c) => [c.oauth?.resource, c.oauth?.audience],
      ['https://router.example/mcp', 'https://router.example/mcp'],
    ],
    SVC_MCP_OAUTH_AUDIENCE: [
      { ...oauth, SVC_MCP_OAUTH_AUDIENCE: 'api://router' },
      (c) => [c.oauth?.resource, c.oauth?.audience],
      ['http://127.0.0.1:8010/mcp', 'api://router'],
    ],
    SVC_MCP_OAUTH_JWKS_URL: [
      { ...oauth, SVC_MCP_OAUTH_JWKS_URL: 'https://id.example/keys' },
      (c) => c.oauth?.jwksUrl,
      'https://id.example/keys',
    ],
    SVC_MCP_OAUTH_CLOCK_SKEW_SECONDS: [
      { ...oauth, SVC_MCP_OAUTH_CLOCK_SKEW_SECONDS: '300' },
      (c) => c.oauth?.skewSeconds,
      300,
    ],
    SVC_MCP_OAUTH_SCOPES: [
      { ...oauth, SVC_MCP_OAUTH_SCOPES: 'mcp:read, mgmt:write' },
      (c) => c.oauth?.scopes,
      ['mcp:read', 'mgmt:write'],
    ],
    SVC_MCP_OAUTH_UNLISTED: [
      { ...oauth, SVC_MCP_OAUTH_UNLISTED: 'refuse', SVC_MCP_PRINCIPALS_PATH: '/p/principals.yaml' },
      (c) => c.oauth?.unlisted,
      'refuse',
    ],
    SVC_MCP_STATELESS: [{ SVC_MCP_STATELESS: 'yes' }, (c) => c.stateless, true],
    SVC_MCP_REPLICAS: [{ SVC_MCP_REPLICAS: '3' }, (c) => c.stateless, true],
    SVC_MCP_METRICS: [{ SVC_MCP_METRICS: '1' }, (c) => c.metrics, { collect: true, route: false }],
    SVC_MCP_METRICS_HTTP: [{ SVC_MCP_METRICS_HTTP: '1' }, (c) => c.metrics, { collect: false, route: true }],
    SVC_MCP_ROUTER_MODE: [{ SVC_MCP_ROUTER_MODE: 'direct' }, (c) => c.mode, 'direct'],
    SVC_MCP_TOOLSETS: [{ SVC_MCP_TOOLSETS: 'rag' }, (c) => c.platforms, []],
    SVC_MCP_PRODUCTS: [{ SVC_MCP_PRODUCTS: 'all' }, (c) => c.platforms.length, 10],
    SVC_MCP_ACCESS_PROFILE: [{ SVC_MCP_ACCESS_PROFILE: 'full-read-write' }, (c) => c.access.profile, 'full-read-write'],
    SVC_MCP_PRODUCT_ACCESS: [{ SVC_MCP_PRODUCT_ACCESS: 'read-write' }, (c) => c.access.productAccess, 'read-write'],
    SVC_MCP_READONLY: [{ SVC_MCP_READONLY: 'TRUE' }, (c) => c.access.readonly, true],
    SVC_MCP_LEGACY_ROLLBACK_WRITES: [{ SVC_MCP_LEGACY_ROLLBACK_WRITES: '1' }, (c) => c.rollbackWrites, true],
    SVC_MCP_APPROVAL_MAX_CHARACTERS: [
      { SVC_MCP_APPROVAL_MAX_CHARACTERS: '400000' },
      (c) => c.approvalMaxCharacters,
      400_000,
    ],
    SVC_MCP_APPROVALS: [{ SVC_MCP_APPROVALS: 'two-for-destructive' }, (c) => c.approvals.mode, 'two-for-destructive'],
    SVC_MCP_APPROVAL_MINUTES: [{ SVC_MCP_APPROVAL_MINUTES: '5' }, (c) => c.approvals.lifeMs, 300_000],
    SVC_MCP_WRITES_PER_HOUR: [{ SVC_MCP_WRITES_PER_HOUR: '20' }, (c) => c.writes.perHour, 20],
    SVC_MCP_WRITE_WINDOWS: [
      { SVC_MCP_WRITE_WINDOWS: 'Sun 22:00-04:00, mgmt: 00:00-24:00' },
      (c) => c.writes.windows.map(({ platform, intervals }) => [platform, intervals[0], intervals.length]),
      [
        [undefined, { start: 6 * 1440 + 1320, end: 240 }, 1],
        ['mgmt', { start: 0, end: 1440 }, 7],
      ],
    ],
    SVC_MCP_WRITE_WINDOWS_ZONE: [
      { SVC_MCP_WRITE_WINDOWS_ZONE: 'Europe/Zurich' },
      (c) => c.writes.zone,
      'Europe/Zurich',
    ],
    SVC_MCP_WRITES_OUTSIDE_WINDOWS: [
      { SVC_MCP_WRITE_WINDOWS: '22:00-04:00', SVC_MCP_CONFIRMATION: 'token', SVC_MCP_WRITES_OUTSIDE_WINDOWS: 'ask' },
      (c) => c.writes.outside,
      'ask',
    ],
    SVC_MCP_OPERATORS_PATH: [
      { SVC_MCP_OPERATORS_PATH: 'people.json' },
      (c) => c.approvals.operatorsPath,
      join(cwd, 'people.json'),
    ],
    SVC_MCP_CONSOLE_PORT: [
      { SVC_MCP_CONSOLE_PORT: '8020' },
      (c) => [c.approvals.mode, c.approvals.console],
      ['operator', { host: '127.0.0.1', port: 8020, url: undefined }],
    ],
    SVC_MCP_CONSOLE_HOST: [
      { SVC_MCP_CONSOLE_PORT: '8020', SVC_MCP_CONSOLE_HOST: '0.0.0.0', SVC_MCP_CONSOLE_URL: 'https://ops.example' },
      (c) => c.approvals.console,
      { host: '0.0.0.0', port: 8020, url: 'https://ops.example' },
    ],
    SVC_MCP_CONSOLE_URL: [
      { SVC_MCP_CONSOLE_PORT: '0', SVC_MCP_CONSOLE_URL: 'http://localhost:8020/' },
      (c) => c.approvals.console?.url,
      'http://localhost:8020',
    ],
    SVC_MCP_CONSOLE_OIDC_ISSUER: [OIDC, (c) => c.approvals.console?.oidc?.issuer, 'https://id.example/realms/ops'],
    SVC_MCP_CONSOLE_OIDC_CLIENT_ID: [OIDC, (c) => c.approvals.console?.oidc?.clientId, 'console'],
    SVC_MCP_CONSOLE_OIDC_CLIENT_SECRET_PATH: [
      { ...OIDC, SVC_MCP_CONSOLE_OIDC_CLIENT_SECRET_PATH: 'client-secret' },
      (c) => c.approvals.console?.oidc?.clientSecretPath,
      join(cwd, 'client-secret'),
    ],
    SVC_MCP_APPROVAL_WEBHOOK: [
      { SVC_MCP_APPROVAL_WEBHOOK: 'https://hooks.example/a', SVC_MCP_APPROVAL_WEBHOOK_KEY_PATH: 'key' },
      (c) => c.approvals.webhook?.url,
      'https://hooks.example/a',
    ],
    SVC_MCP_APPROVAL_WEBHOOK_KEY_PATH: [
      { SVC_MCP_APPROVAL_WEBHOOK: 'https://hooks.example/a', SVC_MCP_APPROVAL_WEBHOOK_KEY_PATH: 'key' },
      (c) => c.approvals.webhook?.keyPath,
      join(cwd, 'key'),
    ],
    SVC_MCP_CONFIRMATION: [{ SVC_MCP_CONFIRMATION: 'token' }, (c) => c.confirmation, 'token'],
    SVC_MCP_CONFIG_DIR: [{ SVC_MCP_CONFIG_DIR: '/etc/svc-mcp' }, (c) => c.configDir, '/etc/svc-mcp'],
    SVC_MCP_EGRESS: [
      { SVC_MCP_EGRESS: 'https://Api.example:8443, http://10.0.0.1' },
      (c) => c.egress,
      ['https://api.example:8443', 'http://10.0.0.1'],
    ],
    CREDS_PATH: [
      { CREDS_PATH: '/run/secrets/credentials_yaml' },
      (c) => c.credentialsPath,
      '/run/secrets/credentials_yaml',
    ],
    HTTPS_PROXY: [
      { HTTPS_PROXY: 'http://proxy.test:8080' },
      (c) => c.network,
      { proxy: { https: 'http://proxy.test:8080/', http: '', direct: '' } },
    ],
    HTTP_PROXY: [{ http_proxy: 'http://proxy.test' }, (c) => c.network.proxy?.http, 'http://proxy.test/'],
    NO_PROXY: [{ HTTP_PROXY: 'http://p.test', NO_PROXY: '.corp.test' }, (c) => c.network.proxy?.direct, '.corp.test'],
    SVC_MCP_CA_PATH: [{ SVC_MCP_CA_PATH: caFile }, (c) => c.network.ca, readFileSync(caFile, 'utf8')],
    SVC_MCP_UPLOAD_DIR: [{ SVC_MCP_UPLOAD_DIR: 'out' }, (c) => c.uploadDir, join(cwd, 'out')],
    TOKEN_CACHE_DIR: [{ TOKEN_CACHE_DIR: 'tokens' }, (c) => c.tokenCacheDir, join(cwd, 'tokens')],
    SVC_MCP_CATALOG_DIR: [{ SVC_MCP_CATALOG_DIR: '/srv/catalog' }, (c) => c.catalogDir, '/srv/catalog'],
    SVC_MCP_STATE_DIR: [{ SVC_MCP_STATE_DIR: '/app/state' }, (c) => c.stateDir, '/app/state'],
    SVC_MCP_SIGNING_KEYS_PATH: [
      { SVC_MCP_SIGNING_KEYS_PATH: '/run/secrets/signing_keys' },
      (c) => c.signingKeysPath,
      '/run/secrets/signing_keys',
    ],
    SVC_MCP_REDIS_URL: [
      { SVC_MCP_REDIS_URL: 'rediss://router@cache.example:6380/2', SVC_MCP_REDIS_PASSWORD_PATH: '/run/secrets/redis' },
      (c) => c.redis,
      {
        host: 'cache.example',
        port: 6380,
        tls: true,
        database: 2,
        username: 'router',
        passwordPath: '/run/secrets/redis',
      },
    ],
    SVC_MCP_REDIS_PASSWORD_PATH: [
      { SVC_MCP_REDIS_URL: 'redis://[::1]', SVC_MCP_REDIS_PASSWORD_PATH: 'secret' },
      (c) => [c.redis?.host, c.redis?.port, c.redis?.passwordPath],
      ['::1', 6379, join(cwd, 'secret')],
    ],
    SVC_MCP_RAG_BACKEND: [
      { SVC_MCP_RAG_BACKEND: 'redis' },
      (c) => c.knowledge,
      { backend: 'redis', embedder: undefined },
    ],
    OLLAMA_URL: [
      { OLLAMA_URL: 'http://127.0.0.1:11434/' },
      (c) => c.knowledge.embedder,
      { url: 'http://127.0.0.1:11434', model: 'nomic-embed-text' },
    ],
    SVC_MCP_RAG_EMBED_MODEL: [
      { OLLAMA_URL: 'https://models.example', SVC_MCP_RAG_EMBED_MODEL: 'all-minilm:l6-v2' },
      (c) => c.knowledge.embedder?.model,
      'all-minilm:l6-v2',
    ],
    SVC_MCP_RATE_PER_SECOND: [{ SVC_MCP_RATE_PER_SECOND: '0' }, (c) => c.ratePerSecond, 0],
    SVC_MCP_CALL_TIMEOUT_SECONDS: [{ SVC_MCP_CALL_TIMEOUT_SECONDS: '1.5' }, (c) => c.callTimeoutMs, 1_500],
    SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS: [{ SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS: '20' }, (c) => c.response.maxItems, 20],
    SVC_MCP_ROUTER_RESPONSE_MAX_BYTES: [
      { SVC_MCP_ROUTER_RESPONSE_MAX_BYTES: '2048' },
      (c) => c.response.maxBytes,
      2048,
    ],
    SVC_MCP_ROUTER_BATCH_RESPONSE_MAX_BYTES: [
      { SVC_MCP_ROUTER_BATCH_RESPONSE_MAX_BYTES: '5000' },
      (c) => c.response.batchMaxBytes,
      5000,
    ],
    SVC_MCP_ROUTER_CURSOR_TTL_SECONDS: [
      { SVC_MCP_ROUTER_CURSOR_TTL_SECONDS: '60' },
      (c) => c.response.cursorTtlSeconds,
      60,
    ],
    SVC_MCP_AUDIT_LOG: [{ SVC_MCP_AUDIT_LOG: 'audit.jsonl' }, (c) => c.auditLog, join(cwd, 'audit.jsonl')],
    SVC_MCP_AUDIT_SYSLOG: [
      { SVC_MCP_AUDIT_LOG: '1', SVC_MCP_AUDIT_SYSLOG: 'tls://[::1]:6514' },
      (c) => c.auditExport.syslog,
      { protocol: 'tls', host: '::1', port: 6514 },
    ],
    SVC_MCP_AUDIT_OTLP_URL: [
      { SVC_MCP_AUDIT_LOG: '1', SVC_MCP_AUDIT_OTLP_URL: 'http://127.0.0.1:4318/v1/logs' },
      (c) => c.auditExport.otlpUrl,
      'http://127.0.0.1:4318/v1/logs',
    ],
    SVC_MCP_LOG_LEVEL: [{ SVC_MCP_LOG_LEVEL: 'debug' }, (c) => c.logLevel, 'debug'],
    SVC_MCP_TRACES_URL: [
      { SVC_MCP_TRACES_URL: 'http://127.0.0.1:4318/v1/traces' },
      (c) => c.tracesUrl,
      'http://127.0.0.1:4318/v1/traces',
    ],
    // Its effect needs a file: the test below.
    SVC_MCP_DOTENV: [{ SVC_MCP_DOTENV: '0' }, (c) => c.http.port, 8010],
  };
  test.each(Object.entries(cases))('%s', (_, [env, read, value]) => {
    expect(read(load(env))).toEqual(value);
  });

  test('the table above has every variable', () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(VARIABLES).sort());
  });
});

describe('a Redis is used with its password or not at all', () => {
  test.each([
    { SVC_MCP_REDIS_URL: 'redis://cache' },
    { SVC_MCP_REDIS_PASSWORD_PATH: '/run/secrets/redis' },
    { SVC_MCP_REDIS_URL: 'redis://:hunter22@cache', SVC_MCP_REDIS_PASSWORD_PATH: '/run/secrets/redis' },
    { SVC_MCP_REDIS_URL: 'redis//:hunter22@cache', SVC_MCP_REDIS_PASSWORD_PATH: '/run/secrets/redis' },
    { SVC_MCP_REDIS_URL: 'http://cache', SVC_MCP_REDIS_PASSWORD_PATH: '/run/secrets/redis' },
    { SVC_MCP_REDIS_URL: 'redis://cache/users', SVC_MCP_REDIS_PASSWORD_PATH: '/run/secrets/redis' },
  ])('%j is refused, and nothing of the address is repeated', (env) => {
    const { code, message } = refusal(env);
    expect([code, /^SVC_MCP_REDIS_\w+ should/.test(message), message.includes('hunter22')]).toEqual([
      'CONFIG_INVALID',
      true,
      false,
    ]);
  });
});

describe('an embedder has an address without secrets, and its Redis is known', () => {
  test.each([
    { OLLAMA_URL: '127.0.0.1:11434' },
    { OLLAMA_URL: 'http://me:hunter22@models.example' },
    { OLLAMA_URL: 'http://models.example/?key=hunter22' },
    { OLLAMA_URL: 'http://models.example', SVC_MCP_RAG_EMBED_MODEL: 'a model' },
    { OLLAMA_URL: 'http://models.example', SVC_MCP_RAG_BACKEND: 'redis' },
  ])('%j is refused', (env) => {
    const { code, message } = refusal(env);
    expect([code, message.includes('hunter22')]).toEqual(['CONFIG_INVALID', false]);
  });
});

describe('a bad value names the variable, what was expected and what came', () => {
  test.each([
    [{ MCP_PORT: '80a' }, 'MCP_PORT should be a whole number from 0 to 65535, got "80a"'],
    [{ MCP_PORT: '65536' }, 'MCP_PORT should be a whole number from 0 to 65535, got "65536"'],
    [{ MCP_TRANSPORT: 'http' }, 'MCP_TRANSPORT should be one of stdio, streamable-http, got "http"'],
    [{ SVC_MCP_ROUTER_MODE: 'full' }, 'SVC_MCP_ROUTER_MODE should be one of minimal, default, direct, got "full"'],
    [
      { SVC_MCP_ACCESS_PROFILE: 'admin' },
      'SVC_MCP_ACCESS_PROFILE should be one of safe-read-only, custom, full-read-write, got "admin"',
    ],
    [
      { SVC_MCP_MGMT_WRITES: 'maybe' },
      'SVC_MCP_MGMT_WRITES should be 1, true, yes or on, or 0, false, no or off, got "maybe"',
    ],
    [{ SVC_MCP_READONLY: '2' }, 'SVC_MCP_READONLY should be 1, true, yes or on, or 0, false, no or off, got "2"'],
    [
      { SVC_MCP_TOOLSETS: 'mgmt,wireless' },
      'SVC_MCP_TOOLSETS should be a list of all, mgmt, workspace, rag, got "wireless"',
    ],
    [
      { SVC_MCP_PRODUCTS: 'firewall' },
      'SVC_MCP_PRODUCTS should be a list of all, nac, cloudwlan, sdwan, legacy, fabric, sse, sensors, analytics, got "firewall"',
    ],
    [
      { SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS: '201' },
      'SVC_MCP_ROUTER_RESPONSE_MAX_ITEMS should be a whole number from 1 to 200, got "201"',
    ],
    [{ SVC_MCP_CONFIRMATION: 'none' }, 'SVC_MCP_CONFIRMATION should be one of elicit, token, got "none"'],
  ])('%j', (env, message) => {
    const error = refusal(env as unknown as Record<string, string>);
    expect(error.message).toBe(message);
    expect(exitCodeOf(error)).toBe(2);
  });
});

describe('settings that contradict each other refuse the start and name both', () => {
  test.each([
    [{ SVC_MCP_ACCESS_PROFILE: 'safe-read-only', SVC_MCP_PRODUCT_ACCESS: 'read-write' }],
    [{ SVC_MCP_ACCESS_PROFILE: 'safe-read-only', SVC_MCP_MGMT_WRITES: '1' }],
    [{ SVC_MCP_ACCESS_PROFILE: 'full-read-write', SVC_MCP_READONLY: '1' }],
    [{ SVC_MCP_ACCESS_PROFILE: 'full-read-write', SVC_MCP_PRODUCT_ACCESS: 'read-only' }],
    [{ SVC_MCP_ACCESS_PROFILE: 'full-read-write', SVC_MCP_MGMT_WRITES: '0' }],
  ])('%j', (env) => {
    const error = refusal(env as unknown as Record<string, string>);
    expect(error.code).toBe('CONFIG_CONTRADICTION');
    for (const [name, value] of Object.entries(env)) expect(error.message).toContain(`${name}=${value}`);
  });

  const gates = 'MGMT WORKSPACE NAC CLOUDWLAN SDWAN LEGACY FABRIC SSE SENSORS'.split(' ');
  test.each(gates)('so does each of the nine gates: SVC_MCP_%s_WRITES', (platform) => {
    const gate = `SVC_MCP_${platform}_WRITES`;
    for (const [profile, value] of [
      ['safe-read-only', '1'],
      ['full-read-write', '0'],
    ] as const) {
      const error = refusal({ SVC_MCP_ACCESS_PROFILE: profile, [gate]: value });
      expect([error.code, error.message]).toEqual([
        'CONFIG_CONTRADICTION',
        expect.stringContaining(`SVC_MCP_ACCESS_PROFILE=${profile} contradicts ${gate}=${value}`),
      ]);
    }
    expect(refusal({ [gate]: 'maybe' }).message).toContain(`${gate} should be`);
    expect(load({ [gate]: 'yes' }).access.gates).toEqual({ [gate]: true });
  });

  test('an unset PRODUCT_ACCESS contradicts nothing, and READONLY goes with custom and safe-read-only', () => {
    expect(load({ SVC_MCP_ACCESS_PROFILE: 'full-read-write' }).access.profile).toBe('full-read-write');
    expect(
      load({ SVC_MCP_ACCESS_PROFILE: 'safe-read-only', SVC_MCP_READONLY: '1', SVC_MCP_MGMT_WRITES: '0' }).access
        .readonly,
    ).toBe(true);
    expect(load({ SVC_MCP_READONLY: '1', SVC_MCP_MGMT_WRITES: '1' }).access.readonly).toBe(true);
  });
});

describe('unsafe HTTP bindings refuse the start as UnsafeHttpBindingError', () => {
  const http = { MCP_TRANSPORT: 'streamable-http' };
  const lists = { MCP_ALLOWED_HOSTS: '127.0.0.1:*', MCP_ALLOWED_ORIGINS: '127.0.0.1:*' };
  const EVERYWHERE = { MCP_HOST: '0.0.0.0' };
  test.each([
    ['a bearer token without HTTP', { MCP_HTTP_BEARER_TOKEN: 'x'.repeat(32) }],
    ['a bearer token of one character', { ...http, MCP_HTTP_BEARER_TOKEN: 'x' }],
    ['a bearer token of 23 characters', { ...http, MCP_HTTP_BEARER_TOKEN: 'x'.repeat(23) }],
    [
      'every address, a name beside loopback, no bearer token',
      { ...http, ...lists, ...EVERYWHERE, MCP_ALLOWED_HOSTS: '127.0.0.1:*,router.example:*' },
    ],
    [
      'every address, an origin beside loopback, no bearer token',
      { ...http, ...lists, ...EVERYWHERE, MCP_ALLOWED_ORIGINS: 'https://ops.example' },
    ],
    [
      'every address, a name that begins like loopback, no bearer token',
      { ...http, ...lists, ...EVERYWHERE, MCP_ALLOWED_HOSTS: '127.0.0.1.nip.example:*' },
    ],
    [
      'an address of the machine on both lists, no bearer token',
      { ...http, MCP_HOST: '10.1.2.3', MCP_ALLOWED_HOSTS: '10.1.2.3:*', MCP_ALLOWED_ORIGINS: '10.1.2.3:*' },
    ],
    [
      'checks off on every address, no bearer token',
      { ...http, ...lists, ...EVERYWHERE, MCP_DNS_REBINDING_PROTECTION: '0', SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: '1' },
    ],
    ['every address, no lists', { ...http, MCP_HOST: '0.0.0.0' }],
    ['every address, hosts only', { ...http, MCP_HOST: '0.0.0.0', MCP_ALLOWED_HOSTS: '127.0.0.1:*' }],
    ['every address, origins only', { ...http, MCP_HOST: '::', MCP_ALLOWED_ORIGINS: '127.0.0.1:*' }],
    ['an address of the machine', { ...http, MCP_HOST: '10.1.2.3' }],
    ['a name of the machine', { ...http, MCP_HOST: 'router.example' }],
    ['another loopback address', { ...http, MCP_HOST: '127.0.0.2' }],
    [
      'every address, lists of nothing',
      { ...http, MCP_HOST: '0.0.0.0', MCP_ALLOWED_HOSTS: ' , ', MCP_ALLOWED_ORIGINS: ',' },
    ],
    [
      'every address, no lists, whatever is allowed otherwise',
      { ...http, MCP_HOST: '0.0.0.0', SVC_MCP_ALLOW_INSECURE_HTTP_BINDING: '1' },
    ],
    ['a bare wildcard among names', { ...http, ...lists, MCP_ALLOWED_ORIGINS: '127.0.0.1:*,*' }],
    ['a bare wildcard with port', { ...http, ...lists, MCP_ALLOWED_HOSTS: '*:8010' }],
    ['a wildcard within a name', { ...http, ...lists, MCP_ALLOWED_HOSTS: 'router*.example.com' }],
    ['a wildcard within a port', { ...http, ...lists, MCP_ALLOWED_HOSTS: 'router.example.com:80*' }],
    ['an entry with a path', { ...http, ...lists, MCP_ALLOWED_ORIGINS: 'https://ops.example/app' }],
    ['an entry with a user', { ...http, ...lists, MCP_ALLOWED_HOSTS: 'me@router.example' }],
    [
      'checks off on every address, lists or not',
      { ...http, ...lists, MCP_HOST: '0.0.0.0', MCP_DNS_REBINDING_PROTECTION: '0' },
    ],
    ['a bare wildcard', { ...http, ...lists, MCP_ALLOWED_HOSTS: '*' }],
    ['a subdomain wildcard', { ...http, ...lists, MCP_ALLOWED_HOSTS: '*.example.com' }],
    ['a subdomain wildcard with port', { ...http, ...lists, MCP_ALLOWED_ORIGINS: '*.example.com:*' }],
    ['a wildcard scheme', { ...http, ...lists, MCP_ALLOWED_ORIGINS: '*://example.com' }],
    ['checks off without the second word', { ...http, MCP_DNS_REBINDING_PROTECTION: '0' }],
  ])('%s', (_, env) => {
    const error = refusal(env as unknown as Record<string, string>);
    expect(error.name).toBe('UnsafeHttpBindingError');
    expect(exitCodeOf(error)).toBe(2);
  });

  test('for a bearer token that is too short only its length is reported', () => {
    const error = refusal({ ...http, MCP_HTTP_BEARER_TOKEN: 'hunter2-hunter2' });
    expect(`${error.message} ${error.remedy}`).toContain('at least 24 characters, got 15');
    expect(`${error.message} ${error.remedy}`).not.toContain('hunter2');
  });

  test.each(['twenty four characters, or more', 'twenty-four-characters\tor-more', 'vierundzwanzig-Zeichen-für-alle'])(
    'a bearer token that no header can carry, %j',
    (token) => {
      const error = refusal({ ...http, MCP_HTTP_BEARER_TOKEN: token });
      expect(error.message).toBe('MCP_HTTP_BEARER_TOKEN should be ASCII without blanks, got other characters');
    },
  );

  test.each([
    {},
    { SVC_MCP_ACCESS_PROFILE: 'full-read-write', SVC_MCP_PRODUCT_ACCESS: 'read-write' },
    { SVC_MCP_MGMT_WRITES: '1', SVC_MCP_PRODUCT_ACCESS: 'read-write', SVC_MCP_NAC_WRITES: '1' },
  ])('without a bearer token every address is a quick look, in which %j opens no gate', (settings) => {
    const names = { MCP_ALLOWED_HOSTS: '127.0.0.1:*,localhost:*', MCP_ALLOWED_ORIGINS: 'http://[::1]:*,localhost' };
    const open = load({ ...http, ...EVERYWHERE, ...names, ...settings });
    expect(open.http.open).toBe(true);
    const states = open.known.map((platform) => gateState(open.access, platform));
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['disabled']));
    expect(new Set(states.map(({ source }) => source))).toEqual(new Set(['open_binding']));
    const guarded = load({ ...http, ...EVERYWHERE, ...names, ...settings, MCP_HTTP_BEARER_TOKEN: 'x'.repeat(24) });
    expect(guarded.http.open).toBe(false);
    expect(guarded.access.openBinding).toBeUndefined();
  });

  test('every address with both lists is served', () => {
    expect(load({ ...http, MCP_HOST: '0.0.0.0', ...lists }).http.host).toBe('0.0.0.0');
  });

  test('an empty bearer token is refused rather than served open', () => {
    expect(refusal({ ...http, MCP_HTTP_BEARER_TOKEN: '' }).message).toBe(
      'MCP_HTTP_BEARER_TOKEN should be a token, or not set at all, got ""',
    );
  });
});

test('the process environment comes before .env, and .env before the default', () => {
  writeFileSync(join(cwd, '.env'), 'MCP_PORT=9001\nSVC_MCP_LOG_LEVEL="debug" # loud\n');
  expect(load().http.port).toBe(9001);
  expect(load({ MCP_PORT: '9002' }).http.port).toBe(9002);
  expect(load().logLevel).toBe('debug');
  rmSync(join(cwd, '.env'));
  expect(load().http.port).toBe(8010);
});

test.each([
  [{ SVC_MCP_TOOLSETS: 'workspce' }, 'got "workspce"; did you mean "workspace"?'],
  [{ SVC_MCP_PRODUCTS: 'fabrik' }, 'got "fabrik"; did you mean "fabric"?'],
])('a misspelt platform of %j is refused with the nearest', (env, said) => {
  expect(refusal(env).message).toContain(said);
});

test('SVC_MCP_DOTENV=0 leaves .env aside; only the process environment can say so', () => {
  writeFileSync(join(cwd, '.env'), 'MCP_PORT=9001\nSVC_MCP_DOTENV=0\n');
  expect(load().http.port).toBe(9001);
  expect(load({ SVC_MCP_DOTENV: '' }).http.port).toBe(9001);
  expect(load({ SVC_MCP_DOTENV: '0' }).http.port).toBe(8010);
  expect(refusal({ SVC_MCP_DOTENV: 'perhaps' }).message).toMatch(/^SVC_MCP_DOTENV should be 1, true, yes or on/);
  // Not even a file that cannot be read matters then.
  rmSync(join(cwd, '.env'));
  mkdirSync(join(cwd, '.env'));
  expect(load({ SVC_MCP_DOTENV: '0' }).http.port).toBe(8010);
  expect(refusal({}).message).toMatch(/could not be read/);
  rmSync(join(cwd, '.env'), { recursive: true });
});

test('a misspelt variable of ours is reported', () => {
  expect(load({ SVC_MCP_MGMT_WRITE: '1', OTHER: '1' }).warnings).toEqual([
    'SVC_MCP_MGMT_WRITE is not a variable of this router and has no effect',
  ]);
});

test('local toolsets have no platform and are chosen by name or all', () => {
  const always = ['router', 'migration', 'design', 'interop', 'catalog', 'site-health', 'workspace-core'];
  expect(load().localToolsets).toEqual([...always, 'rag']);
  expect(load({ SVC_MCP_TOOLSETS: 'all' }).localToolsets).toEqual([...always, 'rag']);
  expect(load({ SVC_MCP_TOOLSETS: 'mgmt' }).localToolsets).toEqual(always);
  expect(load({ SVC_MCP_TOOLSETS: 'rag' }).platforms).toEqual([]);
});

test('products are asked for by name or all', () => {
  expect(load().products).toEqual([]);
  expect(load({ SVC_MCP_PRODUCTS: 'all' }).products).toBe('all');
  expect(productList('--products', ['nac', ' sdwan', 'nac', ''])).toEqual(['nac', 'sdwan']);
  expect(() => productList('--products', ['toaster'])).toThrow(/--products should be a list of all, nac/);
});

test.each(['', ' '])('a list of platforms that is %j is not set, and `none` is an empty one', (nothing) => {
  const served = (toolsets: string, products: string) =>
    load({ SVC_MCP_TOOLSETS: toolsets, SVC_MCP_PRODUCTS: products }).platforms.map(({ id }) => id);
  expect(served(nothing, nothing)).toEqual(['mgmt', 'workspace']);
  expect(served('none', nothing)).toEqual([]);
  expect(served('none', 'nac')).toEqual(['nac']);
  expect(served(' none ', 'none')).toEqual([]);
  expect(load({ SVC_MCP_TOOLSETS: 'none' }).localToolsets).not.toContain('rag');
  expect(refusal({ SVC_MCP_TOOLSETS: 'mgmt,none' }).message).toContain('got "none"');
});

test.each([
  ['SVC_MCP_TOOLSETS', 'toaster', 'a list of all, mgmt, workspace, rag'],
  ['SVC_MCP_PRODUCTS', 'toaster', 'a list of all, nac, cloudwlan, sdwan, legacy, fabric, sse, sensors, analytics'],
])('%s refuses %s and names what there is', (variable, value, list) => {
  expect(refusal({ [variable]: value }).message).toBe(`${variable} should be ${list}, got "${value}"`);
});
